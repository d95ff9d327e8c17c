// The buffer protocol, in both directions: memory shared with NumPy and other libraries without copying.
#include <structured/ops/clone.h>

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "errors.h"
#include "gil.h"
#include "structured/core/exported_memory.h"
#include "structured/core/factory.h"
#include "structured/memory/storage.h"
#include "structured/python/object.h"
#include "tensor_type.h"
#include "types.h"

namespace structured::python {
namespace {

// Owned by an exported buffer.
struct Export {
  explicit Export(const Tensor& tensor) : memory(tensor) {}

  ExportedMemory memory;
  std::vector<Py_ssize_t> sizes;
  std::vector<Py_ssize_t> strides;
};

int get_buffer(PyObject* object, Py_buffer* buffer, int flags) {
  buffer->obj = nullptr;
  return guarded([&] {
    const Tensor& tensor = tensor_of(object);
    if (!tensor.is_cpu())
      raise(PyExc_BufferError, "the memory of a tensor on %s is not exported", to_string(tensor.device().type()));
    if (tensor.requires_grad()) raise(PyExc_BufferError, "the tensor requires gradients; use detach()");
    const char* const format = dtype_row(tensor.dtype())->buffer;
    if (format == nullptr)
      raise(PyExc_BufferError, "buffers have no format for elements of type %s", to_string(tensor.dtype()));
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !tensor.is_contiguous()) {
      raise(PyExc_BufferError, "the tensor is not contiguous");
    }
    const auto item = static_cast<Py_ssize_t>(tensor.element_size());
    auto state = std::make_unique<Export>(tensor);
    for (const int64_t size : tensor.sizes()) state->sizes.push_back(size);
    for (const int64_t stride : tensor.strides()) state->strides.push_back(stride * item);
    static char no_data = 0;
    buffer->buf = tensor.data() == nullptr ? &no_data : tensor.data();
    buffer->len = static_cast<Py_ssize_t>(tensor.nbytes());
    buffer->itemsize = item;
    buffer->readonly = 0;
    buffer->ndim = static_cast<int>(tensor.dim());
    buffer->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
    buffer->shape = (flags & PyBUF_ND) != 0 ? state->sizes.data() : nullptr;
    buffer->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? state->strides.data() : nullptr;
    buffer->suboffsets = nullptr;
    buffer->internal = state.release();
    buffer->obj = Py_NewRef(object);
    return 0;
  });
}

void release_buffer(PyObject*, Py_buffer* buffer) { delete static_cast<Export*>(buffer->internal); }

// Undefined for a format that no dtype has.
ScalarType dtype_of_format(const char* format, Py_ssize_t item) {
  std::string_view text = format == nullptr ? "B" : format;
  if (text.starts_with('@') || text.starts_with('=') ||
      text.starts_with(std::endian::native == std::endian::little ? '<' : '>')) {
    text.remove_prefix(1);
  }
  // `l` and `q` are one type on some machines, and `n` is one of them: integers are told apart by their size.
  const bool is_integer = text == "b" || text == "h" || text == "i" || text == "l" || text == "q" || text == "n";
  return scalar_type_of_row(schema::find_dtype([&](const schema::Dtype& row) {
    const bool has_format =
        is_integer ? row.is_integral() && row.is_signed : row.buffer != nullptr && text == row.buffer;
    return has_format && item == static_cast<Py_ssize_t>(row.size());
  }));
}

// A buffer of another object. Released with the interpreter lock held.
class Import {
 public:
  Import() = default;
  Import(const Import&) = delete;
  Import& operator=(const Import&) = delete;
  ~Import() {
    if (!is_held || Py_IsInitialized() == 0) return;
    const PyGILState_STATE state = ensure_gil();
    {
      const KeptException kept;
      PyBuffer_Release(&buffer);
    }
    PyGILState_Release(state);
  }

  Py_buffer buffer;
  bool is_held = false;
};

}  // namespace

std::vector<PyType_Slot> tensor_buffer_slots() {
  return {slot(Py_bf_getbuffer, get_buffer), slot(Py_bf_releasebuffer, release_buffer)};
}

Tensor tensor_from_buffer(PyObject* object, bool copies) {
  auto import = std::make_unique<Import>();
  if (PyObject_GetBuffer(object, &import->buffer, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
    throw PythonError();
  }
  import->is_held = true;
  const Py_buffer& buffer = import->buffer;
  const ScalarType dtype = dtype_of_format(buffer.format, buffer.itemsize);
  if (dtype == ScalarType::Undefined) {
    raise(PyExc_TypeError, "no dtype corresponds to the buffer format `%s` with %zd bytes an element", buffer.format,
          buffer.itemsize);
  }
  if (buffer.readonly != 0 && !copies) {
    raise(PyExc_ValueError, "the buffer is read-only; copy it with structured.tensor()");
  }
  std::vector<int64_t> sizes(buffer.shape, buffer.shape + buffer.ndim);
  std::vector<int64_t> strides;
  int64_t extent = 1;
  bool is_empty = false;
  bool is_regular = reinterpret_cast<std::uintptr_t>(buffer.buf) % static_cast<std::uintptr_t>(buffer.itemsize) == 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Py_ssize_t stride = buffer.strides[i];
    is_regular = is_regular && stride >= 0 && stride % buffer.itemsize == 0;
    strides.push_back(stride / buffer.itemsize);
    is_empty = is_empty || sizes[i] == 0;
    extent += (sizes[i] - 1) * strides.back();
  }
  if (is_empty) return empty(sizes, dtype);
  if (!is_regular) {
    if (!copies) raise(PyExc_ValueError, "strides are negative or not multiples of the element size; copy the buffer");
    Tensor result = empty(sizes, dtype);
    if (PyBuffer_ToContiguous(result.data(), &import->buffer, buffer.len, 'C') < 0) throw PythonError();
    return result;
  }
  const auto release = [](void* context) { delete static_cast<Import*>(context); };
  const Tensor memory = from_blob(buffer.buf, {extent}, dtype, release, import.get());
  static_cast<void>(import.release());
  // Not a view of `memory`: views have a base, and this is a tensor of its own.
  const Tensor view = Tensor::adopt(TensorImpl::create(memory.storage(), memory.device(), dtype));
  view.impl()->set_sizes_and_strides(sizes, strides);
  return copies ? clone(view, MemoryFormat::Contiguous) : view;
}

}  // namespace structured::python
