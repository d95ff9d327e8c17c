#pragma once
// Choice of a scale and a zero point for the elements of a tensor.
#include <structured/core/tensor.h>

#include <cstdint>

namespace structured::kernels {

struct QuantizationParameters {
  double scale;
  int64_t zero_point;
};

/// Scale and zero point for integers from `low` to `high` that represent 0 exactly and cover the elements of `self`
/// (Float, contiguous), as PyTorch's ChooseQuantizationParams computes them. Throws Error, with `name` as prefix, for
/// NaN and infinite elements.
QuantizationParameters choose_qparams(const char* name, const Tensor& self, int64_t low, int64_t high);

}  // namespace structured::kernels
