// Masks of attention, in terms of operators.
#pragma once

#include <structured/core/tensor.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/add.h>
#include <structured/ops/logical_not.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/ones.h>
#include <structured/ops/tril.h>
#include <structured/ops/zeros_like.h>

#include <limits>

namespace structured::kernels {

/// Converts a Bool mask to one of `dtype` that is added to scores: negative infinity where it is false. Returns other
/// masks unchanged.
inline Tensor additive_mask(const Tensor& mask, ScalarType dtype) {
  if (mask.scalar_type() != kBool) return mask;
  Tensor result = structured::zeros_like(mask, dtype);
  return structured::masked_fill_(result, structured::logical_not(mask), -std::numeric_limits<double>::infinity());
}

/// Hides positions after the query.
inline void add_causal_mask(Tensor& scores) {
  const Tensor all = structured::ones({scores.size(-2), scores.size(-1)}, scores.options().dtype(kBool));
  structured::add_(scores, additive_mask(structured::tril(all), scores.scalar_type()));
}

}  // namespace structured::kernels
