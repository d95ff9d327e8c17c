// Defaults of types that convert from neither an element nor a list in bare braces. derivatives.cpp calls the emitted
// functions.
#include <ATen/core/List.h>
#include <structured/torch.h>
#include <torch/version.h>

#include <array>
#include <string>

namespace trial {

/// Returns the number of elements in all lists but the pairs.
[[structured::kernel("count_defaults", "CPU", "Meta")]]
int64_t count_defaults(const at::Tensor& self, [[structured::schema_default("True")]] std::array<bool, 2> pair,
                       [[structured::schema_default("True")]] c10::optional<std::array<bool, 2>> optional_pair,
                       [[structured::size(2),
                         structured::schema_default("1")]] c10::optional<at::ArrayRef<double>> equal_numbers,
                       [[structured::size(2), structured::schema_default("1")]] at::OptionalIntArrayRef sizes,
                       [[structured::schema_default("[True]")]] const c10::List<bool>& bools) {
  TORCH_CHECK(pair[0] && pair[1] && optional_pair && (*optional_pair)[1]);
  TORCH_CHECK(equal_numbers && (*equal_numbers)[1] == 1.0);
  return static_cast<int64_t>(equal_numbers->size() + sizes->size() + bools.size());
}

// PyTorch 1.13 reads only lists of numbers as defaults, and none for an optional list.
#if TORCH_VERSION_MAJOR >= 2
/// Returns the number of elements in all lists.
[[structured::kernel("count_list_defaults", "CPU", "Meta")]]
int64_t count_list_defaults(
    const at::Tensor& self,
    [[structured::schema_default("[1.0, 2.0, 3.0]")]] c10::optional<at::ArrayRef<double>> numbers,
    [[structured::schema_default("[]")]] c10::optional<at::ArrayRef<double>> no_numbers,
    [[structured::schema_default("[\"a\", \"b\"]")]] const c10::List<std::string>& words,
    [[structured::schema_default("[None]")]] const c10::List<c10::optional<at::Tensor>>& tensors) {
  TORCH_CHECK(numbers && no_numbers);
  return static_cast<int64_t>(numbers->size() + no_numbers->size() + words.size() + tensors.size());
}
#endif

}  // namespace trial
