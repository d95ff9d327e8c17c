// The device: one, in host memory.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>

namespace host_device {

inline constexpr c10::DeviceType device_type = c10::DeviceType::PrivateUse1;

/// Generator of random numbers of the device, with the algorithm of the CPU's.
class Generator final : public at::CPUGeneratorImpl {
 public:
  explicit Generator(uint64_t seed = c10::default_rng_seed_val);
};

/// Returns the generator that a random operator uses: the caller's or the default one of the device.
at::CPUGeneratorImpl& generator_of(const std::optional<at::Generator>& generator);

/// Returns a tensor of the CPU that shares the memory of a tensor of the device; tensors of the CPU themselves.
at::Tensor on_host(const at::Tensor& tensor);

}  // namespace host_device
