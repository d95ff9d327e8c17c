// Converts parameters to arguments.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "model/declaration.h"
#include "model/schema.h"
#include "model/type_table.h"

namespace structured::gen {

/// The inputs of an operator: its arguments without the outputs.
struct Inputs {
  std::vector<Argument> arguments;
  std::size_t positional = 0;      ///< number of arguments that are not keyword-only
  std::vector<std::string> types;  ///< canonical C++ types
};

/// Returns an argument without alias sets. The parameter's type must be supported.
Argument make_argument(const Parameter& parameter, Type type);

/// Converts every parameter to an input, without alias sets.
Inputs read_inputs(llvm::ArrayRef<Parameter> parameters, const TypeTable& types);

/// Returns the number of parameters before the first `kwonly` one.
std::size_t count_positional(llvm::ArrayRef<Parameter> parameters);

/// Fills the positional and keyword-only arguments of `schema`.
void set_inputs(Schema& schema, const Inputs& inputs);

}  // namespace structured::gen
