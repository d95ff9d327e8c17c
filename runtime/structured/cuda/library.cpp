// Registers the CUDA backend when the library is opened.
#include "structured/cuda/library.h"

#include <dlfcn.h>

#include <map>
#include <mutex>
#include <string>

#include "structured/base/error.h"
#include "structured/core/generator.h"
#include "structured/cuda/check.h"
#include "structured/cuda/copy.h"
#include "structured/cuda/device.h"
#include "structured/cuda/device_allocator.h"
#include "structured/cuda/stream.h"
#include "structured/device/device_library.h"
#include "structured/dispatch/fallback.h"
#include "structured/iterator/copy.h"
#include "structured/iterator/cpu_fallback.h"
#include "structured/kernel/guards.h"
#include "structured/memory/allocator.h"

namespace structured::cuda {
namespace {

class Guard final : public DeviceGuardInterface {
 public:
  int8_t exchange_device(int8_t index) const override {
    const int previous = current_device();
    if (index >= 0 && index != previous) set_current_device(index);
    return static_cast<int8_t>(previous);
  }
};

struct Fallbacks {
  std::mutex mutex;
  std::map<std::string, uint64_t> calls;  // by operator
};
Fallbacks& fallbacks() {
  static auto& instance = *new Fallbacks;
  return instance;
}

// Counts a call. Returns whether it is the first one of the operator.
bool count_call(const std::string& name) {
  const std::lock_guard lock(fallbacks().mutex);
  return ++fallbacks().calls[name] == 1;
}

void run_on_cpu(const BoxedCall& call, Stack& stack) {
  const std::string name(call.op().name());
  if (count_call(name)) {
    warn("`", name, "` has no kernel for CUDA and runs on the CPU, with copies of its tensors; ",
         "this warning appears once for each operator");
  }
  cpu_fallback(call, stack);
}

void read_element(void* to, const void* from, std::size_t bytes, Device device) {
  const DeviceGuard guard(device);
  STRUCTURED_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, current_handle(device.index())));
  synchronize(current_stream(device.index()));
}

// Opens the kernels of our operators, beside this library, if the program has loaded the operators.
void open_kernels() {
  void* const operators = dlopen("libstructured_kernels.so", RTLD_LAZY | RTLD_NOLOAD);
  Dl_info own;
  if (operators == nullptr || dladdr(reinterpret_cast<const void*>(&run_on_cpu), &own) == 0 ||
      own.dli_fname == nullptr) {
    return;
  }
  const std::string path = own.dli_fname;
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  dlopen((folder + "libstructured_kernels_cuda.so").c_str(), RTLD_NOW);  // the fallback serves a program without it
  dlclose(operators);
}

// Gives each device a default generator, with the seed that the program has set for the CPU.
void add_generators() {
  const uint64_t seed = default_generator(kCPU).current_seed();
  for (int i = 0; i < device_count(); ++i) {
    set_default_generator(Generator(Device(kCUDA, static_cast<int8_t>(i)), seed));
  }
}

struct Registration {
  Registration() {
    static const Guard& guard = *new Guard;
    set_allocator(DeviceType::CUDA, &detail::device_allocator());
    set_device_guard_interface(DeviceType::CUDA, &guard);
    set_device_copy(DeviceType::CUDA, &detail::copy_between);
    structured::detail::set_read_device(DeviceType::CUDA, &read_element);
    structured::detail::set_current_device(DeviceType::CUDA, [] { return static_cast<int8_t>(current_device()); });
    add_generators();
    register_fallback(Backend::CUDA, &run_on_cpu, __FILE_NAME__, __LINE__);
    // A program that is linked with this library starts without a driver, too, where loading kernels would take
    // longest.
    if (device_count() > 0) open_kernels();
  }
};

const Registration registration;

}  // namespace

std::map<std::string, uint64_t> fallback_calls() {
  const std::lock_guard lock(fallbacks().mutex);
  return fallbacks().calls;
}

uint64_t fallback_count() {
  uint64_t count = 0;
  for (const auto& [name, calls] : fallback_calls()) count += calls;
  return count;
}

}  // namespace structured::cuda
