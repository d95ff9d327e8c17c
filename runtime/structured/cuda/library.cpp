// Registers the CUDA backend when the library is opened.
#include "structured/cuda/library.h"

#include <dlfcn.h>

#include <atomic>
#include <mutex>
#include <string>
#include <unordered_set>

#include "structured/core/allocator.h"
#include "structured/core/device_library.h"
#include "structured/core/error.h"
#include "structured/cuda/copy.h"
#include "structured/cuda/device.h"
#include "structured/cuda/device_allocator.h"
#include "structured/dispatch/fallback.h"
#include "structured/iterator/copy.h"
#include "structured/iterator/cpu_fallback.h"
#include "structured/kernel/guards.h"

namespace structured::cuda {
namespace {

constinit std::atomic<std::uint64_t> fallbacks = 0;

class Guard final : public DeviceGuardInterface {
 public:
  std::int8_t exchange_device(std::int8_t index) const override {
    const int previous = current_device();
    if (index >= 0 && index != previous) set_current_device(index);
    return static_cast<std::int8_t>(previous);
  }
};

// Whether the operator has not had its warning yet.
bool is_first_call(const std::string& name) {
  static std::mutex mutex;
  static auto& names = *new std::unordered_set<std::string>;
  const std::lock_guard lock(mutex);
  return names.insert(name).second;
}

void run_on_cpu(const BoxedCall& call, Stack& stack) {
  fallbacks.fetch_add(1, std::memory_order_relaxed);
  const std::string name(call.op().name());
  if (is_first_call(name)) {
    warn("`", name, "` has no kernel for CUDA and runs on the CPU, with copies of its tensors; ",
         "this warning appears once for each operator");
  }
  cpu_fallback(call, stack);
}

// Opens the kernels of our operators, beside this library, if the program has loaded the operators.
void open_kernels() {
  void* const operators = dlopen("libstructured_kernels.so", RTLD_LAZY | RTLD_NOLOAD);
  Dl_info own;
  if (operators == nullptr || dladdr(static_cast<const void*>(&fallbacks), &own) == 0 || own.dli_fname == nullptr) {
    return;
  }
  const std::string path = own.dli_fname;
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  dlopen((folder + "libstructured_kernels_cuda.so").c_str(), RTLD_NOW);  // the fallback serves a program without it
  dlclose(operators);
}

struct Registration {
  Registration() {
    static const Guard& guard = *new Guard;
    set_allocator(DeviceType::CUDA, &detail::device_allocator());
    set_device_guard_interface(DeviceType::CUDA, &guard);
    set_device_copy(DeviceType::CUDA, &detail::copy_between);
    structured::detail::set_current_device(DeviceType::CUDA, [] { return static_cast<std::int8_t>(current_device()); });
    register_fallback(Backend::CUDA, &run_on_cpu, __FILE_NAME__, __LINE__);
    open_kernels();
  }
};

const Registration registration;

}  // namespace

std::uint64_t fallback_count() noexcept { return fallbacks.load(std::memory_order_relaxed); }

}  // namespace structured::cuda
