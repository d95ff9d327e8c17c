#include "structured/program/dynamic_value.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "structured/base/error.h"
#include "structured/core/factory.h"

namespace structured::program {

std::string_view DynamicValue::type_name() const {
  constexpr std::string_view names[] = {"None", "bool", "int",  "float", "Tensor", "Device",
                                        "str",  "List", "Dict", "Tuple", "object"};
  return names[value_.index()];
}

template <class T>
const T& DynamicValue::get(std::string_view expected) const {
  const T* const found = std::get_if<T>(&value_);
  STRUCTURED_CHECK(found != nullptr, "expected a value of type ", expected, ", got ", type_name());
  return *found;
}

bool DynamicValue::to_bool() const { return get<bool>("bool"); }
int64_t DynamicValue::to_int() const { return is<bool>() ? int64_t{to_bool()} : get<int64_t>("int"); }
double DynamicValue::to_double() const {
  return is<double>() ? *std::get_if<double>(&value_)
         : is<bool>() ? static_cast<double>(to_bool())
                      : static_cast<double>(get<int64_t>("float"));
}
const Tensor& DynamicValue::to_tensor() const { return get<Tensor>("Tensor"); }
Device DynamicValue::to_device() const { return get<Device>("Device"); }
std::string_view DynamicValue::to_string() const { return *get<Text>("str"); }
DynamicList& DynamicValue::to_list() const { return *get<List>("List"); }
DynamicDict& DynamicValue::to_dict() const { return *get<Dict>("Dict"); }
const DynamicTuple& DynamicValue::to_tuple() const { return *get<Tuple>("Tuple"); }
DynamicObject& DynamicValue::to_object() const { return *get<Object>("object"); }

namespace {

bool all_equal(const std::vector<DynamicValue>& a, const std::vector<DynamicValue>& b, int depth) {
  STRUCTURED_CHECK(depth < kMaxNestedValues, "expected at most ", kMaxNestedValues, " nested values, found more");
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [depth](const DynamicValue& x, const DynamicValue& y) { return x.equals(y, depth + 1); });
}

}  // namespace

bool DynamicValue::is_same(const DynamicValue& other) const {
  if (value_.index() != other.value_.index()) return false;
  if (is<Tensor>()) return to_tensor().is_same(other.to_tensor());
  if (is<List>()) return &to_list() == &other.to_list();
  return equals(other);
}

bool DynamicValue::equals(const DynamicValue& other, int depth) const {
  const bool is_number = is<int64_t>() || is<double>() || is<bool>();
  const bool is_other_number = other.is<int64_t>() || other.is<double>() || other.is<bool>();
  if (is_number && is_other_number) {
    return is<double>() || other.is<double>() ? to_double() == other.to_double() : to_int() == other.to_int();
  }
  if (value_.index() != other.value_.index()) return false;
  if (is_string()) return to_string() == other.to_string();
  if (is<List>()) return all_equal(to_list().elements, other.to_list().elements, depth);
  if (is<Tuple>()) return all_equal(to_tuple().elements, other.to_tuple().elements, depth);
  if (is<Tensor>()) return to_tensor().is_same(other.to_tensor());
  if (is<Device>()) return to_device() == other.to_device();
  if (is<Dict>()) return &to_dict() == &other.to_dict();
  return is_none() || &to_object() == &other.to_object();
}

namespace {

// Containers whose destruction the outermost one finishes; null outside of one.
thread_local std::vector<DynamicValue>* pending_values = nullptr;

}  // namespace

void release_values(std::vector<DynamicValue>& values) {
  std::vector<DynamicValue> own;
  for (DynamicValue& value : values) {
    if (value.is_container()) (pending_values != nullptr ? *pending_values : own).push_back(std::move(value));
  }
  if (own.empty()) return;
  pending_values = &own;
  while (!own.empty()) {
    const DynamicValue last = std::move(own.back());
    own.pop_back();
  }
  pending_values = nullptr;
}

DynamicDict::~DynamicDict() {
  std::vector<DynamicValue> values;
  for (auto& [key, value] : items) {
    if (key.is_container()) values.push_back(std::move(key));
    if (value.is_container()) values.push_back(std::move(value));
  }
  release_values(values);
}

DynamicValue* DynamicDict::find(const DynamicValue& key) {
  const auto at = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.first.equals(key); });
  return at == items.end() ? nullptr : &at->second;
}

void DynamicDict::set(const DynamicValue& key, DynamicValue value) {
  if (DynamicValue* const found = find(key)) {
    *found = std::move(value);
  } else {
    items.emplace_back(key, std::move(value));
  }
}

DynamicValue make_list(std::vector<DynamicValue> elements) {
  auto list = std::make_shared<DynamicList>();
  list->elements = std::move(elements);
  return list;
}
DynamicValue make_tuple(std::vector<DynamicValue> elements) {
  auto tuple = std::make_shared<DynamicTuple>();
  tuple->elements = std::move(elements);
  return tuple;
}

// ------------------------------------------------------------------------------------------- conversion for operators

