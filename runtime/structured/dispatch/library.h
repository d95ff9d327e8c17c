#pragma once
// Lookup of a library's operators by name. A library emits one constant array of handles, sorted by name, and a
// function `find_operator(name)` that searches it. No code runs at program start.
#include <cstddef>
#include <string>
#include <string_view>

#include "structured/core/array_ref.h"
#include "structured/core/export.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {

struct MetaFunction;

/// Type-erased reference to an operator. Handles are constant and live as long as their library.
struct OperatorHandle {
  std::string_view name;  ///< with namespace and overload: `aten::add.Tensor`
  const OperatorBase* op;
  void (*boxed)(Stack&);                    ///< null in a build without boxed calls
  const MetaFunction& (*meta)() = nullptr;  ///< null if the operator is not structured

  /// Replaces the arguments at the end of `stack` by the results; see `call_boxed`. Throws Error if the library was
  /// built without boxed calls.
  void call(Stack& stack) const {
    if (boxed == nullptr) [[unlikely]] {
      throw_not_boxed();
    }
    boxed(stack);
  }

  /// Schema text without namespace.
  std::string_view schema() const { return op->schema(); }

 private:
  [[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_not_boxed() const;
};

namespace detail {

/// Finds the operator with exactly this name; null if there is none. `operators` are sorted by name.
STRUCTURED_API const OperatorHandle* find_operator(ArrayRef<OperatorHandle> operators, std::string_view name);

/// Dispatch table of `found` as text. Throws Error if `found` is null: no operator has the name `name`.
STRUCTURED_API std::string dispatch_table(const OperatorHandle* found, std::string_view name);

}  // namespace detail
}  // namespace structured
