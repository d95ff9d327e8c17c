// Kernels without a meta function, and an operator that calls others.
#include <structured/torch_stable.h>

#include <cstdint>
#include <string>
#include <vector>

namespace stable_trial {

using torch::stable::Tensor;

/// Copies of the tensor.
[[structured::kernel("copies", "CPU", "Meta")]]
std::vector<Tensor> copies(const Tensor& self, std::int64_t count = 2) {
  std::vector<Tensor> result;
  for (std::int64_t i = 0; i < count; ++i) result.push_back(torch::stable::clone(self));
  return result;
}

/// Sets all elements to zero.
[[structured::kernel("clear_", "CPU", "Meta")]]
void clear_(Tensor& self) {
  torch::stable::zero_(self);
}

/// The length of a text, or -1 for the empty one.
[[structured::kernel("measure", "CPU", "Meta")]]
std::int64_t measure(const Tensor& self, const std::string& text) {
  return text.empty() ? -1 : static_cast<std::int64_t>(text.size()) * self.dim();
}

/// The tensor with its last two dimensions exchanged.
[[structured::composite("flip")]]
Tensor flip([[structured::alias("a")]] const Tensor& self) {
  return torch::stable::transpose(self, -1, -2);
}

}  // namespace stable_trial
