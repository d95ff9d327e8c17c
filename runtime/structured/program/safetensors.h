#pragma once
// Files of the safetensors format, which holds named tensors.
#include <memory>
#include <string>

#include "structured/format/files.h"
#include "structured/format/npy.h"
#include "structured/program/export.h"

namespace structured {

/// Reads a `.safetensors` file. The tensors are on the CPU and share a private mapping of the file, which must not
/// shrink meanwhile; their order is the order of the names. Throws Error, with the file and the expectation, for
/// damaged files and for dtypes that tensors do not have. Thread-safe.
STRUCTURED_PROGRAM_API NamedTensors load_safetensors(const std::string& path);

namespace program {

/// Reads tensors from `file`, which they keep; `name` names the file in errors.
STRUCTURED_PROGRAM_API NamedTensors read_safetensors(const std::shared_ptr<detail::FileBytes>& file,
                                                     const std::string& name);

}  // namespace program
}  // namespace structured
