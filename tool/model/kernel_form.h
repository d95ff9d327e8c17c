// Form of an unstructured kernel: which mutable parameters are its results.
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
    outputs  ///< the last parameters, all mutable; no results if `out` marks mutable lists
  };
  Result result = Result::values;
  std::size_t outputs = 0;  ///< number of output arguments, which come last
};

/// Accepts any declaration; `check` reports last parameters that do not match the form.
KernelForm kernel_form(const Declaration& declaration, const OperatorName& name, const TypeTable& types);

}  // namespace structured::gen
