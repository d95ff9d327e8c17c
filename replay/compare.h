// Comparison of results with recorded values.
#pragma once

#include <structured/core/tensor.h>
#include <structured/dispatch/value.h>

#include <nlohmann/json.hpp>
#include <string>

namespace structured::replay {

/// Describes how `actual` differs from a recorded value; empty if it does not. Elements are compared with the
/// tolerances of torch.testing.assert_close, with NaN equal to NaN, and not at all if `is_random`. Strides are compared
/// in dimensions of more than one element, unless the tensor is empty. If `exact` is defined, it has float64 elements
/// and the recorded sizes, and elements at least as close to it as the recorded ones also match. Tolerances are
/// multiplied by `factor`. Throws MalformedCase if a recorded value is malformed.
std::string difference(const Value& actual, const nlohmann::json& expected, bool is_random, const Tensor& exact = {},
                       double factor = 1);

/// Like difference(), for two CPU tensors. `expected` must be defined.
std::string difference_of_tensors(const Tensor& actual, const Tensor& expected, bool is_random,
                                  const Tensor& exact = {}, double factor = 1);

}  // namespace structured::replay
