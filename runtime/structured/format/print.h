#pragma once
// Printing options, and the text of any value that has an operator<<.
#include <iosfwd>
#include <string>

#include "structured/core/tensor.h"

namespace structured {

/// Options for printing tensors, one set per process. Must not be changed while another thread prints.
struct PrintOptions {
  int precision = 4;         // digits after the decimal point
  int64_t threshold = 1000;  // tensors with more elements are summarised
  int64_t edge_items = 3;    // elements shown at either end of each summarised dimension
  int line_width = 80;
};

STRUCTURED_API const PrintOptions& print_options();
STRUCTURED_API void set_print_options(const PrintOptions& options);

namespace detail {
STRUCTURED_API std::string printed(const void* value, void (*print)(std::ostream& out, const void* value));
}  // namespace detail

/// Returns the text that operator<< prints. Types that the standard library prints, such as numbers, need <ostream>.
template <class T>
  requires requires(std::ostream& out, const T& value) { out << value; }
std::string to_string(const T& value) {
  return detail::printed(&value, [](std::ostream& out, const void* object) { out << *static_cast<const T*>(object); });
}

}  // namespace structured
