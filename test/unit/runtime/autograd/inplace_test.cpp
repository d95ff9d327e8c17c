// Gradients of tensors that in-place operators have overwritten.
#include <structured/ops/add.h>
#include <structured/ops/mul.h>
#include <structured/ops/select.h>
#include <structured/ops/sum.h>
#include <structured/ops/topk.h>
#include <structured/ops/unbind.h>
#include <structured/ops/view.h>

#include <tuple>
#include <vector>

#include "expect_error.h"
#include "functions.h"

namespace structured::test {
namespace {

using Inplace = Autograd;

Tensor computed() { return mul(full({2}, 3, kDouble).requires_grad_(), 1); }

TEST_F(Inplace, RetainedGradientsAreThoseOfTheNewValue) {
  Tensor x = computed();
  x.retain_grad();
  mul_(x, 2);
  sum(x).backward();
  EXPECT_EQ(value_of(select(x.grad(), 0, 0)), 1);
}

TEST_F(Inplace, RetainedGradientsOfViewsAreThoseOfTheNewValue) {
  const Tensor base = computed();
  Tensor first = view(base, {2, 1});
  const Tensor second = view(base, {2, 1});
  first.retain_grad();
  second.retain_grad();
  mul_(first, 2);
  sum(add(first, second)).backward();
  EXPECT_EQ(value_of(select(first.grad(), 0, 0)), 1);
  EXPECT_EQ(value_of(select(second.grad(), 0, 0)), 1);
}

TEST_F(Inplace, RejectsOneOfSeveralViewsAndItsViews) {
  constexpr const char* text = "Output 1 of UnbindBackward0 is a view and is being modified inplace.";
  const std::vector<Tensor> parts = unbind(computed());
  Tensor part = parts[1];
  expect_error([&] { mul_(part, 2); }, text);
  Tensor other = view(part, {1});
  expect_error([&] { mul_(other, 2); }, text);
}

TEST_F(Inplace, AcceptsViewsOfOneOfSeveralResults) {
  const Tensor values = std::get<0>(topk(computed(), 1));
  Tensor part = view(values, {});
  mul_(part, 2);
  EXPECT_EQ(value_of(values), 6);
}

}  // namespace
}  // namespace structured::test
