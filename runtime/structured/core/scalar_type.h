#pragma once
// Element types: names, numbers, sizes, categories and type promotion.
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <type_traits>

#include "structured/core/bfloat16.h"
#include "structured/core/complex.h"
#include "structured/core/error.h"
#include "structured/core/half.h"

namespace structured {

/// Names and numbers are those of ATen, so that serialised values agree. The elements of quantized types are the
/// integers that they store.
enum class ScalarType : std::int8_t {
  Byte,
  Char,
  Short,
  Int,
  Long,
  Half,
  Float,
  Double,
  ComplexHalf,
  ComplexFloat,
  ComplexDouble,
  Bool,
  QInt8,
  QUInt8,
  QInt32,
  BFloat16,
  QUInt4x2,
  QUInt2x4,
  Undefined,
};

/// The number of element types, without Undefined.
inline constexpr int kScalarTypeCount = static_cast<int>(ScalarType::Undefined);

inline constexpr ScalarType kByte = ScalarType::Byte;
inline constexpr ScalarType kChar = ScalarType::Char;
inline constexpr ScalarType kShort = ScalarType::Short;
inline constexpr ScalarType kInt = ScalarType::Int;
inline constexpr ScalarType kLong = ScalarType::Long;
inline constexpr ScalarType kHalf = ScalarType::Half;
inline constexpr ScalarType kFloat = ScalarType::Float;
inline constexpr ScalarType kDouble = ScalarType::Double;
inline constexpr ScalarType kComplexHalf = ScalarType::ComplexHalf;
inline constexpr ScalarType kComplexFloat = ScalarType::ComplexFloat;
inline constexpr ScalarType kComplexDouble = ScalarType::ComplexDouble;
inline constexpr ScalarType kBool = ScalarType::Bool;
inline constexpr ScalarType kQInt8 = ScalarType::QInt8;
inline constexpr ScalarType kQUInt8 = ScalarType::QUInt8;
inline constexpr ScalarType kQInt32 = ScalarType::QInt32;
inline constexpr ScalarType kBFloat16 = ScalarType::BFloat16;
inline constexpr ScalarType kQUInt4x2 = ScalarType::QUInt4x2;
inline constexpr ScalarType kQUInt2x4 = ScalarType::QUInt2x4;

/// "Float", "Long", ...
STRUCTURED_API const char* to_string(ScalarType type);
STRUCTURED_API std::ostream& operator<<(std::ostream& out, ScalarType type);

/// A set of element types, one bit each; the parameter of `visit` (visit.h).
struct ScalarTypeSet {
  std::uint32_t bits;

