// Which parameters an unstructured kernel writes, and which of them it returns.
#pragma once

#include <cstddef>

#include "model/declaration.h"
#include "model/schema.h"
#include "model/type_table.h"

namespace structured::gen {

struct KernelForm {
  enum class Result {
    values,  ///< what it returns is new, or a view; written parameters are not returned
    self,    ///< the first parameter, written in place
    outputs  ///< the last parameters, all written; or nothing, where `out` marks written lists
  };
  Result result = Result::values;
  std::size_t outputs = 0;  ///< how many of the last parameters are output arguments
};

/// Whatever the declaration is: `check` tells whether the last parameters are what the form needs.
KernelForm kernel_form(const Declaration& declaration, const OperatorName& name, const TypeTable& types);

}  // namespace structured::gen
