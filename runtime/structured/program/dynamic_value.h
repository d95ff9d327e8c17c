#pragma once
// Values of TorchScript programs: lists, dictionaries, tuples and objects in addition to tensors and numbers.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "structured/core/tensor.h"
#include "structured/device/device.h"
#include "structured/dispatch/signature.h"
#include "structured/dispatch/value.h"
#include "structured/program/export.h"

namespace structured::program {

struct DynamicList;
struct DynamicDict;
struct DynamicTuple;
struct DynamicObject;

/// Limit for values within values where a file is read and where lists are compared or printed.
inline constexpr int kMaxNestedValues = 200;

/// A value whose type is known at run time. Copies share lists, dictionaries and objects, which are mutable.
class STRUCTURED_PROGRAM_API DynamicValue {
 public:
  using List = std::shared_ptr<DynamicList>;
  using Dict = std::shared_ptr<DynamicDict>;
  using Tuple = std::shared_ptr<DynamicTuple>;
  using Object = std::shared_ptr<DynamicObject>;
  using Text = std::shared_ptr<const std::string>;

  DynamicValue() = default;
  DynamicValue(bool value) : value_(value) {}
  DynamicValue(int64_t value) : value_(value) {}
  DynamicValue(double value) : value_(value) {}
  DynamicValue(Tensor value) : value_(std::move(value)) {}
  DynamicValue(Device value) : value_(value) {}
  DynamicValue(std::string_view value) : value_(std::make_shared<const std::string>(value)) {}
  DynamicValue(const char*) = delete;  // converts to bool
  DynamicValue(List value) : value_(std::move(value)) {}
  DynamicValue(Dict value) : value_(std::move(value)) {}
  DynamicValue(Tuple value) : value_(std::move(value)) {}
  DynamicValue(Object value) : value_(std::move(value)) {}

  template <class T>
  bool is() const {
    return std::holds_alternative<T>(value_);
  }
  bool is_none() const { return is<std::monostate>(); }
  bool is_string() const { return is<Text>(); }
  /// Whether other values may be inside.
  bool is_container() const { return is<List>() || is<Dict>() || is<Tuple>() || is<Object>(); }

  // Each throws Error for a value of another type, with both types.
  bool to_bool() const;
  int64_t to_int() const;
  /// Converts integers and booleans, too.
  double to_double() const;
  const Tensor& to_tensor() const;
  std::string_view to_string() const;
  DynamicList& to_list() const;
  DynamicDict& to_dict() const;
  const DynamicTuple& to_tuple() const;
  DynamicObject& to_object() const;

  Device to_device() const;

  /// Name of the type as TorchScript spells it: `int`, `Tensor`, `List`.
  std::string_view type_name() const;
  /// Equality of numbers, strings, tuples and lists; identity of tensors, dictionaries and objects. Throws Error for
  /// more than `kMaxNestedValues` nested lists; `depth` of them are outside of these values.
  bool equals(const DynamicValue& other, int depth = 0) const;
  /// Identity of lists, dictionaries, objects and tensors; equality of other values.
  bool is_same(const DynamicValue& other) const;

 private:
  template <class T>
  const T& get(std::string_view expected) const;

  std::variant<std::monostate, bool, int64_t, double, Tensor, Device, Text, List, Dict, Tuple, Object> value_;
};

/// Destroys values without recursion: programs nest them as deeply as they like.
STRUCTURED_PROGRAM_API void release_values(std::vector<DynamicValue>& values);

struct DynamicList {
  ~DynamicList() { release_values(elements); }

  std::vector<DynamicValue> elements;
};
struct DynamicTuple {
  ~DynamicTuple() { release_values(elements); }

  std::vector<DynamicValue> elements;
};
/// Keys in the order of insertion; programs have small dictionaries.
struct STRUCTURED_PROGRAM_API DynamicDict {
  ~DynamicDict();

  std::vector<std::pair<DynamicValue, DynamicValue>> items;

  DynamicValue* find(const DynamicValue& key);
  void set(const DynamicValue& key, DynamicValue value);
};
struct DynamicObject {
  ~DynamicObject() { release_values(attributes); }

  std::string class_name;
  std::vector<std::string> names;  // one for each attribute
  std::vector<DynamicValue> attributes;
};

STRUCTURED_PROGRAM_API DynamicValue make_list(std::vector<DynamicValue> elements);
STRUCTURED_PROGRAM_API DynamicValue make_tuple(std::vector<DynamicValue> elements);

/// The argument of an operator for this parameter. Throws Error for values that cannot be one.
Value to_argument(const DynamicValue& value, const Parameter& parameter);
/// A result of an operator.
DynamicValue from_result(const Value& value);

}  // namespace structured::program
