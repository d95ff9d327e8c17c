#pragma once
// Reading of files that torch.save has written: tensors, numbers, strings, lists, tuples and dictionaries.
#include <memory>
#include <string>

#include "structured/format/files.h"
#include "structured/program/dynamic_value.h"
#include "structured/program/export.h"

namespace structured::program {

/// Gets tensors that were saved as requiring gradients.
using RequireGradient = void (*)(const Tensor& tensor);

/// Reads a value that torch.save has written. Tensors share a private mapping of the file, which must not shrink
/// meanwhile. Throws Error, with the file, for damaged files, and for values other than numbers, texts, tensors, lists,
/// tuples and dictionaries. Thread-safe.
STRUCTURED_PROGRAM_API DynamicValue load_saved_value(const std::string& path);

/// Reads a value as load_saved_value() does; tensors share `file`, which errors call `name`.
STRUCTURED_PROGRAM_API DynamicValue read_saved_value(const std::shared_ptr<detail::FileBytes>& file,
                                                     const std::string& name,
                                                     RequireGradient require_gradient = nullptr);

}  // namespace structured::program
