// Fast builds: for any operands they produce the same iteration as the general build, or throw the same error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "structured/base/error.h"
#include "structured/core/dim_vector.h"
#include "structured/core/factory.h"
#include "structured/core/memory_format.h"
#include "structured/iterator/pointwise.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/kernel/adaptors.h"
#include "structured/number/scalar.h"

namespace structured {
namespace {

struct Binary : TensorIteratorBase {
  void meta(const Tensor& a, const Tensor& b) { build_binary_op(maybe_get_output(), a, b); }
};
struct BinaryFloat : TensorIteratorBase {
  void meta(const Tensor& a, const Tensor& b) { build_binary_float_op(maybe_get_output(), a, b); }
};
struct Unary : TensorIteratorBase {
  void meta(const Tensor& a) { build_unary_op(maybe_get_output(), a); }
};
struct UnaryFloat : TensorIteratorBase {
  void meta(const Tensor& a) { build_unary_float_op(maybe_get_output(), a); }
};
struct Ternary : TensorIteratorBase {
  void meta(const Tensor& a, const Tensor& b, const Tensor& c) { build_ternary_op(maybe_get_output(), a, b, c); }
};

struct Comparison : TensorIteratorBase {
  void meta(const Tensor& a, const Tensor& b) { build_comparison_op(maybe_get_output(), a, b); }
};

// Configures the general build with the rules of these operators.
void configure(TensorIteratorConfig& config, bool promotes, bool to_float, std::size_t inputs) {
  if (promotes) {
    config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).enforce_safe_casting_to_output(true);
  }
  config.promote_integer_inputs_to_float(to_float).allow_cpu_scalars(inputs > 1);
}

void expect_same_iteration(const TensorIteratorBase& fast, const TensorIteratorBase& general) {
  EXPECT_EQ(fast.common_dtype(), general.common_dtype());
  EXPECT_EQ(fast.needs_cast(), general.needs_cast());
  EXPECT_EQ(fast.numel(), general.numel());
  EXPECT_EQ(fast.device(), general.device());
  EXPECT_EQ(fast.noutputs(), general.noutputs());
  ASSERT_EQ(fast.ntensors(), general.ntensors());
  ASSERT_EQ(fast.shape(), general.shape());
  EXPECT_EQ(fast.output().sizes(), general.output().sizes());
  EXPECT_EQ(fast.output().strides(), general.output().strides());
  EXPECT_EQ(fast.output().dtype(), general.output().dtype());
  EXPECT_EQ(fast.output().impl()->flags(), general.output().impl()->flags());
  for (std::size_t i = 0; i < fast.ntensors(); ++i) {
    EXPECT_EQ(fast.dtype(i), general.dtype(i));
    for (std::size_t dim = 0; dim < std::max<std::size_t>(fast.ndim(), 2); ++dim) {
      EXPECT_EQ(fast.strides()[dim * fast.ntensors() + i], general.strides()[dim * fast.ntensors() + i]);
    }
    if (i > 0) {
      EXPECT_EQ(fast.data()[i], general.data()[i]);
    }
    EXPECT_EQ(fast.data()[i], static_cast<char*>(fast.tensor(i).data()));
  }
}

class Operands {
 public:
  explicit Operands(unsigned seed) : random_(seed) {}

