#pragma once
// Lookup of a library's operators by name. A library emits one constant array of handles, sorted by name, and a
// function `find_operator(name)` that searches it. No code runs at program start.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {

struct MetaFunction;

/// Default value `None` of a parameter.
inline Value no_value() { return {}; }

/// Argument or result of an operator, as a library without schema text describes it.
struct ParameterData {
  std::string_view name;
  Value::Kind kind;
  bool is_optional = false;
  bool is_mutable = false;
  bool is_alias = false;  ///< has an alias set in the schema
  bool is_keyword_only = false;
  uint16_t length = 0;                 ///< fixed length of a list; 0 for others
  Value (*default_value)() = nullptr;  ///< null: none
};

/// Arguments of an operator, followed by its results.
struct ParameterList {
  const ParameterData* first = nullptr;
  uint16_t arguments = 0;
  uint16_t results = 0;
};

/// Type-erased reference to an operator. Handles are constant and live as long as their library.
struct OperatorHandle {
  std::string_view name;                    ///< with namespace and overload: `aten::add.Tensor`
  const OperatorBase* op;                   ///< null in a library of the flavour `static`
  void (*boxed)(Stack&);                    ///< null in a build without boxed calls
  const MetaFunction& (*meta)() = nullptr;  ///< null if the operator is not structured
  ParameterList parameters = {};            ///< empty in a library with schema text

  /// Replaces the arguments at the end of `stack` by the results; see `call_boxed`. Throws Error if the library was
  /// built without boxed calls.
  void call(Stack& stack) const {
    if (boxed == nullptr) [[unlikely]] {
      throw_not_boxed();
    }
    boxed(stack);
  }

  /// Schema text without namespace; the name in a library without schema text (flavours `edge` and `static`).
  /// `signature_of` (signature.h) describes operators of all libraries.
  std::string_view schema() const { return op == nullptr || op->schema().empty() ? name : op->schema(); }

  /// The operator with its dispatch table. Throws Error if the library is of the flavour `static`.
  const OperatorBase& table() const {
    if (op == nullptr) [[unlikely]] {
      throw_no_table();
    }
    return *op;
  }

 private:
  [[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_not_boxed() const;
  [[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_no_table() const;
};

namespace detail {

/// All operators of a library.
struct LibraryOperators {
  const OperatorHandle* first;
  std::size_t count;
};

/// Finds the operator with exactly this name; null if there is none. `operators` are sorted by name.
STRUCTURED_API const OperatorHandle* find_operator(ArrayRef<OperatorHandle> operators, std::string_view name);

/// Dispatch table of `found` as text. Throws Error if `found` is null: no operator has the name `name`.
STRUCTURED_API std::string dispatch_table(const OperatorHandle* found, std::string_view name);

}  // namespace detail
}  // namespace structured

/// Lets messages of errors name the operators of this library: STRUCTURED_ANNOUNCE_OPERATORS("aten", handles), at
/// namespace scope, with hidden visibility, once for each library of a program. Writes a note into the library's image
/// with the distance to the operators (an ELF note with the name `Structured`), which needs no code at load and no
/// exported symbol.
#if defined(__ELF__)
#define STRUCTURED_ANNOUNCE_OPERATORS(name, handles)                                                            \
  extern const ::structured::detail::LibraryOperators announced asm("structured.operators." name);              \
  __attribute__((used))                                                                                         \
  const ::structured::detail::LibraryOperators announced = {(handles), sizeof(handles) / sizeof((handles)[0])}; \
  asm(".pushsection .note.structured, \"a\", %note\n"                                                           \
      "  .balign 4\n"                                                                                           \
      "  .long 11, 4, 1\n"                                                                                      \
      "  .asciz \"Structured\"\n"                                                                               \
      "  .balign 4\n"                                                                                           \
      "  .long structured.operators." name                                                                      \
      " - .\n"                                                                                                  \
      ".popsection")
#else
#define STRUCTURED_ANNOUNCE_OPERATORS(name, handles) static_assert(sizeof(handles) != 0)
#endif
