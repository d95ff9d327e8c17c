// What a replay needs to know of a schema: the arguments in order, their types, defaults, and which are written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace structured::replay {

struct SchemaArgument {
  std::string type;  ///< without alias sets: `Tensor?`, `int[2]`
  std::string name;
  std::optional<std::string> default_value;
  bool is_mutable = false;

  bool is_optional() const { return type.ends_with("?"); }
};

/// The arguments of `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`. Schemas of a library are well
/// formed.
std::vector<SchemaArgument> schema_arguments(std::string_view schema);

}  // namespace structured::replay
