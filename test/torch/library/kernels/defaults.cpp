// Defaults of types that convert from neither an element nor a list in bare braces. derivatives.cpp calls the emitted
// functions.
#include <ATen/core/List.h>
#include <structured/torch.h>

#include <array>

namespace trial {

/// Returns the number of elements in all lists but the pair.
[[structured::kernel("count_defaults", "CPU", "Meta")]]
int64_t count_defaults(const at::Tensor& self, [[structured::schema_default("True")]] std::array<bool, 2> pair,
                       [[structured::size(2), structured::schema_default("1")]] at::ArrayRef<double> equal_numbers,
                       [[structured::size(2), structured::schema_default("1")]] at::IntArrayRef sizes,
                       [[structured::schema_default("[True]")]] const c10::List<bool>& bools) {
  TORCH_CHECK(pair[0] && pair[1] && equal_numbers[0] == 1.0);
  return static_cast<int64_t>(equal_numbers.size() + sizes.size() + bools.size());
}

}  // namespace trial
