#pragma once
// Tensors over bytes of a file. Only sources of this folder include this.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/device/device.h"
#include "structured/format/files.h"
#include "structured/memory/storage.h"
#include "structured/number/scalar_type.h"

namespace structured::program {

/// Storage over `bytes`, a part of `file`, which it keeps. Bytes that are not aligned for every dtype are copied.
Storage stored_bytes(const std::shared_ptr<detail::FileBytes>& file, std::string_view bytes);

/// Tensor on `storage`. Throws Error, which begins with `where`, for invalid sizes and strides, for elements outside
/// the storage, and for elements of dtype Bool other than 0 and 1.
Tensor stored_tensor(const Storage& storage, ScalarType dtype, IntArrayRef sizes, IntArrayRef strides, int64_t offset,
                     const std::string& where);

/// Device with this name. Throws Error, which begins with `where`, for other texts.
Device stored_device(std::string_view name, const std::string& where);

}  // namespace structured::program
