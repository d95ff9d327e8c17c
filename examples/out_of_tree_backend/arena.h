#pragma once
// The memory of two pretended devices. It is there twice: at addresses that tensors carry and that nobody can read or
// write (the host, by accident, would crash), and at addresses that only this backend knows.
#include <structured/core/allocator.h>
#include <structured/core/tensor.h>

#include <cstddef>

namespace npu {

inline constexpr int device_count = 2;

/// Where the device sees what tensors have at `address`; addresses outside of the arena stay what they are.
char* device_address(const void* address);

/// A tensor over the same elements that code for the CPU can read and write. It lives no longer than `tensor`.
structured::Tensor as_seen_by_device(const structured::Tensor& tensor);

/// Bytes in use on one device.
std::size_t used_bytes(int device);

structured::Allocator& arena();

}  // namespace npu
