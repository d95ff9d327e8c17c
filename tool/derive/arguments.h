// From parameters to arguments.
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
  std::size_t positional = 0;      ///< the arguments from here on are keyword-only
  std::vector<std::string> types;  ///< canonical C++ types
};

/// An argument without alias sets. The parameter's type is supported.
Argument make_argument(const Parameter& parameter, Type type);

/// Reads every parameter as an input. Alias sets are not set.
Inputs read_inputs(llvm::ArrayRef<Parameter> parameters, const TypeTable& types);

/// How many of `parameters` come before the first that is `kwonly`.
std::size_t count_positional(llvm::ArrayRef<Parameter> parameters);

/// Fills the positional and keyword-only arguments of `schema`.
void set_inputs(Schema& schema, const Inputs& inputs);

}  // namespace structured::gen
