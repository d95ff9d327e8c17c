// Expressions that users of libtorch, xtensor and Eigen try first; docs/tensor.md lists them.
#include <gtest/gtest.h>
#include <structured/operators.h>
#include <structured/structured.h>
#include <structured/tensor_operators.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expect_error.h"

namespace structured {
namespace {

using test::expect_error;

std::string text(const Tensor& tensor) {
  std::ostringstream out;
  out << tensor;
  return std::move(out).str();
}

TEST(Idioms, Creation) {
  EXPECT_EQ(text(tensor({1.0f, 2.0f})), "tensor([1., 2.])");
  EXPECT_EQ(text(tensor({{1.0f, 2.0f}, {3.0f, 4.0f}})), "tensor([[1., 2.],\n        [3., 4.]])");
  EXPECT_EQ(tensor({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}}).sizes(), IntArrayRef({3, 2, 2}));
  EXPECT_EQ(tensor<double>({{{1, 2}}}).dtype(), kDouble);
  expect_error([] { tensor({{{1, 2}, {3, 4}}, {{5, 6}}}); }, "expected matrices of 2 rows, got one of 1");
  expect_error([] { tensor({{{1, 2}, {3}}}); }, "expected rows of 2 elements, got one of 1");
  EXPECT_EQ(text(tensor(std::vector<float>{1, 2, 3, 4}, {2, 2})), "tensor([[1., 2.],\n        [3., 4.]])");
  EXPECT_EQ(text(tensor(std::vector<bool>{true, false})), "tensor([ True, False])");
  EXPECT_EQ(tensor(2.5).dim(), 0);
  EXPECT_EQ(tensor(2.5).dtype(), kDouble);
  EXPECT_EQ(text(zeros({2}) + ones({2}) + full({2}, 3.0f) + empty({2}) * 0), "tensor([4., 4.])");
  EXPECT_EQ(text(arange(3)), "tensor([0, 1, 2])");
  EXPECT_EQ(linspace(0, 1, 5).numel(), 5);
  EXPECT_EQ(eye(3).sizes(), IntArrayRef({3, 3}));
  EXPECT_EQ(rand({2, 3}).sizes(), randn({2, 3}).sizes());
  EXPECT_EQ(text(zeros_like(arange(2))), "tensor([0, 0])");
}

TEST(Idioms, Indexing) {
  const Tensor a = reshape(arange(12), {3, 4});
  EXPECT_EQ(text(a[1]), "tensor([4, 5, 6, 7])");
  EXPECT_EQ(a[-1][2].item<int>(), 10);
  EXPECT_EQ(a[0].storage().is_same(a.storage()), true);
  EXPECT_EQ(text(a.index({Slice(), 1})), "tensor([1, 5, 9])");
  EXPECT_EQ(text(a.index({Slice(1, 3), Slice(0, std::nullopt, 2)})), "tensor([[ 4,  6],\n        [ 8, 10]])");
  EXPECT_EQ(text(a.index({"...", -1})), "tensor([ 3,  7, 11])");
  EXPECT_EQ(a.index({std::nullopt, 0, "..."}).sizes(), IntArrayRef({1, 4}));
  EXPECT_EQ(a.index({indexing::None, indexing::Ellipsis, 0}).sizes(), IntArrayRef({1, 3}));
  EXPECT_EQ(text(a.index({a > 8})), "tensor([ 9, 10, 11])");
  EXPECT_EQ(text(a.index({tensor<int64_t>({2, 0}), 1})), "tensor([9, 1])");
  EXPECT_EQ(text(a.index({Slice(0, 2), tensor<int64_t>({3, 3})})), "tensor([[3, 3],\n        [7, 7]])");
  EXPECT_EQ(text(a.index({"...", tensor<int64_t>({0, 1})})[0]), "tensor([0, 1])");
  expect_error([&] { a.index({0, 0, 0}); }, "index: expected at most 2 indices, got 3");
  expect_error([&] { a.index({".."}); }, "index: expected `...`, got `..`");
  EXPECT_EQ((a.accessor<int64_t, 2>()(2, 3)), 11);
  int64_t rows = 0;
  for (const Tensor& row : a) rows += row[0].item<int64_t>();
  EXPECT_EQ(rows, 0 + 4 + 8);
  EXPECT_EQ(text(narrow(a, 1, 1, 2)[0]), "tensor([1, 2])");
  EXPECT_EQ(select(a, 1, 2).size(0), slice(a, 0, 1, 3).size(0) + 1);
}

TEST(Idioms, WritingToAnUnnamedView) {
  Tensor a = zeros({3, 2});
  fill_(slice(a, 0, 0, 2), 7);
  a[2] = 3;
  a[2][0] = tensor(4.0f);
  a.index({0, 1}) = 5;
  a[1] += 1;
  EXPECT_EQ(text(a), "tensor([[7., 5.],\n        [8., 8.],\n        [4., 3.]])");
  a.index_put_({a == 8}, -1);
  a.index_put_({Slice(), 0}, tensor({1.0f, 2.0f, 3.0f}));
  EXPECT_EQ(text(a), "tensor([[ 1.,  5.],\n        [ 2., -1.],\n        [ 3.,  3.]])");
  add_out(a[0], a[1], a[2]);
  EXPECT_EQ(text(a[0]), "tensor([5., 2.])");
  copy_(a[0], a[1]);
  const Tensor zeroed = zero_(a[1]);
  EXPECT_EQ(text(zeroed), "tensor([0., 0.])");
  EXPECT_EQ(zeroed.data(), a[1].data());
  // A tensor with a name is rebound.
  Tensor row = a[0];
  row = zeros({1});
  EXPECT_EQ(a[0][0].item<float>(), 2);
}

TEST(Idioms, Arithmetic) {
  const Tensor a = tensor({1.0f, 2.0f}), b = tensor({3.0f, 5.0f});
  EXPECT_EQ(text(a + b), "tensor([4., 7.])");
  EXPECT_EQ(text(b - a), "tensor([2., 3.])");
  EXPECT_EQ(text(a * b), "tensor([ 3., 10.])");
  EXPECT_EQ(text(b / a), "tensor([3.0000, 2.5000])");
  EXPECT_EQ(text(-a), "tensor([-1., -2.])");
  EXPECT_EQ(text(+a), text(a));
  EXPECT_EQ(text(2 * a + 1), "tensor([3., 5.])");
  EXPECT_EQ(text(1 - a), "tensor([ 0., -1.])");
  EXPECT_EQ(text(2 / a), "tensor([2., 1.])");
  EXPECT_EQ((1 / tensor({2, 4})).dtype(), kFloat);
  EXPECT_EQ(text(b % 2), "tensor([1., 1.])");
  EXPECT_EQ(text(7 % b), "tensor([1., 2.])");
  Tensor c = clone(a);
  c += b;
  c *= 2;
  c -= 1;
  c /= a;
  EXPECT_EQ(text(c), "tensor([7.0000, 6.5000])");
  EXPECT_EQ(text(pow(a, 2)), "tensor([1., 4.])");
  EXPECT_EQ(matmul(a, b).item<float>(), 13);
  EXPECT_EQ(text(exp(a - a)), "tensor([1., 1.])");
}

TEST(Idioms, Comparison) {
  const Tensor a = tensor({1, 2, 3});
  EXPECT_EQ(text(a == 2), "tensor([False,  True, False])");
  EXPECT_EQ(text(2 != a), "tensor([ True, False,  True])");
  EXPECT_EQ(text(a < a[2]), "tensor([ True,  True, False])");
  EXPECT_EQ(text(2 < a), "tensor([False, False,  True])");
  EXPECT_EQ(text(2 <= a), text(a >= 2));
  EXPECT_EQ(text((a > 1) & (a < 3)), "tensor([False,  True, False])");
  EXPECT_EQ(text((a > 2) | (a < 2)), "tensor([ True, False,  True])");
  EXPECT_EQ(text(!(a > 2)), text(~(a > 2)));
  EXPECT_TRUE(equal(a, clone(a)));
  EXPECT_TRUE(any(a > 2).item<bool>());
  EXPECT_FALSE(all(a > 2).item<bool>());
  EXPECT_EQ(text(where(a > 1, a, 0)), "tensor([0, 2, 3], dtype=Int)");
}

TEST(Idioms, Reduction) {
  const Tensor a = tensor({{1.0f, 2.0f}, {3.0f, 4.0f}});
  EXPECT_EQ(sum(a).item<float>(), 10);
  EXPECT_EQ(text(sum(a, 0)), "tensor([4., 6.])");
  EXPECT_EQ(text(mean(a, {1}, /*keepdim=*/true)), "tensor([[1.5000],\n        [3.5000]])");
  EXPECT_EQ(max(a).item<float>(), 4);
  const auto [values, indices] = max(a, 1);
  EXPECT_EQ(text(values), "tensor([2., 4.])");
  EXPECT_EQ(text(indices), "tensor([1, 1])");
  EXPECT_EQ(argmax(a).item<int>(), 3);
}

TEST(Idioms, Reshaping) {
  const Tensor a = arange(6);
  EXPECT_EQ(reshape(a, {2, -1}).sizes(), view(a, {2, 3}).sizes());
  EXPECT_EQ(flatten(reshape(a, {2, 3})).sizes(), a.sizes());
  EXPECT_EQ(t(reshape(a, {2, 3})).sizes(), IntArrayRef({3, 2}));
  EXPECT_EQ(permute(zeros({2, 3, 4}), {2, 0, 1}).sizes(), IntArrayRef({4, 2, 3}));
  EXPECT_EQ(squeeze(unsqueeze(a, 0), 0).sizes(), a.sizes());
  EXPECT_EQ(expand(unsqueeze(a, 0), {3, 6}).size(0), 3);
  EXPECT_EQ(cat({a, a}).size(0), 12);
  EXPECT_EQ(stack({a, a}).sizes(), IntArrayRef({2, 6}));
  EXPECT_EQ(split(a, 4).at(1).size(0), 2);
}

TEST(Idioms, Conversion) {
  const Tensor a = tensor({1.5f, 2.5f});
  EXPECT_EQ(to(a, kInt).dtype(), kInt);
  EXPECT_EQ(to_vector<float>(a), (std::vector<float>{1.5f, 2.5f}));
  EXPECT_EQ(a[0].item<double>(), 1.5);
  EXPECT_EQ(span<float>(a)[1], 2.5f);
  float buffer[] = {1, 2};
  EXPECT_EQ(from_blob(buffer, {2}, kFloat).data_ptr<float>(), buffer);
}

TEST(Idioms, PrintingAndSaving) {
  const Tensor a = tensor({1.0f});
  EXPECT_EQ(text(a), "tensor([1.])");
  const std::string path = testing::TempDir() + "idioms.npy";
  save(path, a);
  EXPECT_TRUE(equal(load(path), a));
  std::remove(path.c_str());
}

TEST(Idioms, TensorsAsKeys) {
  const Tensor a = tensor({1.0f}), b = clone(a);
  std::unordered_map<Tensor, std::string> names{{a, "a"}, {b, "b"}};
  const Tensor handle = a;
  EXPECT_EQ(names.at(handle), "a");
  EXPECT_EQ(names.at(b), "b");
  EXPECT_EQ(std::unordered_set<Tensor>({a, handle, Tensor(), Tensor()}).size(), 2u);
}

TEST(Idioms, ResultsOfATemporaryStackOutliveIt) {
  const OperatorHandle& op = *find_operator("aten::split.Tensor");
  int64_t total = 0;
  for (const Tensor& part : call_operator(op, {arange(5), 2}).at(0).to_tensor_list()) total += sum(part).item<int>();
  EXPECT_EQ(total, 10);
}

TEST(Idioms, ErrorsNameTheOperatorAndTheArgument) {
  const Tensor a = ones({8});
  expect_error([&] { a + ones({3}); }, "in add: `other`: shapes [8] and [3] do not broadcast");
  expect_error([&] { a + Tensor(); }, "in add: `other`: expected input 1 to be a tensor, got an undefined one");
  expect_error([&] { matmul(a, Tensor()); }, "in matmul: `self` or `other`: expected a defined tensor");
  expect_error([&] { sum(a, 5); }, "in sum: `dim`: expected a dimension from -1 to 0, got 5");
  expect_error([&] { squeeze(a, 5); }, "in squeeze: `dim`: expected a dimension from -1 to 0, got 5");
  expect_error([&] { call_operator(*find_operator("aten::squeeze.dim"), {a, 5}); },
               "in squeeze: `dim`: expected a dimension from -1 to 0, got 5");
  Tensor ints = zeros({2, 2}, kInt);
  expect_error([&] { mm_out(ints, eye(2), eye(2)); }, "in mm: `out`: expected output 0 of dtype Float, got Int");
  expect_error([&] { cpu::mm_out(ints, eye(2), eye(2)); }, "in mm: ");
}

}  // namespace
}  // namespace structured
