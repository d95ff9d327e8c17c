// Kernels without a meta function, and operators that call other operators.
#include <ATen/ops/arange.h>
#include <ATen/ops/empty_like.h>
#include <structured/torch.h>

namespace trial {

/// The first `count` rows, as a view.
[[structured::composite("head")]]
at::Tensor head([[structured::alias("a")]] const at::Tensor& self, c10::SymInt count = 1) {
  return self.slice_symint(0, 0, std::move(count));
}

/// Root of the mean square.
[[structured::composite("rms")]]
at::Tensor rms(const at::Tensor& self) {
  return (self * self).mean().sqrt();
}

/// `0, step, 2 * step, ...`
[[structured::composite("ramp")]]
at::Tensor ramp(int64_t size, double step = 1, [[structured::kwonly]] c10::optional<at::ScalarType> dtype = {}) {
  return at::arange(size, at::TensorOptions().dtype(dtype.value_or(at::kFloat))).mul(step);
}

/// Replaces negative elements by zero.
[[structured::kernel("drop_negative_", "CPU", "Meta")]]
void drop_negative_(at::Tensor& self) {
  if (!self.is_meta()) self.clamp_min_(0);
}

/// Adds noise between 0 and `amount`.
[[structured::kernel("jitter", "CPU", "Meta"), structured::tags("nondeterministic_seeded")]]
at::Tensor jitter(const at::Tensor& self, double amount = 0.5, c10::optional<at::Generator> generator = {}) {
  return at::empty_like(self).uniform_(0, amount, std::move(generator)).add_(self);
}

/// Third power.
[[structured::kernel("cube", "CPU", "Meta")]]
at::Tensor cube(const at::Tensor& self) {
  return self.mul(self).mul(self);
}

/// Gradient of `cube`.
[[structured::kernel("cube_backward", "CPU", "Meta")]]
at::Tensor cube_backward(const at::Tensor& grad, const at::Tensor& self) {
  return self.mul(self).mul(3).mul(grad);
}

}  // namespace trial
