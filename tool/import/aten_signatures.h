// Signatures of ATen's own operators, for libraries that add kernels to them.
#pragma once

#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "model/aten_headers.h"
#include "model/signatures.h"

namespace structured::gen {

struct AtenSignatures {
  Signatures signatures;
  std::vector<std::string> left_out;  ///< "operator `x`: reason"
};

/// Returns the signatures of the library `aten`. A structured operator has the meta function of its class in
/// `at::meta`; every other operator is a kernel with the parameters that libtorch's dispatcher passes. Leaves out
/// operators that annotations cannot express.
AtenSignatures aten_signatures(const AtenHeaders& headers, const Dialect& dialect);

}  // namespace structured::gen
