#include <structured/format/print.h>

#include <structured/core/factory.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "counting_allocator.h"
#include "throws_error.h"

namespace structured {
namespace {

template <class T = float>
std::string print(std::type_identity_t<std::initializer_list<T>> elements, OptionalIntArrayRef sizes = {}) {
  return to_string(tensor<T>(elements, sizes));
}

template <class T>
Tensor arange(int64_t count, IntArrayRef sizes, T divisor = T(1)) {
  std::vector<T> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<T>(static_cast<T>(i) / divisor));
  return tensor<T>(elements, sizes);
}

TEST(Print, NoDimension) {
  EXPECT_EQ(print({3.14159f}, IntArrayRef()), "tensor(3.1416)");
  EXPECT_EQ(print<int64_t>({5}, IntArrayRef()), "tensor(5)");
  EXPECT_EQ(print<bool>({true}, IntArrayRef()), "tensor(True)");
  EXPECT_EQ(print<Complex<float>>({Complex<float>(2, 3)}, IntArrayRef()), "tensor(2.+3.j)");
}

TEST(Print, OneDimension) {
  EXPECT_EQ(print({1, 2, 3}), "tensor([1., 2., 3.])");
  EXPECT_EQ(print({1.5, 2, 300}), "tensor([  1.5000,   2.0000, 300.0000])");
  EXPECT_EQ(print({-1, 1}), "tensor([-1.,  1.])");
  EXPECT_EQ(print<bool>({true, false}), "tensor([ True, False])");
  EXPECT_EQ(print<int64_t>({1, -20}), "tensor([  1, -20])");
}

TEST(Print, MixedMagnitudes) {
  EXPECT_EQ(print({1e-5f, 1.5f}), "tensor([1.0000e-05, 1.5000e+00])");
  EXPECT_EQ(print({1e10f, 1}), "tensor([1.0000e+10, 1.0000e+00])");
  EXPECT_EQ(print({1, 1000}), "tensor([   1., 1000.])");
  EXPECT_EQ(print({1, 1001}), "tensor([1.0000e+00, 1.0010e+03])");
  EXPECT_EQ(print({0.5f, 500.1f}), "tensor([5.0000e-01, 5.0010e+02])");
  EXPECT_EQ(print({9.9999e-5f}), "tensor([9.9999e-05])");
  EXPECT_EQ(print({2e8f}), "tensor([2.0000e+08])");
}

TEST(Print, NotFinite) {
  const float inf = INFINITY;
  const float nan = NAN;
  EXPECT_EQ(print({nan, inf, -inf, 1.5f}), "tensor([   nan,    inf,   -inf, 1.5000])");
  EXPECT_EQ(print({nan, 1}), "tensor([nan, 1.])");
  EXPECT_EQ(print({-nan}), "tensor([nan])");
  EXPECT_EQ(print({0, -0.0f}), "tensor([0., -0.])");
}

TEST(Print, TwoDimensions) {
  EXPECT_EQ(print<int64_t>({1, -2, 300, 4}, {2, 2}),
            "tensor([[  1,  -2],\n"
            "        [300,   4]])");
}

TEST(Print, ThreeDimensions) {
  EXPECT_EQ(to_string(arange<float>(12, {2, 3, 2}, 7)),
            "tensor([[[0.0000, 0.1429],\n"
            "         [0.2857, 0.4286],\n"
            "         [0.5714, 0.7143]],\n"
            "\n"
            "        [[0.8571, 1.0000],\n"
            "         [1.1429, 1.2857],\n"
            "         [1.4286, 1.5714]]])");
}

TEST(Print, FourDimensions) {
  EXPECT_EQ(print({0, 0, 0, 0, 0, 0}, {2, 1, 1, 3}),
            "tensor([[[[0., 0., 0.]]],\n"
            "\n"
            "\n"
            "        [[[0., 0., 0.]]]])");
}

TEST(Print, Empty) {
  EXPECT_EQ(print({}), "tensor([])");
  EXPECT_EQ(print({}, {0, 3}), "tensor([], size=[0, 3])");
  EXPECT_EQ(print<int64_t>({}), "tensor([], dtype=Long)");
  EXPECT_EQ(print<int32_t>({}, {2, 0}), "tensor([], size=[2, 0], dtype=Int)");
}

TEST(Print, DtypesThatValuesDoNotShow) {
  EXPECT_EQ(print<uint8_t>({1, 200}), "tensor([  1, 200], dtype=Byte)");
  EXPECT_EQ(print<double>({1.5}), "tensor([1.5000], dtype=Double)");
  EXPECT_EQ(print<Half>({1.5, 65504}), "tensor([1.5000e+00, 6.5504e+04], dtype=Half)");
  EXPECT_EQ(print<BFloat16>({1.5}), "tensor([1.5000], dtype=BFloat16)");
  set_default_dtype(kDouble);
  EXPECT_EQ(print<double>({1.5}), "tensor([1.5000])");
  EXPECT_EQ(print({1.5}), "tensor([1.5000], dtype=Float)");
  EXPECT_EQ(print<Complex<double>>({Complex<double>(1, 2)}), "tensor([1.+2.j])");
  set_default_dtype(kFloat);
}

TEST(Print, ComplexNumbers) {
  EXPECT_EQ(print<Complex<float>>({{1, 2}, {3.5, -4}}), "tensor([1.0000+2.j, 3.5000-4.j])");
  EXPECT_EQ(print<Complex<double>>({{1, 2}, {3, -4}}), "tensor([1.+2.j, 3.-4.j], dtype=ComplexDouble)");
}

TEST(Print, ExtremeIntegers) {
  EXPECT_EQ(print<int64_t>({std::numeric_limits<int64_t>::min(), 0}),
            "tensor([-9223372036854775808,                    0])");
}

TEST(Print, NonContiguous) {
  const Tensor base = arange<int64_t>(6, {2, 3});
  EXPECT_EQ(to_string(as_strided(base, {3, 2}, {1, 3}, 0)),
            "tensor([[0, 3],\n"
            "        [1, 4],\n"
            "        [2, 5]])");
  EXPECT_EQ(to_string(as_strided(base, {2, 2}, {0, 2}, 1)),
            "tensor([[1, 3],\n"
            "        [1, 3]])");
}

TEST(Print, BreaksLongLines) {
  EXPECT_EQ(to_string(arange<int64_t>(40, 40)),
            "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
            "        18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,\n"
            "        36, 37, 38, 39])");
  EXPECT_EQ(to_string(arange<double>(17, 17, 10)),
            "tensor([0.0000, 0.1000, 0.2000, 0.3000, 0.4000, 0.5000, 0.6000, 0.7000, 0.8000,\n"
            "        0.9000, 1.0000, 1.1000, 1.2000, 1.3000, 1.4000, 1.5000, 1.6000],\n"
            "       dtype=Double)");
}

TEST(Print, SummarisesManyElements) {
  EXPECT_EQ(to_string(arange<int64_t>(1000, 1000)).find("..."), std::string::npos);
  EXPECT_EQ(to_string(arange<int64_t>(2000, 2000)), "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])");
  EXPECT_EQ(to_string(arange<int64_t>(3500, {500, 7})),
            "tensor([[   0,    1,    2,  ...,    4,    5,    6],\n"
            "        [   7,    8,    9,  ...,   11,   12,   13],\n"
            "        [  14,   15,   16,  ...,   18,   19,   20],\n"
            "        ...,\n"
            "        [3479, 3480, 3481,  ..., 3483, 3484, 3485],\n"
            "        [3486, 3487, 3488,  ..., 3490, 3491, 3492],\n"
            "        [3493, 3494, 3495,  ..., 3497, 3498, 3499]])");
  EXPECT_EQ(to_string(arange<int64_t>(2800, {1400, 1, 2})),
            "tensor([[[   0,    1]],\n"
            "\n"
            "        [[   2,    3]],\n"
            "\n"
            "        [[   4,    5]],\n"
            "\n"
            "        ...,\n"
            "\n"
            "        [[2794, 2795]],\n"
            "\n"
            "        [[2796, 2797]],\n"
            "\n"
            "        [[2798, 2799]]])");
}

TEST(Print, FormatsBySummarisedElementsOnly) {
  const Tensor tensor = arange<float>(2000, 2000, 2000);
  tensor.data_ptr<float>()[0] = 1;
  tensor.data_ptr<float>()[1] = 1;
  tensor.data_ptr<float>()[2] = 1;
  tensor.data_ptr<float>()[1000] = 1e30f;  // not shown
  EXPECT_EQ(to_string(tensor), "tensor([1.0000, 1.0000, 1.0000,  ..., 0.9985, 0.9990, 0.9995])");
}

TEST(Print, FollowsOptions) {
  const PrintOptions before = print_options();
  set_print_options({.precision = 2, .threshold = 3, .edge_items = 1, .line_width = 20});
  EXPECT_EQ(print({0.123f, 1, 2, 3}), "tensor([0.12,  ...,\n        3.00])");
  set_print_options({.threshold = 3, .edge_items = INT64_MAX});
  EXPECT_EQ(print({0, 1, 2, 3}), "tensor([0., 1., 2., 3.])");
  set_print_options({.precision = 2});
  EXPECT_ERROR(set_print_options({.edge_items = 0}),
               "set_print_options: expected positive numbers, got precision 4, threshold 1000, edge_items 0, "
               "line_width 80");
  EXPECT_EQ(print_options().precision, 2);
  set_print_options(before);
}

TEST(Print, WithoutReadableValues) {
  EXPECT_EQ(to_string(Tensor()), "tensor(undefined)");
  EXPECT_EQ(to_string(empty({2, 3}, kMeta)), "tensor(..., device=meta, size=[2, 3])");
  EXPECT_EQ(to_string(empty({2}, TensorOptions(kInt).device(kMeta))), "tensor(..., device=meta, size=[2], dtype=Int)");
  EXPECT_EQ(to_string(empty({2}, kQInt8)), "tensor(..., size=[2], dtype=QInt8)");
  CountingAllocator counting(/*is_host_accessible=*/false);
  const ScopedAllocator scope(kPrivateUse1, counting);
  EXPECT_EQ(to_string(empty({}, Device(kPrivateUse1, 1))), "tensor(..., device=privateuseone:1, size=[])");
}

}  // namespace
}  // namespace structured
