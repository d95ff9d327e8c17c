#pragma once
// Values and stacks: arguments and results of calls that do not use the C++ signature, such as those of an interpreter
// or a language binding.
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/dimname.h"
#include "structured/core/generator.h"
#include "structured/core/layout.h"
#include "structured/core/memory_format.h"
#include "structured/core/tensor.h"
#include "structured/device/device.h"
#include "structured/device/stream.h"
#include "structured/memory/ref_count.h"
#include "structured/memory/storage.h"
#include "structured/number/qscheme.h"
#include "structured/number/scalar.h"
#include "structured/number/scalar_type.h"

namespace structured {

namespace detail {

/// Header of a list value, whose elements follow it in one block of temporary memory (scratch.h), so that computations
/// that are repeated allocate no lists. Immutable, shared by copies of the value.
struct alignas(16) SharedList {
  RefCount references;
  std::size_t size = 0;
  void* elements = this + 1;
};

}  // namespace detail

/// Argument or result of a boxed call: a tagged union of the types that a schema can name. Copies share lists and
/// strings, which are immutable. Distinct objects may be used on distinct threads.
class STRUCTURED_API Value {
 public:
  enum class Kind : uint8_t {
    none,
    integer,
    floating,
    boolean,
    scalar,
    scalar_type,
    layout,
    device,
    memory_format,
    qscheme,
    dimname,
    stream,
    tensor,  // this kind and all that follow own a resource
    storage,
    generator,
    string,  // this kind and all that follow share an immutable list
    tensor_list,
    optional_tensor_list,
    int_list,
    double_list,
    bool_list,
    string_list,
    scalar_list,
    dimname_list,
  };

  Value() noexcept {}
  Value(std::nullopt_t) noexcept {}
  Value(Tensor value) noexcept : kind_(Kind::tensor) { ::new (&payload_.tensor) Tensor(std::move(value)); }
  Value(Storage value) noexcept : kind_(Kind::storage) { ::new (&payload_.storage) Storage(std::move(value)); }
  Value(const Generator& value) : kind_(Kind::generator) { ::new (&payload_.generator) Generator(value); }
  Value(bool value) noexcept : kind_(Kind::boolean) { payload_.boolean = value; }
  /// Throws Error for unsigned values beyond int64_t.
  template <std::integral Int>
  Value(Int value) noexcept(std::is_signed_v<Int> || sizeof(Int) < sizeof(int64_t)) : kind_(Kind::integer) {
    payload_.integer = static_cast<int64_t>(value);
    if constexpr (std::is_unsigned_v<Int> && sizeof(Int) == sizeof(int64_t)) {
      STRUCTURED_CHECK(payload_.integer >= 0, "expected an integer that fits int64_t, got ", value);
    }
  }
  Value(double value) noexcept : kind_(Kind::floating) { payload_.floating = value; }
  Value(const Scalar& value) noexcept : kind_(Kind::scalar) { ::new (&payload_.scalar) Scalar(value); }
  Value(ScalarType value) noexcept : kind_(Kind::scalar_type) { payload_.scalar_type = value; }
  Value(Layout value) noexcept : kind_(Kind::layout) { payload_.layout = value; }
  Value(Device value) noexcept : kind_(Kind::device) { ::new (&payload_.device) Device(value); }
  Value(MemoryFormat value) noexcept : kind_(Kind::memory_format) { payload_.memory_format = value; }
  Value(QScheme value) noexcept : kind_(Kind::qscheme) { payload_.qscheme = value; }
  Value(Dimname value) noexcept : kind_(Kind::dimname) { ::new (&payload_.dimname) Dimname(value); }
  Value(Stream value) noexcept : kind_(Kind::stream) { ::new (&payload_.stream) Stream(value); }
  Value(std::string_view value);
  Value(const char* value) : Value(std::string_view(value)) {}
  Value(const std::string& value) : Value(std::string_view(value)) {}
  Value(TensorList values);
  Value(ArrayRef<std::optional<Tensor>> values);
  Value(IntArrayRef values);
  Value(ArrayRef<double> values);
  Value(ArrayRef<bool> values);
  Value(ArrayRef<std::string_view> values);
  Value(ArrayRef<std::string> values);
  Value(ArrayRef<Scalar> values);
  Value(DimnameList values);
  template <class T>
  Value(const std::vector<T>& values) : Value(ArrayRef<T>(values)) {}
  Value(const std::vector<bool>& values);
  template <std::size_t N>
  Value(const std::array<bool, N>& values) : Value(ArrayRef<bool>(values.data(), N)) {}
  template <class T>
  Value(const std::optional<T>& value) : Value(value.has_value() ? Value(*value) : Value()) {}
  Value(const OptionalIntArrayRef& value) : Value(value.has_value() ? Value(*value) : Value()) {}
  Value(const void*) = delete;  // pointers do not convert to booleans

