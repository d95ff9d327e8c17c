#include "signature.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <utility>

#include "dtype.h"
#include "structured/core/error.h"
#include "structured/dispatch/default_value.h"

namespace structured::python {
namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 15> kinds{{
    {"Tensor", Kind::tensor},
    {"Scalar", Kind::scalar},
    {"int", Kind::integer},
    {"SymInt", Kind::integer},
    {"float", Kind::real},
    {"bool", Kind::boolean},
    {"str", Kind::text},
    {"ScalarType", Kind::dtype},
    {"Layout", Kind::layout},
    {"Device", Kind::device},
    {"MemoryFormat", Kind::memory_format},
    {"Generator", Kind::generator},
    {"QScheme", Kind::qscheme},
    {"Dimname", Kind::dimname},
    {"complex", Kind::scalar},
}};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Splits at commas outside brackets and quotes. A quote after a backslash is a part of its text.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  char quote = '\0';
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == '\\') ++i;
      if (c == quote) quote = '\0';
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != ',' || depth != 0) continue;
    parts.push_back(trimmed(text.substr(start, i - start)));
    start = i + 1;
  }
  if (!trimmed(text.substr(start)).empty()) parts.push_back(trimmed(text.substr(start)));
  return parts;
}

template <class T>
Object tuple_of(const T& elements) {
  Object tuple = Object::checked(PyTuple_New(static_cast<Py_ssize_t>(elements.size())));
  Py_ssize_t i = 0;
  for (const auto& element : elements) set_tuple_item(tuple.get(), i++, Object::checked(to_python(element)).release());
  return tuple;
}

// The object of a default value. None, and lists without elements, have any type.
Object object_of_default(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::none:
      return Object::share(Py_None);
    case Value::Kind::scalar:
      return Object::checked(to_python(value.to_scalar()));
    case Value::Kind::integer:
      return Object::checked(to_python(value.to_int()));
    case Value::Kind::floating:
      return Object::checked(to_python(value.to_double()));
    case Value::Kind::boolean:
      return Object::checked(to_python(value.to_bool()));
    case Value::Kind::string:
      return Object::checked(to_python(value.to_string_view()));
    case Value::Kind::scalar_type:
      return Object::checked(to_python(value.to_scalar_type()));
    case Value::Kind::memory_format:
      return Object::checked(to_python(value.to_memory_format()));
    case Value::Kind::layout:
      return Object::checked(to_python(value.to_layout()));
    case Value::Kind::device:
      return Object::checked(to_python(value.to_device()));
    case Value::Kind::int_list:
      return tuple_of(value.to_int_list());
    case Value::Kind::double_list:
      return tuple_of(value.to_double_list());
    case Value::Kind::bool_list:
      return tuple_of(value.to_bool_list());
    case Value::Kind::scalar_list:
      return tuple_of(value.to_scalar_list());
    case Value::Kind::string_list:
      return tuple_of(value.to_string_list());
    default:
      return Object::checked(PyTuple_New(0));
  }
}

// The value that a default's text stands for.
Object default_object(std::string_view type, std::string_view name, std::string_view text) {
  const std::optional<Value> value = structured::detail::default_value({type, name, text});
  STRUCTURED_CHECK(value.has_value(), "argument `", name, "`: expected a default of type ", type, ", got `", text, "`");
  return object_of_default(*value);
}

// Parses `Tensor(a!)? name=default`. `is_mutable` says whether the schema marks the argument as written to.
Parameter parse_parameter(std::string_view text, bool& is_mutable) {
  Parameter result;
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
  const std::string_view base = text.substr(0, end);
  for (const auto& [name, kind] : kinds) {
    if (base == name) result.kind = kind;
  }
  result.type = base == "SymInt" ? "int" : base;
  is_mutable = false;
  if (end < text.size() && text[end] == '(') {
    const std::size_t close = text.find(')', end);
    is_mutable = text.substr(end, close - end).find('!') != std::string_view::npos;
    end = close + 1;
  }
  for (; end < text.size() && text[end] != ' '; ++end) {
    result.type += text[end];
    if (text[end] == '?') {
      result.is_optional = true;
    } else if (text[end] == '[') {
      result.has_optional_items = std::exchange(result.is_optional, false);
      result.is_list = true;
      for (; text[end + 1] != ']'; ++end) {
        result.size = static_cast<std::uint8_t>(result.size * 10 + (text[end + 1] - '0'));
        result.type += text[end + 1];
      }
    }
  }
  const std::string_view rest = trimmed(text.substr(end));
  const std::size_t equals = rest.find('=');
  const std::string_view name = rest.substr(0, equals);
  result.name = Object::checked(to_python(name)).release();
  PyUnicode_InternInPlace(&result.name);
  if (equals != std::string_view::npos) {
    result.default_value = default_object(result.type, name, rest.substr(equals + 1)).release();
  }
  return result;
}

