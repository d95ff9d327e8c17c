// Registrations other than those of kernels for imported operators. They take effect when the library is loaded, until
// it is unloaded.
#include <structured/operators.h>
#include <structured/structured.h>

#include "arena.h"
#include "device.h"

namespace npu {
namespace {

using namespace structured;

constexpr DeviceType type = DeviceType::PrivateUse1;
constexpr Backend backend = Backend::PrivateUse1;

// The out= variant, registered without annotations: it resizes `out` itself. The shared wrappers of the operator's
// library derive the other variants from it.
Tensor& mul_out(const Tensor& self, const Tensor& other, Tensor& out) {
  STRUCTURED_CHECK(self.sizes() == other.sizes() && self.dtype() == kFloat && other.dtype() == kFloat,
                   "npu: mul: expected two float tensors of one shape, got ", self.sizes(), " and ", other.sizes());
  resize_output(out, self.sizes());
  Tensor to = as_seen_by_device(out);
  structured::mul_out(to, as_seen_by_device(self), as_seen_by_device(other));
  out.bump_version();
  return out;
}

void copy_between(const Tensor& destination, const Tensor& source) {
  const auto seen = [](const Tensor& tensor) { return tensor.is_cpu() ? tensor : as_seen_by_device(tensor); };
  copy_into(seen(destination), seen(source));
}

class Registration {
 public:
  Registration() {
    rename_device_type(type, "npu");
    set_allocator(type, &arena());
    set_device_guard_interface(type, &device_guard());
    set_device_copy(type, &copy_between);
    register_fallback(backend, &cpu_fallback, __FILE__, __LINE__);
    mul().register_kernel(backend, mul_out, __FILE__, __LINE__);
  }
  ~Registration() {
    deregister_fallback(backend);
    mul().deregister_kernel(backend);
    set_device_copy(type, nullptr);
    set_device_guard_interface(type, nullptr);
  }

 private:
  static Operator<Tensor&(const Tensor&, const Tensor&, Tensor&)>& mul() {
    return typed_operator<Tensor&(const Tensor&, const Tensor&, Tensor&)>(*find_operator("aten::mul.out"));
  }
};

const Registration registration;

}  // namespace
}  // namespace npu