  Value(const Value& other);
  Value(Value&& other) noexcept { take(other); }
  Value& operator=(const Value& other) {
    Value copy(other);
    swap(copy);
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }
  ~Value() { clear(); }

  void swap(Value& other) noexcept {
    Value kept(std::move(other));
    other.take(*this);
    take(kept);
  }

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }

  // Each throws Error, with the expected and the found kind, for a value of another kind. References and array
  // references remain valid until this value is assigned, moved from or destroyed. A temporary value returns objects
  // instead, so that `for (const Tensor& t : call_operator(...).at(0).to_tensor_list())` is safe.
  Tensor& to_tensor() & {
    expect(Kind::tensor);
    return payload_.tensor;
  }
  const Tensor& to_tensor() const& {
    expect(Kind::tensor);
    return payload_.tensor;
  }
  Tensor to_tensor() && { return std::move(to_tensor()); }
  const Storage& to_storage() const& {
    expect(Kind::storage);
    return payload_.storage;
  }
  Storage to_storage() && { return std::as_const(*this).to_storage(); }
  int64_t to_int() const {
    expect(Kind::integer);
    return payload_.integer;
  }
  double to_double() const {
    expect(Kind::floating);
    return payload_.floating;
  }
  bool to_bool() const {
    expect(Kind::boolean);
    return payload_.boolean;
  }
  const Scalar& to_scalar() const& {
    expect(Kind::scalar);
    return payload_.scalar;
  }
  Scalar to_scalar() && { return std::as_const(*this).to_scalar(); }
  ScalarType to_scalar_type() const {
    expect(Kind::scalar_type);
    return payload_.scalar_type;
  }
  Layout to_layout() const {
    expect(Kind::layout);
    return payload_.layout;
  }
  Device to_device() const {
    expect(Kind::device);
    return payload_.device;
  }
  MemoryFormat to_memory_format() const {
    expect(Kind::memory_format);
    return payload_.memory_format;
  }
  QScheme to_qscheme() const {
    expect(Kind::qscheme);
    return payload_.qscheme;
  }
  Dimname to_dimname() const {
    expect(Kind::dimname);
    return payload_.dimname;
  }
  Stream to_stream() const {
    expect(Kind::stream);
    return payload_.stream;
  }
  const Generator& to_generator() const& {
    expect(Kind::generator);
    return payload_.generator;
  }
  Generator to_generator() && { return std::as_const(*this).to_generator(); }
  std::string_view to_string_view() const& { return elements<std::string>(Kind::string)[0]; }
  std::string to_string_view() && { return std::string(std::as_const(*this).to_string_view()); }
  TensorList to_tensor_list() const& { return elements<Tensor>(Kind::tensor_list); }
  ArrayRef<std::optional<Tensor>> to_optional_tensor_list() const& {
    return elements<std::optional<Tensor>>(Kind::optional_tensor_list);
  }
  IntArrayRef to_int_list() const& { return elements<int64_t>(Kind::int_list); }
  ArrayRef<double> to_double_list() const& { return elements<double>(Kind::double_list); }
  ArrayRef<bool> to_bool_list() const& { return elements<bool>(Kind::bool_list); }
  ArrayRef<std::string> to_string_list() const& { return elements<std::string>(Kind::string_list); }
  ArrayRef<Scalar> to_scalar_list() const& { return elements<Scalar>(Kind::scalar_list); }
  DimnameList to_dimname_list() const& { return elements<Dimname>(Kind::dimname_list); }
  std::vector<Tensor> to_tensor_list() && { return copied<Tensor>(Kind::tensor_list); }
  std::vector<std::optional<Tensor>> to_optional_tensor_list() && {
    return copied<std::optional<Tensor>>(Kind::optional_tensor_list);
  }
  std::vector<int64_t> to_int_list() && { return copied<int64_t>(Kind::int_list); }
  std::vector<double> to_double_list() && { return copied<double>(Kind::double_list); }
  std::vector<bool> to_bool_list() && { return copied<bool>(Kind::bool_list); }
  std::vector<std::string> to_string_list() && { return copied<std::string>(Kind::string_list); }
  std::vector<Scalar> to_scalar_list() && { return copied<Scalar>(Kind::scalar_list); }
  std::vector<Dimname> to_dimname_list() && { return copied<Dimname>(Kind::dimname_list); }

