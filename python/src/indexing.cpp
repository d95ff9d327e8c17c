// `tensor[index]` and `tensor[index] = value`. An index is an integer, a slice, `...`, None, a Bool, a tensor, a list
// of integers, or a tuple of these.
#include <structured/ops/alias.h>
#include <structured/ops/copy.h>
#include <structured/ops/fill.h>
#include <structured/ops/index.h>
#include <structured/ops/index_put.h>
#include <structured/ops/select.h>
#include <structured/ops/slice.h>
#include <structured/ops/squeeze.h>
#include <structured/ops/to.h>
#include <structured/ops/unsqueeze.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "errors.h"
#include "override.h"
#include "structured/core/factory.h"
#include "structured/python/bindings.h"
#include "tensor_type.h"

namespace structured::python {
namespace {

bool is_bool(PyObject* object) { return PyBool_Check(object); }

bool is_position(PyObject* object) {
  if (PyLong_CheckExact(object)) return true;
  if (is_tensor(object)) {
    return tensor_of(object).dim() == 0 && is_integral(tensor_of(object).dtype(), false) &&
           tensor_of(object).dtype() != kByte;
  }
  return !is_bool(object) && !PyList_Check(object) && PyIndex_Check(object) != 0 && PyObject_Length(object) < 0;
}

// As is_position, without an exception from the length.
bool is_position_quietly(PyObject* object) {
  const bool result = is_position(object);
  PyErr_Clear();
  return result;
}

bool is_mask(const Tensor& tensor) { return tensor.dtype() == kBool || tensor.dtype() == kByte; }

// The items of a tuple, or the index itself.
class Indices {
 public:
  explicit Indices(PyObject* index) : index_(index) {}
  Py_ssize_t count() const { return PyTuple_Check(index_) ? tuple_size(index_) : 1; }
  PyObject* operator[](Py_ssize_t i) const { return PyTuple_Check(index_) ? tuple_item(index_, i) : index_; }

 private:
  PyObject* index_;
};

// Applies the indices of a tuple from the first dimension on. Positions and slices give views; tensors are collected
// for the operators index and index_put_.
class IndexedTensor {
 public:
  IndexedTensor(const Tensor& self, const Indices& indices) : view_(self) {
    const Py_ssize_t count = indices.count();
    std::vector<Tensor> converted;
    int64_t used = 0;
    bool has_ellipsis = false;
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject* const index = indices[i];
      if (index == Py_Ellipsis) {
        if (std::exchange(has_ellipsis, true)) raise(PyExc_IndexError, "an index can contain only one ellipsis");
      } else if (index == Py_None || is_bool(index)) {
        continue;
      } else if (PySlice_Check(index) || is_position_quietly(index)) {
        ++used;
      } else {
        converted.push_back(index_tensor(index));
        used += is_mask(converted.back()) ? converted.back().dim() : 1;
      }
    }
    if (used > self.dim()) {
      raise(PyExc_IndexError, "too many indices: expected at most %lld, got %lld", static_cast<long long>(self.dim()),
            static_cast<long long>(used));
    }
    const int64_t missing = self.dim() - used;
    auto tensor = converted.begin();
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject* const index = indices[i];
      if (index == Py_Ellipsis) {
        keep(missing);
      } else if (index == Py_None) {
        view_ = unsqueeze(view_, dim_);
        keep(1);
      } else if (is_bool(index)) {
        add_condition(full({1}, index == Py_True, TensorOptions(kBool)));
      } else if (PySlice_Check(index)) {
        apply_slice(index);
      } else if (is_position_quietly(index)) {
        apply_position(integer_from(index));
      } else if (is_mask(*tensor) && tensor->dim() == 0) {
        add_condition(unsqueeze(to(*tensor++, kBool), 0));
      } else {
        dim_ += is_mask(*tensor) ? tensor->dim() : 1;
        tensors_.emplace_back(std::move(*tensor++));
      }
    }
    while (!tensors_.empty() && !tensors_.back()) tensors_.pop_back();
    is_changed_ = count != 0 && !(count == 1 && has_ellipsis);
  }

  Tensor read() const {
    if (tensors_.empty()) return is_changed_ ? view_ : alias(view_);
    return structured::index(view_, tensors_);
  }

  void write(PyObject* value) {
    Tensor source;
    if (is_tensor(value)) {
      source = tensor_of(value);
    } else if (PyFloat_Check(value) || PyLong_Check(value) || PyComplex_Check(value)) {
      const Scalar number = scalar_from(value);
      if (tensors_.empty()) {
        fill_(view_, number);
        return;
      }
      source = full({}, number, view_.options());
    } else {
      source = tensor_from_data(value, std::nullopt);
    }
    while (source.dim() > 0 && source.size(0) == 1) source = squeeze(source, 0);  // as NumPy does
    if (tensors_.empty()) {
      copy_(view_, source);
    } else {
      if (!is_tensor(value) && source.dtype() != view_.dtype()) source = to(source, view_.dtype());
      index_put_(view_, tensors_, source);
    }
  }

