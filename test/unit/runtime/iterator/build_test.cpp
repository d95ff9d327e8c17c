#include <gmock/gmock.h>

#include <string>

#include "../../expect_error.h"
#include "../core/throws_error.h"
#include "naive.h"
#include "structured/base/error.h"
#include "structured/iterator/tensor_iterator.h"

namespace structured {
namespace {

using test::expect_error;
using testing::HasSubstr;

Tensor make(IntArrayRef sizes, ScalarType type = kFloat, Device device = kCPU) {
  return empty(sizes, TensorOptions(type).device(device));
}

// Temporaries live until the end of the full expression with the call.
TensorIterator unary(const Tensor& out, const Tensor& a) { return TensorIterator::unary_op(out, a); }
TensorIterator unary_float(const Tensor& out, const Tensor& a) { return TensorIterator::unary_float_op(out, a); }
TensorIterator binary(const Tensor& out, const Tensor& a, const Tensor& b) {
  return TensorIterator::binary_op(out, a, b);
}
TensorIterator comparison(const Tensor& out, const Tensor& a, const Tensor& b) {
  return TensorIterator::comparison_op(out, a, b);
}

template <class F>
std::string message_of(F&& function) {
  try {
    function();
  } catch (const InternalError& error) {
    return std::string("internal: ") + error.what();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Build, AllocatesAnUndefinedOutput) {
  const Tensor a = make({2, 1, 3});
  const Tensor b = make({4, 1}, kDouble);
  const Tensor none;
  const auto iter = binary(none, a, b);
  EXPECT_EQ(iter.output().sizes(), (IntArrayRef{2, 4, 3}));
  EXPECT_EQ(iter.output().scalar_type(), kDouble);
  EXPECT_EQ(iter.numel(), 24);
  EXPECT_EQ(iter.ntensors(), 3u);
  EXPECT_EQ(iter.ninputs(), 2u);
  EXPECT_TRUE(iter.input(0).is_same(a));
  EXPECT_EQ(iter.common_dtype(), kDouble);
  EXPECT_EQ(iter.input_dtype(0), kDouble);
  EXPECT_TRUE(iter.needs_cast());
}

TEST(Build, DenseOperandsHaveOneDimension) {
  const Tensor a = make({2, 3, 4});
  const Tensor b = make({2, 3, 4});
  const Tensor out = make({2, 3, 4});
  const auto iter = binary(out, a, b);
  EXPECT_EQ(iter.shape(), (IntArrayRef{24}));
  EXPECT_TRUE(iter.is_contiguous());
  EXPECT_FALSE(iter.needs_cast());
  EXPECT_EQ(iter.stride(1, 0), 4);
  EXPECT_TRUE(iter.output().is_same(out));
}

TEST(Build, ZeroDimensionalOperandsHaveNone) {
  const Tensor a = make({});
  const Tensor none;
  const auto iter = unary(none, a);
  EXPECT_EQ(iter.ndim(), 0u);
  EXPECT_EQ(iter.numel(), 1);
  EXPECT_EQ(iter.output().dim(), 0);
  EXPECT_TRUE(iter.is_contiguous());
}

TEST(Build, ResizesAnOutputOfAnotherShape) {
  const Tensor a = make({2, 3});
  const Tensor out = make({0});
  const auto iter = unary(out, a);
  EXPECT_TRUE(iter.output().is_same(out));
  EXPECT_EQ(out.sizes(), (IntArrayRef{2, 3}));
  EXPECT_TRUE(out.is_contiguous());
}

TEST(Build, AnOutputThatIsReadKeepsItsShape) {
  const Tensor a = make({3});
  const Tensor b = make({2, 3});
  EXPECT_EQ(message_of([&] { binary(a, a, b); }),
            "expected output 0 of shape [2, 3], to which the operands broadcast, got one of shape [3]");
  EXPECT_EQ(a.sizes(), (IntArrayRef{3}));
}

TEST(Build, AnOutputThatMayNotBeResizedTakesPartInBroadcasting) {
  const Tensor a = make({3});
  const Tensor out = make({2, 3});
  const auto iter = TensorIteratorConfig().resize_outputs(false).add_output(out).add_input(a).build();
  EXPECT_EQ(iter.numel(), 6);
  EXPECT_EQ(iter.stride(1, 1), 0);
  const Tensor small = make({1});
  EXPECT_THAT(message_of([&] { TensorIteratorConfig().resize_outputs(false).add_output(small).add_input(a).build(); }),
              HasSubstr("expected output 0 of shape [3]"));
}

TEST(Build, AViewThatWouldReachIntoAnOperandIsRefused) {
  const Tensor a = make({4});
  const Tensor none = as_strided(a, {0}, {1}, 1);
  EXPECT_THAT(message_of([&] { TensorIteratorConfig().add_output(none).add_input(a).build(); }), HasSubstr("overlap"));
  const Tensor memory = make({8});
  const Tensor behind = as_strided(memory, {0}, {1}, 4);
  const Tensor first = as_strided(memory, {4}, {1}, 0);
  EXPECT_EQ(TensorIteratorConfig().add_output(behind).add_input(first).build().numel(), 4);
}

TEST(Build, MistakesInItsUseAreErrors) {
  const Tensor a = make({3});
  const Tensor none;
  EXPECT_ERROR(TensorIteratorConfig().add_input(a).add_output(a),
               "expected outputs to be added before inputs, got 1 inputs already");
  EXPECT_ERROR(TensorIterator::nullary_op(none),
               "the dtype of an undefined output is unknown: promote the inputs to a common dtype, or call "
               "declare_static_dtype()");
  EXPECT_ERROR(TensorIterator::reduce_op(none, a),
               "expected output 0 of a reduction to be defined, got an undefined one");
  EXPECT_ERROR(TensorIteratorConfig().declare_static_shape({3}, {5}),
               "declare_static_shape: expected dimensions to squash from 0 to 0, got 5");
}

TEST(Build, RefusesShapesThatDoNotBroadcast) {
  const Tensor none;
  EXPECT_THAT(message_of([&] { binary(none, make({2}), make({3})); }),
              HasSubstr("shapes [2] and [3] do not broadcast"));
}

TEST(Build, RefusesMoreElementsThan64BitsCount) {
  const Tensor big = empty_strided({1, int64_t{1} << 40}, {0, 0}, TensorOptions(kByte));
  const Tensor tall = empty_strided({int64_t{1} << 40, 1}, {0, 0}, TensorOptions(kByte));
  const Tensor none;
  EXPECT_THAT(message_of([&] { binary(none, big, tall); }), HasSubstr("fewer than 2^63 elements"));
}

TEST(Build, RefusesAnUndefinedInput) {
  const Tensor none;
  const Tensor a = make({2});
  EXPECT_EQ(message_of([&] { binary(none, a, none); }), "expected input 1 to be a tensor, got an undefined one");
  EXPECT_EQ(message_of([&] { binary(none, none, a); }), "expected input 0 to be a tensor, got an undefined one");
}

TEST(Build, UnaryOperatorsKeepTheDtype) {
  const Tensor none;
  EXPECT_EQ(unary(none, make({2}, kShort)).output().scalar_type(), kShort);
  EXPECT_EQ(message_of([&] { unary(make({2}, kInt), make({2}, kShort)); }),
            "expected all operands to have dtype Short, got Int for output 0");
}

TEST(Build, UnaryFloatOperatorsComputeIntegersInTheDefaultDtype) {
  const Tensor none;
  EXPECT_EQ(unary_float(none, make({2}, kBool)).output().scalar_type(), kFloat);
  EXPECT_EQ(unary_float(none, make({2}, kLong)).output().scalar_type(), kFloat);
  EXPECT_EQ(unary_float(none, make({2}, kHalf)).output().scalar_type(), kHalf);
  const Tensor out = make({2}, kDouble);
  const Tensor in = make({2}, kLong);
  const auto iter = unary_float(out, in);
  EXPECT_EQ(iter.common_dtype(), kFloat);
  EXPECT_EQ(iter.dtype(0), kFloat);
  EXPECT_EQ(message_of([&] { unary_float(make({2}, kInt), make({2}, kInt)); }),
            "the result has dtype Float, which output 0 of dtype Int cannot hold");
}

TEST(Build, BinaryResultsAreCastToOutputsThatCanHoldThem) {
  const Tensor a = make({2}, kInt);
  const Tensor b = make({2}, kFloat);
  EXPECT_EQ(binary(make({2}, kHalf), a, b).dtype(0), kFloat);
  EXPECT_EQ(binary(make({2}, kComplexFloat), a, b).dtype(0), kFloat);
  EXPECT_EQ(message_of([&] { binary(make({2}, kLong), a, b); }),
            "the result has dtype Float, which output 0 of dtype Long cannot hold");
  EXPECT_EQ(message_of([&] { binary(make({2}, kBool), a, a); }),
            "the result has dtype Int, which output 0 of dtype Bool cannot hold");
}

TEST(Build, NumbersCountForTheirCategory) {
  const Tensor none;
  const Tensor half = make({2}, kHalf);
  EXPECT_EQ(binary(none, half, wrapped_scalar_tensor(2.5)).output().scalar_type(), kHalf);
  const Tensor number = wrapped_scalar_tensor(1.5);
  EXPECT_EQ(binary(none, make({2}, kInt), number).output().scalar_type(), kFloat);
  // Without promotion the dtypes stay.
  EXPECT_EQ(binary(none, number, number).output().scalar_type(), kDouble);
}

TEST(Build, ComparisonsGiveBool) {
  const Tensor none;
  const Tensor a = make({2}, kInt);
  const Tensor b = make({2}, kFloat);
  const auto iter = comparison(none, a, b);
  EXPECT_EQ(iter.output().scalar_type(), kBool);
  EXPECT_EQ(iter.dtype(0), kBool);
  EXPECT_EQ(iter.input_dtype(0), kFloat);
  EXPECT_EQ(comparison(make({2}, kDouble), make({2}, kInt), make({2}, kInt)).dtype(0), kInt);
}

TEST(Build, MetaTensorsNeedNoData) {
  const Tensor none;
  const Tensor a = make({4, 1}, kFloat, kMeta);
  const Tensor b = make({3}, kLong, kMeta);
  const auto iter = binary(none, a, b);
  EXPECT_EQ(iter.output().sizes(), (IntArrayRef{4, 3}));
  EXPECT_TRUE(iter.output().is_meta());
  EXPECT_TRUE(iter.device().is_meta());
  EXPECT_EQ(iter.data()[0], nullptr);
}

TEST(Build, OneCpuScalarGoesWithAnotherDevice) {
  const Tensor none;
  const Tensor meta = make({4}, kFloat, kMeta);
  EXPECT_TRUE(binary(none, meta, make({}, kDouble)).output().is_meta());
  EXPECT_EQ(binary(none, make({}, kDouble), meta).output().scalar_type(), kFloat);
  EXPECT_EQ(message_of([&] { binary(none, meta, make({4})); }), "expected all operands on meta, got input 1 on cpu");
  EXPECT_EQ(message_of([&] { binary(make({4}), meta, meta); }), "expected all operands on meta, got output 0 on cpu");
  EXPECT_THAT(message_of([&] {
                TensorIteratorConfig()
                    .allow_cpu_scalars(true)
                    .add_output(none)
                    .add_input(meta)
                    .add_input(make({}))
                    .add_input(make({}))
                    .build();
              }),
              HasSubstr("at most one 0-dimensional cpu tensor"));
}

TEST(Build, RefusesOutputsThatOverlapThemselvesOrInputs) {
  const Tensor a = make({4});
  expect_error([&] { unary(naive::expand(make({1}), {4}), a); }, "share one memory location; clone it first");
  const Tensor memory = make({6});
  const Tensor first = as_strided(memory, {4}, {1}, 0);
  const Tensor second = as_strided(memory, {4}, {1}, 2);
  expect_error([&] { unary(second, first); }, "overlaps a part of one that is read");
  expect_error([&] { binary(first, first, second); }, "overlaps a part of one that is read");
  EXPECT_NO_THROW(TensorIteratorConfig().check_memory_overlap(false).add_output(second).add_input(first).build());
  // Another tensor with the same elements does not overlap them partially.
  const Tensor again = as_strided(memory, {4}, {1}, 0);
  EXPECT_NO_THROW(unary(again, first));
}

TEST(Build, EmptyOperandsGiveAnEmptyIteration) {
  const Tensor none;
  const Tensor a = make({0, 3});
  const Tensor b = make({3});
  const auto iter = binary(none, a, b);
  EXPECT_EQ(iter.numel(), 0);
  EXPECT_EQ(iter.output().sizes(), (IntArrayRef{0, 3}));
  iter.for_each(Loop1d([](char* const*, const int64_t*, int64_t) { ADD_FAILURE(); }));
}

TEST(Build, OwnsTensorsGivenAsRvalues) {
  Tensor a = make({2});
  const auto iter = TensorIteratorConfig().add_output(Tensor()).add_input(std::move(a)).build();
  EXPECT_EQ(iter.input().use_count(), 1u);
  EXPECT_EQ(iter.output().sizes(), (IntArrayRef{2}));
}

TEST(Build, StaticShapeUsesStridesAlone) {
  const Tensor in = naive::arange<float>({3, 4});
  const Tensor out = naive::arange<float>({1, 4});
  const auto iter = TensorIteratorConfig()
                        .check_memory_overlap(false)
                        .declare_static_shape({3, 4}, IntArrayRef{0})
                        .add_output(out)
                        .add_input(in)
                        .build();
  EXPECT_EQ(iter.numel(), 4);
  EXPECT_THAT(message_of([&] {
                TensorIteratorConfig().declare_static_shape({3, 4}).add_output(make({4})).add_input(in).build();
              }),
              HasSubstr("expected all operands to have 2 dimensions, got 1"));
}

TEST(Build, ManyOperandsAreAsGoodAsFew) {
  TensorIteratorConfig config;
  config.add_output(Tensor());
  for (int i = 0; i < 9; ++i) config.add_input(naive::arange<float>({3, 5}, IntArrayRef{1, 0}, i % 2));
  const auto iter = config.build();
  EXPECT_EQ(iter.ninputs(), 9u);
  iter.for_each(Loop1d([](char* const* data, const int64_t* strides, int64_t size) {
    for (int64_t i = 0; i < size; ++i) {
      float sum = 0;
      for (int k = 1; k < 10; ++k) sum += *reinterpret_cast<const float*>(data[k] + i * strides[k]);
      *reinterpret_cast<float*>(data[0] + i * strides[0]) = sum;
    }
  }));
  float value = 0;
  naive::for_each_index({3, 5}, [&](const naive::Index& index) {
    EXPECT_EQ(naive::element<float>(iter.output(), index), 9 * value);
    ++value;
  });
}

}  // namespace
}  // namespace structured