 private:
  union Payload {
    Payload() noexcept {}
    ~Payload() {}
    int64_t integer;
    double floating;
    bool boolean;
    Scalar scalar;
    ScalarType scalar_type;
    Layout layout;
    Device device;
    MemoryFormat memory_format;
    QScheme qscheme;
    Dimname dimname;
    Stream stream;
    Tensor tensor;
    Storage storage;
    Generator generator;
    detail::SharedList* list;
  };
  static_assert(std::is_trivially_copyable_v<Scalar> && std::is_trivially_copyable_v<Device> &&
                    std::is_trivially_copyable_v<Dimname> && std::is_trivially_copyable_v<Stream>,
                "values of these kinds are moved as bytes");

  // Precondition: this value owns no resource. Leaves `other` empty.
  void take(Value& other) noexcept {
    if (other.kind_ == Kind::tensor) {
      ::new (&payload_.tensor) Tensor(std::move(other.payload_.tensor));
      other.payload_.tensor.~Tensor();
    } else if (other.kind_ == Kind::storage) {
      ::new (&payload_.storage) Storage(std::move(other.payload_.storage));
      other.payload_.storage.~Storage();
    } else if (other.kind_ == Kind::generator) {
      ::new (&payload_.generator) Generator(other.payload_.generator);
      other.payload_.generator.~Generator();
    } else {
      std::memcpy(static_cast<void*>(&payload_), static_cast<const void*>(&other.payload_), sizeof(Payload));
    }
    kind_ = std::exchange(other.kind_, Kind::none);
  }

  void clear() noexcept {
    if (kind_ == Kind::tensor) {
      payload_.tensor.~Tensor();
    } else if (kind_ > Kind::tensor) {
      release_shared();
    }
    kind_ = Kind::none;
  }

  void expect(Kind kind) const {
    if (kind_ != kind) [[unlikely]] {
      throw_unexpected(kind);
    }
  }

  template <class T>
  ArrayRef<T> elements(Kind kind) const {
    expect(kind);
    return ArrayRef<T>(static_cast<const T*>(payload_.list->elements), payload_.list->size);
  }
  template <class T>
  std::vector<T> copied(Kind kind) const {
    const ArrayRef<T> list = elements<T>(kind);
    return std::vector<T>(list.begin(), list.end());
  }

  [[noreturn]] STRUCTURED_COLD void throw_unexpected(Kind expected) const;
  void release_shared() noexcept;

  Payload payload_;
  Kind kind_ = Kind::none;
};

/// Name of a kind in a schema: `int`, `Tensor?[]`, `None`, ...
STRUCTURED_API std::string_view to_string(Value::Kind kind);

/// Prints a value in schema syntax: `None`, `[1, 2]`, `True`, `"text"`, `Float`. A tensor is printed without its
/// elements: `Float[2, 3]`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, const Value& value);

/// Arguments of a boxed call, the first one at the bottom; its results afterwards. Elements of a temporary stack are
/// returned by value.
class Stack : public std::vector<Value> {
 public:
  using std::vector<Value>::vector;
  Stack(std::vector<Value> values) : std::vector<Value>(std::move(values)) {}

  Value& at(std::size_t index) & { return std::vector<Value>::at(index); }
  const Value& at(std::size_t index) const& { return std::vector<Value>::at(index); }
  Value at(std::size_t index) && { return std::move(std::vector<Value>::at(index)); }
  Value& operator[](std::size_t index) & { return std::vector<Value>::operator[](index); }
  const Value& operator[](std::size_t index) const& { return std::vector<Value>::operator[](index); }
  Value operator[](std::size_t index) && { return std::move(std::vector<Value>::operator[](index)); }
  Value& front() & { return std::vector<Value>::front(); }
  const Value& front() const& { return std::vector<Value>::front(); }
  Value front() && { return std::move(std::vector<Value>::front()); }
  Value& back() & { return std::vector<Value>::back(); }
  const Value& back() const& { return std::vector<Value>::back(); }
  Value back() && { return std::move(std::vector<Value>::back()); }
};

}  // namespace structured
