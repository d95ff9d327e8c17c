#include "structured/dispatch/call.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "structured/base/error.h"
#include "structured/dispatch/signature.h"

namespace structured {
namespace {

template <class... Parts>
[[noreturn]] void fail_call(const OperatorHandle& op, const Parts&... parts) {
  fail("`", op.name, "`: ", parts..., "; the schema is `", op.schema(), "`");
}

// Repeats an integer for a list of integers of fixed length: 2 for `int[2]` is [2, 2].
Value fitted(Value value, const Parameter& parameter) {
  const bool is_repeated =
      parameter.kind == Value::Kind::int_list && parameter.length != 0 && value.is(Value::Kind::integer);
  return is_repeated ? Value(std::vector<int64_t>(parameter.length, value.to_int())) : value;
}

}  // namespace

Stack call_operator(const OperatorHandle& op, Stack positional, const std::vector<NamedValue>& keywords) {
  const std::vector<Parameter> schema = signature_of(op).arguments;
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
      given[i] = schema[i].default_value;
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
