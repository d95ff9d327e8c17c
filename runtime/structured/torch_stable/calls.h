#pragma once
// Calls of PyTorch's operators through the stable ABI, and tensors made by it.
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/stableivalue_conversions.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "structured/torch_stable/meta_base.h"

namespace structured::torch_stable {

/// Calls an operator of PyTorch or of a library with all its arguments, and returns its only result. Throws if the
/// operator does. Thread-safe.
///
///     Tensor product = call_operator<Tensor>("aten::mul", "Tensor", a, b);
template <class Result, class... Arguments>
Result call_operator(const char* name, const char* overload, const Arguments&... arguments) {
  std::array<StableIValue, sizeof...(Arguments)> stack{::torch::stable::detail::from(arguments)...};
  detail::check_status(torch_call_dispatcher(name, overload, stack.data(), TORCH_ABI_VERSION), name);
  return ::torch::stable::detail::to<Result>(stack[0]);
}

namespace detail {

inline std::vector<int64_t> to_vector(IntHeaderOnlyArrayRef values) { return {values.begin(), values.end()}; }

inline bool is_equal(IntHeaderOnlyArrayRef a, IntHeaderOnlyArrayRef b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// Returns the strides of a contiguous tensor.
inline std::vector<int64_t> contiguous_strides(IntHeaderOnlyArrayRef sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (std::size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(sizes[dim], 1);
  }
  return strides;
}

/// Returns a tensor without values. Empty strides are contiguous.
inline Tensor allocate(IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides, const OutputOptions& options) {
  const std::vector<int64_t> all_strides = strides.empty() ? contiguous_strides(sizes) : to_vector(strides);
  AtenTensorHandle handle = nullptr;
  check_status(
      aoti_torch_empty_strided(static_cast<int64_t>(sizes.size()), sizes.data(), all_strides.data(),
                               dtype_code(options.scalar_type), options.device_type, options.device_index, &handle),
      "empty_strided");
  return Tensor(handle);
}

}  // namespace detail

}  // namespace structured::torch_stable
