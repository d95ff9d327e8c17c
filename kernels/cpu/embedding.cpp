// Embedding lookup on CPU.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/kernel/overlap.h>
#include <structured/number/complex.h>
#include <structured/number/convert.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace structured::kernels {
namespace {

template <class T>
double norm_of(const T* row, int64_t stride, int64_t size, double order) {
  double result = 0;
  for (int64_t i = 0; i < size; ++i) {
    double magnitude;
    if constexpr (is_complex_v<T>) {
      magnitude = std::hypot(static_cast<double>(row[i * stride].real()), static_cast<double>(row[i * stride].imag()));
    } else {
      magnitude = std::fabs(static_cast<double>(row[i * stride]));
    }
    if (std::isinf(order)) {
      result = std::max(result, magnitude);
    } else {
      result += order == 2 ? magnitude * magnitude : order == 1 ? magnitude : std::pow(magnitude, order);
    }
  }
  return std::isinf(order) || order == 1 ? result : order == 2 ? std::sqrt(result) : std::pow(result, 1 / order);
}

}  // namespace

/// Scales the rows of `self` [N, M] selected by `indices` (Long or Int) to norm `max_norm`, in place, where their
/// `norm_type`-norm exceeds it. An index that is negative or too large is an error. Floating-point and complex dtypes
/// only.
[[structured::kernel("embedding_renorm_", "CPU", "Meta"),
  structured::variants("embedding_renorm", "embedding_renorm.out")]]
Tensor& embedding_renorm_cpu_(Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  STRUCTURED_CHECK(self.dim() == 2, "embedding_renorm_: expected `self` to be a matrix, got sizes ", self.sizes());
  constexpr ScalarTypeSet kTypes = kAllFloatingTypes | kComplexTypes;
  STRUCTURED_CHECK(kTypes.contains(self.scalar_type()), "embedding_renorm_: expected `self` of dtype ", kTypes,
                   ", got ", self.scalar_type());
  STRUCTURED_CHECK(indices.scalar_type() == kLong || indices.scalar_type() == kInt,
                   "embedding_renorm_: expected `indices` of dtype Long or Int, got ", indices.scalar_type());
  STRUCTURED_CHECK(norm_type > 0, "embedding_renorm_: expected a positive `norm_type`, got ", norm_type);
  assert_no_internal_overlap(self);
  if (self.is_meta()) return self;
  std::vector<int64_t> rows(static_cast<size_t>(indices.numel()));
  if (indices.scalar_type() == kLong) {
    rows = to_vector<int64_t>(indices);
  } else {
    const std::vector<int32_t> numbers = to_vector<int32_t>(indices);
    rows.assign(numbers.begin(), numbers.end());
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  if (rows.empty()) return self;
  for (const int64_t row : {rows.front(), rows.back()}) {
    STRUCTURED_CHECK(0 <= row && row < self.size(0), "embedding_renorm_: expected indices from 0 to ", self.size(0) - 1,
                     ", got ", row);
  }
  visit<kTypes>("embedding_renorm_", self.scalar_type(), [&]<class T>() {
    const int64_t stride = self.stride(1);
    for (const int64_t row : rows) {
      T* const elements = self.data_ptr<T>() + row * self.stride(0);
      const double norm = norm_of(elements, stride, self.size(1), norm_type);
      if (!(norm > max_norm)) continue;
      const double scale = max_norm / (norm + 1e-7);
      using Wide = std::conditional_t<is_complex_v<T>, Complex<double>, double>;
      for (int64_t i = 0; i < self.size(1); ++i) {
        elements[i * stride] = convert<T>(convert<Wide>(elements[i * stride]) * Wide(scale));
      }
    }
  });
  return self;
}

}  // namespace structured::kernels
