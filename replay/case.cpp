#include "case.h"

#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/dispatch/default_value.h>
#include <structured/schema/parse.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>

namespace structured::replay {
namespace {

using nlohmann::json;

[[noreturn]] void malformed(const std::string& problem) { throw MalformedCase(problem); }

const json& member(const json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) malformed(std::string("expected a member `") + name + "`");
  return object[name];
}

std::string text_of(const json& object, const char* name) {
  const json& found = member(object, name);
  if (!found.is_string()) malformed(std::string("expected a string as `") + name + "`");
  return found.get<std::string>();
}

std::vector<int64_t> integers_of(const json& object, const char* name) {
  const json& found = member(object, name);
  std::vector<int64_t> result;
  if (found.is_array()) {
    for (const json& element : found) {
      if (!element.is_number_integer()) break;
      result.push_back(element.get<int64_t>());
    }
  }
  if (!found.is_array() || result.size() != found.size()) {
    malformed(std::string("expected a list of integers as `") + name + "`");
  }
  return result;
}

std::string from_base64(const std::string& text) {
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    int digit = -1;
    if (c >= 'A' && c <= 'Z') digit = c - 'A';
    if (c >= 'a' && c <= 'z') digit = c - 'a' + 26;
    if (c >= '0' && c <= '9') digit = c - '0' + 52;
    if (c == '+') digit = 62;
    if (c == '/') digit = 63;
    if (c == '=') break;
    if (digit < 0) malformed("expected base64 as `storage`");
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

double real_from(const json& value) {
  if (!value.is_string()) malformed("expected a floating number as a string");
  const std::string text = value.get<std::string>();
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') malformed("expected a floating number, found `" + text + "`");
  return number;
}

// Tag and content of a recorded value: `{"int": 1}`.
struct Tagged {
  std::string tag;
  const json& content;
};

Tagged tagged(const json& value) {
  if (!value.is_object() || value.size() != 1) malformed("expected a value with one member");
  return {value.begin().key(), value.begin().value()};
}

template <class T, class Convert>
std::vector<T> elements_from(const json& list, Convert convert) {
  std::vector<T> result;
  for (const json& element : list) result.push_back(convert(element));
  return result;
}

// Values that the arguments of a call refer to.
struct Context {
  const Stack& computed;
  std::map<int64_t, Tensor> memory = {};  // storages that several arguments share, by number
};

Tensor tensor_in(const json& content, std::map<int64_t, Tensor>& memory);

using schema::Type;
using Base = Type::Base;

Value value_from(const json& value, const Type& type, Context& context);

// Returns the dtype or memory format that schemas spell `word`.
std::optional<Value> value_named(std::string_view type, std::string_view word) {
  return detail::default_value(type, word);
}

// A single number is accepted as a list, as `int[2]` allows.
Value list_from(const json& value, const Type& element, Context& context) {
  const auto [tag, content] = tagged(value);
  const json list = tag == "list" ? content : json::array({value});
  if (!list.is_array()) malformed("expected a list of values");
  const auto element_from = [&](const json& each) { return value_from(each, element, context); };
  if (element.base == Base::Tensor && element.is_optional()) {
    return elements_from<std::optional<Tensor>>(list, [&](const json& e) -> std::optional<Tensor> {
      const Value found = element_from(e);
      return found.is(Value::Kind::none) ? std::nullopt : std::optional<Tensor>(found.to_tensor());
    });
  }
  switch (has_list(element) ? element.base : Base::Any) {
    case Base::Int:
    case Base::SymInt:
      return elements_from<int64_t>(list, [&](const json& e) { return element_from(e).to_int(); });
    case Base::Float:
      return elements_from<double>(list, [&](const json& e) { return element_from(e).to_double(); });
    case Base::Bool: {
      const std::size_t count = list.size();
      const std::unique_ptr<bool[]> elements(new bool[count]);
      for (std::size_t i = 0; i < count; ++i) elements[i] = element_from(list[i]).to_bool();
      return Value(ArrayRef<bool>(elements.get(), count));
    }
    case Base::Tensor:
      return elements_from<Tensor>(list, [&](const json& e) { return element_from(e).to_tensor(); });
    case Base::Scalar:
      return elements_from<Scalar>(list, [&](const json& e) { return element_from(e).to_scalar(); });
    default:
      malformed("found a list where the schema has `" + to_string(element) + "[]`, which is not replayed");
  }
}

// Returns a value of a type without wrappers, or nullopt if the recorded one is of another kind.
std::optional<Value> single_from(const json& value, Base base, Context& context) {
  const auto [tag, content] = tagged(value);
  const std::optional<Scalar> number = number_from(value);
  switch (base) {
    case Base::Tensor:
      if (tag == "tensor") return tensor_in(content, context.memory);
      // PyTorch accepts numbers for tensor arguments.
      if (number) return wrapped_scalar_tensor(*number);
      return tag == "none" ? std::optional<Value>(Tensor()) : std::nullopt;
    case Base::Scalar:
      return number ? std::optional<Value>(*number) : std::nullopt;
    case Base::Float:
      if (number && !number->is_complex()) return number->to<double>();
      return std::nullopt;
    case Base::Int:
    case Base::SymInt:
      return number && number->is_integral(true) ? std::optional<Value>(number->to<int64_t>()) : std::nullopt;
    case Base::Bool:
      if (content.is_boolean()) return content.get<bool>();
      return tag == "int" && content.is_number_integer() ? std::optional<Value>(content.get<int64_t>() != 0)
                                                         : std::nullopt;
    case Base::Str:
      return content.is_string() ? std::optional<Value>(content.get<std::string>()) : std::nullopt;
    case Base::ScalarType:
    case Base::MemoryFormat:
      return content.is_string() ? value_named(to_string(base), content.get<std::string>()) : std::nullopt;
    case Base::Device:
      return content == "cpu" ? std::optional<Value>(Device(DeviceType::CPU)) : std::nullopt;
    case Base::Layout:
      return content == "strided" ? std::optional<Value>(Layout::Strided) : std::nullopt;
    default:
      return std::nullopt;
  }
}

Value value_from(const json& value, const Type& type, Context& context) {
  if (value.is_object() && value.contains("ref")) return computed_value(value, context.computed);
  const auto [tag, content] = tagged(value);
  if (type.is_optional()) return tag == "none" ? Value() : value_from(value, unwrapped(type), context);
  if (type.is_list()) return list_from(value, unwrapped(type), context);
  std::optional<Value> found = single_from(value, type.base, context);
  if (!found) malformed("found a value of kind `" + tag + "` where the schema has `" + to_string(type) + "`");
  return *std::move(found);
}

// `memory` has the storages of earlier arguments of the call.
Tensor tensor_in(const json& content, std::map<int64_t, Tensor>& memory) {
  const std::string dtype = text_of(content, "dtype");
  const std::optional<ScalarType> type = dtype_named(dtype);
  if (!type) malformed("unknown dtype `" + dtype + "`");
  const std::vector<int64_t> shape = integers_of(content, "shape");
  const std::vector<int64_t> strides = integers_of(content, "strides");
  const json& offset = member(content, "offset");
  if (!offset.is_number_integer()) malformed("expected an integer as `offset`");
  const std::string bytes = from_base64(text_of(content, "storage"));
  if (strides.size() != shape.size()) malformed("expected as many strides as sizes");
  if (bytes.size() % item_size(*type) != 0) malformed("`storage` ends within an element");
  const auto count = static_cast<int64_t>(bytes.size() / item_size(*type));
  Tensor base = empty({count}, TensorOptions(*type));
  if (*type == kBool) {
    // Uninitialized bytes of a recorded bool tensor may be neither 0 nor 1, which is undefined behaviour for a C++
    // bool.
    std::transform(bytes.begin(), bytes.end(), base.data_ptr<bool>(), [](char byte) { return byte != 0; });
  } else if (!bytes.empty()) {
    std::memcpy(base.data(), bytes.data(), bytes.size());
  }
  if (content.contains("memory")) {
    const json& number = content["memory"];
    if (!number.is_number_integer()) malformed("expected an integer as `memory`");
    base = memory.try_emplace(number.get<int64_t>(), base).first->second;
    if (base.scalar_type() != *type) malformed("expected one dtype for tensors that share memory");
  }
  try {
    return as_strided(base, shape, strides, offset.get<int64_t>());
  } catch (const Error& error) {
    if (shape.size() > kMaxDims) throw;  // valid in PyTorch, which rejects it in the call
    malformed(std::string("no tensor: ") + error.what());
  }
}

}  // namespace

Value computed_value(const json& reference, const Stack& computed) {
  const json& number = member(reference, "ref");
  if (!number.is_number_unsigned() || number.get<std::size_t>() >= computed.size()) {
    malformed("found a reference to a value that has not been computed");
  }
  const Value& value = computed[number.get<std::size_t>()];
  if (!reference.contains("item")) return value;
  const json& item = reference["item"];
  if (!value.is(Value::Kind::tensor_list) || !item.is_number_unsigned() ||
      item.get<std::size_t>() >= value.to_tensor_list().size()) {
    malformed("found a reference to an element that the value does not have");
  }
  return value.to_tensor_list()[item.get<std::size_t>()];
}

std::optional<Scalar> number_from(const json& value) {
  const auto [tag, content] = tagged(value);
  if (tag == "int" && content.is_number_integer()) return Scalar(content.get<int64_t>());
  if (tag == "bool" && content.is_boolean()) return Scalar(content.get<bool>());
  if (tag == "float") return Scalar(real_from(content));
  if (tag == "complex" && content.is_array() && content.size() == 2) {
    return Scalar(Complex<double>(real_from(content[0]), real_from(content[1])));
  }
  return std::nullopt;
}

std::optional<ScalarType> dtype_named(const std::string& name) {
  const std::optional<Value> dtype = value_named("ScalarType", name);
  if (!dtype || is_quantized(dtype->to_scalar_type())) return std::nullopt;
  return dtype->to_scalar_type();
}

Tensor tensor_from(const json& value) {
  std::map<int64_t, Tensor> memory;
  return tensor_in(member(value, "tensor"), memory);
}

Case parse_case(const std::string& line) {
  json object;
  try {
    object = json::parse(line);
  } catch (const json::exception& error) {
    malformed("no JSON");
  }
  if (!object.is_object()) malformed("expected an object");
  Case result;
  result.name = object.contains("name") && object["name"].is_string() ? object["name"].get<std::string>() : "";
  result.op = text_of(object, "op");
  result.overload = text_of(object, "overload");
  if (result.op.find("::") == std::string::npos) malformed("expected a namespace in `op`, found `" + result.op + "`");
  result.args = member(object, "args");
  result.kwargs = member(object, "kwargs");
  result.expect = member(object, "expect");
  result.exact = object.contains("exact") ? object["exact"] : json::array();
  if (!result.exact.is_array()) malformed("expected a list as `exact`");
  result.written = object.contains("written") ? object["written"] : json::object();
  if (result.written.is_null()) result.written = json::object();
  const json& error = member(object, "error");
  if (!error.is_null() && !error.is_string()) malformed("expected a string or null as `error`");
  if (error.is_string()) result.error = error.get<std::string>();
  if (!result.args.is_array()) malformed("expected a list as `args`");
  if (!result.kwargs.is_object()) malformed("expected an object as `kwargs`");
  if (!result.written.is_object()) malformed("expected an object as `written`");
  if (!result.error && !result.expect.is_array()) malformed("expected a list as `expect`");
  result.is_random = object.contains("random") && object["random"] == true;
  return result;
}

Stack arguments_of(const Case& recorded, const std::vector<SchemaArgument>& schema, const Stack& computed) {
  if (recorded.args.size() > schema.size()) {
    malformed("found " + std::to_string(recorded.args.size()) + " arguments where the schema has " +
              std::to_string(schema.size()));
  }
  for (const auto& [name, value] : recorded.kwargs.items()) {
    bool is_known = false;
    for (const SchemaArgument& argument : schema) is_known |= argument.name == name;
    if (!is_known) malformed("the schema has no argument `" + name + "`");
  }
  Stack stack;
  Context context{computed};
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const SchemaArgument& argument = schema[i];
    const std::string name(argument.name);
    if (i < recorded.args.size()) {
      stack.push_back(value_from(recorded.args[i], type_of(argument), context));
    } else if (recorded.kwargs.contains(name)) {
      stack.push_back(value_from(recorded.kwargs[name], type_of(argument), context));
    } else if (std::optional<Value> value = detail::default_value(argument)) {
      stack.push_back(*std::move(value));
    } else {
      malformed("argument `" + name + "` is missing");
    }
  }
  return stack;
}

}  // namespace structured::replay
