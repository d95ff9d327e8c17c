// Sampled arguments of operators.
#pragma once

#include <structured/dispatch/library.h>
#include <structured/dispatch/value.h>

#include <map>
#include <string>
#include <vector>

namespace structured::operator_tests {

/// Arguments of one operator by name, in the notation of a file of samples.
using GivenArguments = std::map<std::string, std::string>;

/// Reads a file of samples: lines such as `conv1d input:T[1,2,4] weight:T[2,2,2]`, an operator and arguments without
/// spaces. `T[2,3]` is a tensor of the dtype under test, `int64[2]=0` one of zeros of a fixed dtype; numbers, `True`,
/// `None`, `"text"` and lists in brackets are themselves. Empty lines and `#` with the rest of a line are skipped.
std::map<std::string, GivenArguments> read_samples(const std::string& path);

struct Sample {
  std::string description;  ///< "Float, tensors [2, 2]"
  Stack arguments;
};

/// Samples of an operator's arguments, for several shapes and dtypes, or for dtype Char; the operator may reject some
/// of them. Arguments that are not given follow from the schema: defaults; tensors of one shape; dimensions 0; other
/// numbers
/// 1. Throws Error for an argument that cannot be sampled.
std::vector<Sample> samples_of(const OperatorHandle& op, const GivenArguments& given, bool are_small_integers = false);

/// A tensor of this dtype and shape. Its elements differ: real numbers between 0 and 1, integers from 0 to 2.
Tensor sampled_tensor(ScalarType dtype, IntArrayRef sizes);

}  // namespace structured::operator_tests
