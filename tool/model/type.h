// Schema types: a base type and its wrappers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace structured::gen {

/// A schema type: `Tensor`, `int[2]?`, `Tensor?[]`. Its text is the concatenation of the base and the wrappers:
/// `Tensor` + `?` + `[]`.
struct Type {
  enum class Base {
#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  enumerator,
#define STRUCTURED_BASE_TYPE(enumerator, schema, native, native_header, value) enumerator,
#define STRUCTURED_ATEN_TYPE(enumerator, schema) enumerator,
#include "structured/schema/types.def"
  };
  struct Wrapper {
    enum class Kind { optional, list };
    Kind kind = Kind::optional;
    std::optional<std::int64_t> size;  ///< length of a list, if fixed
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

/// Whether schemas have lists of the type: of base types by schema/types.def, and of optional tensors.
bool has_list(const Type& element);

/// Returns the base as schemas spell it: `Tensor`, `int`, `SymInt`.
std::string_view to_string(Type::Base base);
/// Returns the base of that name, or nullopt.
std::optional<Type::Base> find_base(std::string_view name);

/// Returns the type as schemas spell it: `SymInt[1]`, `Tensor?[]`.
std::string to_string(const Type& type);

}  // namespace structured::gen
