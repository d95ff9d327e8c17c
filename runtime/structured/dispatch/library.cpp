#include "structured/dispatch/library.h"

#include <algorithm>

#include "structured/base/error.h"

namespace structured {

void OperatorHandle::throw_not_boxed() const {
  fail("`", name, "` cannot be called on a stack: its library was built without boxed calls");
}

void OperatorHandle::throw_no_table() const {
  fail("`", name, "` has no dispatch table: its library is of the flavour `static`");
}

namespace detail {

const OperatorHandle* find_operator(ArrayRef<OperatorHandle> operators, std::string_view name) {
  const OperatorHandle* found =
      std::lower_bound(operators.begin(), operators.end(), name,
                       [](const OperatorHandle& handle, std::string_view wanted) { return handle.name < wanted; });
  return found != operators.end() && found->name == name ? found : nullptr;
}

std::string dispatch_table(const OperatorHandle* found, std::string_view name) {
  STRUCTURED_CHECK(found != nullptr, "expected the full name of an operator, as `aten::add.Tensor`, got `", name, "`");
  return structured::dispatch_table(found->table());
}

}  // namespace detail
}  // namespace structured
