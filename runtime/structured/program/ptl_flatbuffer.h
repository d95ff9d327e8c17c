#pragma once
// The `.ptl` format of PyTorch's lite interpreter, as a flatbuffer.
#include <memory>
#include <string>

#include "structured/format/files.h"
#include "structured/program/bytecode.h"
#include "structured/program/operator_lookup.h"

namespace structured::program {

/// Reads a program, as read_ptl (ptl.h) does.
BytecodeProgram read_ptl_flatbuffer(const std::shared_ptr<detail::FileBytes>& file, const std::string& name,
                                    const OperatorLookups& libraries);

}  // namespace structured::program
