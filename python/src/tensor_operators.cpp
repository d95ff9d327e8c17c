// Python's operators for tensors. They call the operators directly: exact types need no overload resolution.
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/bitwise_and.h>
#include <structured/ops/bitwise_left_shift.h>
#include <structured/ops/bitwise_not.h>
#include <structured/ops/bitwise_or.h>
#include <structured/ops/bitwise_right_shift.h>
#include <structured/ops/bitwise_xor.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/floor_divide.h>
#include <structured/ops/ge.h>
#include <structured/ops/gt.h>
#include <structured/ops/le.h>
#include <structured/ops/lt.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mul.h>
#include <structured/ops/ne.h>
#include <structured/ops/neg.h>
#include <structured/ops/pow.h>
#include <structured/ops/remainder.h>
#include <structured/ops/rsub.h>
#include <structured/ops/sub.h>

#include "errors.h"
#include "override.h"
#include "structured/core/factory.h"
#include "structured/iterator/parallel.h"
#include "structured/python/bindings.h"
#include "tensor_type.h"
#include "types.h"

namespace structured::python {
namespace {

// Whether the object's type is registered as one of numbers, as those of NumPy, Fraction and Decimal are.
bool is_registered_number(PyObject* object) {
  static PyObject* const number = [] {
    const Object module = Object::checked(PyImport_ImportModule("numbers"));
    return Object::checked(PyObject_GetAttrString(module.get(), "Number")).release();
  }();
  const int result = PyObject_IsInstance(object, number);
  if (result < 0) throw PythonError();
  return result != 0;
}

// Whether the object is a number and neither a tensor nor an array. Other objects that convert to numbers have
// operators of their own.
bool is_plain_number(PyObject* object) {
  if (PyFloat_CheckExact(object) || PyLong_CheckExact(object)) [[likely]]
    return true;
  if (PyFloat_Check(object) || PyLong_Check(object) || PyComplex_Check(object)) return true;
  if (has_length(Py_TYPE(object)) || is_tensor(object) || PyNumber_Check(object) == 0) return false;
  return is_numpy_bool(object) || is_registered_number(object);
}

// The tensor of an operand: of a Tensor, or over the elements of an array of NumPy. Undefined for other objects, and
// for subclasses of arrays, which may have operators of their own.
Tensor tensor_operand(PyObject* object) {
  if (is_tensor(object)) return tensor_of(object);
  return type_name(object) == "numpy.ndarray" ? tensor_from_array(object) : Tensor();
}

bool is_large(const Tensor& tensor) { return tensor.impl()->numel() >= kGrainSize; }

template <class Function>
PyObject* run(const Tensor& operand, Function&& function) {
  if (!is_large(operand)) [[likely]]
    return to_python(function());
  return to_python([&] {
    const GilRelease release(true);
    return function();
  }());
}

// Result of the protocol of an operand, if one has it. `reversed` names the method of Tensor for which `b` is `self`.
Object overridden(const char* name, const char* reversed, PyObject* a, PyObject* b) {
  const bool has_protocol = (may_have_override(a) && has_override(a)) || (may_have_override(b) && has_override(b));
  if (!has_protocol) return Object();
  return is_tensor(a) ? call_method_override(name, {a, b}) : call_method_override(reversed, {b, a});
}

// Names of the methods of Tensor that a slot implements.
struct MethodNames {
  const char* name;
  const char* reversed;
};

// `tensors(a, b)`, `number(a, scalar)` and `reversed(scalar, b)` compute the results.
template <class Tensors, class Number, class Reversed>
PyObject* binary(MethodNames names, PyObject* a, PyObject* b, Tensors tensors, Number number,
                 Reversed reversed) noexcept {
  return guarded([&]() -> PyObject* {
    if (may_have_override(a) || may_have_override(b)) [[unlikely]] {
      if (Object result = overridden(names.name, names.reversed, a, b)) return result.release();
    }
    if (is_exact_tensor(a) || is_tensor(a)) {
      const Tensor& self = tensor_of(a);
      if (is_exact_tensor(b) || is_tensor(b)) return run(self, [&] { return tensors(self, tensor_of(b)); });
      if (is_plain_number(b)) {
        const Scalar other = scalar_from(b);
        return run(self, [&] { return number(self, other); });
      }
      const Tensor other = tensor_operand(b);
      if (!other.defined()) return Py_NewRef(Py_NotImplemented);
      return run(self, [&] { return tensors(self, other); });
    }
    if (is_plain_number(a)) {
      const Scalar self = scalar_from(a);
      return run(tensor_of(b), [&] { return reversed(self, tensor_of(b)); });
    }
    const Tensor self = tensor_operand(a);
    if (!self.defined()) return Py_NewRef(Py_NotImplemented);
    return run(self, [&] { return tensors(self, tensor_of(b)); });
  });
}

// The tensors are references to arguments, which an in-place operator returns.
template <class Tensors, class Number>
PyObject* in_place(const char* name, PyObject* a, PyObject* b, Tensors tensors, Number number) noexcept {
  return guarded([&]() -> PyObject* {
    if (may_have_override(a) || may_have_override(b)) [[unlikely]] {
      if (Object result = overridden(name, name, a, b)) return result.release();
    }
    Tensor& self = tensor_of(a);
    if (is_tensor(b)) {
      const GilRelease release(is_large(self));
      tensors(self, tensor_of(b));
    } else if (is_plain_number(b)) {
      const Scalar other = scalar_from(b);
      const GilRelease release(is_large(self));
      number(self, other);
    } else {
      const Tensor other = tensor_operand(b);
      if (!other.defined()) return Py_NewRef(Py_NotImplemented);
      const GilRelease release(is_large(self));
      tensors(self, other);
    }
    return Py_NewRef(a);
  });
}

template <class Function>
PyObject* unary(const char* name, PyObject* self, Function function) noexcept {
  return guarded([&] {
    if (may_have_override(self) && has_override(self)) return call_method_override(name, {self}).release();
    return run(tensor_of(self), [&] { return function(tensor_of(self)); });
  });
}

#define STRUCTURED_BINARY(name, method, function, with_reversed)                                   \
  PyObject* name(PyObject* a, PyObject* b) {                                                       \
    return binary(                                                                                 \
        {"__" method "__", "__r" method "__"}, a, b,                                               \
        [](const Tensor& self, const Tensor& other) { return structured::function(self, other); }, \
        [](const Tensor& self, const Scalar& other) { return structured::function(self, other); }, \
        [](const Scalar& self, const Tensor& other) { return with_reversed; });                    \
  }
STRUCTURED_BINARY(add_slot, "add", add, structured::add(other, self))
STRUCTURED_BINARY(subtract_slot, "sub", sub, structured::rsub(other, self))
STRUCTURED_BINARY(multiply_slot, "mul", mul, structured::mul(other, self))
STRUCTURED_BINARY(divide_slot, "truediv", div, structured::div(wrapped_scalar_tensor(self), other))
STRUCTURED_BINARY(floor_divide_slot, "floordiv", floor_divide,
                  structured::floor_divide(wrapped_scalar_tensor(self), other))
STRUCTURED_BINARY(remainder_slot, "mod", remainder, structured::remainder(self, other))
STRUCTURED_BINARY(and_slot, "and", bitwise_and, structured::bitwise_and(other, self))
STRUCTURED_BINARY(or_slot, "or", bitwise_or, structured::bitwise_or(other, self))
STRUCTURED_BINARY(xor_slot, "xor", bitwise_xor, structured::bitwise_xor(other, self))
STRUCTURED_BINARY(left_shift_slot, "lshift", bitwise_left_shift,
                  structured::bitwise_left_shift(wrapped_scalar_tensor(self), other))
STRUCTURED_BINARY(right_shift_slot, "rshift", bitwise_right_shift,
                  structured::bitwise_right_shift(wrapped_scalar_tensor(self), other))
#undef STRUCTURED_BINARY

#define STRUCTURED_IN_PLACE(name, method, function)                                                            \
  PyObject* name(PyObject* a, PyObject* b) {                                                                   \
    return in_place(                                                                                           \
        "__i" method "__", a, b, [](Tensor& self, const Tensor& other) { structured::function(self, other); }, \
        [](Tensor& self, const Scalar& other) { structured::function(self, other); });                         \
  }
STRUCTURED_IN_PLACE(add_in_place, "add", add_)
STRUCTURED_IN_PLACE(subtract_in_place, "sub", sub_)
STRUCTURED_IN_PLACE(multiply_in_place, "mul", mul_)
STRUCTURED_IN_PLACE(divide_in_place, "truediv", div_)
STRUCTURED_IN_PLACE(floor_divide_in_place, "floordiv", floor_divide_)
STRUCTURED_IN_PLACE(remainder_in_place, "mod", remainder_)
STRUCTURED_IN_PLACE(and_in_place, "and", bitwise_and_)
STRUCTURED_IN_PLACE(or_in_place, "or", bitwise_or_)
STRUCTURED_IN_PLACE(xor_in_place, "xor", bitwise_xor_)
STRUCTURED_IN_PLACE(left_shift_in_place, "lshift", bitwise_left_shift_)
STRUCTURED_IN_PLACE(right_shift_in_place, "rshift", bitwise_right_shift_)
#undef STRUCTURED_IN_PLACE

PyObject* power_slot(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return binary(
      {"__pow__", "__rpow__"}, a, b, [](const Tensor& self, const Tensor& other) { return pow(self, other); },
      [](const Tensor& self, const Scalar& other) { return pow(self, other); },
      [](const Scalar& self, const Tensor& other) { return pow(self, other); });
}
PyObject* power_in_place(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return in_place(
      "__ipow__", a, b, [](Tensor& self, const Tensor& other) { pow_(self, other); },
      [](Tensor& self, const Scalar& other) { pow_(self, other); });
}

PyObject* matrix_multiply(PyObject* a, PyObject* b) {
  return guarded([&] {
    if (Object result = overridden("__matmul__", "__rmatmul__", a, b)) return result.release();
    const Tensor left = tensor_operand(a);
    const Tensor right = tensor_operand(b);
    if (!left.defined() || !right.defined()) return Py_NewRef(Py_NotImplemented);
    return to_python([&] {
      const GilRelease release(is_large(left) || is_large(right));
      return matmul(left, right);
    }());
  });
}

// Only operators of PyTorch's ATen named `function` without overloads for reversed operands.
PyObject* negative(PyObject* self) {
  return unary("__neg__", self, [](const Tensor& tensor) { return neg(tensor); });
}
PyObject* positive(PyObject* self) { return Py_NewRef(self); }
PyObject* absolute(PyObject* self) {
  return unary("__abs__", self, [](const Tensor& tensor) { return structured::abs(tensor); });
}
PyObject* invert(PyObject* self) {
  return unary("__invert__", self, [](const Tensor& tensor) { return bitwise_not(tensor); });
}

Scalar only_element(PyObject* self, const char* what) {
  const Tensor& tensor = tensor_of(self);
  if (tensor.numel() != 1) {
    raise(PyExc_ValueError, "%s: expected a tensor with one element, got one with %lld", what,
          static_cast<long long>(tensor.numel()));
  }
  return tensor.item();
}

int is_true(PyObject* self) {
  return guarded([&] {
    const Tensor& tensor = tensor_of(self);
    if (tensor.numel() != 1) {
      raise(PyExc_RuntimeError, "the truth value of a tensor with %lld elements is ambiguous; use any() or all()",
            static_cast<long long>(tensor.numel()));
    }
    return static_cast<int>(!(tensor.item() == Scalar(0)));
  });
}

PyObject* to_int(PyObject* self) {
  return guarded([&]() -> PyObject* {
    const Scalar value = only_element(self, "int");
    if (value.is_floating()) return PyLong_FromDouble(value.to<double>());
    return PyLong_FromLongLong(value.to<int64_t>());
  });
}
PyObject* to_float(PyObject* self) {
  return guarded([&] { return to_python(only_element(self, "float").to<double>()); });
}
PyObject* to_index(PyObject* self) {
  return guarded([&] {
    const Tensor& tensor = tensor_of(self);
    if (tensor.numel() != 1 || !is_integral(tensor.dtype(), true)) {
      raise(PyExc_TypeError, "only tensors with one integer element can be used as an index");
    }
    return to_python(tensor.item<int64_t>());
  });
}

// Python reverses the operands of a comparison itself.
template <class Tensors, class Number>
PyObject* compare(const char* name, PyObject* a, PyObject* b, Tensors tensors, Number number) {
  return binary({name, name}, a, b, tensors, number, [](const Scalar&, const Tensor& other) { return other; });
}

}  // namespace

std::vector<PyType_Slot> tensor_number_slots() {
  return {
      slot(Py_nb_add, add_slot),
      slot(Py_nb_subtract, subtract_slot),
      slot(Py_nb_multiply, multiply_slot),
      slot(Py_nb_true_divide, divide_slot),
      slot(Py_nb_floor_divide, floor_divide_slot),
      slot(Py_nb_remainder, remainder_slot),
      slot(Py_nb_power, power_slot),
      slot(Py_nb_and, and_slot),
      slot(Py_nb_or, or_slot),
      slot(Py_nb_xor, xor_slot),
      slot(Py_nb_lshift, left_shift_slot),
      slot(Py_nb_rshift, right_shift_slot),
      slot(Py_nb_matrix_multiply, matrix_multiply),
      slot(Py_nb_inplace_add, add_in_place),
      slot(Py_nb_inplace_subtract, subtract_in_place),
      slot(Py_nb_inplace_multiply, multiply_in_place),
      slot(Py_nb_inplace_true_divide, divide_in_place),
      slot(Py_nb_inplace_floor_divide, floor_divide_in_place),
      slot(Py_nb_inplace_remainder, remainder_in_place),
      slot(Py_nb_inplace_power, power_in_place),
      slot(Py_nb_inplace_and, and_in_place),
      slot(Py_nb_inplace_or, or_in_place),
      slot(Py_nb_inplace_xor, xor_in_place),
      slot(Py_nb_inplace_lshift, left_shift_in_place),
      slot(Py_nb_inplace_rshift, right_shift_in_place),
      slot(Py_nb_negative, negative),
      slot(Py_nb_positive, positive),
      slot(Py_nb_absolute, absolute),
      slot(Py_nb_invert, invert),
      slot(Py_nb_bool, is_true),
      slot(Py_nb_int, to_int),
      slot(Py_nb_float, to_float),
      slot(Py_nb_index, to_index),
  };
}

PyObject* tensor_compare(PyObject* a, PyObject* b, int operation) {
#define STRUCTURED_COMPARISON(code, function)                                                                     \
  case code:                                                                                                      \
    return compare(                                                                                               \
        "__" #function "__", a, b, [](const Tensor& self, const Tensor& other) { return function(self, other); }, \
        [](const Tensor& self, const Scalar& other) { return function(self, other); });
  switch (operation) {
    STRUCTURED_COMPARISON(Py_EQ, eq)
    STRUCTURED_COMPARISON(Py_NE, ne)
    STRUCTURED_COMPARISON(Py_LT, lt)
    STRUCTURED_COMPARISON(Py_LE, le)
    STRUCTURED_COMPARISON(Py_GT, gt)
    STRUCTURED_COMPARISON(Py_GE, ge)
    default:
      Py_RETURN_NOTIMPLEMENTED;
  }
#undef STRUCTURED_COMPARISON
}

}  // namespace structured::python
