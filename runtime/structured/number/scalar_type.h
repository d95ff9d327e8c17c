#pragma once
// Element types: names, numbers, sizes, categories and type promotion.
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <type_traits>

#include "structured/base/error.h"
#include "structured/number/bfloat16.h"
#include "structured/number/complex.h"
#include "structured/number/half.h"
#include "structured/schema/dtype.h"

namespace structured {

/// The dtypes of schema/dtypes.def. Names and numbers are those of ATen, so that serialised values agree; numbers may
/// have holes. The elements of quantized types are the integers that they store.
enum class ScalarType : int8_t {
#define STRUCTURED_DTYPE(enumerator, value, ...) enumerator = value,
#include "structured/schema/dtypes.def"
  Undefined,
};

/// All element types, without Undefined.
inline constexpr ScalarType kScalarTypes[] = {
#define STRUCTURED_DTYPE(enumerator, ...) ScalarType::enumerator,
#include "structured/schema/dtypes.def"
};

/// The size of tables that the numbers of element types index, without Undefined.
inline constexpr int kScalarTypeEnd = static_cast<int>(ScalarType::Undefined);
static_assert(kScalarTypeEnd == schema::kDtypeEnd);

#define STRUCTURED_DTYPE(enumerator, ...) inline constexpr ScalarType k##enumerator = ScalarType::enumerator;
#include "structured/schema/dtypes.def"

/// The row of the table of dtypes; null for Undefined.
constexpr const schema::Dtype* dtype_row(ScalarType type) { return schema::dtype_numbered(static_cast<int>(type)); }
/// The type of a row; Undefined for null.
constexpr ScalarType scalar_type_of_row(const schema::Dtype* dtype) {
  return dtype == nullptr ? ScalarType::Undefined : static_cast<ScalarType>(dtype->number);
}

/// "Float", "Long", ...
STRUCTURED_API const char* to_string(ScalarType type);
STRUCTURED_API std::ostream& operator<<(std::ostream& out, ScalarType type);

/// A set of element types, one bit each; the parameter of `visit` (visit.h).
struct ScalarTypeSet {
  schema::DtypeSet bits;

  constexpr bool contains(ScalarType type) const { return bits >> static_cast<int>(type) & 1; }
  friend constexpr bool operator==(ScalarTypeSet, ScalarTypeSet) = default;
};

constexpr ScalarTypeSet set_of(ScalarType type) { return {schema::DtypeSet{1} << static_cast<int>(type)}; }
constexpr ScalarTypeSet operator|(ScalarTypeSet a, ScalarTypeSet b) { return {a.bits | b.bits}; }
constexpr ScalarTypeSet operator|(ScalarTypeSet a, ScalarType b) { return a | set_of(b); }
constexpr ScalarTypeSet operator|(ScalarType a, ScalarType b) { return set_of(a) | set_of(b); }

// kIntegralTypes, kAllFloatingTypes, kAllComplexTypes, kQuantizedTypes, and kAllTypes, every type but the quantized
// ones.
#define STRUCTURED_DTYPE_SET(name, constant, condition) inline constexpr ScalarTypeSet constant = {schema::constant};
#include "structured/schema/dtypes.def"

inline constexpr ScalarTypeSet kFloatingTypes = kFloat | kDouble;
inline constexpr ScalarTypeSet kReducedFloatingTypes = {kAllFloatingTypes.bits & ~kFloatingTypes.bits};
inline constexpr ScalarTypeSet kComplexTypes = kComplexFloat | kComplexDouble;
/// The types that most arithmetic operators support, without Bool.
inline constexpr ScalarTypeSet kRealTypes = kIntegralTypes | kAllFloatingTypes;
inline constexpr ScalarTypeSet kArithmeticTypes = kRealTypes | kComplexTypes;

/// Prints `Byte, Char, Float`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, ScalarTypeSet set);

constexpr bool is_integral(ScalarType type, bool include_bool) {
  return kIntegralTypes.contains(type) || (include_bool && type == kBool);
}
constexpr bool is_floating(ScalarType type) {
  constexpr ScalarTypeSet floating = {schema::dtypes_where([](const schema::Dtype& row) { return row.is_floating(); })};
  return floating.contains(type);
}
constexpr bool is_complex(ScalarType type) { return kAllComplexTypes.contains(type); }
constexpr bool is_quantized(ScalarType type) { return kQuantizedTypes.contains(type); }
constexpr bool is_signed(ScalarType type) {
  constexpr ScalarTypeSet with_sign = {schema::dtypes_where([](const schema::Dtype& row) { return row.is_signed; })};
  return with_sign.contains(type);
}

namespace detail {

struct ItemSizes {
  uint8_t log2[kScalarTypeEnd + 1];
};
inline constexpr ItemSizes kItemSizes = [] {
  ItemSizes result{};
  for (const schema::Dtype& row : schema::kDtypes) result.log2[row.number] = static_cast<uint8_t>(row.size_log2);
  return result;
}();

}  // namespace detail

/// log2 of the bytes of an element: every size is a power of two. 0 for Undefined.
constexpr int item_size_log2(ScalarType type) { return detail::kItemSizes.log2[static_cast<int>(type)]; }
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
#define STRUCTURED_DTYPE(enumerator, ...)
#define STRUCTURED_PLAIN_DTYPE(enumerator, type, ...)                        \
  template <>                                                                \
  inline constexpr ScalarType scalar_type_of<type> = ScalarType::enumerator; \
  static_assert(sizeof(type) == item_size(ScalarType::enumerator));
#include "structured/schema/dtypes.def"

}  // namespace structured
