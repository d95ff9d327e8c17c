#pragma once
// Writing of files that torch.load reads: tensors, numbers, strings, lists, tuples and dictionaries.
#include <string>

#include "structured/program/dynamic_value.h"
#include "structured/program/export.h"

namespace structured::program {

/// Writes a value in the format of torch.save, which torch.load reads with `weights_only`. Tensors that share a storage
/// share it in the file, too; a list, tuple or dictionary that occurs several times is stored once. The file replaces
/// another one when it is complete. Throws Error for objects, for tensors that are not on the CPU or whose dtype
/// PyTorch's storages lack, for tensors of different dtypes on one storage, for values that contain themselves, and if
/// the file cannot be written.
STRUCTURED_PROGRAM_API void save_value(const std::string& path, const DynamicValue& value);

}  // namespace structured::program