namespace {

Value to_number(const DynamicValue& value) {
  if (value.is<bool>()) return value.to_bool();
  if (value.is<double>()) return value.to_double();
  if (value.is<Tensor>()) return value.to_tensor().item();
  return value.to_int();
}

Value to_list_argument(const std::vector<DynamicValue>& elements, Value::Kind kind) {
  switch (kind) {
    case Value::Kind::optional_tensor_list: {
      std::vector<std::optional<Tensor>> list;
      for (const DynamicValue& element : elements) {
        list.push_back(element.is_none() ? std::nullopt : std::optional(element.to_tensor()));
      }
      return list;
    }
    case Value::Kind::tensor_list: {
      std::vector<Tensor> list;
      for (const DynamicValue& element : elements) list.push_back(element.to_tensor());
      return list;
    }
    case Value::Kind::double_list: {
      std::vector<double> list;
      for (const DynamicValue& element : elements) list.push_back(element.to_double());
      return list;
    }
    case Value::Kind::bool_list: {
      const auto list = std::make_unique<bool[]>(elements.size() + 1);
      for (std::size_t i = 0; i < elements.size(); ++i) list[i] = elements[i].to_bool();
      return ArrayRef<bool>(list.get(), elements.size());
    }
    case Value::Kind::scalar_list: {
      std::vector<Scalar> list;
      for (const DynamicValue& element : elements) {
        list.push_back(element.is<double>() ? Scalar(element.to_double()) : Scalar(element.to_int()));
      }
      return list;
    }
    case Value::Kind::string_list: {
      std::vector<std::string_view> list;
      for (const DynamicValue& element : elements) list.push_back(element.to_string());
      return list;
    }
    default: {
      std::vector<int64_t> list;
      for (const DynamicValue& element : elements) list.push_back(element.to_int());
      return list;
    }
  }
}

template <class T>
Value enumerator(const DynamicValue& value, int64_t count, const char* what) {
  const int64_t number = value.to_int();
  STRUCTURED_CHECK(number >= 0 && number < count, "expected the number of a ", what, ", got ", number);
  return static_cast<T>(number);
}

Value scalar_type(const DynamicValue& value) {
  const schema::Dtype* const dtype = schema::dtype_numbered(value.to_int());
  STRUCTURED_CHECK(dtype != nullptr, "expected the number of a dtype, got ", value.to_int());
  return scalar_type_of_row(dtype);
}

}  // namespace

Value to_argument(const DynamicValue& value, const Parameter& parameter) {
  if (parameter.is_optional && value.is_none()) return {};
  switch (parameter.kind) {
    case Value::Kind::tensor:
      if (value.is_none()) return Tensor();
      if (value.is<Tensor>()) return value.to_tensor();
      return value.is<double>() ? wrapped_scalar_tensor(value.to_double())
             : value.is<bool>() ? wrapped_scalar_tensor(value.to_bool())
                                : wrapped_scalar_tensor(value.to_int());
    case Value::Kind::boolean:
      return value.to_bool();
    case Value::Kind::floating:
      return value.to_double();
    case Value::Kind::string:
      return value.to_string();
    case Value::Kind::device:
      return value.to_device();
    // TorchScript stores enumerators as integers with ATen's numbers, which are ours.
    case Value::Kind::scalar_type:
      return scalar_type(value);
    case Value::Kind::layout:
      return enumerator<Layout>(value, 1, "layout that is supported");
    case Value::Kind::memory_format:
      return enumerator<MemoryFormat>(value, kMemoryFormatCount, "memory format");
    case Value::Kind::integer:
    case Value::Kind::scalar:
      return to_number(value);
    default:
      break;
  }
  STRUCTURED_CHECK(parameter.kind >= Value::Kind::tensor_list, "arguments of type ", to_string(parameter.kind),
                   " are not supported");
  return value.is<DynamicValue::List>() ? to_list_argument(value.to_list().elements, parameter.kind) : to_number(value);
}

DynamicValue from_result(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::none:
      return {};
    case Value::Kind::integer:
      return value.to_int();
    case Value::Kind::floating:
      return value.to_double();
    case Value::Kind::boolean:
      return value.to_bool();
    case Value::Kind::tensor:
      return value.to_tensor();
    case Value::Kind::scalar: {
      const Scalar& scalar = value.to_scalar();
      if (scalar.is_boolean()) return scalar.to<bool>();
      if (scalar.is_integral(false)) return scalar.to<int64_t>();
      return scalar.to<double>();
    }
    case Value::Kind::tensor_list: {
      std::vector<DynamicValue> list;
      for (const Tensor& tensor : value.to_tensor_list()) list.emplace_back(tensor);
      return make_list(std::move(list));
    }
    case Value::Kind::int_list: {
      std::vector<DynamicValue> list;
      for (const int64_t number : value.to_int_list()) list.emplace_back(number);
      return make_list(std::move(list));
    }
    default:
      fail("results of type ", to_string(value.kind()), " are not supported");
  }
}

}  // namespace structured::program