// A named tuple type for `(Tensor values, Tensor indices)`; null if the results have no names.
PyTypeObject* named_results(std::string_view function, std::string_view returns) {
  if (!returns.starts_with('(')) return nullptr;
  std::vector<std::string> names;
  for (const std::string_view part : split(returns.substr(1, returns.size() - 2))) {
    const std::size_t space = part.rfind(' ');
    if (space == std::string_view::npos) return nullptr;
    names.emplace_back(part.substr(space + 1));
  }
  if (names.size() < 2) return nullptr;
  // The type refers to the texts, and lives as long as the process.
  auto* const texts = new std::vector<std::string>(std::move(names));
  std::vector<PyStructSequence_Field> fields;
  for (const std::string& name : *texts) fields.push_back({name.c_str(), nullptr});
  fields.push_back({nullptr, nullptr});
  auto* const type_name = new std::string("structured.return_types." + std::string(function));
  PyStructSequence_Desc description{type_name->c_str(), nullptr, fields.data(), static_cast<int>(texts->size())};
  PyTypeObject* const type = PyStructSequence_NewType(&description);
  if (type == nullptr) throw PythonError();
  return type;
}

}  // namespace

Signature parse_signature(const Overload& overload) {
  Signature result;
  result.schema = overload.schema;
  result.invoke = overload.invoke;
  const std::string_view schema = result.schema;
  const std::size_t open = schema.find('(');
  const std::size_t arrow = schema.rfind(") -> ");
  STRUCTURED_CHECK(open != std::string_view::npos && arrow != std::string_view::npos, "expected a schema, got `",
                   schema, "`");
  std::vector<Parameter> outs;
  std::vector<Parameter> keywords;
  bool is_keyword = false;
  for (const std::string_view text : split(schema.substr(open + 1, arrow - open - 1))) {
    if (text == "*") {
      is_keyword = true;
      continue;
    }
    bool is_mutable = false;
    Parameter parameter = parse_parameter(text, is_mutable);
    if (is_keyword && is_mutable) {
      outs.push_back(std::move(parameter));
    } else if (is_keyword) {
      keywords.push_back(std::move(parameter));
    } else {
      result.parameters.push_back(std::move(parameter));
    }
  }
  result.positional = result.parameters.size();
  result.out_count = outs.size();
  for (const Parameter& parameter : result.parameters) result.required += parameter.default_value == nullptr ? 1 : 0;
  const auto is_required = [](const Parameter& parameter) { return parameter.default_value == nullptr; };
  result.has_required_keywords = !outs.empty() || std::ranges::any_of(keywords, is_required);
  const auto takes = [&](std::string_view name) {
    return std::ranges::any_of(keywords, [&](const Parameter& each) { return text_from(each.name) == name; });
  };
  result.is_factory = takes("pin_memory") && !takes("non_blocking");
  const auto& inputs = result.parameters;
  const bool has_self = !inputs.empty() && inputs[0].kind == Kind::tensor && !inputs[0].is_list;
  if (inputs.size() == (has_self ? 2U : 1U) && inputs.back().is_list && inputs.back().kind == Kind::integer) {
    result.loose_list = static_cast<int>(inputs.size()) - 1;
  }
  result.parameters.insert(result.parameters.begin(), std::make_move_iterator(outs.begin()),
                           std::make_move_iterator(outs.end()));
  result.parameters.insert(result.parameters.end(), std::make_move_iterator(keywords.begin()),
                           std::make_move_iterator(keywords.end()));
  result.results = named_results(schema.substr(0, schema.find_first_of(".(")), schema.substr(arrow + 5));
  return result;
}

std::string Signature::text() const {
  std::string text = "(";
  const auto add = [&](const Parameter& parameter) {
    if (text.size() > 1) text += ", ";
    text += parameter.type + " " + std::string(text_from(parameter.name));
    if (parameter.default_value == nullptr) return;
    const Object shown = Object::checked(PyObject_Str(parameter.default_value));
    text += "=" + std::string(text_from(shown.get()));
  };
  for (std::size_t i = 0; i < positional; ++i) add(parameters[out_count + i]);
  if (parameters.size() > positional) text += text.size() > 1 ? ", *" : "*";
  for (std::size_t i = out_count + positional; i < parameters.size(); ++i) add(parameters[i]);
  if (is_factory) text += ", bool requires_grad=False";
  if (out_count == 1) text += ", Tensor out";
  if (out_count > 1) text += ", tuple of " + std::to_string(out_count) + " Tensors out";
  return text + ")";
}

}  // namespace structured::python
