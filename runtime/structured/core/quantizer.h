#pragma once
// Quantizers: how the integers of a quantized tensor represent real numbers.
#include <cstdint>

#include "structured/base/export.h"
#include "structured/core/autograd_data.h"
#include "structured/core/tensor.h"
#include "structured/memory/ref_count.h"
#include "structured/number/qscheme.h"

namespace structured {

namespace detail {
class QuantizerSlot;
}

/// Scale and zero point of a quantized tensor: an integer q represents (q - zero_point) * scale. One pair for the whole
/// tensor, or one for each index of the dimension `axis`. Immutable, and shared by tensors.
///
/// A quantized tensor keeps its quantizer where other tensors keep gradient data, which quantized ones never have, so
/// that tensors are no larger and fast paths need no test.
class STRUCTURED_API Quantizer final : private detail::AutogradData {
 public:
  QScheme scheme() const { return scheme_; }
  bool is_per_channel() const { return scheme_ == QScheme::per_channel_affine; }
  // Numbers of a quantizer for the whole tensor.
  double scale() const { return scale_; }
  int64_t zero_point() const { return zero_point_; }
  // Vectors of a quantizer with pairs for the dimension axis(), of dtypes Double and Long.
  const Tensor& scales() const { return scales_; }
  const Tensor& zero_points() const { return zero_points_; }
  int64_t axis() const { return axis_; }

  /// Whether scheme, numbers and axis are equal.
  bool operator==(const Quantizer& other) const;

 private:
  friend class detail::QuantizerSlot;

  Quantizer() = default;
  ~Quantizer() = default;
  void drop_tensor() noexcept override;

  detail::RefCount references_;
  QScheme scheme_ = QScheme::per_tensor_affine;
  double scale_ = 1;
  int64_t zero_point_ = 0;
  int64_t axis_ = 0;
  Tensor scales_;
  Tensor zero_points_;
};

/// The quantizer of a tensor, or null. Views have the quantizer of their base, except that a view whose sizes differ
/// from those of a base with one pair for each channel has none.
STRUCTURED_API const Quantizer* find_quantizer(const Tensor& tensor);
/// The quantizer of a tensor. Throws Error if it has none.
STRUCTURED_API const Quantizer& quantizer_of(const Tensor& tensor);

/// Replaces the quantizer of a tensor of dtype QUInt8, QInt8 or QInt32 by one scale and zero point. Throws Error for
/// other dtypes, for a scale that is not positive and finite as a Float, and for a zero point outside the dtype.
STRUCTURED_API void set_quantizer(const Tensor& tensor, double scale, int64_t zero_point);
/// Replaces the quantizer of a tensor by one with a pair for each index of dimension `axis`; copies the vectors, which
/// may have any floating-point and any integral dtype. Throws Error as the other overload does, and for vectors whose
/// length is not the size of the dimension.
STRUCTURED_API void set_quantizer(const Tensor& tensor, const Tensor& scales, const Tensor& zero_points, int64_t axis);
/// Gives `tensor` the quantizer of `from`, which has the same dtype, or none if `from` has none.
STRUCTURED_API void share_quantizer(const Tensor& tensor, const Tensor& from);

namespace detail {
void share_quantizer(TensorImpl& impl, const TensorImpl& from) noexcept;
}

}  // namespace structured
