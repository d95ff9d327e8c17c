// What operators keep of the author's functions.
#pragma once

#include <string>
#include <vector>

#include "model/operator.h"
#include "model/operator_index.h"
#include "model/type_table.h"

namespace structured::gen {

Function make_function(const FoundDeclaration& found);

/// The kernels that one attribute stands for, one for each backend. Those of an imported library are none of ours.
std::vector<Kernel> make_kernels(const OperatorRef& ref);

/// Documentation, tags and the like, from all functions that may carry them; the first with a comment documents.
void add_modifiers(Operator& op, const Declaration& declaration);

void sort_by_backend(std::vector<Kernel>& kernels);

/// Differentiable inputs and the function that differentiates, for the first of `backwards`.
void set_backward(Operator& op, llvm::ArrayRef<OperatorRef> backwards, const OperatorRef& definition,
                  const TypeTable& types);

}  // namespace structured::gen
