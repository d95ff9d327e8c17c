// Reductions of consecutive segments along a dimension on CPU.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/number/convert.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "math/accumulate_type.h"
#include "math/extrema.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

constexpr const char* kName = "segment_reduce";

enum class Reduction { max, mean, min, sum, prod };

Reduction reduction_named(std::string_view name) {
  if (name == "max") return Reduction::max;
  if (name == "mean") return Reduction::mean;
  if (name == "min") return Reduction::min;
  if (name == "sum") return Reduction::sum;
  STRUCTURED_CHECK(name == "prod", kName, ": expected `reduce` max, mean, min, sum or prod, got ", name);
  return Reduction::prod;
}

// Starts of the segments of each row: [rows, segments + 1].
Tensor starts_of(const Tensor& lengths, int64_t length, bool unsafe) {
  const int64_t segments = lengths.size(-1);
  const int64_t rows = segments == 0 ? 0 : lengths.numel() / segments;
  const Tensor counts = dense(lengths, kLong);
  const Tensor starts = empty({rows, segments + 1}, kLong);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t* const start = starts.data_ptr<int64_t>() + row * (segments + 1);
    start[0] = 0;
    for (int64_t i = 0; i < segments; ++i) {
      const int64_t count = counts.data_ptr<int64_t>()[row * segments + i];
      STRUCTURED_CHECK(count >= 0, kName, ": expected `lengths` of 0 or more, got ", count);
      start[i + 1] = start[i] + count;
    }
    STRUCTURED_CHECK(unsafe ? start[segments] <= length : start[segments] == length, kName,
                     ": expected `lengths` that add up to ", length, ", got ", start[segments]);
  }
  return starts;
}

Tensor checked_offsets(const Tensor& offsets, int64_t length) {
  const Tensor starts = dense(offsets, kLong);
  const int64_t row = offsets.size(-1);
  for (int64_t i = 0; i < starts.numel(); ++i) {
    const int64_t* const start = starts.data_ptr<int64_t>() + i;
    STRUCTURED_CHECK(*start >= 0 && *start <= length && (i % row == 0 || start[-1] <= *start), kName,
                     ": expected `offsets` that ascend from 0 to ", length);
  }
  return starts;
}

template <class C>
C identity_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::max:
      return -std::numeric_limits<C>::infinity();
    case Reduction::min:
      return std::numeric_limits<C>::infinity();
    case Reduction::prod:
      return C(1);
    default:
      return C(0);
  }
}

template <class C>
C combined(Reduction reduction, C a, C b) {
  switch (reduction) {
    case Reduction::max:
      return max_propagate_nan(b, a);
    case Reduction::min:
      return min_propagate_nan(b, a);
    case Reduction::prod:
      return a * b;
    default:
      return a + b;
  }
}

}  // namespace

/// Reductions of consecutive segments of `data` along dimension `axis`, which has one element for each segment in the
/// result. `reduce` is max, mean, min, sum or prod; NaN is propagated.
///
/// Either `lengths` [..., S] has the number of elements of each segment or `offsets` [..., S + 1] the starts of the
/// segments and the end of the last one; both are integers, and their leading dimensions are the first `axis` ones of
/// `data`. `lengths` add up to the size of `data` along `axis`, or to less if `unsafe`. A reduction starts with
/// `initial`, by default the neutral element; the mean of no elements is then NaN. `indices` must be None.
/// Floating-point dtypes only.
[[structured::kernel("segment_reduce", "CPU", "Meta"), structured::variants("segment_reduce.out")]]
Tensor segment_reduce(const Tensor& data, std::string_view reduce,
                      [[structured::kwonly]] const std::optional<Tensor>& lengths = std::nullopt,
                      const std::optional<Tensor>& indices = std::nullopt,
                      const std::optional<Tensor>& offsets = std::nullopt, int64_t axis = 0, bool unsafe = false,
                      const std::optional<Scalar>& initial = std::nullopt) {
  const Reduction reduction = reduction_named(reduce);
  axis = wrap_dim(axis, data.dim());
  STRUCTURED_CHECK(kAllFloatingTypes.contains(data.scalar_type()), kName, ": expected `data` of dtype ",
                   kAllFloatingTypes, ", got ", data.scalar_type());
  STRUCTURED_CHECK(!indices || !indices->defined(), kName, ": `indices` are not supported");
  const bool has_offsets = offsets && offsets->defined();
  STRUCTURED_CHECK(has_offsets || (lengths && lengths->defined()), kName, ": expected `lengths` or `offsets`, got ",
                   "neither");
  STRUCTURED_CHECK(data.numel() > 0, kName, ": expected `data` to have elements, got sizes ", data.sizes());
  const Tensor& bounds = has_offsets ? *offsets : *lengths;
  STRUCTURED_CHECK(bounds.scalar_type() == kLong || bounds.scalar_type() == kInt, kName,
                   ": expected `lengths` or `offsets` of dtype Long or Int, got ", bounds.scalar_type());
  STRUCTURED_CHECK(bounds.dim() == axis + 1, kName, ": expected `lengths` or `offsets` to have ", axis + 1,
                   " dimensions, got ", bounds.dim());
  const int64_t segments = bounds.size(-1) - (has_offsets ? 1 : 0);
  DimVector sizes(data.sizes());
  sizes[static_cast<size_t>(axis)] = segments;
  const Tensor result = empty(sizes, data.options());
  if (result.is_meta() || result.numel() == 0) return result;
  const int64_t length = data.size(axis);
  const Tensor starts = has_offsets ? checked_offsets(bounds, length) : starts_of(bounds, length, unsafe);
  int64_t inner = 1;
  for (int64_t d = axis + 1; d < data.dim(); ++d) inner *= data.size(d);
  visit<kAllFloatingTypes>(kName, data.scalar_type(), [&]<class T>() {
    using C = AccumulateType<T>;
    const Tensor in = dense(data, data.scalar_type());
    const T* const from = in.data_ptr<T>();
    T* const to = result.data_ptr<T>();
    const int64_t* const start = starts.data_ptr<int64_t>();
    const C first = initial ? static_cast<C>(initial->to<T>()) : identity_of<C>(reduction);
    const bool is_mean = reduction == Reduction::mean;
    parallel_for(0, result.numel() / inner, 1 + kGrainSize / (inner * (1 + length / segments)),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t k = begin; k < end; ++k) {
                     const int64_t row = k / segments;
                     const int64_t* const range = start + row * (segments + 1) + k % segments;
                     const int64_t count = range[1] - range[0];
                     for (int64_t i = 0; i < inner; ++i) {
                       C value = first;
                       for (int64_t j = range[0]; j < range[1]; ++j) {
                         value = combined(reduction, value, static_cast<C>(from[(row * length + j) * inner + i]));
                       }
                       if (is_mean && count > 0) value /= static_cast<C>(count);
                       if (is_mean && count == 0 && !initial) value = std::numeric_limits<C>::quiet_NaN();
                       to[k * inner + i] = static_cast<T>(value);
                     }
                   }
                 });
  });
  return result;
}

}  // namespace structured::kernels
