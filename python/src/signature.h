#pragma once
// An overload as the parser of arguments needs it: its schema, parsed once.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "structured/python/bindings.h"

namespace structured::python {

/// Kinds of arguments that the parser distinguishes.
enum class Kind : uint8_t {
  tensor,
  scalar,
  integer,
  real,
  boolean,
  text,
  dtype,
  layout,
  device,
  memory_format,
  generator,
  qscheme,
  dimname,
  unknown,
};

struct Parameter {
  PyObject* name = nullptr;           ///< interned, so that keywords are compared by address
  PyObject* default_value = nullptr;  ///< null if the argument is required
  Kind kind = Kind::unknown;
  bool is_optional = false;         ///< None is accepted
  bool is_list = false;             ///< a list of `kind`
  bool has_optional_items = false;  ///< None is accepted in the list
  uint8_t size = 0;                 ///< of a list: its fixed length, for which one number is accepted, too; 0: any
  std::string type;                 ///< as the schema spells it
};

/// Parameters in the order of the C++ function: out arguments first.
struct Signature {
  std::vector<Parameter> parameters;
  std::size_t out_count = 0;
  std::size_t positional = 0;  ///< arguments that may be given by position
  std::size_t required = 0;    ///< positional arguments without a default
  bool has_required_keywords = false;
  bool is_factory = false;  ///< takes options of a new tensor, and therefore the keyword `requires_grad`, too
  /// Positional arguments before a list of integers that is the last one and may be given as separate numbers, as in
  /// `view(x, 2, 3)`; -1 if there is no such list.
  int loose_list = -1;
  PyTypeObject* results = nullptr;  ///< a named tuple, or null
  Invoke invoke = nullptr;
  std::string_view schema;

  /// As it is shown in messages: `(Tensor self, Tensor other, *, Scalar alpha=1, Tensor out)`.
  std::string text() const;
};

/// Parses the schema. Throws Error if it is not one, and PythonError.
Signature parse_signature(const Overload& overload);

}  // namespace structured::python
