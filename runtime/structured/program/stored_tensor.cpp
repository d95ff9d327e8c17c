#include "structured/program/stored_tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "structured/base/error.h"
#include "structured/core/factory.h"

namespace structured::program {

Storage stored_bytes(const std::shared_ptr<detail::FileBytes>& file, std::string_view bytes) {
  constexpr std::size_t kAlignment = 16;       // alignment of ComplexDouble
  if (bytes.empty()) return Storage(0, kCPU);  // such a part need not lie in the file
  char* const data = file->data() + (bytes.data() - file->data());
  if (reinterpret_cast<std::uintptr_t>(data) % kAlignment != 0) {
    Storage copy(bytes.size(), kCPU);
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    return copy;
  }
  auto* const owner = new std::shared_ptr<detail::FileBytes>(file);
  return Storage(
      data, bytes.size(), kCPU, [](void* context) { delete static_cast<std::shared_ptr<detail::FileBytes>*>(context); },
      owner);
}

Tensor stored_tensor(const Storage& storage, ScalarType dtype, IntArrayRef sizes, IntArrayRef strides, int64_t offset,
                     const std::string& where) {
  Tensor result;
  try {
    STRUCTURED_CHECK(offset >= 0, "expected a storage offset of 0 or more, found ", offset);
    const std::size_t needed = detail::storage_nbytes(sizes, strides, item_size(dtype), offset);
    STRUCTURED_CHECK(needed <= storage.nbytes(), "expected at least ", needed, " bytes for sizes ", sizes, ", strides ",
                     strides, ", storage offset ", offset, " and dtype ", dtype, ", found ", storage.nbytes());
    result = Tensor::adopt(TensorImpl::create(storage, kCPU, dtype));
    result.impl()->set_sizes_and_strides(sizes, strides);
    result.impl()->set_storage_offset(offset);
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
  if (dtype == kBool && result.numel() != 0) {
    const auto* const first = static_cast<const char*>(storage.data()) + offset;
    const char* const last = static_cast<const char*>(storage.data()) + storage.nbytes();
    STRUCTURED_CHECK(std::all_of(first, last, [](char byte) { return byte == 0 || byte == 1; }), where,
                     ": expected bytes of 0 or 1 for dtype Bool, found others");
  }
  return result;
}

Device stored_device(std::string_view name, const std::string& where) {
  try {
    return Device(std::string(name).c_str());
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
}

}  // namespace structured::program
