// Properties of Tensor, and methods that are no operators.
#include <structured/ops/permute.h>
#include <structured/ops/transpose.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "structured/core/wrap_dim.h"
#include "structured/python/convert.h"
#include "tensor_type.h"

namespace structured::python {
namespace {

// Turns a function of a tensor into a property's getter.
template <auto get>
PyObject* getter(PyObject* self, void*) {
  return guarded([&] { return get(tensor_of(self)); });
}
// Turns a function of a tensor into a method without arguments.
template <auto get>
PyObject* method(PyObject* self, PyObject*) {
  return guarded([&] { return get(tensor_of(self)); });
}

PyObject* shape(const Tensor& tensor) { return new_size(tensor.sizes()); }
PyObject* get_dtype(const Tensor& tensor) { return to_python(tensor.dtype()); }
PyObject* get_device(const Tensor& tensor) { return to_python(tensor.device()); }
PyObject* get_layout(const Tensor& tensor) { return to_python(tensor.layout()); }
PyObject* rank(const Tensor& tensor) { return to_python(tensor.dim()); }
PyObject* numel(const Tensor& tensor) { return to_python(tensor.numel()); }
PyObject* item_size_of(const Tensor& tensor) { return PyLong_FromSize_t(tensor.element_size()); }
PyObject* nbytes(const Tensor& tensor) { return PyLong_FromSize_t(tensor.nbytes()); }
PyObject* is_cuda(const Tensor& tensor) { return to_python(tensor.is_cuda()); }
PyObject* is_cpu(const Tensor& tensor) { return to_python(tensor.is_cpu()); }
PyObject* is_meta(const Tensor& tensor) { return to_python(tensor.is_meta()); }
PyObject* is_quantized_tensor(const Tensor& tensor) { return to_python(tensor.is_quantized()); }
PyObject* version(const Tensor& tensor) { return PyLong_FromUnsignedLong(tensor.version()); }
PyObject* is_inference(const Tensor& tensor) { return to_python(tensor.is_inference()); }
PyObject* output_number(const Tensor& tensor) {
  return PyLong_FromLong(tensor.is_leaf() ? 0 : tensor.impl()->output_index());
}
PyObject* base(const Tensor& tensor) { return tensor.is_view() ? to_python(tensor.base()) : Py_NewRef(Py_None); }
PyObject* transposed(const Tensor& tensor) {
  std::vector<int64_t> dims;
  for (int64_t i = tensor.dim(); i > 0; --i) dims.push_back(i - 1);
  return to_python(permute(tensor, dims));
}
PyObject* matrix_transposed(const Tensor& tensor) {
  if (tensor.dim() < 2) {
    raise(PyExc_RuntimeError, "mT: expected at least 2 dimensions, got %lld", static_cast<long long>(tensor.dim()));
  }
  return to_python(transpose(tensor, -2, -1));
}
PyObject* is_leaf(const Tensor& tensor) { return to_python(tensor.is_leaf()); }
PyObject* get_requires_grad(const Tensor& tensor) { return to_python(tensor.requires_grad()); }
PyObject* get_grad(const Tensor& tensor) {
  const bool has_none = tensor.requires_grad() && !tensor.is_leaf() && !tensor.retains_grad();
  if (has_none && PyErr_WarnEx(PyExc_UserWarning,
                               "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
                               "attribute won't be populated during autograd.backward(). If you indeed want the .grad "
                               "field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf "
                               "Tensor.",
                               1) < 0) {
    throw PythonError();
  }
  return to_python(tensor.grad());
}
PyObject* get_data(const Tensor& tensor) { return to_python(tensor.detach()); }
PyObject* dim_names(const Tensor& tensor) {
  Object names = Object::checked(PyTuple_New(static_cast<Py_ssize_t>(tensor.dim())));
  for (std::size_t i = 0; i < tensor.sizes().size(); ++i) {
    const bool is_named = tensor.has_names() && !tensor.names()[i].is_wildcard();
    PyObject* const name = is_named ? to_python(std::string_view(tensor.names()[i].name())) : Py_NewRef(Py_None);
    set_tuple_item(names.get(), static_cast<Py_ssize_t>(i), Object::checked(name).release());
  }
  return names.release();
}

int set_requires_grad(PyObject* self, PyObject* value, void*) {
  return guarded([&] {
    if (value == nullptr || !PyBool_Check(value)) raise(PyExc_TypeError, "requires_grad must be a bool");
    tensor_of(self).requires_grad_(value == Py_True);
    return 0;
  });
}
int set_grad(PyObject* self, PyObject* value, void*) {
  return guarded([&] {
    if (value == nullptr || value == Py_None) {
      tensor_of(self).set_grad(Tensor());
    } else if (is_tensor(value)) {
      tensor_of(self).set_grad(tensor_of(value));
    } else {
      raise(PyExc_TypeError, "grad must be a Tensor or None, not %s", type_name(value).c_str());
    }
    return 0;
  });
}

// The object gets another tensor; its other references keep the old one.
int set_data(PyObject* self, PyObject* value, void*) {
  return guarded([&] {
    if (value == nullptr || !is_tensor(value)) {
      raise(PyExc_TypeError, "data must be a Tensor, not %s", value == nullptr ? "deleted" : type_name(value).c_str());
    }
    Tensor& tensor = tensor_of(self);
    Tensor data = tensor_of(value).detach();
    if (tensor.requires_grad()) {
      if (!tensor.is_leaf()) raise(PyExc_RuntimeError, "data can be set only for leaves; use detach()");
      data.requires_grad_();
      const Tensor gradient = tensor.grad();
      if (gradient.defined() && gradient.sizes() == data.sizes() && gradient.dtype() == data.dtype()) {
        data.set_grad(gradient);
      }
    }
    tensor = std::move(data);
    return 0;
  });
}

PyObject* detach_in_place(PyObject* self, PyObject*) {
  return guarded([&] {
    Tensor& tensor = tensor_of(self);
    if (tensor.is_view()) raise(PyExc_RuntimeError, "detach_: the tensor is a view; use detach()");
    tensor = tensor.detach();
    return Py_NewRef(self);
  });
}

PyObject* item(const Tensor& tensor) { return to_python(tensor.item()); }
PyObject* data_pointer(const Tensor& tensor) { return PyLong_FromVoidPtr(tensor.data()); }
PyObject* storage_offset(const Tensor& tensor) { return to_python(tensor.storage_offset()); }
PyObject* storage_pointer(const Tensor& tensor) { return PyLong_FromVoidPtr(tensor.storage().data()); }
PyObject* storage_bytes(const Tensor& tensor) { return PyLong_FromSize_t(tensor.storage().nbytes()); }
PyObject* has_floating_point(const Tensor& tensor) { return to_python(tensor.is_floating_point()); }
PyObject* has_complex(const Tensor& tensor) { return to_python(tensor.is_complex()); }
PyObject* has_signed(const Tensor& tensor) { return to_python(is_signed(tensor.dtype())); }

PyObject* to_list(const char* at, const Tensor& tensor, std::size_t dim) {
  if (dim == tensor.sizes().size()) return to_python(load_scalar(at, tensor.dtype()));
  const int64_t size = tensor.sizes()[dim];
  Object list = Object::checked(PyList_New(static_cast<Py_ssize_t>(size)));
  const int64_t step = tensor.strides()[dim] * static_cast<int64_t>(tensor.element_size());
  for (int64_t i = 0; i < size; ++i) {
    set_list_item(list.get(), static_cast<Py_ssize_t>(i),
                  Object::checked(to_list(at + i * step, tensor, dim + 1)).release());
  }
  return list.release();
}
PyObject* to_list(const Tensor& tensor) {
  if (!tensor.is_cpu()) {
    raise(PyExc_RuntimeError, "tolist: expected a tensor on cpu, got one on %s", to_string(tensor.device().type()));
  }
  return to_list(static_cast<const char*>(tensor.data()), tensor, 0);
}

// `size()` and `stride()` return all, `size(dim)` and `stride(dim)` one.
template <auto get, auto make_tuple>
PyObject* sizes_or_one(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  return guarded([&]() -> PyObject* {
    const Tensor& tensor = tensor_of(self);
    const IntArrayRef values = get(tensor);
    if (keywords != nullptr && tuple_size(keywords) == 1) {
      if (text_from(tuple_item(keywords, 0)) != "dim") raise(PyExc_TypeError, "the only argument is `dim`");
      ++count;
    }
    if (count > 1) raise(PyExc_TypeError, "expected at most one argument, got %zd", count);
    if (count == 0 || arguments[0] == Py_None) return make_tuple(values);
    if (tensor.dim() == 0) raise(PyExc_IndexError, "the tensor has no dimensions");
    return to_python(values[static_cast<std::size_t>(wrap_dim(integer_from(arguments[0]), tensor.dim()))]);
  });
}
IntArrayRef sizes_of(const Tensor& tensor) { return tensor.sizes(); }
IntArrayRef strides_of(const Tensor& tensor) { return tensor.strides(); }
PyObject* plain_tuple(IntArrayRef values) { return to_python(values.to<std::vector<int64_t>>()); }

PyObject* is_contiguous(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"memory_format", nullptr};
  PyObject* format = nullptr;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "|O!", const_cast<char**>(names), memory_format_type, &format) ==
      0) {
    return nullptr;
  }
  return guarded([&] {
    return to_python(
        tensor_of(self).is_contiguous(format == nullptr ? MemoryFormat::Contiguous : memory_format_from(format)));
  });
}

