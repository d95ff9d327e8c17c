// The text of a tensor: the values as the runtime prints them, and properties by Python's names.
#include <string>
#include <utility>

#include "dtype.h"
#include "errors.h"
#include "structured/format/print.h"
#include "structured/python/convert.h"
#include "tensor_type.h"

namespace structured::python {
namespace {

// The values, without the properties that follow them: `tensor([1., 2.]`.
std::string values_text(const std::string& text) {
  const std::string first = text.substr(0, text.find_first_of(",)"));
  if (first.find('[') == std::string::npos) return first;  // a number, or `...`
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && --depth == 0) return text.substr(0, i + 1);
  }
  return text;
}

// Properties, each on the line of the previous one if there is room.
class Suffixes {
 public:
  explicit Suffixes(std::string values) : text_(std::move(values)), column_(text_.size() - (text_.rfind('\n') + 1)) {}

  void add(const std::string& suffix) {
    const bool fits = column_ + 2 + suffix.size() + 1 <= static_cast<std::size_t>(print_options().line_width);
    text_ += fits ? ", " : ",\n       ";
    column_ = (fits ? column_ + 2 : 7) + suffix.size();
    text_ += suffix;
  }
  std::string finish() && { return std::move(text_) + ")"; }

 private:
  std::string text_;
  std::size_t column_;
};

bool shows_in_values(ScalarType dtype) {
  return dtype == default_dtype() || dtype == kLong || dtype == kBool || dtype == to_complex(default_dtype());
}

std::string sizes_text(IntArrayRef sizes) {
  std::string text = "(";
  for (std::size_t i = 0; i < sizes.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
  return text + (sizes.size() == 1 ? ",)" : ")");
}

}  // namespace

PyObject* tensor_repr(PyObject* self) {
  return guarded([&] {
    const Tensor& tensor = tensor_of(self);
    const bool has_values = tensor.is_cpu() && !tensor.is_quantized();
    const bool is_empty = tensor.numel() == 0;
    Suffixes text(has_values ? values_text(structured::to_string(tensor.detach())) : std::string("tensor(..."));
    if (!tensor.is_cpu()) text.add("device='" + structured::to_string(tensor.device()) + "'");
    if (!has_values || (is_empty && tensor.dim() != 1)) text.add("size=" + sizes_text(tensor.sizes()));
    const bool shows_dtype =
        has_values && !is_empty ? shows_in_values(tensor.dtype()) : tensor.dtype() == default_dtype();
    if (!shows_dtype) text.add(std::string("dtype=structured.") + dtype_name(tensor.dtype()));
    const std::string node = grad_fn_name(tensor);
    if (!node.empty()) {
      text.add("grad_fn=<" + node + ">");
    } else if (tensor.requires_grad()) {
      text.add("requires_grad=True");
    }
    return to_python(std::move(text).finish());
  });
}

}  // namespace structured::python