  constexpr bool contains(ScalarType type) const { return bits >> static_cast<int>(type) & 1; }
  friend constexpr bool operator==(ScalarTypeSet, ScalarTypeSet) = default;
};

constexpr ScalarTypeSet set_of(ScalarType type) { return {std::uint32_t{1} << static_cast<int>(type)}; }
constexpr ScalarTypeSet operator|(ScalarTypeSet a, ScalarTypeSet b) { return {a.bits | b.bits}; }
constexpr ScalarTypeSet operator|(ScalarTypeSet a, ScalarType b) { return a | set_of(b); }
constexpr ScalarTypeSet operator|(ScalarType a, ScalarType b) { return set_of(a) | set_of(b); }

inline constexpr ScalarTypeSet kIntegralTypes = kByte | kChar | kShort | kInt | kLong;
inline constexpr ScalarTypeSet kFloatingTypes = kFloat | kDouble;
inline constexpr ScalarTypeSet kReducedFloatingTypes = kHalf | kBFloat16;
inline constexpr ScalarTypeSet kAllFloatingTypes = kFloatingTypes | kReducedFloatingTypes;
inline constexpr ScalarTypeSet kComplexTypes = kComplexFloat | kComplexDouble;
inline constexpr ScalarTypeSet kAllComplexTypes = kComplexTypes | kComplexHalf;
inline constexpr ScalarTypeSet kQuantizedTypes = kQInt8 | kQUInt8 | kQInt32 | kQUInt4x2 | kQUInt2x4;
/// The types that most arithmetic operators support, without Bool.
inline constexpr ScalarTypeSet kRealTypes = kIntegralTypes | kAllFloatingTypes;
inline constexpr ScalarTypeSet kArithmeticTypes = kRealTypes | kComplexTypes;
/// Every type but the quantized ones.
inline constexpr ScalarTypeSet kAllTypes = kRealTypes | kAllComplexTypes | kBool;

/// Prints `Byte, Char, Float`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, ScalarTypeSet set);

constexpr bool is_integral(ScalarType type, bool include_bool) {
  return kIntegralTypes.contains(type) || (include_bool && type == kBool);
}
constexpr bool is_floating(ScalarType type) { return kAllFloatingTypes.contains(type); }
constexpr bool is_complex(ScalarType type) { return kAllComplexTypes.contains(type); }
constexpr bool is_quantized(ScalarType type) { return kQuantizedTypes.contains(type); }
constexpr bool is_signed(ScalarType type) {
  return (kArithmeticTypes | kComplexHalf | kQInt8 | kQInt32).contains(type) && type != kByte;
}

namespace detail {
inline constexpr std::uint8_t kItemSizeLog2[kScalarTypeCount + 1] = {0, 0, 1, 2, 3, 1, 2, 3, 2, 3,
                                                                     4, 0, 0, 0, 2, 1, 0, 0, 0};
}  // namespace detail

/// log2 of the bytes of an element: every size is a power of two. 0 for Undefined.
constexpr int item_size_log2(ScalarType type) { return detail::kItemSizeLog2[static_cast<int>(type)]; }
/// Bytes of an element. QUInt4x2 and QUInt2x4 count the byte that holds several.
constexpr std::size_t item_size(ScalarType type) { return std::size_t{1} << item_size_log2(type); }

/// Half for ComplexHalf, Float for ComplexFloat, Double for ComplexDouble; returns other types unchanged.
STRUCTURED_API ScalarType to_real(ScalarType type);
/// ComplexFloat for Float and so on; BFloat16 and integers give ComplexFloat; returns complex types unchanged. Throws
/// Error for quantized types.
STRUCTURED_API ScalarType to_complex(ScalarType type);

/// The smallest type that holds values of both, by category (bool, integral, floating, complex) first, by size second;
/// Half with BFloat16 gives Float. Undefined with any type is Undefined. Throws Error if exactly one type is quantized,
/// or both are and differ.
STRUCTURED_API ScalarType promote_types(ScalarType a, ScalarType b);

/// Whether a result computed in `from` may be stored in `to`: never from complex to real, from floating to integral, or
/// from anything but Bool to Bool.
STRUCTURED_API bool can_cast(ScalarType from, ScalarType to);

namespace detail {
extern STRUCTURED_API constinit std::underlying_type_t<ScalarType> current_default_dtype;  // by atomic builtins
}  // namespace detail

/// Returns the dtype of floating-point values without an explicit dtype, initially Float. One per process; thread-safe.
inline ScalarType default_dtype() noexcept {
  return static_cast<ScalarType>(__atomic_load_n(&detail::current_default_dtype, __ATOMIC_RELAXED));
}
/// Throws Error unless `type` is floating.
STRUCTURED_API void set_default_dtype(ScalarType type);

/// ScalarType::Float for float, and so on. Undefined for a type that is not an element type.
template <class T>
inline constexpr ScalarType scalar_type_of = ScalarType::Undefined;
template <>
inline constexpr ScalarType scalar_type_of<std::uint8_t> = kByte;
template <>
inline constexpr ScalarType scalar_type_of<std::int8_t> = kChar;
template <>
inline constexpr ScalarType scalar_type_of<std::int16_t> = kShort;
template <>
inline constexpr ScalarType scalar_type_of<std::int32_t> = kInt;
template <>
inline constexpr ScalarType scalar_type_of<std::int64_t> = kLong;
template <>
inline constexpr ScalarType scalar_type_of<Half> = kHalf;
template <>
inline constexpr ScalarType scalar_type_of<float> = kFloat;
template <>
inline constexpr ScalarType scalar_type_of<double> = kDouble;
template <>
inline constexpr ScalarType scalar_type_of<Complex<Half>> = kComplexHalf;
template <>
inline constexpr ScalarType scalar_type_of<Complex<float>> = kComplexFloat;
template <>
inline constexpr ScalarType scalar_type_of<Complex<double>> = kComplexDouble;
template <>
inline constexpr ScalarType scalar_type_of<bool> = kBool;
template <>
inline constexpr ScalarType scalar_type_of<BFloat16> = kBFloat16;

}  // namespace structured
