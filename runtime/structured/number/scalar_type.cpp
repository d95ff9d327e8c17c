#include "structured/number/scalar_type.h"

#include <array>
#include <cstddef>
#include <ostream>

#include "structured/number/qscheme.h"
#include "structured/number/visit.h"
#include "structured/schema/promotion.h"

namespace structured {

constinit std::underlying_type_t<ScalarType> detail::current_default_dtype =
    static_cast<std::underlying_type_t<ScalarType>>(ScalarType::Float);

namespace {

// Types by the number of another one; Undefined where there is none. `function` returns indices in schema::kDtypes.
using Types = std::array<ScalarType, kScalarTypeEnd>;

template <class Function>
constexpr Types types_by_number(Function function) {
  Types result{};
  result.fill(ScalarType::Undefined);
  for (const schema::Dtype& dtype : schema::kDtypes) {
    const int index = function(dtype);
    if (index >= 0) result[dtype.number] = static_cast<ScalarType>(schema::kDtypes[index].number);
  }
  return result;
}

constexpr Types real_types =
    types_by_number([](const schema::Dtype& dtype) { return schema::detail::index_of(*schema::real_of(dtype)); });
constexpr Types complex_types = types_by_number(schema::detail::complex_index);
constexpr std::array<Types, kScalarTypeEnd> promoted_types = [] {
  std::array<Types, kScalarTypeEnd> result{};
  result.fill(types_by_number([](const schema::Dtype&) { return -1; }));
  for (const schema::Dtype& a : schema::kDtypes) {
    result[a.number] = types_by_number([&](const schema::Dtype& b) { return schema::detail::promoted_index(a, b); });
  }
  return result;
}();

}  // namespace

const char* to_string(ScalarType type) {
  switch (type) {
#define STRUCTURED_DTYPE(enumerator, ...) \
  case ScalarType::enumerator:            \
    return #enumerator;
#include "structured/schema/dtypes.def"
    case ScalarType::Undefined:
      break;
  }
  return "Undefined";
}

std::ostream& operator<<(std::ostream& out, ScalarType type) { return out << to_string(type); }

std::ostream& operator<<(std::ostream& out, ScalarTypeSet set) {
  const char* separator = "";
  for (const ScalarType type : kScalarTypes) {
    if (!set.contains(type)) continue;
    out << separator << type;
    separator = ", ";
  }
  return out;
}

ScalarType to_real(ScalarType type) {
  return type == ScalarType::Undefined ? type : real_types[static_cast<std::size_t>(type)];
}

ScalarType to_complex(ScalarType type) {
  const ScalarType result = type == ScalarType::Undefined ? type : complex_types[static_cast<std::size_t>(type)];
  STRUCTURED_CHECK(result != ScalarType::Undefined, "expected a type with a complex counterpart, got ", type);
  return result;
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
  STRUCTURED_CHECK(kAllFloatingTypes.contains(type), "expected the default dtype to be floating, got ", type);
  __atomic_store_n(&detail::current_default_dtype, static_cast<std::underlying_type_t<ScalarType>>(type),
                   __ATOMIC_RELAXED);
}

const char* to_string(QScheme scheme) {
  constexpr const char* names[] = {
#define STRUCTURED_QSCHEME(enumerator, word) word,
#include "structured/schema/enumerations.def"
  };
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