  // Random shape that usually broadcasts to `sizes`, with random kinds of strides.
  Tensor make(const std::vector<int64_t>& sizes) {
    std::vector<int64_t> own = sizes;
    while (!own.empty() && pick(6) == 0) own.erase(own.begin());
    for (int64_t& size : own) {
      if (pick(6) == 0) size = 1;
      if (pick(40) == 0) ++size;
    }
    const ScalarType dtype = dtypes_[pick(std::size(dtypes_))];
    if (own.empty() && pick(4) == 0) return wrapped_scalar_tensor(pick(2) == 0 ? Scalar(2) : Scalar(2.5));
    return with_strides(own, dtype);
  }
  Tensor with_strides(const std::vector<int64_t>& sizes, ScalarType dtype) {
    std::vector<std::size_t> order(sizes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (pick(3) == 0) std::shuffle(order.begin(), order.end(), random_);
    DimVector strides(sizes.size(), 0);
    int64_t step = pick(5) == 0 ? 2 : 1;
    for (std::size_t i = order.size(); i-- > 0;) {
      strides[order[i]] = step;
      step *= std::max<int64_t>(sizes[order[i]], 1) + (pick(8) == 0 ? 1 : 0);
      if (sizes[order[i]] > 1 && pick(12) == 0) strides[order[i]] = 0;
    }
    return empty_strided(sizes, strides, dtype);
  }
  std::vector<int64_t> sizes() {
    std::vector<int64_t> result(pick(4));
    for (int64_t& size : result) size = pick(12) == 0 ? 0 : 1 + static_cast<int64_t>(pick(4));
    return result;
  }
  std::size_t pick(std::size_t count) { return random_() % count; }

 private:
  static constexpr ScalarType dtypes_[] = {kFloat, kFloat, kFloat, kInt, kDouble, kBool, kComplexFloat};
  std::mt19937 random_;
};

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Compares `Op` in its functional form with the general build on the same inputs.
template <class Op, class... Inputs>
void compare_functional(bool promotes, bool to_float, const Inputs&... inputs) {
  std::unique_ptr<TensorIterator> general;
  const std::string expected = error_of([&] {
    TensorIteratorConfig config;
    configure(config, promotes, to_float, sizeof...(Inputs));
    config.add_output(Tensor());
    (config.add_input(inputs), ...);
    general = std::make_unique<TensorIterator>(config);
  });
  Functional<Op, 1> fast;
  EXPECT_EQ(error_of([&] { fast.meta(inputs...); }), expected);
  if (general) expect_same_iteration(fast, *general);
}

TEST(FastBuild, IteratesAsTheGeneralWayDoes) {
  Operands operands(1);
  for (int i = 0; i < 20'000 && !testing::Test::HasFailure(); ++i) {
    const std::vector<int64_t> sizes = operands.sizes();
    const Tensor a = operands.make(sizes);
    const Tensor b = operands.pick(10) == 0 ? a : operands.make(sizes);
    const Tensor c = operands.make(sizes);
    SCOPED_TRACE(testing::Message() << "number " << i << ": " << a.sizes() << a.strides() << a.dtype() << ", "
                                    << b.sizes() << b.strides() << b.dtype());
    compare_functional<Binary>(true, false, a, b);
    compare_functional<BinaryFloat>(true, true, a, b);
    compare_functional<Unary>(false, false, a);
    compare_functional<UnaryFloat>(true, true, a);
    compare_functional<Ternary>(true, false, a, b, c);
  }
}

TEST(FastBuild, ChecksOutputsAsTheGeneralWayDoes) {
  Operands operands(2);
  int refused = 0;
  for (int i = 0; i < 20'000 && !testing::Test::HasFailure(); ++i) {
    const std::vector<int64_t> sizes = operands.sizes();
    const Tensor a = operands.make(sizes);
    const Tensor b = operands.make(sizes);
    // A separate output, one of the inputs, or one that overlaps an input.
    Tensor out = operands.pick(3) == 0 ? a : operands.make(sizes);
    if (operands.pick(6) == 0 && a.numel() > 1 && a.is_contiguous()) {
      out = as_strided(a, {a.numel() - 1}, {1}, a.storage_offset() + 1);
    }
    // Both builds may resize the output.
    const DimVector old_sizes(out.sizes());
    const DimVector old_strides(out.strides());
    const auto restore = [&] { out.impl()->set_sizes_and_strides(old_sizes, old_strides); };
    SCOPED_TRACE(testing::Message() << "number " << i << ": " << out.sizes() << out.strides() << out.dtype() << " = "
                                    << a.sizes() << a.strides() << a.dtype() << ", " << b.sizes() << b.strides()
                                    << b.dtype());
    const WarningHandler handler = set_warning_handler([](const char*) {});
    std::unique_ptr<TensorIterator> general;
    const std::string expected = error_of([&] {
      TensorIteratorConfig config;
      configure(config, true, false, 2);
      config.add_output(out).add_input(a).add_input(b);
      general = std::make_unique<TensorIterator>(config);
    });
    const DimVector new_sizes(out.sizes());
    const DimVector new_strides(out.strides());
    restore();
    Out<Binary, 1> fast(out);
    const std::string found = error_of([&] { fast.meta(a, b); });
    // The adaptor may reject outputs that the iterator accepts.
    if (!expected.empty()) {
      EXPECT_EQ(found, expected);
    }
    refused += expected.empty() ? 0 : 1;
    if (expected.empty() && found.empty()) {
      EXPECT_EQ(out.sizes(), IntArrayRef(new_sizes));
      EXPECT_EQ(out.strides(), IntArrayRef(new_strides));
      expect_same_iteration(fast, *general);
    }
    restore();
    set_warning_handler(handler);
  }
  EXPECT_GT(refused, 1000) << "hardly anything was wrong";
}

TEST(FastBuild, TakesNumbersAsTheGeneralWayDoes) {
  struct WithNumber : TensorIteratorBase {
    void meta(const Tensor& a, const Scalar& number) { build_binary_op(maybe_get_output(), a, number); }
  };
  struct WithNumbers : TensorIteratorBase {
    void meta(const Tensor& a, const Scalar& number, const Scalar* other, bool is_floating) {
      build_elementwise_op(maybe_get_output(), {a}, {&number, other}, /*is_boolean=*/false, is_floating);
    }
  };
  Operands operands(3);
  const Scalar numbers[] = {Scalar(2), Scalar(2.5), Scalar(true), Scalar(Complex<double>(0, 1))};
  for (int i = 0; i < 2'000 && !testing::Test::HasFailure(); ++i) {
    const Tensor a = operands.make(operands.sizes());
    for (const Scalar& number : numbers) {
      TensorIteratorConfig config;
      configure(config, true, false, 1);
      config.add_output(Tensor()).add_input(a).promote_with(number);
      const TensorIterator general(config);
      Functional<WithNumber, 1> fast;
      fast.meta(a, number);
      expect_same_iteration(fast, general);
      for (const bool is_floating : {false, true}) {
        const Scalar* const other = operands.pick(2) == 0 ? nullptr : &numbers[operands.pick(std::size(numbers))];
        TensorIteratorConfig several;
        configure(several, true, is_floating, 1);
        several.add_output(Tensor()).add_input(a).promote_with(number);
        if (other != nullptr) several.promote_with(*other);
        const TensorIterator general_several(several);
        Functional<WithNumbers, 1> fast_several;
        fast_several.meta(a, number, other, is_floating);
        expect_same_iteration(fast_several, general_several);
      }
    }
  }
}

// Operands that a fast build must reject although their shapes are suitable.
TEST(FastBuild, RefusesOperandsOnSeveralDevices) {
  const auto error_with = [](const auto&... inputs) {
    using Op = std::conditional_t<sizeof...(inputs) == 2, Binary, Ternary>;
    return error_of([&] { Functional<Op, 1>().meta(inputs...); });
  };
  const char* const expected = "expected all operands on meta, got input 1 on cpu";
  const Tensor column = empty({3, 1}, TensorOptions(kFloat, kMeta));
  const Tensor matrix = empty({3, 4}, TensorOptions(kFloat, kMeta));
  EXPECT_EQ(error_with(matrix, empty({3, 4}, kFloat)), expected);
  EXPECT_EQ(error_with(matrix, empty({3, 4}, kInt)), expected);
  EXPECT_EQ(error_with(column, empty({3, 4}, kFloat)), expected);
  EXPECT_EQ(error_with(column, empty({3, 4}, kInt)), expected);
  EXPECT_EQ(error_with(column, empty({3, 4}, kFloat), matrix), expected);
}

TEST(FastBuild, ConvertsWhatAComparisonGives) {
  const Tensor a = empty({3}, kInt);
  for (const ScalarType dtype : {kBool, kFloat, kInt}) {
    Tensor out = empty({3}, dtype);
    Out<Comparison, 1> fast(out);
    fast.meta(a, a);
    EXPECT_EQ(fast.output(0).dtype(), dtype);
    EXPECT_EQ(fast.is_dense() || fast.is_dense_with_casts(), dtype == kBool) << dtype;
  }
}

TEST(FastBuild, RefusesUndefinedInputs) {
  const Tensor bools = empty({2}, kBool);
  const Tensor floats = empty({2}, kFloat);
  for (const Tensor& out : {Tensor(), bools, floats}) {
    for (const Tensor& a : {bools, floats}) {
      EXPECT_EQ(error_of([&] {
                  Tensor written = out;
                  Out<Comparison, 1>(written).meta(a, Tensor());
                }),
                "expected input 1 to be a tensor, got an undefined one");
      EXPECT_EQ(error_of([&] {
                  Tensor written = out;
                  Out<Comparison, 1>(written).meta(Tensor(), a);
                }),
                "expected input 0 to be a tensor, got an undefined one");
    }
  }
}

// The forms in the table of tensor_iterator.h.
std::string form_of(const TensorIteratorBase& iterator) {
  if (iterator.is_dense()) return "dense";
  if (iterator.is_dense_with_casts()) return "dense_with_casts";
  if (iterator.grid() != nullptr) return "grid";
  return iterator.recorded() != nullptr ? "recorded" : "planned";
}

template <class Op>
std::string form_after(const Tensor& a, const Tensor& b) {
  Functional<Op, 1> op;
  op.meta(a, b);
  return form_of(op);
}

TEST(FastBuild, MakesTheDocumentedForm) {
  const Tensor matrix = empty({3, 4}, kFloat);
  const Tensor transposed = empty_strided({3, 4}, {1, 3}, kFloat);
  const Tensor row = empty({4}, kFloat);
  EXPECT_EQ(form_after<Binary>(matrix, matrix), "dense");
  EXPECT_EQ(form_after<Binary>(matrix, empty({3, 4}, kInt)), "dense_with_casts");
  EXPECT_EQ(form_after<Comparison>(matrix, matrix), "dense_with_casts");
  EXPECT_EQ(form_after<Comparison>(empty({3}, kBool), empty({3}, kBool)), "dense");
  EXPECT_EQ(form_after<Binary>(matrix, row), "grid");
  EXPECT_EQ(form_after<Binary>(transposed, matrix), "grid");
  EXPECT_EQ(form_after<Binary>(transposed, transposed), "planned");  // the dimensions coalesce
  EXPECT_EQ(form_after<Binary>(matrix, empty({4}, kInt)), "planned");
  EXPECT_EQ(form_after<Binary>(empty({2, 3, 4}, kFloat), row), "planned");
}

TEST(FastBuild, MakesAPlanOnDemand) {
  const Tensor matrix = empty({3, 4}, kFloat);
  for (const Tensor& other : {matrix, empty({3, 4}, kInt), empty({4}, kFloat)}) {
    Functional<Binary, 1> op;
    op.meta(matrix, other);
    EXPECT_NE(form_of(op), "planned");
    EXPECT_EQ(op.ndim(), other.dim() == 2 ? 1U : 2U);
    EXPECT_EQ(form_of(op), "planned");
  }
}

TEST(FastBuild, RecordsDenseIterations) {
  const Tensor vector = empty({3}, kFloat);
  Functional<Binary, 1> op;
  op.meta(vector, vector);
  detail::ReadyLoop ready;
  op.record(ready);
  EXPECT_EQ(op.recorded(), &ready);
  EXPECT_EQ(form_of(op), "recorded");
  op.stop_recording();
  EXPECT_EQ(form_of(op), "dense");
}

// Whether the build rejects an output that partly overlaps the first or second input.
template <class Op>
void expect_overlap_refused(Tensor out, const Tensor& overlapped, const Tensor& other) {
  for (const bool is_first : {false, true}) {
    Out<Op, 1> op(out);
    EXPECT_THAT(error_of([&] { op.meta(is_first ? overlapped : other, is_first ? other : overlapped); }),
                testing::HasSubstr("overlaps a part of one that is read"))
        << out.sizes() << other.sizes() << other.dtype();
  }
}

// Outputs that a fast build could use if they did not share memory with an input.
TEST(FastBuild, RefusesOutputsThatOverlapInputs) {
  const auto view = [](const Tensor& memory, IntArrayRef sizes, int64_t offset) {
    return as_strided(memory, sizes, contiguous_strides(sizes), offset);
  };
  const Tensor floats = empty({10}, kFloat);
  const Tensor bools = empty({10}, kBool);
  const Tensor vector = view(floats, {6}, 0);
  const Tensor matrix = view(floats, {2, 3}, 0);
  expect_overlap_refused<Binary>(view(floats, {6}, 1), vector, empty({6}, kFloat));
  expect_overlap_refused<Binary>(view(floats, {6}, 1), vector, empty({6}, kInt));
  expect_overlap_refused<Binary>(view(floats, {2, 3}, 1), matrix, empty({3}, kFloat));
  expect_overlap_refused<Binary>(view(floats, {2, 3}, 1), matrix, empty({3}, kInt));
  expect_overlap_refused<Comparison>(view(bools, {6}, 1), view(bools, {6}, 0), empty({6}, kBool));
}

}  // namespace
}  // namespace structured
