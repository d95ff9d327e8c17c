#pragma once
// Conversion of Python arguments, whose kinds the parser has checked, to C++ arguments, and of C++ results to objects.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/core/array_ref.h"
#include "structured/core/dimname.h"
#include "structured/python/export.h"
#include "structured/python/object.h"

namespace structured::python {

// Each throws PythonError if the value does not fit, such as an integer beyond 64 bits.
STRUCTURED_PYTHON_API Scalar scalar_from(PyObject* object);
STRUCTURED_PYTHON_API int64_t integer_from(PyObject* object);
STRUCTURED_PYTHON_API double double_from(PyObject* object);
STRUCTURED_PYTHON_API bool bool_from(PyObject* object);
STRUCTURED_PYTHON_API ScalarType dtype_from(PyObject* object);
STRUCTURED_PYTHON_API Device device_from(PyObject* object);
STRUCTURED_PYTHON_API Layout layout_from(PyObject* object);
STRUCTURED_PYTHON_API MemoryFormat memory_format_from(PyObject* object);
STRUCTURED_PYTHON_API Generator generator_from(PyObject* object);
STRUCTURED_PYTHON_API std::string_view text_from(PyObject* object);
STRUCTURED_PYTHON_API Dimname dimname_from(PyObject* object);
STRUCTURED_PYTHON_API Complex<double> complex_from(PyObject* object);
STRUCTURED_PYTHON_API QScheme qscheme_from(PyObject* object);

/// Integers of a list, a tuple, one number or separate numbers.
class IntegerList {
 public:
  STRUCTURED_PYTHON_API explicit IntegerList(PyObject* object);
  STRUCTURED_PYTHON_API explicit IntegerList(std::span<PyObject* const> numbers);
  IntArrayRef get() const { return {more_.empty() ? few_ : more_.data(), size_}; }

 private:
  static constexpr std::size_t kFew = 8;

  int64_t few_[kFew];
  std::size_t size_ = 0;
  std::vector<int64_t> more_;
};

/// The elements of a list or a tuple, or the object itself as the only element.
STRUCTURED_PYTHON_API std::vector<PyObject*> elements_of(PyObject* object);

// -------------------------------------------------------------------------------------------------- arguments

/// Sets a TypeError: no object has the type of the argument.
[[noreturn]] STRUCTURED_PYTHON_API void refuse_argument();

/// Holds an argument of the C++ type T while a function runs. Types without a specialisation, such as Storage, have no
/// objects in Python: the parser accepts None alone, where the argument is optional.
template <class T>
struct Argument {
  explicit Argument(PyObject*) { refuse_argument(); }
  const T& get() const { return *value; }
  std::optional<T> value;
};

template <class T, T (*convert)(PyObject*)>
struct PlainArgument {
  explicit PlainArgument(PyObject* object) : value(convert(object)) {}
  const T& get() const { return value; }
  T value;
};

template <>
struct Argument<Tensor> {
  explicit Argument(PyObject* object) : tensor(tensor_of(object)) {}
  Tensor& get() const { return tensor; }
  Tensor& tensor;
};
template <>
struct Argument<Scalar> : PlainArgument<Scalar, scalar_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<int64_t> : PlainArgument<int64_t, integer_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<double> : PlainArgument<double, double_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<bool> : PlainArgument<bool, bool_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<ScalarType> : PlainArgument<ScalarType, dtype_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<Device> : PlainArgument<Device, device_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<Layout> : PlainArgument<Layout, layout_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<MemoryFormat> : PlainArgument<MemoryFormat, memory_format_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<Generator> : PlainArgument<Generator, generator_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<QScheme> : PlainArgument<QScheme, qscheme_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<Complex<double>> : PlainArgument<Complex<double>, complex_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<std::string_view> : PlainArgument<std::string_view, text_from> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<Dimname> : PlainArgument<Dimname, dimname_from> {
  using PlainArgument::PlainArgument;
};

template <class T>
struct Argument<std::optional<T>> {
  explicit Argument(PyObject* object) {
    if (object == Py_None) return;
    held_.emplace(object);
    value_.emplace(held_->get());
  }
  const std::optional<T>& get() const { return value_; }

