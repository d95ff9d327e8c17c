#pragma once
// Schema types: a base type and its wrappers.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "structured/schema/export.h"

namespace structured::schema {

/// A schema type: `Tensor`, `int[2]?`, `Tensor?[]`. Its text is the concatenation of the base and the wrappers:
/// `Tensor` + `?` + `[]`.
struct Type {
  enum class Base {
#define STRUCTURED_VALUE_TYPE(enumerator, ...) enumerator,
#define STRUCTURED_BASE_TYPE(enumerator, ...) enumerator,
#define STRUCTURED_ATEN_TYPE(enumerator, ...) enumerator,
#include "structured/schema/types.def"
  };
  struct Wrapper {
    enum class Kind { optional, list };
    Kind kind = Kind::optional;
    std::optional<int64_t> size;  ///< length of a list, if fixed
    friend bool operator==(const Wrapper&, const Wrapper&) = default;
  };

  Base base = Base::Tensor;
  std::vector<Wrapper> wrappers;

  bool is(Base b) const { return base == b && wrappers.empty(); }
  bool is_tensor_like() const { return base == Base::Tensor; }  ///< Tensor, Tensor?, Tensor[], Tensor?[]
  bool is_optional() const { return !wrappers.empty() && wrappers.back().kind == Wrapper::Kind::optional; }
  bool is_list() const { return !wrappers.empty() && wrappers.back().kind == Wrapper::Kind::list; }
  friend bool operator==(const Type&, const Type&) = default;
};

/// Whether the type has a list among its wrappers: `int[]`, `Tensor[]?`.
STRUCTURED_API bool contains_list(const Type& type);

/// Returns the type without its last wrapper: `int[2]` for `int[2]?`.
STRUCTURED_API Type unwrapped(Type type);

/// Whether schemas have lists of the type: of base types by types.def, and of optional tensors.
STRUCTURED_API bool has_list(const Type& element);

/// Returns the base as schemas spell it: `Tensor`, `int`, `SymInt`.
STRUCTURED_API std::string_view to_string(Type::Base base);
/// Returns the base of that name, or nullopt.
STRUCTURED_API std::optional<Type::Base> find_base(std::string_view name);

/// Returns the type as schemas spell it: `SymInt[1]`, `Tensor?[]`.
STRUCTURED_API std::string to_string(const Type& type);

}  // namespace structured::schema
