#include "structured/core/scalar_type.h"

#include <array>
#include <cstddef>
#include <ostream>

#include "structured/core/qscheme.h"
#include "structured/core/visit.h"

namespace structured {

constinit std::underlying_type_t<ScalarType> detail::current_default_dtype =
    static_cast<std::underlying_type_t<ScalarType>>(ScalarType::Float);

namespace {

// Categories in ascending order of promotion.
enum class Category { boolean, integral, floating, complex };

constexpr Category category_of(ScalarType type) {
  if (type == kBool) return Category::boolean;
  if (is_integral(type, false)) return Category::integral;
  return is_floating(type) ? Category::floating : Category::complex;
}

constexpr ScalarType real_of(ScalarType type) {
  switch (type) {
    case ScalarType::ComplexHalf:
      return kHalf;
    case ScalarType::ComplexFloat:
      return kFloat;
    case ScalarType::ComplexDouble:
      return kDouble;
    default:
      return type;
  }
}

constexpr ScalarType complex_of(ScalarType type) {
  if (is_complex(type)) return type;
  if (type == kHalf) return kComplexHalf;
  return type == kDouble ? kComplexDouble : kComplexFloat;
}

constexpr ScalarType promote_integral(ScalarType a, ScalarType b) {
  // Byte is the only unsigned type; with the signed type of its own size, the next larger signed type holds both.
  if ((a == kByte && b == kChar) || (a == kChar && b == kByte)) return kShort;
  if (item_size(a) == item_size(b)) return a;
  return item_size(a) > item_size(b) ? a : b;
}

constexpr ScalarType promote_floating(ScalarType a, ScalarType b) {
  if (item_size(a) == item_size(b)) return kFloat;  // Half and BFloat16: neither holds the other
  return item_size(a) > item_size(b) ? a : b;
}

// The promoted type, or Undefined if there is none.
constexpr ScalarType promoted(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (is_quantized(a) || is_quantized(b)) return ScalarType::Undefined;
  const Category category_a = category_of(a);
  const Category category_b = category_of(b);
  if (category_a == Category::complex || category_b == Category::complex) {
    // Between a complex and a real type, only floating-point precision counts.
    const bool a_counts = category_a >= Category::floating;
    const bool b_counts = category_b >= Category::floating;
    if (!b_counts) return a;
    if (!a_counts) return b;
    const ScalarType real_a = real_of(a);
    const ScalarType real_b = real_of(b);
    return complex_of(real_a == real_b ? real_a : promote_floating(real_a, real_b));
  }
  if (category_a != category_b) return category_a > category_b ? a : b;
  return category_a == Category::integral ? promote_integral(a, b) : promote_floating(a, b);
}

using PromotedTypes = std::array<std::array<ScalarType, kScalarTypeCount>, kScalarTypeCount>;
constexpr PromotedTypes promoted_types = [] {
  PromotedTypes table{};
  for (int a = 0; a < kScalarTypeCount; ++a) {
    for (int b = 0; b < kScalarTypeCount; ++b) {
      table[a][b] = promoted(static_cast<ScalarType>(a), static_cast<ScalarType>(b));
    }
  }
  return table;
}();

}  // namespace

const char* to_string(ScalarType type) {
  switch (type) {
    case ScalarType::Byte:
      return "Byte";
    case ScalarType::Char:
      return "Char";
    case ScalarType::Short:
      return "Short";
    case ScalarType::Int:
      return "Int";
    case ScalarType::Long:
      return "Long";
    case ScalarType::Half:
      return "Half";
    case ScalarType::Float:
      return "Float";
    case ScalarType::Double:
      return "Double";
    case ScalarType::ComplexHalf:
      return "ComplexHalf";
    case ScalarType::ComplexFloat:
      return "ComplexFloat";
    case ScalarType::ComplexDouble:
      return "ComplexDouble";
    case ScalarType::Bool:
      return "Bool";
    case ScalarType::QInt8:
      return "QInt8";
    case ScalarType::QUInt8:
      return "QUInt8";
    case ScalarType::QInt32:
      return "QInt32";
    case ScalarType::BFloat16:
      return "BFloat16";
    case ScalarType::QUInt4x2:
      return "QUInt4x2";
    case ScalarType::QUInt2x4:
      return "QUInt2x4";
    case ScalarType::Undefined:
      break;
  }
  return "Undefined";
}

std::ostream& operator<<(std::ostream& out, ScalarType type) { return out << to_string(type); }

std::ostream& operator<<(std::ostream& out, ScalarTypeSet set) {
  const char* separator = "";
  for (int i = 0; i < kScalarTypeCount; ++i) {
    const auto type = static_cast<ScalarType>(i);
    if (!set.contains(type)) continue;
    out << separator << type;
    separator = ", ";
  }
  return out;
}

ScalarType to_real(ScalarType type) { return real_of(type); }

ScalarType to_complex(ScalarType type) {
  STRUCTURED_CHECK(!is_quantized(type) && type != ScalarType::Undefined,
                   "expected a type with a complex counterpart, got ", type);
  return complex_of(type);
}

ScalarType promote_types(ScalarType a, ScalarType b) {
  if (a == ScalarType::Undefined || b == ScalarType::Undefined) return ScalarType::Undefined;
  const ScalarType result = promoted_types[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  STRUCTURED_CHECK(result != ScalarType::Undefined, "expected two types that promote to one, got ", a, " and ", b,
                   "; quantized types do not mix with others");
  return result;
}

bool can_cast(ScalarType from, ScalarType to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating(from) && is_integral(to, false)) return false;
  return from == kBool || to != kBool;
}

void set_default_dtype(ScalarType type) {
  STRUCTURED_CHECK(is_floating(type), "expected the default dtype to be floating, got ", type);
  __atomic_store_n(&detail::current_default_dtype, static_cast<std::underlying_type_t<ScalarType>>(type),
                   __ATOMIC_RELAXED);
}

const char* to_string(QScheme scheme) {
  constexpr const char* names[] = {"per_tensor_affine", "per_channel_affine", "per_tensor_symmetric",
                                   "per_channel_symmetric", "per_channel_affine_float_qparams"};
  return names[static_cast<int>(scheme)];
}

std::ostream& operator<<(std::ostream& out, QScheme scheme) { return out << to_string(scheme); }

namespace detail {

void fail_visit(const char* name, ScalarType type, ScalarTypeSet expected) {
  fail(name, ": expected dtype to be one of ", expected, ", got ", type);
}

void fail_unselected(const char* name, ScalarType type, ScalarTypeSet selected) {
  fail(name, ": expected a dtype that this build selects, one of ", selected, "; got ", type);
}

}  // namespace detail

}  // namespace structured
