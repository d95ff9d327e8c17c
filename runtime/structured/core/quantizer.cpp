#include "structured/core/quantizer.h"

#include <cmath>
#include <limits>
#include <utility>

#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/core/tensor_impl.h"
#include "structured/core/wrap_dim.h"
#include "structured/number/scalar.h"

namespace structured {
namespace {

constexpr ScalarTypeSet kTypesWithQuantizer = kQUInt8 | kQInt8 | kQInt32;

struct Range {
  int64_t low;
  int64_t high;
};

Range range_of(ScalarType dtype) {
  if (dtype == kQUInt8) return {0, 255};
  if (dtype == kQInt8) return {-128, 127};
  return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
}

void check_dtype(const Tensor& tensor) {
  STRUCTURED_CHECK(kTypesWithQuantizer.contains(tensor.dtype()), "expected a tensor of dtype QUInt8, QInt8 or QInt32, ",
                   "got ", tensor.dtype());
}

void check_pair(ScalarType dtype, double scale, int64_t zero_point) {
  const auto used = static_cast<float>(scale);
  STRUCTURED_CHECK(used > 0 && std::isfinite(used), "expected a scale that is positive and finite as a Float, got ",
                   scale);
  const Range range = range_of(dtype);
  STRUCTURED_CHECK(zero_point >= range.low && zero_point <= range.high, "expected a zero point between ", range.low,
                   " and ", range.high, " for dtype ", dtype, ", got ", zero_point);
}

// Element `index` of a vector.
Scalar element(const Tensor& vector, int64_t index) {
  const int64_t offset = index * vector.stride(0) * static_cast<int64_t>(vector.element_size());
  return load_scalar(static_cast<const char*>(vector.data()) + offset, vector.dtype());
}

template <class T>
bool are_equal(const Tensor& a, const Tensor& b) {
  if (a.numel() != b.numel()) return false;
  const T* const x = a.data_ptr<T>();
  const T* const y = b.data_ptr<T>();
  for (int64_t i = 0; i < a.numel(); ++i) {
    if (x[i] != y[i]) return false;
  }
  return true;
}

}  // namespace

bool Quantizer::operator==(const Quantizer& other) const {
  if (this == &other) return true;
  if (scheme_ != other.scheme_) return false;
  if (!is_per_channel()) return scale_ == other.scale_ && zero_point_ == other.zero_point_;
  return axis_ == other.axis_ && are_equal<double>(scales_, other.scales_) &&
         are_equal<int64_t>(zero_points_, other.zero_points_);
}

void Quantizer::drop_tensor() noexcept {
  if (references_.release()) delete this;
}

/// Access to the place where a quantized tensor keeps its quantizer.
class detail::QuantizerSlot {
 public:
  static Quantizer* find(const TensorImpl& impl) {
    if (!is_quantized(impl.dtype())) return nullptr;
    if (Quantizer* const own = own_of(impl)) return own;
    const TensorImpl* const base = impl.base();
    if (base == nullptr || base->dtype() != impl.dtype()) return nullptr;
    Quantizer* const quantizer = own_of(*base);
    const bool is_usable = quantizer != nullptr && (!quantizer->is_per_channel() || impl.sizes() == base->sizes());
    return is_usable ? quantizer : nullptr;
  }
  static Quantizer* share(Quantizer* quantizer) {
    if (quantizer != nullptr) quantizer->references_.retain();
    return quantizer;
  }
  /// Takes over a reference to `quantizer`, which may be null.
  static void set(TensorImpl& impl, Quantizer* quantizer) noexcept { impl.set_autograd(quantizer, false); }
  static Quantizer* make(double scale, int64_t zero_point) {
    auto* const quantizer = new Quantizer;
    quantizer->scale_ = scale;
    quantizer->zero_point_ = zero_point;
    return quantizer;
  }
  static Quantizer* make(Tensor scales, Tensor zero_points, int64_t axis) {
    auto* const quantizer = new Quantizer;
    quantizer->scheme_ = QScheme::per_channel_affine;
    quantizer->scales_ = std::move(scales);
    quantizer->zero_points_ = std::move(zero_points);
    quantizer->axis_ = axis;
    return quantizer;
  }

 private:
  static Quantizer* own_of(const TensorImpl& impl) { return static_cast<Quantizer*>(impl.autograd()); }
};

using detail::QuantizerSlot;

const Quantizer* find_quantizer(const Tensor& tensor) {
  static_cast<void>(tensor.dtype());  // throws for an undefined tensor
  return QuantizerSlot::find(*tensor.impl());
}

const Quantizer& quantizer_of(const Tensor& tensor) {
  STRUCTURED_CHECK(tensor.is_quantized(), "expected a quantized tensor, got dtype ", tensor.dtype());
  const Quantizer* const quantizer = find_quantizer(tensor);
  STRUCTURED_CHECK(quantizer != nullptr, "expected a tensor with a scale and a zero point, got one without: ",
                   "a view of other sizes of a tensor that is quantized per channel, or one that no operator of ",
                   "quantized tensors has made");
  return *quantizer;
}

void set_quantizer(const Tensor& tensor, double scale, int64_t zero_point) {
  check_dtype(tensor);
  check_pair(tensor.dtype(), scale, zero_point);
  QuantizerSlot::set(*tensor.impl(), QuantizerSlot::make(scale, zero_point));
}

void set_quantizer(const Tensor& tensor, const Tensor& scales, const Tensor& zero_points, int64_t axis) {
  check_dtype(tensor);
  const int64_t dim = wrap_dim(axis, tensor.dim());
  STRUCTURED_CHECK(tensor.dim() > 0 && scales.dim() == 1 && zero_points.dim() == 1 &&
                       scales.numel() == tensor.size(dim) && zero_points.numel() == tensor.size(dim),
                   "expected as many scales and zero points as the size of dimension ", axis, " of sizes ",
                   tensor.sizes(), ", got sizes ", scales.sizes(), " and ", zero_points.sizes());
  STRUCTURED_CHECK(scales.is_floating_point() && scales.is_cpu(),
                   "expected scales of a floating-point dtype on the CPU, got ", scales.dtype());
  STRUCTURED_CHECK(is_integral(zero_points.dtype(), false) && zero_points.is_cpu(),
                   "expected zero points of an integral dtype on the CPU, got ", zero_points.dtype());
  const int64_t count = scales.numel();
  Tensor own_scales = detail::empty({count}, kDouble);
  Tensor own_zero_points = detail::empty({count}, kLong);
  for (int64_t i = 0; i < count; ++i) {
    const double scale = element(scales, i).to<double>();
    const auto zero_point = element(zero_points, i).to<int64_t>();
    check_pair(tensor.dtype(), scale, zero_point);
    own_scales.data_ptr<double>()[i] = scale;
    own_zero_points.data_ptr<int64_t>()[i] = zero_point;
  }
  QuantizerSlot::set(*tensor.impl(), QuantizerSlot::make(std::move(own_scales), std::move(own_zero_points), dim));
}

void detail::share_quantizer(TensorImpl& impl, const TensorImpl& from) noexcept {
  QuantizerSlot::set(impl, QuantizerSlot::share(QuantizerSlot::find(from)));
}

void share_quantizer(const Tensor& tensor, const Tensor& from) {
  STRUCTURED_CHECK(tensor.is_quantized() && tensor.dtype() == from.dtype(), "expected a quantized tensor of dtype ",
                   from.dtype(), ", got ", tensor.dtype());
  detail::share_quantizer(*tensor.impl(), *from.impl());
}

}  // namespace structured
