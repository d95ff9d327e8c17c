// Counting elements, and the range that they are in, on the CPU.
#include <structured/core/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/kernel/copy.h>
#include <structured/ops/amax.h>
#include <structured/ops/amin.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace structured::kernels {
namespace {

Tensor contiguous_of(const Tensor& tensor) {
  if (tensor.is_contiguous()) return tensor;
  const Tensor result = detail::empty(tensor.sizes(), tensor.options());
  detail::copy_into(result, tensor);
  return result;
}

template <class T>
void count_in_bins(const Tensor& self, T least, T greatest, const Tensor& out) {
  const int64_t count = self.numel();
  const T* const from = self.data_ptr<T>();
  if (least == greatest && count > 0) {
    least = structured::amin(self).item<T>();
    greatest = structured::amax(self).item<T>();
  }
  if (least == greatest) {
    least -= 1;
    greatest += 1;
  }
  STRUCTURED_CHECK(std::isfinite(least) && std::isfinite(greatest), "histc: expected a finite range, got [", least,
                   ", ", greatest, "]");
  STRUCTURED_CHECK(least < greatest, "histc: expected `min` below `max`, got ", least, " and ", greatest);
  const int64_t bins = out.numel();
  const T width = greatest - least;
  std::vector<int64_t> counts(static_cast<size_t>(bins), 0);
  for (int64_t i = 0; i < count; ++i) {
    if (!(from[i] >= least && from[i] <= greatest)) continue;
    const auto bin = static_cast<int64_t>((from[i] - least) * static_cast<T>(bins) / width);
    ++counts[static_cast<size_t>(std::clamp<int64_t>(bin, 0, bins - 1))];
  }
  std::transform(counts.begin(), counts.end(), out.data_ptr<T>(),
                 [](int64_t number) { return static_cast<T>(number); });
}

// How far up the numbers go that `self` counts.
template <class T>
int64_t checked_bins(const T* from, int64_t count, int64_t minlength) {
  const auto [least, greatest] = std::minmax_element(from, from + count);
  STRUCTURED_CHECK(*least >= 0, "bincount: expected numbers of 0 or more, got ", int64_t{*least});
  constexpr int64_t limit = int64_t{1} << 58;
  STRUCTURED_CHECK(int64_t{*greatest} < limit, "bincount: expected numbers below 2^58, got ", int64_t{*greatest});
  return std::max<int64_t>(minlength, int64_t{*greatest} + 1);
}

}  // namespace

[[structured::impl("histc.out", "CPU")]]
void histc_cpu(const Tensor& self, [[maybe_unused]] int64_t bins, const Scalar& min, const Scalar& max,
               const Tensor& out) {
  visit<kFloatingTypes>("histc", self.scalar_type(),
                        [&]<class T>() { count_in_bins<T>(contiguous_of(self), min.to<T>(), max.to<T>(), out); });
}

/// How often each of the numbers 0, 1, ... occurs in the vector `self`, up to its greatest element, and for `minlength`
/// numbers at least; or the sum of the `weights` at those places. Counts are Long, sums of Float weights Float, those
/// of others Double.
[[structured::kernel("bincount", "CPU", "Meta")]]
Tensor bincount(const Tensor& self, const std::optional<Tensor>& weights = std::nullopt, int64_t minlength = 0) {
  STRUCTURED_CHECK(minlength >= 0, "bincount: expected `minlength` of 0 or more, got ", minlength);
  STRUCTURED_CHECK(self.dim() == 1, "bincount: expected `self` to be a vector, got ", self.dim(), " dimensions");
  STRUCTURED_CHECK(!self.is_meta(), "bincount: the number of elements is not known without data");
  const bool is_weighted = weights && weights->defined();
  if (self.numel() == 0) {
    const Tensor zeros = detail::empty(minlength, kLong);
    std::fill_n(zeros.data_ptr<int64_t>(), minlength, 0);
    return zeros;
  }
  return visit<kIntegralTypes>("bincount", self.scalar_type(), [&]<class T>() {
    STRUCTURED_CHECK(!is_weighted || weights->sizes() == self.sizes(), "bincount: expected `weights` of sizes ",
                     self.sizes(), ", got ", weights->sizes());
    const Tensor numbers = contiguous_of(self);
    const T* const number = numbers.data_ptr<T>();
    const int64_t count = self.numel();
    const int64_t bins = checked_bins(number, count, minlength);
    const auto add_up = [&]<class Total>(const Total* weight) {
      const Tensor result = detail::empty(bins, scalar_type_of<Total>);
      Total* const total = result.data_ptr<Total>();
      std::fill(total, total + bins, Total(0));
      for (int64_t i = 0; i < count; ++i) total[number[i]] += weight == nullptr ? Total(1) : weight[i];
      return result;
    };
    if (!is_weighted) return add_up(static_cast<const int64_t*>(nullptr));
    if (weights->scalar_type() == kFloat) {
      const Tensor floats = contiguous_of(*weights);
      return add_up(floats.data_ptr<float>());
    }
    const Tensor doubles = detail::empty(weights->sizes(), kDouble);
    detail::copy_into(doubles, *weights);
    return add_up(doubles.data_ptr<double>());
  });
}

[[structured::impl("aminmax.out", "CPU")]]
void aminmax_cpu(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& min, const Tensor& max) {
  if (self.dim() == 0) {
    detail::copy_into(detail::as_strided_view(min, {}, {}, min.storage_offset()), self);
    detail::copy_into(detail::as_strided_view(max, {}, {}, max.storage_offset()), self);
    return;
  }
  const IntArrayRef dims = dim ? IntArrayRef(*dim) : IntArrayRef();
  Tensor least = min;
  Tensor greatest = max;
  structured::amin_out(least, self, dims, keepdim);
  structured::amax_out(greatest, self, dims, keepdim);
}

}  // namespace structured::kernels
