// Mutable parameters of an unstructured kernel, and its results among them.
#pragma once

#include <cstddef>

#include "model/declaration.h"
#include "model/schema.h"
#include "model/type_table.h"

namespace structured::gen {

struct KernelForm {
  enum class Result {
    values,  ///< results are new tensors or views; mutable parameters are not returned
    self,    ///< the first parameter, modified in place
    outputs  ///< the last parameters, all mutable; nothing if `out` marks mutable lists
  };
  Result result = Result::values;
  std::size_t outputs = 0;  ///< how many of the last parameters are output arguments
};

/// Whatever the declaration is: `check` tells whether the last parameters are what the form needs.
KernelForm kernel_form(const Declaration& declaration, const OperatorName& name, const TypeTable& types);

}  // namespace structured::gen