 private:
  std::optional<Argument<T>> held_;
  std::optional<T> value_;
};

template <>
struct Argument<IntArrayRef> : IntegerList {
  using IntegerList::IntegerList;
};
template <>
struct Argument<OptionalIntArrayRef> {
  explicit Argument(PyObject* object) {
    if (object != Py_None) list_.emplace(object);
  }
  explicit Argument(std::span<PyObject* const> numbers) : list_(std::in_place, numbers) {}
  OptionalIntArrayRef get() const { return list_ ? OptionalIntArrayRef(list_->get()) : OptionalIntArrayRef(); }

 private:
  std::optional<IntegerList> list_;
};

/// Elements are stored as a C++ array of T.
template <class T>
struct Argument<ArrayRef<T>> {
  explicit Argument(PyObject* object) {
    const std::vector<PyObject*> objects = elements_of(object);
    elements_.reserve(objects.size());
    for (PyObject* const element : objects) {
      if constexpr (std::is_same_v<T, bool>) {
        elements_.push_back({bool_from(element)});
      } else {
        elements_.push_back(Argument<T>(element).get());
      }
      // Texts are those of the objects, which another thread may remove from the list.
      if constexpr (kRefersToObjects) owners_.push_back(Object::share(element));
    }
  }
  ArrayRef<T> get() const { return ArrayRef<T>(reinterpret_cast<const T*>(elements_.data()), elements_.size()); }

 private:
  static constexpr bool kRefersToObjects =
      std::is_same_v<T, std::string_view> || std::is_same_v<T, std::optional<std::string_view>>;
  // std::vector<bool> has no array of bool.
  struct Boolean {
    bool value;
  };
  std::vector<std::conditional_t<std::is_same_v<T, bool>, Boolean, T>> elements_;
  std::vector<Object> owners_;
};

/// A list of fixed length, such as the mask of a backward operator. The parser has checked the length.
template <std::size_t count>
struct Argument<std::array<bool, count>> {
  explicit Argument(PyObject* object) {
    const std::vector<PyObject*> objects = elements_of(object);
    for (std::size_t i = 0; i < count; ++i) value[i] = bool_from(objects.at(i));
  }
  const std::array<bool, count>& get() const { return value; }
  std::array<bool, count> value;
};

// ---------------------------------------------------------------------------------------------------- results

inline PyObject* to_python(bool value) { return PyBool_FromLong(value); }
inline PyObject* to_python(int64_t value) { return PyLong_FromLongLong(value); }
inline PyObject* to_python(double value) { return PyFloat_FromDouble(value); }
inline PyObject* to_python(std::string_view text) {
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}
inline PyObject* to_python(const std::string& text) { return to_python(std::string_view(text)); }
inline PyObject* to_python(Complex<double> value) { return PyComplex_FromDoubles(value.real(), value.imag()); }
template <class T>
PyObject* to_python(std::vector<T> values);
template <class T>
PyObject* to_python(const std::optional<T>& value) {
  return value ? to_python(*value) : Py_NewRef(Py_None);
}
template <class T>
PyObject* to_python(std::vector<T> values) {
  Object list = Object::checked(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  for (std::size_t i = 0; i < values.size(); ++i) {
    set_tuple_item(list.get(), static_cast<Py_ssize_t>(i),
                   Object::checked(to_python(T(std::move(values[i])))).release());
  }
  return list.release();
}

/// A result of type R. A reference to a tensor is one of the arguments, whose object is returned.
template <class R>
struct Result {
  static PyObject* convert(R&& value) { return to_python(std::move(value)); }
};
template <>
struct Result<Tensor&> {
  static PyObject* convert(Tensor& tensor) { return Py_NewRef(object_of(tensor)); }
};
template <>
struct Result<const Tensor&> {
  static PyObject* convert(const Tensor& tensor) { return to_python(Tensor(tensor)); }
};
template <class... Rs>
struct Result<std::tuple<Rs...>> {
  static PyObject* convert(std::tuple<Rs...>&& values) {
    return convert(std::move(values), std::index_sequence_for<Rs...>());
  }

 private:
  template <std::size_t... i>
  static PyObject* convert(std::tuple<Rs...>&& values, std::index_sequence<i...>) {
    Object tuple = Object::checked(PyTuple_New(sizeof...(Rs)));
    (set_tuple_item(tuple.get(), i,
                    Object::checked(Result<Rs>::convert(static_cast<Rs&&>(std::get<i>(values)))).release()),
     ...);
    return tuple.release();
  }
};

}  // namespace structured::python