 private:
  static Tensor index_tensor(PyObject* index) {
    if (is_tensor(index)) {
      const Tensor& tensor = tensor_of(index);
      if (!is_integral(tensor.dtype(), true)) {
        raise(PyExc_IndexError, "tensors used as indices must be integers or Bool, not %s", to_string(tensor.dtype()));
      }
      if (tensor.dtype() == kByte) {
        const int failed = PyErr_WarnEx(PyExc_UserWarning, "indices of type uint8 are masks; use bool instead", 1);
        if (failed != 0) throw PythonError();
      }
      if (tensor.dtype() == kLong || is_mask(tensor)) return tensor;
      return to(tensor, kLong);
    }
    if (PyUnicode_Check(index) || PyFloat_Check(index) || PyComplex_Check(index) ||
        (PySequence_Check(index) == 0 && PyObject_CheckBuffer(index) == 0)) {
      raise(PyExc_IndexError, "expected integers, slices, `...`, None, Bools, tensors or lists as indices, got %s",
            type_name(index).c_str());
    }
    Tensor tensor = tensor_from_data(index, std::nullopt);
    if (tensor.numel() == 0) return to(tensor, kLong);
    if (!is_integral(tensor.dtype(), true)) {
      raise(PyExc_IndexError, "lists used as indices must contain integers or Bools, not %s",
            to_string(tensor.dtype()));
    }
    return is_mask(tensor) ? tensor : to(tensor, kLong);
  }

  void apply_slice(PyObject* index) {
    Py_ssize_t start = 0;
    Py_ssize_t stop = 0;
    Py_ssize_t step = 0;
    if (PySlice_Unpack(index, &start, &stop, &step) < 0) throw PythonError();
    if (step <= 0) raise(PyExc_ValueError, "the step of a slice must be positive, got %zd", step);
    const bool is_whole = start == 0 && stop == PY_SSIZE_T_MAX && step == 1;
    if (!is_whole) view_ = slice(view_, dim_, start, stop, step);
    keep(1);
  }

  void apply_position(int64_t position) {
    const int64_t size = view_.size(dim_);
    if (position < -size || position >= size) {
      raise(PyExc_IndexError, "index %lld is out of bounds for dimension %lld with size %lld",
            static_cast<long long>(position), static_cast<long long>(dim_), static_cast<long long>(size));
    }
    view_ = select(view_, dim_, position);
  }

  // A Bool for the whole tensor: a new dimension of size 1, or 0 if `mask` [1] is false.
  void add_condition(Tensor mask) {
    view_ = unsqueeze(view_, dim_);
    tensors_.emplace_back(std::move(mask));
    ++dim_;
  }

  // Leaves dimensions of the view without a tensor.
  void keep(int64_t count) {
    dim_ += count;
    tensors_.resize(tensors_.size() + static_cast<std::size_t>(count));
  }

  Tensor view_;
  int64_t dim_ = 0;                             // the view's dimension for the next index
  std::vector<std::optional<Tensor>> tensors_;  // as the operator `index` takes them
  bool is_changed_ = false;
};

}  // namespace

PyObject* tensor_get_row(PyObject* self, Py_ssize_t index) {
  return guarded([&] {
    const Tensor& tensor = tensor_of(self);
    if (tensor.dim() == 0) raise(PyExc_IndexError, "a tensor without dimensions cannot be indexed; use item()");
    const int64_t size = tensor.size(0);
    if (index < -size || index >= size) {
      raise(PyExc_IndexError, "index %zd is out of bounds for dimension 0 with size %lld", index,
            static_cast<long long>(size));
    }
    return to_python(select(tensor, 0, index));
  });
}

PyObject* tensor_get_item(PyObject* self, PyObject* index) {
  if (may_have_override(self) && has_override(self)) [[unlikely]] {
    return guarded([&] { return call_method_override("__getitem__", {self, index}).release(); });
  }
  if (PyLong_CheckExact(index)) [[likely]] {
    const Py_ssize_t position = PyLong_AsSsize_t(index);
    if (position == -1 && PyErr_Occurred() != nullptr) return nullptr;
    return tensor_get_row(self, position);
  }
  return guarded([&] { return to_python(IndexedTensor(tensor_of(self), Indices(index)).read()); });
}

int tensor_set_item(PyObject* self, PyObject* index, PyObject* value) {
  return guarded([&] {
    if (value == nullptr) raise(PyExc_TypeError, "elements of a tensor cannot be deleted");
    if (may_have_override(self) && has_override(self)) [[unlikely]] {
      static_cast<void>(call_method_override("__setitem__", {self, index, value}));
      return 0;
    }
    IndexedTensor(tensor_of(self), Indices(index)).write(value);
    return 0;
  });
}

}  // namespace structured::python
