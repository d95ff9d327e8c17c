#include "structured/dispatch/value.h"

#include <algorithm>
#include <memory>
#include <new>

#include "structured/base/error.h"
#include "structured/memory/scratch.h"

namespace structured {

using detail::SharedList;

namespace {

template <class T>
constexpr std::size_t list_bytes(std::size_t count) {
  static_assert(alignof(T) <= alignof(SharedList));
  return sizeof(SharedList) + count * sizeof(T);
}

template <class T, class Source>
SharedList* make_list(ArrayRef<Source> source) {
  const std::size_t bytes = list_bytes<T>(source.size());
  auto* const list = ::new (detail::allocate_scratch(bytes)) SharedList;
  T* const elements = static_cast<T*>(list->elements);
  try {
    for (; list->size < source.size(); ++list->size) ::new (elements + list->size) T(source[list->size]);
  } catch (...) {
    std::destroy_n(elements, list->size);
    detail::deallocate_scratch(list, bytes);
    throw;
  }
  return list;
}

template <class T>
void destroy_list(SharedList* list) noexcept {
  std::destroy_n(static_cast<T*>(list->elements), list->size);
  detail::deallocate_scratch(list, list_bytes<T>(list->size));
}

}  // namespace

Value::Value(std::string_view value) {
  payload_.list = make_list<std::string>(ArrayRef<std::string_view>(value));
  kind_ = Kind::string;
}

Value::Value(TensorList values) {
  payload_.list = make_list<Tensor>(values);
  kind_ = Kind::tensor_list;
}

Value::Value(ArrayRef<std::optional<Tensor>> values) {
  payload_.list = make_list<std::optional<Tensor>>(values);
  kind_ = Kind::optional_tensor_list;
}

Value::Value(IntArrayRef values) {
  payload_.list = make_list<int64_t>(values);
  kind_ = Kind::int_list;
}

Value::Value(ArrayRef<double> values) {
  payload_.list = make_list<double>(values);
  kind_ = Kind::double_list;
}

// A vector of bool has no array of elements.
Value::Value(const std::vector<bool>& values) {
  const auto copies = std::make_unique<bool[]>(values.size());
  std::copy(values.begin(), values.end(), copies.get());
  payload_.list = make_list<bool>(ArrayRef<bool>(copies.get(), values.size()));
  kind_ = Kind::bool_list;
}

Value::Value(ArrayRef<bool> values) {
  payload_.list = make_list<bool>(values);
  kind_ = Kind::bool_list;
}

Value::Value(ArrayRef<std::string_view> values) {
  payload_.list = make_list<std::string>(values);
  kind_ = Kind::string_list;
}

Value::Value(ArrayRef<std::string> values) {
  payload_.list = make_list<std::string>(values);
  kind_ = Kind::string_list;
}

Value::Value(ArrayRef<Scalar> values) {
  payload_.list = make_list<Scalar>(values);
  kind_ = Kind::scalar_list;
}

Value::Value(DimnameList values) {
  payload_.list = make_list<Dimname>(values);
  kind_ = Kind::dimname_list;
}

Value::Value(const Value& other) {
  if (other.kind_ == Kind::tensor) {
    ::new (&payload_.tensor) Tensor(other.payload_.tensor);
  } else if (other.kind_ == Kind::storage) {
    ::new (&payload_.storage) Storage(other.payload_.storage);
  } else if (other.kind_ == Kind::generator) {
    ::new (&payload_.generator) Generator(other.payload_.generator);
  } else {
    if (other.kind_ >= Kind::string) {
      other.payload_.list->references.retain();
    }
    std::memcpy(static_cast<void*>(&payload_), static_cast<const void*>(&other.payload_), sizeof(Payload));
  }
  kind_ = other.kind_;
}

void Value::release_shared() noexcept {
  if (kind_ == Kind::storage) {
    payload_.storage.~Storage();
    return;
  }
  if (kind_ == Kind::generator) {
    payload_.generator.~Generator();
    return;
  }
  if (!payload_.list->references.release()) {
    return;
  }
  switch (kind_) {
    case Kind::string:
    case Kind::string_list:
      destroy_list<std::string>(payload_.list);
      break;
    case Kind::tensor_list:
      destroy_list<Tensor>(payload_.list);
      break;
    case Kind::optional_tensor_list:
      destroy_list<std::optional<Tensor>>(payload_.list);
      break;
    case Kind::int_list:
      destroy_list<int64_t>(payload_.list);
      break;
    case Kind::double_list:
      destroy_list<double>(payload_.list);
      break;
    case Kind::bool_list:
      destroy_list<bool>(payload_.list);
      break;
    case Kind::scalar_list:
      destroy_list<Scalar>(payload_.list);
      break;
    case Kind::dimname_list:
      destroy_list<Dimname>(payload_.list);
      break;
    default:
      break;  // owns no resource
  }
}

void Value::throw_unexpected(Kind expected) const {
  fail("expected a value of type `", to_string(expected), "`, got `", to_string(kind_), "`");
}

std::string_view to_string(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::none:
      return "None";
    case Value::Kind::integer:
      return "int";
    case Value::Kind::floating:
      return "float";
    case Value::Kind::boolean:
      return "bool";
    case Value::Kind::scalar:
      return "Scalar";
    case Value::Kind::scalar_type:
      return "ScalarType";
    case Value::Kind::layout:
      return "Layout";
    case Value::Kind::device:
      return "Device";
    case Value::Kind::memory_format:
      return "MemoryFormat";
    case Value::Kind::qscheme:
      return "QScheme";
    case Value::Kind::dimname:
      return "Dimname";
    case Value::Kind::stream:
      return "Stream";
    case Value::Kind::tensor:
      return "Tensor";
    case Value::Kind::storage:
      return "Storage";
    case Value::Kind::generator:
      return "Generator";
    case Value::Kind::string:
      return "str";
    case Value::Kind::tensor_list:
      return "Tensor[]";
    case Value::Kind::optional_tensor_list:
      return "Tensor?[]";
    case Value::Kind::int_list:
      return "int[]";
    case Value::Kind::double_list:
      return "float[]";
    case Value::Kind::bool_list:
      return "bool[]";
    case Value::Kind::string_list:
      return "str[]";
    case Value::Kind::scalar_list:
      return "Scalar[]";
    case Value::Kind::dimname_list:
      return "Dimname[]";
  }
  return "unknown";
}

}  // namespace structured