PyObject* is_set_to(PyObject* self, PyObject* other) {
  return PyBool_FromLong(is_tensor(other) && tensor_of(self).is_same(tensor_of(other)));
}

template <class Function>
constexpr PyCFunction c_function(Function function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

}  // namespace

PyObject* tensor_to_list(PyObject* self, PyObject*) {
  return guarded([&] { return to_list(tensor_of(self)); });
}

PyGetSetDef tensor_properties[] = {
    {"shape", getter<shape>, nullptr, "Sizes of the dimensions.", nullptr},
    {"dtype", getter<get_dtype>, nullptr, "Type of the elements.", nullptr},
    {"device", getter<get_device>, nullptr, "The device that has the data.", nullptr},
    {"layout", getter<get_layout>, nullptr, "Layout of the memory.", nullptr},
    {"ndim", getter<rank>, nullptr, "Number of dimensions.", nullptr},
    {"itemsize", getter<item_size_of>, nullptr, "Bytes of an element.", nullptr},
    {"nbytes", getter<nbytes>, nullptr, "Bytes of all elements.", nullptr},
    {"is_cuda", getter<is_cuda>, nullptr, "Whether the data are on a CUDA device.", nullptr},
    {"is_cpu", getter<is_cpu>, nullptr, "Whether the data are on the host.", nullptr},
    {"is_meta", getter<is_meta>, nullptr, "Whether the tensor has a shape and no data.", nullptr},
    {"is_quantized", getter<is_quantized_tensor>, nullptr, "Whether the dtype is quantized.", nullptr},
    {"names", getter<dim_names>, nullptr, "Names of the dimensions; None for those without one.", nullptr},
    {"_version", getter<version>, nullptr, "How many times operators have written to the data.", nullptr},
    {"_base", getter<base>, nullptr, "The tensor that this is a view of, or None.", nullptr},
    {"output_nr", getter<output_number>, nullptr, "Position among the results of the recorded call.", nullptr},
    {"T", getter<transposed>, nullptr, "The tensor with its dimensions reversed.", nullptr},
    {"mT", getter<matrix_transposed>, nullptr, "The tensor with its last two dimensions exchanged.", nullptr},
    {"data", getter<get_data>, set_data, "A tensor on this data without history.", nullptr},
    {"is_leaf", getter<is_leaf>, nullptr, "Whether no recorded operator computed the tensor.", nullptr},
    {"requires_grad", getter<get_requires_grad>, set_requires_grad, "Whether operators record their use of the tensor.",
     nullptr},
    {"grad", getter<get_grad>, set_grad, "The gradient that backward() has accumulated, or None.", nullptr},
    {}};

