#pragma once
// Quantization schemes: how the integers of a quantized tensor represent real numbers.
#include <cstdint>
#include <iosfwd>

#include "structured/base/export.h"

namespace structured {

/// One scale and zero point for the whole tensor, or one per slice of a dimension ("channel"). Symmetric schemes have
/// zero point 0. The numbers are those of ATen, so that serialised values agree.
enum class QScheme : uint8_t {
#define STRUCTURED_QSCHEME(enumerator, ...) enumerator,
#include "structured/schema/enumerations.def"
};

inline constexpr QScheme kPerTensorAffine = QScheme::per_tensor_affine;
inline constexpr QScheme kPerChannelAffine = QScheme::per_channel_affine;
inline constexpr QScheme kPerTensorSymmetric = QScheme::per_tensor_symmetric;
inline constexpr QScheme kPerChannelSymmetric = QScheme::per_channel_symmetric;
inline constexpr QScheme kPerChannelAffineFloatQParams = QScheme::per_channel_affine_float_qparams;

/// "per_tensor_affine", ...
STRUCTURED_API const char* to_string(QScheme scheme);
STRUCTURED_API std::ostream& operator<<(std::ostream& out, QScheme scheme);

}  // namespace structured
