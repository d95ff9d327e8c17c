#pragma once
// Defaults of arguments as values.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "structured/schema/export.h"
#include "structured/schema/type.h"

namespace structured::schema {

struct DefaultValue {
  /// `None`
  struct None {
    friend bool operator==(None, None) = default;
  };
  /// `long`: the texts are `ScalarType` and `Long`, and live as long as the program.
  struct Enumerator {
    std::string_view enumeration;
    std::string_view name;
    friend bool operator==(Enumerator, Enumerator) = default;
  };
  using List = std::vector<DefaultValue>;

  std::variant<None, bool, int64_t, double, std::string, Enumerator, List> value;
  std::string_view text;  ///< as the schema spells it; lives as long as the schema

  /// Returns the contents if they are a `T`, else null.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
};

/// Returns the meaning of `text` as a default of the type; nullopt if it has none. A number may be the default of all
/// elements of a list of fixed length, and is not a list.
STRUCTURED_API std::optional<DefaultValue> parse_default(const Type& type, std::string_view text);

/// Returns the canonical text: strings in double quotes, no blanks in lists, the first word for an enumerator. Numbers
/// are spelled as `text` spells them, or by the fewest digits if it is empty.
STRUCTURED_API std::string to_string(const DefaultValue& value);

}  // namespace structured::schema