PyMethodDef tensor_methods[] = {
    {"detach", method<get_data>, METH_NOARGS, "A tensor on this data without history."},
    {"detach_", detach_in_place, METH_NOARGS, "Removes the history of the tensor, and returns it."},
    {"item", method<item>, METH_NOARGS, "The only element, as a number."},
    {"tolist", tensor_to_list, METH_NOARGS, "The elements as nested lists; a number without dimensions."},
    {"size", c_function(sizes_or_one<sizes_of, new_size>), METH_FASTCALL | METH_KEYWORDS,
     "size(dim=None): all sizes, or one."},
    {"stride", c_function(sizes_or_one<strides_of, plain_tuple>), METH_FASTCALL | METH_KEYWORDS,
     "stride(dim=None): all strides, or one."},
    {"dim", method<rank>, METH_NOARGS, "Number of dimensions."},
    {"ndimension", method<rank>, METH_NOARGS, "Number of dimensions."},
    {"numel", method<numel>, METH_NOARGS, "Number of elements."},
    {"nelement", method<numel>, METH_NOARGS, "Number of elements."},
    {"element_size", method<item_size_of>, METH_NOARGS, "Bytes of an element."},
    {"data_ptr", method<data_pointer>, METH_NOARGS, "Address of the first element."},
    {"storage_offset", method<storage_offset>, METH_NOARGS, "Elements of the storage before the first."},
    {"_storage_pointer", method<storage_pointer>, METH_NOARGS, "Address of the storage."},
    {"_storage_bytes", method<storage_bytes>, METH_NOARGS, "Bytes of the storage."},
    {"is_floating_point", method<has_floating_point>, METH_NOARGS,
     "Whether the elements are real floating-point numbers."},
    {"is_complex", method<has_complex>, METH_NOARGS, "Whether the elements are complex numbers."},
    {"is_inference", method<is_inference>, METH_NOARGS, "Whether the data were created in inference_mode."},
    {"is_signed", method<has_signed>, METH_NOARGS, "Whether the elements can be negative."},
    {"is_contiguous", c_function(is_contiguous), METH_VARARGS | METH_KEYWORDS,
     "is_contiguous(memory_format=contiguous_format): whether the strides are those of the format."},
    {"is_set_to", is_set_to, METH_O, "Whether two objects are the same tensor."},
    {}};

}  // namespace structured::python
