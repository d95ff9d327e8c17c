#pragma once
// Text of tensors, and of everything else that has an operator<<.
#include <iosfwd>
#include <string>

#include "structured/core/tensor.h"

namespace structured {

/// How tensors print. One for the process, not for change while another thread prints.
struct PrintOptions {
  int precision = 4;              // digits behind the point
  std::int64_t threshold = 1000;  // more elements than this are summarised,
  std::int64_t edge_items = 3;    // with this many at either end of each dimension
  int line_width = 80;
};

STRUCTURED_API const PrintOptions& print_options();
STRUCTURED_API void set_print_options(const PrintOptions& options);

namespace detail {
STRUCTURED_API std::string printed(const void* value, void (*print)(std::ostream& out, const void* value));
}  // namespace detail

/// Returns the text that operator<< prints. Numbers, strings and other types of std::ostream need <ostream>.
template <class T>
  requires requires(std::ostream& out, const T& value) { out << value; }
std::string to_string(const T& value) {
  return detail::printed(&value, [](std::ostream& out, const void* object) { out << *static_cast<const T*>(object); });
}

}  // namespace structured
