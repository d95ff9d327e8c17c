#pragma once
// The memory of two simulated devices. It is mapped twice: at the addresses stored in tensors, where an access crashes,
// and at addresses that only this backend uses.
#include <structured/core/tensor.h>
#include <structured/memory/allocator.h>

#include <cstddef>

namespace npu {

inline constexpr int device_count = 2;

/// Translates the `address` of a tensor to the address that the device uses; addresses outside the arena are unchanged.
char* device_address(const void* address);

/// Returns a CPU tensor that shares the elements of `tensor` and must not outlive `tensor`.
structured::Tensor as_seen_by_device(const structured::Tensor& tensor);

/// Bytes in use on one device.
std::size_t used_bytes(int device);

structured::Allocator& arena();

}  // namespace npu
