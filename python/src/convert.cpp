#include "structured/python/convert.h"

#include <string>

#include "errors.h"
#include "types.h"

namespace structured::python {

void refuse_argument() {
  raise(PyExc_TypeError,
        "expected no argument of a type without objects in Python, such as Storage or Stream; pass None if it is "
        "optional, otherwise call the operator from C++");
}

// Converts complex numbers, and objects of other types with `__complex__`.
Complex<double> complex_from(PyObject* object) {
  if (is_tensor(object)) return tensor_of(object).item().to<Complex<double>>();
  const Object number = PyComplex_Check(object) ? Object::share(object)
                                                : Object::checked(PyObject_CallFunctionObjArgs(
                                                      reinterpret_cast<PyObject*>(&PyComplex_Type), object, nullptr));
  return {PyComplex_RealAsDouble(number.get()), PyComplex_ImagAsDouble(number.get())};
}

int64_t integer_from(PyObject* object) {
  if (PyLong_Check(object)) [[likely]] {
    int64_t value = 0;
    if (read_small_integer(object, value)) return value;
    value = PyLong_AsLongLong(object);
    if (value == -1 && PyErr_Occurred() != nullptr) throw PythonError();
    return value;
  }
  if (is_tensor(object)) return tensor_of(object).item<int64_t>();
  const Object index = Object::checked(PyNumber_Index(object));
  return integer_from(index.get());
}

double double_from(PyObject* object) {
  if (PyFloat_CheckExact(object)) return float_value(object);
  if (is_tensor(object)) return tensor_of(object).item<double>();
  const double value = PyFloat_AsDouble(object);
  if (value == -1.0 && PyErr_Occurred() != nullptr) throw PythonError();
  return value;
}

bool bool_from(PyObject* object) {
  if (object == Py_True) return true;
  if (object == Py_False) return false;
  const int value = PyObject_IsTrue(object);
  if (value < 0) throw PythonError();
  return value != 0;
}

Scalar scalar_from(PyObject* object) {
  // Exact types first: they need no look at base classes.
  if (PyLong_CheckExact(object)) return Scalar(integer_from(object));
  if (PyFloat_CheckExact(object)) return Scalar(float_value(object));
  if (PyFloat_Check(object)) return Scalar(float_value(object));
  if (PyBool_Check(object)) return Scalar(object == Py_True);
  if (PyLong_Check(object)) return Scalar(integer_from(object));
  if (PyComplex_Check(object)) return Scalar(complex_from(object));
  if (is_tensor(object)) return tensor_of(object).item();
  if (is_numpy_bool(object)) return Scalar(bool_from(object));
  if (PyIndex_Check(object)) return Scalar(integer_from(object));
  if (type_name(object).starts_with("numpy.complex")) return Scalar(complex_from(object));
  return Scalar(double_from(object));
}

std::string_view text_from(PyObject* object) {
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
  if (text == nullptr) throw PythonError();
  return {text, static_cast<std::size_t>(size)};
}

Dimname dimname_from(PyObject* object) {
  if (object == Py_None) return Dimname();
  return Dimname(text_from(object));
}

IntegerList::IntegerList(PyObject* object) {
  if (!PyTuple_Check(object) && !PyList_Check(object)) {
    few_[0] = integer_from(object);
    size_ = 1;
    return;
  }
  const auto size = static_cast<std::size_t>(sequence_size(object));
  if (size > kFew) more_.resize(size);
  int64_t* const elements = size > kFew ? more_.data() : few_;
  // `__index__` of an element may shrink a list.
  for (; size_ < size && size_ < static_cast<std::size_t>(sequence_size(object)); ++size_) {
    const Object element = Object::share(sequence_item(object, static_cast<Py_ssize_t>(size_)));
    elements[size_] = integer_from(element.get());
  }
}

IntegerList::IntegerList(std::span<PyObject* const> numbers) : size_(numbers.size()) {
  if (size_ > kFew) more_.resize(size_);
  int64_t* const elements = size_ > kFew ? more_.data() : few_;
  for (std::size_t i = 0; i < size_; ++i) elements[i] = integer_from(numbers[i]);
}

std::vector<PyObject*> elements_of(PyObject* object) {
  if (!PyTuple_Check(object) && !PyList_Check(object)) return {object};
  std::vector<PyObject*> elements;
  const Py_ssize_t size = sequence_size(object);
  elements.reserve(static_cast<std::size_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) elements.push_back(sequence_item(object, i));
  return elements;
}

PyObject* to_python(Dimname name) {
  return name.is_wildcard() ? Py_NewRef(Py_None) : to_python(std::string_view(name.name()));
}

PyObject* to_python(const Scalar& scalar) {
  if (scalar.is_boolean()) return PyBool_FromLong(scalar.to<bool>());
  if (scalar.is_floating()) return PyFloat_FromDouble(scalar.to<double>());
  if (scalar.is_complex()) {
    const auto value = scalar.to<Complex<double>>();
    return PyComplex_FromDoubles(value.real(), value.imag());
  }
  return PyLong_FromLongLong(scalar.to<int64_t>());
}

}  // namespace structured::python
