// Any text either is refused with a message, or is a schema that prints and parses back to the same value, as do the
// defaults of its arguments.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "structured/schema/default_value.h"
#include "structured/schema/parse.h"

namespace {

using namespace structured::schema;

void check_default(const Argument& argument) {
  if (!argument.default_value) return;
  const std::optional<DefaultValue> value = parse_default(argument.type, *argument.default_value);
  if (!value) return;
  const std::string printed = to_string(*value);
  const std::optional<DefaultValue> again = parse_default(argument.type, printed);
  if (!again || again->value.index() != value->value.index() || to_string(*again) != printed) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ParseError error;
  const std::optional<Schema> schema = parse_schema(text, &error);
  if (!schema) {
    if (error.column == 0 || error.column > size + 1 || error.expected.empty() || error.found.empty()) __builtin_trap();
    return 0;
  }
  if (parse_schema(to_string(*schema)) != schema) __builtin_trap();
  for (const Argument& argument : schema->positional) check_default(argument);
  for (const Argument& argument : schema->keyword_only) check_default(argument);
  return 0;
}
