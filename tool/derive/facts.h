// Properties of operators that come from the author's functions.
#pragma once

#include <string>
#include <vector>

#include "model/operator.h"
#include "model/operator_index.h"
#include "model/type_table.h"

namespace structured::gen {

Function make_function(const FoundDeclaration& found);
/// Returns a scalar function. Emitted code belongs to its header, so that it does not depend on which source included
/// the header first.
Function make_scalar_function(const FoundDeclaration& found);

/// Returns the kernels that an attribute declares, one for each backend; none for a declaration of an imported library.
std::vector<Kernel> make_kernels(const OperatorRef& ref);

/// Adds the documentation, unless there is one already, and the tags and modifiers of one function.
void add_modifiers(Operator& op, const Declaration& declaration);

void sort_by_backend(std::vector<Kernel>& kernels);

/// Sets the functions that compute gradients.
void set_backwards(Operator& op, llvm::ArrayRef<OperatorRef> backwards, const OperatorRef& definition,
                   const TypeTable& types);

}  // namespace structured::gen
