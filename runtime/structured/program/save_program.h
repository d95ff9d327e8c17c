#pragma once
// Programs that the tracer has recorded, as files for PyTorch and for SavedProgram.
#include <string>

#include "structured/core/tensor.h"
#include "structured/dispatch/tracer.h"
#include "structured/format/npy.h"
#include "structured/program/export.h"

namespace structured {

/// Writes a recorded program as a `.pt2` file, which `torch.export.load` and SavedProgram::load read. `inputs` are the
/// tensors that a caller of the program passes, with their names; `outputs` are its results. Other tensors that the
/// program reads become buffers, whose values are stored.
///
/// Tensors of the program may be on Meta, except buffers; the file describes them as tensors on the CPU of fixed sizes.
/// Names consist of letters, digits and `_`. Throws Error for outputs that the program did not compute, for values that
/// the format cannot express, and if the file cannot be written. An existing file is replaced as a whole.
STRUCTURED_PROGRAM_API void save_program(const std::string& path, const Program& recorded, const NamedTensors& inputs,
                                         TensorList outputs);

}  // namespace structured
