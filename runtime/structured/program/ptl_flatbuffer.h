#pragma once
// The `.ptl` format of PyTorch's lite interpreter, as a flatbuffer.
#include <memory>
#include <string>
#include <string_view>

#include "structured/program/bytecode.h"
#include "structured/program/file_bytes.h"
#include "structured/program/operator_lookup.h"

namespace structured::program {

/// Whether the bytes begin like a file in this format.
bool is_ptl_flatbuffer(std::string_view bytes);

/// Reads a program, as read_ptl (ptl.h) does.
BytecodeProgram read_ptl_flatbuffer(const std::shared_ptr<FileBytes>& file, const std::string& name,
                                    const OperatorLookups& libraries);

}  // namespace structured::program
