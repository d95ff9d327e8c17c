#pragma once
// Tensors in files of NumPy's formats: one tensor in `.npy`, several named ones in `.npz`.
//
// All functions of this header may be called from several threads at a time. Files are written under a temporary name
// in the same folder and then renamed: a reader sees a complete file or none.
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "structured/base/export.h"
#include "structured/core/tensor.h"

namespace structured {

/// Tensors with their names, in the order of the file.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// Writes `tensor`, of any strides, to an `.npy` file that numpy.load reads. Dtypes are Bool, Byte, Char, Short, Int,
/// Long, Half, Float, Double, ComplexFloat and ComplexDouble. Throws Error for other dtypes, for tensors that are not
/// on the CPU, and if the file cannot be written.
STRUCTURED_API void save(const std::string& path, const Tensor& tensor);

/// Reads an `.npy` file as numpy.save writes it, of any byte order, into a new tensor on the CPU. An array in Fortran
/// order becomes a tensor with column-major strides. Throws Error, with the file and the expectation, if the file
/// cannot be read, is damaged or truncated, or has a dtype that tensors do not have.
STRUCTURED_API Tensor load(const std::string& path);

/// Writes tensors to an uncompressed `.npz` file that numpy.load reads. Throws Error as `save` does, for an empty name,
/// for names that occur twice, and for files of 4 GiB or more.
STRUCTURED_API void save_npz(const std::string& path, const NamedTensors& tensors);

/// Reads an `.npz` file as numpy.savez writes it. Throws Error as `load` does, and for compressed members, which are
/// named: numpy.savez_compressed writes them.
STRUCTURED_API NamedTensors load_npz(const std::string& path);

namespace detail {

/// `load` and `load_npz` from a stream that can seek; `name` is the file name in errors. For tests.
STRUCTURED_API Tensor read_npy(std::istream& in, const std::string& name);
STRUCTURED_API NamedTensors read_npz(std::istream& in, const std::string& name);

}  // namespace detail
}  // namespace structured
