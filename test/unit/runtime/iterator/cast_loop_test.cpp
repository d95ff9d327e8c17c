#include <gmock/gmock.h>

#include <cstdint>

#include "naive.h"
#include "structured/iterator/loops.h"

namespace structured::cast_loop_test {
namespace {

using naive::arange;
const Tensor none;

TEST(MixedDtypes, InputsAreConvertedOnTheWay) {
  // Longer than a block, so that the test covers the boundary between blocks.
  for (const int64_t length : {1, 255, 256, 257, 1000}) {
    const Tensor a = arange<int32_t>({3, length});
    const Tensor b = arange<double>({length}, {}, 0);
    const auto iter = TensorIterator::binary_op(none, a, b);
    cpu_kernel(iter, [](double x, double y) -> double { return x + y / 4; });
    naive::for_each_index({3, length}, [&](const naive::Index& index) {
      ASSERT_EQ(naive::element<double>(iter.output(), index),
                naive::element<int32_t>(a, index) + naive::element<double>(b, index) / 4);
    });
  }
}

TEST(MixedDtypes, StridedAndRepeatedInputs) {
  const Tensor a = arange<int64_t>({300, 4}, {1, 0}, 1);
  const Tensor column = arange<float>({300, 1});
  const Tensor number = wrapped_scalar_tensor(2);
  const auto iter = TensorIteratorConfig()
                        .promote_inputs_to_common_dtype(true)
                        .add_output(none)
                        .add_input(a)
                        .add_input(column)
                        .add_input(number)
                        .build();
  ASSERT_EQ(iter.common_dtype(), kFloat);
  cpu_kernel(iter, [](float x, float y, float z) -> float { return z * x - y; });
  naive::for_each_index({300, 4}, [&](const naive::Index& index) {
    ASSERT_EQ(naive::element<float>(iter.output(), index),
              2 * static_cast<float>(naive::element<int64_t>(a, index)) - naive::element<float>(column, index));
  });
}

TEST(MixedDtypes, ResultsAreConvertedToGivenOutputs) {
  const Tensor a = arange<float>({300, 2});
  const Tensor b = arange<float>({300, 2});
  const Tensor out = arange<Half>({300, 2}, {1, 0}, 1);
  const auto iter = TensorIterator::binary_op(out, a, b);
  cpu_kernel(iter, [](float x, float y) -> float { return x + y; });
  naive::for_each_index({300, 2}, [&](const naive::Index& index) {
    ASSERT_EQ(float(naive::element<Half>(out, index)), float(Half(2 * naive::element<float>(a, index))));
  });
}

TEST(MixedDtypes, InPlaceOnALowerDtype) {
  const Tensor a = arange<float>({1000});
  const Tensor b = arange<double>({1000});
  const auto iter = TensorIterator::binary_op(a, a, b);
  ASSERT_EQ(iter.common_dtype(), kDouble);
  cpu_kernel(iter, [](double x, double y) -> double { return x + y; });
  for (int64_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(static_cast<const float*>(a.data())[i], 2 * static_cast<float>(i));
  }
}

TEST(MixedDtypes, ManyElementsOnManyThreads) {
  const Tensor a = arange<int16_t>({3, kGrainSize});
  const Tensor b = arange<float>({kGrainSize});
  const auto iter = TensorIterator::binary_op(none, a, b);
  cpu_kernel(iter, [](float x, float y) -> float { return x - y; });
  naive::for_each_index({3, kGrainSize}, [&](const naive::Index& index) {
    ASSERT_EQ(naive::element<float>(iter.output(), index),
              static_cast<float>(naive::element<int16_t>(a, index)) - naive::element<float>(b, index));
  });
}

TEST(MixedDtypes, MoreConversionsThanFitTheStack) {
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true).add_output(none);
  const Tensor integers = arange<int32_t>({600});
  const Tensor reals = arange<float>({600});
  for (int i = 0; i < 7; ++i) config.add_input(integers);
  config.add_input(reals);
  const auto iter = config.build();
  iter.for_each(Loop1d([](char* const* data, const int64_t* strides, int64_t size) {
    for (int64_t i = 0; i < size; ++i) {
      float sum = 0;
      for (int k = 1; k <= 8; ++k) sum += *reinterpret_cast<const float*>(data[k] + i * strides[k]);
      *reinterpret_cast<float*>(data[0] + i * strides[0]) = sum;
    }
  }));
  for (int64_t i = 0; i < 600; ++i) {
    ASSERT_EQ(static_cast<const float*>(iter.output().data())[i], 8 * static_cast<float>(i));
  }
}

TEST(MixedDtypes, RangesConvertToo) {
  const Tensor a = arange<int32_t>({10, 40}, {1, 0});
  const Tensor b = arange<float>({10, 40});
  const auto iter = TensorIterator::binary_op(none, a, b);
  const auto loop = [](char* const* data, const int64_t* strides, int64_t inner, int64_t outer) {
    for (int64_t k = 0; k < outer; ++k) {
      for (int64_t i = 0; i < inner; ++i) {
        const auto at = [&](int operand) { return data[operand] + i * strides[operand] + k * strides[3 + operand]; };
        *reinterpret_cast<float*>(at(0)) =
            *reinterpret_cast<const float*>(at(1)) + *reinterpret_cast<const float*>(at(2));
      }
    }
  };
  iter.serial_for_each(Loop2d(loop), 0, 123);
  iter.serial_for_each(Loop2d(loop), 123, 400);
  naive::for_each_index({10, 40}, [&](const naive::Index& index) {
    ASSERT_EQ(naive::element<float>(iter.output(), index),
              static_cast<float>(naive::element<int32_t>(a, index)) + naive::element<float>(b, index));
  });
}

}  // namespace
}  // namespace structured::cast_loop_test
