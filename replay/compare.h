// Whether a result is what was recorded.
#pragma once

#include <structured/core/tensor.h>
#include <structured/dispatch/value.h>

#include <nlohmann/json.hpp>
#include <string>

namespace structured::replay {

/// How `actual` differs from a recorded value, for people; empty if it does not. Elements are compared with the
/// tolerances of torch.testing.assert_close, NaN equal to NaN, or not at all if they are `is_random`. Strides count
/// where they make a difference: in dimensions of more than one element of tensors that have any. Where `exact` has the
/// sizes of a recorded tensor, and float64 elements, those that are at least as near to it as the recorded ones do not
/// differ. Throws MalformedCase.
std::string difference(const Value& actual, const nlohmann::json& expected, bool is_random, const Tensor& exact = {});

/// Compares two tensors of the host in the same way. `expected` is defined.
std::string difference_of_tensors(const Tensor& actual, const Tensor& expected, bool is_random,
                                  const Tensor& exact = {});

}  // namespace structured::replay
