// Kernels without a meta function, and an operator that calls others.
#include <structured/torch_stable.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace stable_trial {

using torch::stable::Tensor;

/// Copies of the tensor.
[[structured::kernel("copies", "CPU", "Meta")]]
std::vector<Tensor> copies(const Tensor& self, int64_t count = 2) {
  std::vector<Tensor> result;
  for (int64_t i = 0; i < count; ++i) result.push_back(torch::stable::clone(self));
  return result;
}

/// Sets all elements to zero.
[[structured::kernel("clear_", "CPU", "Meta")]]
void clear_(Tensor& self) {
  torch::stable::zero_(self);
}

/// The length of a text, or -1 for the empty one.
[[structured::kernel("measure", "CPU", "Meta")]]
int64_t measure(const Tensor& self, const std::string& text) {
  return text.empty() ? -1 : static_cast<int64_t>(text.size()) * self.dim();
}

/// The tensor with its last two dimensions exchanged.
[[structured::composite("flip")]]
Tensor flip([[structured::alias("a")]] const Tensor& self) {
  return torch::stable::transpose(self, -1, -2);
}

/// The number of tensors and the last name.
[[structured::kernel("count_all", "CPU", "Meta")]]
std::tuple<int64_t, std::string> count_all([[maybe_unused]] const Tensor& self,
                                           const std::optional<std::vector<Tensor>>& tensors,
                                           const std::vector<std::optional<Tensor>>& others,
                                           const std::optional<std::vector<std::string>>& names,
                                           const std::vector<bool>& flags) {
  int64_t count = tensors.has_value() ? static_cast<int64_t>(tensors->size()) : 0;
  for (const std::optional<Tensor>& other : others) count += other.has_value() ? 1 : 0;
  for (const bool flag : flags) count += flag ? 100 : 0;
  return {count, names.has_value() ? names->back() : "none"};
}

/// A copy, and another one if it is wanted.
[[structured::kernel("copy_if", "CPU", "Meta")]]
std::tuple<Tensor, std::optional<Tensor>> copy_if(const Tensor& self, bool is_wanted) {
  return {torch::stable::clone(self), is_wanted ? std::optional(torch::stable::clone(self)) : std::nullopt};
}

}  // namespace stable_trial
