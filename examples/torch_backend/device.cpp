// Registers the device with PyTorch: allocator, guard, hooks, generator, and the fallback to the CPU for operators
// without a kernel. PyTorch calls the backend `PrivateUse1`; the Python package renames it.
#include "device.h"

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/resize_native.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/alloc_cpu.h>
#include <torch/library.h>

#include <cstring>
#include <map>
#include <mutex>

namespace host_device {
namespace {

const c10::Device the_device(device_type, 0);

class Allocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* data = bytes == 0 ? nullptr : c10::alloc_cpu(bytes);
    return {data, data, &free, the_device};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }

 private:
  static void free(void* data) { c10::free_cpu(data); }
};

Allocator allocator;
REGISTER_ALLOCATOR(device_type, &allocator);

/// Work is done when a call returns, so there is one stream and there are no events.
class Guard final : public c10::impl::DeviceGuardImplInterface {
 public:
  Guard() = default;
  explicit Guard(c10::DeviceType) {}  // the signature that the registration requires
  c10::DeviceType type() const override { return device_type; }
  c10::Device exchangeDevice(c10::Device) const override { return the_device; }
  c10::Device getDevice() const override { return the_device; }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device) const override { return stream(); }
  c10::Stream getNewStream(c10::Device, int) const override { return stream(); }
  c10::Stream exchangeStream(c10::Stream) const override { return stream(); }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
  void synchronizeStream(const c10::Stream&) const override {}
  void synchronizeDevice(c10::DeviceIndex) const override {}

 private:
  static c10::Stream stream() { return c10::Stream(c10::Stream::DEFAULT, the_device); }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard)

const at::Generator& default_generator() {
  static const at::Generator generator = at::make_generator<Generator>();
  return generator;
}

class Hooks final : public at::PrivateUse1HooksInterface {
 public:
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex deviceCount() const override { return 1; }
  c10::DeviceIndex getCurrentDevice() const override { return 0; }
  void setCurrentDevice(c10::DeviceIndex) const override {}
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex) const override { return 0; }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex) const override { return 0; }
  at::Device getDeviceFromPtr(void*) const override { return the_device; }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override { return default_generator(); }
  at::Generator getNewGenerator(c10::DeviceIndex) const override { return at::make_generator<Generator>(); }
  void resizePrivateUse1Bytes(const c10::Storage& storage, std::size_t bytes) const override {
    c10::DataPtr data = allocator.allocate(bytes);
    std::memcpy(data.get(), storage.data(), std::min(bytes, storage.nbytes()));
    storage.set_data_ptr_noswap(std::move(data));
    storage.set_nbytes(bytes);
  }
};

std::mutex fallback_mutex;
std::map<std::string, int64_t> fallback_counts;

void fall_back(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  {
    const std::lock_guard lock(fallback_mutex);
    ++fallback_counts[c10::toString(op.operator_name())];
  }
  at::native::cpu_fallback(op, stack);
}

c10::Dict<std::string, int64_t> fallbacks() {
  const std::lock_guard lock(fallback_mutex);
  c10::Dict<std::string, int64_t> result;
  for (const auto& [name, count] : fallback_counts) result.insert(name, count);
  return result;
}

// `resize_` writes to a tensor that its C++ signature has as constant, which annotations cannot express.
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) { m.impl("resize_", &at::native::resize_); }
TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&fall_back>()); }
TORCH_LIBRARY_FRAGMENT(host_device, m) { m.def("fallbacks() -> Dict(str, int)", &fallbacks); }

const bool are_hooks_registered = [] {
  at::RegisterPrivateUse1HooksInterface(new Hooks);  // never deleted: PyTorch uses it until the process ends
  return true;
}();

}  // namespace

Generator::Generator(uint64_t seed) : at::CPUGeneratorImpl(seed) {
  device_ = the_device;
  key_set_ = c10::DispatchKeySet(c10::DispatchKey::PrivateUse1);
}

at::CPUGeneratorImpl& generator_of(const std::optional<at::Generator>& generator) {
  const at::Generator& chosen = generator && generator->defined() ? *generator : default_generator();
  TORCH_CHECK(chosen.device().type() == device_type, "expected a generator of the device, found one of ",
              chosen.device());
  return static_cast<at::CPUGeneratorImpl&>(*chosen.unsafeGetGeneratorImpl());
}

at::Tensor on_host(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.is_cpu()) return tensor;
  TORCH_CHECK(tensor.device() == the_device, "expected a tensor of the device, found one of ", tensor.device());
  // The host's tensor keeps the storage alive.
  return at::from_blob(
      tensor.data_ptr(), tensor.sizes(), tensor.strides(), [tensor](void*) {}, tensor.options().device(at::kCPU));
}

}  // namespace host_device
