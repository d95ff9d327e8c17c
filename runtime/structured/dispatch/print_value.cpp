#include <charconv>
#include <iterator>
#include <ostream>

#include "structured/dispatch/value.h"
#include "structured/format/print.h"

namespace structured {
namespace {

void print(std::ostream& out, const Tensor& tensor) {
  if (!tensor.defined()) {
    out << "None";
    return;
  }
  out << tensor.dtype() << tensor.sizes();
  if (!tensor.is_cpu()) {
    out << ' ' << tensor.device();
  }
}

void print(std::ostream& out, const std::optional<Tensor>& tensor) { print(out, tensor.value_or(Tensor())); }

void print(std::ostream& out, std::string_view text) {
  out << '"';
  for (const char c : text) {
    out << (c == '"' || c == '\\' ? "\\" : "") << c;
  }
  out << '"';
}

// Shortest text that reads back as the same number, with a point if it would look like an integer.
void print(std::ostream& out, double number) {
  char text[32];
  const std::string_view digits(text, static_cast<std::size_t>(std::to_chars(text, std::end(text), number).ptr - text));
  out << digits << (digits.find_first_not_of("-0123456789") == std::string_view::npos ? ".0" : "");
}
void print(std::ostream& out, bool value) { out << (value ? "True" : "False"); }
void print(std::ostream& out, int64_t number) { out << number; }
void print(std::ostream& out, const Scalar& scalar) {
  if (scalar.is_boolean()) {
    print(out, scalar.to<bool>());
  } else if (scalar.is_floating()) {
    print(out, scalar.to<double>());
  } else {
    out << scalar;
  }
}

void print(std::ostream& out, Dimname name) { out << name; }

template <class T>
void print(std::ostream& out, ArrayRef<T> elements) {
  out << '[';
  for (std::size_t i = 0; i < elements.size(); ++i) {
    out << (i == 0 ? "" : ", ");
    print(out, elements[i]);
  }
  out << ']';
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::none:
      out << "None";
      break;
    case Value::Kind::integer:
      out << value.to_int();
      break;
    case Value::Kind::floating:
      print(out, value.to_double());
      break;
    case Value::Kind::boolean:
      print(out, value.to_bool());
      break;
    case Value::Kind::scalar:
      print(out, value.to_scalar());
      break;
    case Value::Kind::scalar_type:
      out << value.to_scalar_type();
      break;
    case Value::Kind::layout:
      out << value.to_layout();
      break;
    case Value::Kind::device:
      out << value.to_device();
      break;
    case Value::Kind::memory_format:
      out << value.to_memory_format();
      break;
    case Value::Kind::qscheme:
      out << value.to_qscheme();
      break;
    case Value::Kind::dimname:
      out << value.to_dimname();
      break;
    case Value::Kind::stream:
      out << value.to_stream();
      break;
    case Value::Kind::tensor:
      print(out, value.to_tensor());
      break;
    case Value::Kind::storage:
      out << "Storage of " << value.to_storage().nbytes() << " bytes";
      break;
    case Value::Kind::generator:
      out << "Generator on " << value.to_generator().device();
      break;
    case Value::Kind::string:
      print(out, value.to_string_view());
      break;
    case Value::Kind::tensor_list:
      print(out, value.to_tensor_list());
      break;
    case Value::Kind::optional_tensor_list:
      print(out, value.to_optional_tensor_list());
      break;
    case Value::Kind::int_list:
      print(out, value.to_int_list());
      break;
    case Value::Kind::double_list:
      print(out, value.to_double_list());
      break;
    case Value::Kind::bool_list:
      print(out, value.to_bool_list());
      break;
    case Value::Kind::string_list: {
      out << '[';
      bool is_first = true;
      for (const std::string& text : value.to_string_list()) {
        out << (std::exchange(is_first, false) ? "" : ", ");
        print(out, std::string_view(text));
      }
      out << ']';
      break;
    }
    case Value::Kind::scalar_list:
      print(out, value.to_scalar_list());
      break;
    case Value::Kind::dimname_list:
      print(out, value.to_dimname_list());
      break;
  }
  return out;
}

}  // namespace structured
