#pragma once
// The dtype in which an elementwise operator computes, by PyTorch's rules of type promotion
// (https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc).
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "structured/torch_loops/dtype_set.h"
#include "structured/torch_stable/calls.h"
#include "structured/torch_stable/meta_base.h"

namespace structured::torch_stable::detail {

/// Kinds of numbers. Each one contains the kinds before it.
enum class Category { boolean, integral, floating, complex };

inline Category category_of(ScalarType dtype) {
  using enum ScalarType;
  if (dtype == Bool) return Category::boolean;
  if (torch_loops::kAllComplexTypes.contains(dtype)) return Category::complex;
  const bool is_wide_unsigned = dtype == UInt16 || dtype == UInt32 || dtype == UInt64;  // dtypes of PyTorch alone
  return is_wide_unsigned || torch_loops::kIntegralTypes.contains(dtype) ? Category::integral : Category::floating;
}

/// Returns the smallest dtype that holds the numbers of both. Throws if PyTorch has none.
inline ScalarType promoted(ScalarType a, ScalarType b) {
  return a == b ? a : call_operator<ScalarType>("aten::promote_types", "", a, b);
}
inline std::optional<ScalarType> promoted(std::optional<ScalarType> a, ScalarType b) { return a ? promoted(*a, b) : b; }

/// Returns the dtype of torch.set_default_dtype.
inline ScalarType default_dtype() {
  const auto empty = call_operator<Tensor>("aten::empty", "memory_format", std::vector<int64_t>{0}, std::nullopt,
                                           std::nullopt, std::nullopt, std::nullopt, std::nullopt);
  return empty.scalar_type();
}

/// Whether elements of one dtype may be stored in a tensor of the other one.
inline bool can_cast(ScalarType from, ScalarType to) {
  const Category source = category_of(from), target = category_of(to);
  return source <= target || (source <= Category::integral && target == Category::integral) ||
         (source == Category::floating && target == Category::floating);
}

/// Returns the common dtype of operands. A tensor without dimensions counts only for the category of the numbers.
inline ScalarType common_dtype(std::span<const Tensor* const> tensors) {
  std::optional<ScalarType> with_dims, without_dims;
  for (const Tensor* tensor : tensors) {
    std::optional<ScalarType>& group = tensor->dim() > 0 ? with_dims : without_dims;
    group = promoted(group, tensor->scalar_type());
  }
  if (!with_dims) return *without_dims;
  if (!without_dims || category_of(*without_dims) <= category_of(*with_dims)) return *with_dims;
  const bool keeps_precision = category_of(*with_dims) == Category::floating;
  return promoted(*with_dims, keeps_precision ? ScalarType::ComplexHalf : *without_dims);
}

}  // namespace structured::torch_stable::detail
