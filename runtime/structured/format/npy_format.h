#pragma once
// The `.npy` format on streams. Only sources of core include this.
#include <cstddef>
#include <functional>
#include <istream>
#include <string>

#include "structured/core/tensor.h"

namespace structured::detail {

/// Returns the bytes of an `.npy` file that precede the elements of `tensor`. Throws Error for dtypes without a
/// counterpart in NumPy.
std::string npy_header(const Tensor& tensor);

/// Reads an array that takes the next `nbytes` bytes of `in`.
Tensor read_npy_array(std::istream& in, std::size_t nbytes, const std::string& name);

/// Returns the row-major elements of `tensor` as a contiguous tensor. Throws Error unless it is on the CPU.
Tensor contiguous_on_host(const Tensor& tensor);

/// Calls `read` on the opened file.
void read_file(const std::string& path, const std::function<void(std::istream&)>& read);

/// Returns how many bytes the stream has; leaves it at the start.
std::size_t stream_size(std::istream& in);

}  // namespace structured::detail
