#include "structured/dispatch/unbox.h"

#include "structured/base/error.h"

namespace structured::detail {

Value* boxed_arguments(const char* op, Stack& stack, std::size_t expected) {
  STRUCTURED_CHECK(stack.size() >= expected, "`", op, "`: expected ", expected, " arguments on the stack, got ",
                   stack.size());
  return stack.data() + (stack.size() - expected);
}

void throw_wrong_argument(const char* op, std::size_t position, const std::string& expected, const Value& found) {
  fail("`", op, "`: argument ", position + 1, ": expected `", expected, "`, got `", to_string(found.kind()), "`");
}

}  // namespace structured::detail
