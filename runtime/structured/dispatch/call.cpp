#include "structured/dispatch/call.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "structured/core/error.h"
#include "structured/dispatch/default_value.h"
#include "structured/dispatch/schema.h"

namespace structured {
namespace {

template <class... Parts>
[[noreturn]] void fail_call(const OperatorHandle& op, const Parts&... parts) {
  fail("`", op.name, "`: ", parts..., "; the schema is `", op.schema(), "`");
}

// Fixed length of a list type: 2 for `int[2]` and `int[2]?`; none for other types.
std::optional<std::size_t> list_length(std::string_view type) {
  const std::size_t open = type.find('[');
  const bool is_integers = type.starts_with("int[") || type.starts_with("SymInt[");
  if (!is_integers || type[open + 1] == ']') {
    return std::nullopt;
  }
  std::size_t length = 0;
  std::from_chars(type.data() + open + 1, type.data() + type.size(), length);
  return length;
}

Value fitted(Value value, const SchemaArgument& argument) {
  const std::optional<std::size_t> length = list_length(argument.type);
  return length && value.is(Value::Kind::integer) ? Value(std::vector<std::int64_t>(*length, value.to_int())) : value;
}

}  // namespace

Stack call_operator(const OperatorHandle& op, Stack positional, const std::vector<NamedValue>& keywords) {
  const std::vector<SchemaArgument> schema = read_schema(op.schema()).arguments;
  const auto first_named = std::find_if(schema.begin(), schema.end(), [](const auto& a) { return a.is_keyword_only; });
  const auto most = static_cast<std::size_t>(first_named - schema.begin());
  if (positional.size() > most) {
    fail_call(op, "expected at most ", most, " positional arguments, got ", positional.size());
  }
  std::vector<std::optional<Value>> given(schema.size());
  for (std::size_t i = 0; i < positional.size(); ++i) {
    given[i] = std::move(positional[i]);
  }
  for (const NamedValue& keyword : keywords) {
    const auto found =
        std::find_if(schema.begin(), schema.end(), [&](const auto& a) { return a.name == keyword.name; });
    if (found == schema.end()) {
      fail_call(op, "there is no argument `", keyword.name, "`");
    }
    std::optional<Value>& place = given[static_cast<std::size_t>(found - schema.begin())];
    if (place) {
      fail_call(op, "argument `", keyword.name, "` is given twice");
    }
    place = keyword.value;
  }
  Stack stack;
  stack.reserve(schema.size());
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!given[i]) {
      given[i] = detail::default_value(schema[i]);
    }
    if (!given[i]) {
      fail_call(op, "argument `", schema[i].name, "` is missing");
    }
    stack.push_back(fitted(std::move(*given[i]), schema[i]));
  }
  op.call(stack);
  return stack;
}

}  // namespace structured
