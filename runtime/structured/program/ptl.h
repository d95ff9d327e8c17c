#pragma once
// The `.ptl` format of PyTorch's lite interpreter, as a zip archive of pickles.
#include <memory>
#include <string>

#include "structured/format/files.h"
#include "structured/format/zip.h"
#include "structured/program/bytecode.h"
#include "structured/program/operator_lookup.h"

namespace structured::program {

/// Name of the folder of all members with a slash at its end if `archive` is in this format, else empty.
std::string ptl_root(const detail::ZipArchive& archive);

/// Reads a program. Throws Error, with the file and the pickle, for damaged files, for features that are not supported,
/// and with a list of all missing operators. Jumps and the indices of all instructions are valid afterwards.
BytecodeProgram read_ptl(const detail::ZipArchive& archive, const std::shared_ptr<detail::FileBytes>& file,
                         const OperatorLookups& libraries);

}  // namespace structured::program
