#include "structured/format/print.h"

#include <algorithm>
#include <ostream>
#include <sstream>
#include <utility>
#include <vector>

#include "structured/number/number_format.h"

namespace structured {

namespace {

constinit PrintOptions current_options;

/// The values of one tensor on cpu, as nested lists.
class ValuePrinter {
 public:
  ValuePrinter(const Tensor& tensor, const PrintOptions& options)
      : tensor_(tensor),
        options_(options),
        summarize_(tensor.numel() > options.threshold),
        real_(tensor.is_floating_point() || tensor.is_complex(), options.precision),
        imag_(true, options.precision) {
    const char* const start = static_cast<const char*>(tensor.data());
    for_each_shown(start, 0, [&](const char* at) { each_part(at, &detail::NumberFormat::observe); });
    real_.prepare();
    imag_.prepare();
    for_each_shown(start, 0, [&](const char* at) { each_part(at, &detail::NumberFormat::measure); });
  }

  /// Lines after the first begin with `indent` spaces.
  std::string print(std::size_t indent) const { return print_dim(static_cast<const char*>(tensor_.data()), 0, indent); }

 private:
  std::size_t rank() const { return tensor_.sizes().size(); }
  bool is_cut(std::size_t dim) const {
    return summarize_ && tensor_.sizes()[dim] - options_.edge_items > options_.edge_items;
  }

  /// The indices of a dimension that are shown. A summarised dimension omits those in the middle.
  std::vector<int64_t> shown(std::size_t dim) const {
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < tensor_.sizes()[dim]; ++i) {
      if (is_cut(dim) && i == options_.edge_items) i = tensor_.sizes()[dim] - options_.edge_items;
      indices.push_back(i);
    }
    return indices;
  }

  const char* step(const char* at, std::size_t dim, int64_t index) const {
    return at + tensor_.strides()[dim] * index * static_cast<int64_t>(tensor_.element_size());
  }

  template <class Function>
  void for_each_shown(const char* at, std::size_t dim, const Function& function) const {
    if (dim == rank()) return function(at);
    for (const int64_t index : shown(dim)) for_each_shown(step(at, dim, index), dim + 1, function);
  }

  void each_part(const char* at, void (detail::NumberFormat::*action)(const Scalar&)) {
    const Scalar value = load_scalar(at, tensor_.dtype());
    if (!value.is_complex()) return (real_.*action)(value);
    const auto number = value.to<Complex<double>>();
    (real_.*action)(number.real());
    (imag_.*action)(number.imag());
  }

  std::string print_element(const char* at) const {
    const Scalar value = load_scalar(at, tensor_.dtype());
    if (!value.is_complex()) return real_.format(value);
    const auto number = value.to<Complex<double>>();
    std::string imag = imag_.format(number.imag());
    imag.erase(0, imag.find_first_not_of(' '));
    return real_.format(number.real()) + (imag[0] == '-' ? "" : "+") + imag + 'j';
  }

  std::size_t elements_per_line(std::size_t indent) const {
    const std::size_t element = real_.width() + 2 + (tensor_.is_complex() ? imag_.width() + 1 : 0);
    const auto line = static_cast<std::size_t>(options_.line_width);
    return std::max<std::size_t>(1, line > indent ? (line - indent) / element : 0);
  }

  std::string print_dim(const char* at, std::size_t dim, std::size_t indent) const {
    if (dim == rank()) return print_element(at);
    const bool is_row = dim + 1 == rank();
    std::vector<std::string> items;
    for (const int64_t index : shown(dim)) items.push_back(print_dim(step(at, dim, index), dim + 1, indent + 1));
    if (is_cut(dim)) items.insert(items.begin() + options_.edge_items, is_row ? " ..." : "...");

    // Rows of a matrix are separated by one line break, matrices by two, and so on.
    const std::string new_line = ',' + std::string(is_row ? 1 : rank() - dim - 1, '\n') + std::string(indent + 1, ' ');
    const std::size_t per_line = is_row ? elements_per_line(indent) : 1;
    std::string text = "[";
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i != 0) text += i % per_line == 0 ? new_line : ", ";
      text += items[i];
    }
    return text + ']';
  }

  const Tensor& tensor_;
  const PrintOptions& options_;
  bool summarize_;
  detail::NumberFormat real_;
  detail::NumberFormat imag_;
};

/// Properties printed after the values, each on the same line if there is room.
class Suffixes {
 public:
  Suffixes(std::string values, std::size_t indent, int line_width)
      : text_(std::move(values)), indent_(indent), line_width_(static_cast<std::size_t>(line_width)) {
    column_ = text_.size() - (text_.rfind('\n') + 1);
  }

  template <class T>
  void add(const char* name, const T& value) {
    const std::string suffix = std::string(name) + '=' + to_string(value);
    const bool fits = column_ + 2 + suffix.size() + 1 <= line_width_;  // with the closing parenthesis or comma
    text_ += fits ? ", " : ",\n" + std::string(indent_, ' ');
    text_ += suffix;
    column_ = (fits ? column_ + 2 : indent_) + suffix.size();
  }

  std::string finish() && { return std::move(text_) + ')'; }

 private:
  std::string text_;
  std::size_t indent_;
  std::size_t line_width_;
  std::size_t column_;
};

/// Whether the printed values identify the dtype.
bool shows_in_values(ScalarType dtype) {
  return dtype == default_dtype() || dtype == kLong || dtype == kBool ||
         dtype == (default_dtype() == kDouble ? kComplexDouble : kComplexFloat);
}

}  // namespace

const PrintOptions& print_options() { return current_options; }

void set_print_options(const PrintOptions& options) {
  STRUCTURED_CHECK(options.precision >= 0 && options.threshold >= 0 && options.edge_items > 0 && options.line_width > 0,
                   "set_print_options: expected positive numbers, got precision ", options.precision, ", threshold ",
                   options.threshold, ", edge_items ", options.edge_items, ", line_width ", options.line_width);
  current_options = options;
}

std::string detail::printed(const void* value, void (*print)(std::ostream& out, const void* value)) {
  std::ostringstream out;
  print(out, value);
  return std::move(out).str();
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  if (!tensor.defined()) return out << "tensor(undefined)";

  const std::string prefix = "tensor(";
  const bool has_values = tensor.is_cpu() && !tensor.is_quantized();
  const bool is_empty = has_values && tensor.numel() == 0;
  std::string values = !has_values ? "..."
                       : is_empty  ? "[]"
                                   : ValuePrinter(tensor, current_options).print(prefix.size());
  Suffixes suffixes(prefix + values, prefix.size(), current_options.line_width);
  if (!tensor.is_cpu()) suffixes.add("device", tensor.device());
  if (!has_values || (is_empty && tensor.dim() != 1)) suffixes.add("size", tensor.sizes());
  const bool shows_dtype =
      has_values && !is_empty ? shows_in_values(tensor.dtype()) : tensor.dtype() == default_dtype();
  if (!shows_dtype) suffixes.add("dtype", tensor.dtype());
  return out << std::move(suffixes).finish();
}

}  // namespace structured
