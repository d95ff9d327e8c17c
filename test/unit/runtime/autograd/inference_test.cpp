// Inference tensors.
#include <structured/autograd/grad_mode.h>
#include <structured/ops/add.h>
#include <structured/ops/clone.h>
#include <structured/ops/exp.h>
#include <structured/ops/mul.h>
#include <structured/ops/transpose.h>
#include <structured/ops/view.h>

#include <cstdint>

#include "expect_error.h"
#include "functions.h"

namespace structured::test {
namespace {

using InferenceMode = Autograd;

Tensor inference_ones() {
  const InferenceModeGuard guard;
  return full({2}, 1, kDouble);
}

TEST_F(InferenceMode, IsOnInTheScopeOfAGuard) {
  EXPECT_FALSE(is_inference_mode_enabled());
  {
    const InferenceModeGuard guard;
    EXPECT_TRUE(is_inference_mode_enabled());
    EXPECT_FALSE(is_grad_enabled());
    {
      const InferenceModeGuard off(false);
      EXPECT_FALSE(is_inference_mode_enabled());
      EXPECT_TRUE(is_grad_enabled());
    }
    EXPECT_TRUE(is_inference_mode_enabled());
    EXPECT_FALSE(is_grad_enabled());
  }
  EXPECT_FALSE(is_inference_mode_enabled());
  EXPECT_TRUE(is_grad_enabled());
}

TEST_F(InferenceMode, MakesInferenceTensors) {
  const Tensor x = leaf(3);
  const InferenceModeGuard guard;
  const Tensor y = mul(x, x);
  EXPECT_TRUE(y.is_inference());
  EXPECT_FALSE(y.requires_grad());
  EXPECT_TRUE(full({1000}, 1, kDouble).is_inference());
  EXPECT_TRUE(full({}, 1, TensorOptions().dtype(kDouble).device(kMeta)).is_inference());
  double value = 1;
  EXPECT_TRUE(from_blob(&value, {1}, kDouble).is_inference());
}

TEST_F(InferenceMode, ViewsAreWhatTheirBaseIs) {
  const Tensor ordinary = full({2}, 1, kDouble);
  const Tensor inference = inference_ones();
  EXPECT_TRUE(view(inference, {2, 1}).is_inference());
  EXPECT_TRUE(inference.detach().is_inference());
  EXPECT_FALSE(clone(inference).is_inference());
  const InferenceModeGuard guard;
  EXPECT_FALSE(view(ordinary, {2, 1}).is_inference());
  EXPECT_FALSE(ordinary.detach().is_inference());
}

TEST_F(InferenceMode, ChangesOrdinaryTensorsAndTheirVersions) {
  const Tensor x = leaf(3);
  Tensor y = mul(x, 1);
  const Tensor z = mul(y, y);
  const uint32_t version = y.version();
  {
    const InferenceModeGuard guard;
    add_(y, 1);
  }
  EXPECT_FALSE(y.is_inference());
  EXPECT_GT(y.version(), version);
  expect_error([&] { z.backward(); }, "has been modified by an inplace operation");
}

TEST_F(InferenceMode, TensorsHaveNoVersion) {
  Tensor x = inference_ones();
  expect_error([&] { static_cast<void>(x.version()); }, "Inference tensors do not track version counter.");
  const InferenceModeGuard guard;
  add_(x, 1);
  mul_(x, x);
  transpose_(x, 0, 0);
  EXPECT_TRUE(x.is_inference());
}

TEST_F(InferenceMode, TensorsAreConstantOutside) {
  constexpr const char* text = "Inplace update to inference tensor outside InferenceMode is not allowed.";
  Tensor x = inference_ones();
  const Tensor y = full({2}, 1, kDouble);
  expect_error([&] { add_(x, 1); }, text);
  expect_error([&] { mul_(x, y); }, text);
  expect_error([&] { add_out(x, y, y); }, text);
  expect_error([&] { transpose_(x, 0, 0); }, text);
  const Tensor z = mul(leaf(3), y);
  expect_error([&] { add_(x, z); }, text);
}

TEST_F(InferenceMode, TensorsCannotBeSaved) {
  constexpr const char* text = "Inference tensors cannot be saved for backward.";
  const Tensor x = leaf(3);
  const Tensor y = inference_ones();
  expect_error([&] { mul(x, y); }, text);
  expect_error([&] { Multiply::apply(x, y); }, text);
  const InferenceModeGuard guard;
  const EnableGradGuard record;
  expect_error([&] { exp(x); }, text);
}

TEST_F(InferenceMode, TensorsTakePartInCallsThatSaveNothing) {
  const Tensor x = leaf(3);
  const Tensor y = add(x, inference_ones());
  EXPECT_FALSE(y.is_inference());
  y.backward(full({2}, 1, kDouble));
  EXPECT_EQ(value_of(x.grad()), 2);
}

TEST_F(InferenceMode, TensorsRequireGradientsOnlyIfMadeSo) {
  const Tensor x = inference_ones();
  expect_error([&] { x.requires_grad_(); },
               "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  EXPECT_FALSE(x.requires_grad_(false).requires_grad());
  const Tensor y = [] {
    const InferenceModeGuard guard;
    return full({2}, 1, kDouble).requires_grad_();
  }();
  add(y, leaf(3)).backward(full({2}, 1, kDouble));
  EXPECT_EQ(y.grad().sizes(), y.sizes());
  EXPECT_FALSE(view(y, {2, 1}).requires_grad());
}

}  // namespace
}  // namespace structured::test
