// Names of an operator's inputs and results for the parameters of its `backward` functions.
#pragma once

#include <cstddef>
#include <optional>

#include "llvm/ADT/StringRef.h"
#include "model/derivative_parameter.h"
#include "model/operator.h"

namespace structured::gen {

/// Returns the names for derivatives of the operator's first variant.
DerivativeNames derivative_names(const Operator& op);

/// Returns the position of the input that the parameter stands for; nullopt for gradients, properties and results.
std::optional<std::size_t> find_input(const DerivativeNames& names, llvm::StringRef parameter);

}  // namespace structured::gen
