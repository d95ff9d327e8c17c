#include "signature.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dtype.h"
#include "structured/base/error.h"
#include "structured/dispatch/default_value.h"
#include "structured/dispatch/schema.h"
#include "structured/schema/parse.h"

namespace structured::python {
namespace {

using Base = schema::Type::Base;

Kind kind_of(Base base) {
  switch (base) {
    case Base::Tensor:
      return Kind::tensor;
    case Base::Scalar:
    case Base::Complex:
      return Kind::scalar;
    case Base::Int:
    case Base::SymInt:
      return Kind::integer;
    case Base::Float:
      return Kind::real;
    case Base::Bool:
      return Kind::boolean;
    case Base::Str:
      return Kind::text;
    case Base::ScalarType:
      return Kind::dtype;
    case Base::Layout:
      return Kind::layout;
    case Base::Device:
      return Kind::device;
    case Base::MemoryFormat:
      return Kind::memory_format;
    case Base::Generator:
      return Kind::generator;
    case Base::QScheme:
      return Kind::qscheme;
    case Base::Dimname:
      return Kind::dimname;
    default:  // types without objects in Python
      return Kind::unknown;
  }
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

Object default_object(const SchemaArgument& argument) {
  const std::optional<Value> value = structured::detail::default_value(argument);
  STRUCTURED_CHECK(value.has_value(), "argument `", argument.name, "`: expected a default of type ", argument.type,
                   ", got `", argument.default_value, "`");
  return object_of_default(*value);
}

Parameter parameter_of(const SchemaArgument& argument) {
  Parameter result;
  result.kind = kind_of(argument.base);
  schema::Type type = type_of(argument);
  if (type.base == Base::SymInt) type.base = Base::Int;
  result.type = to_string(type);
  for (const schema::Type::Wrapper& wrapper : type.wrappers) {
    if (wrapper.kind == schema::Type::Wrapper::Kind::optional) {
      result.is_optional = true;
      continue;
    }
    result.has_optional_items = std::exchange(result.is_optional, false);
    result.is_list = true;
    result.size = static_cast<uint8_t>(wrapper.size.value_or(0));
  }
  result.name = Object::checked(to_python(argument.name)).release();
  PyUnicode_InternInPlace(&result.name);
  if (!argument.default_value.empty()) result.default_value = default_object(argument).release();
  return result;
}

// A named tuple type for `(Tensor values, Tensor indices)`; null if the results have no names.
PyTypeObject* named_results(const SchemaText& schema) {
  const auto has_no_name = [](const SchemaArgument& result) { return result.name.empty(); };
  if (schema.returns.size() < 2 || std::ranges::any_of(schema.returns, has_no_name)) return nullptr;
  // The type refers to the texts, and lives as long as the process.
  auto* const texts = new std::vector<std::string>;
  for (const SchemaArgument& result : schema.returns) texts->emplace_back(result.name);
  std::vector<PyStructSequence_Field> fields;
  for (const std::string& name : *texts) fields.push_back({name.c_str(), nullptr});
  fields.push_back({nullptr, nullptr});
  auto* const type_name = new std::string("structured.return_types." + std::string(schema.base));
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
  schema::ParseError error;
  const std::optional<SchemaText> schema = schema::view_schema(result.schema, &error);
  STRUCTURED_CHECK(schema.has_value(), "expected a schema, got `", result.schema, "`: ", error.message());
  std::vector<Parameter> outs;
  std::vector<Parameter> keywords;
  for (const SchemaArgument& argument : schema->arguments) {
    std::vector<Parameter>& list = !argument.is_keyword_only ? result.parameters
                                   : argument.is_mutable()   ? outs
                                                             : keywords;
    list.push_back(parameter_of(argument));
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
  result.results = named_results(*schema);
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
