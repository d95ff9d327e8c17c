// Operators whose impl is one loop over elements: what the meta function lets the iterator do, and the loop's body as a
// graph. Includes no header of Clang's.
#pragma once

#include "model/declaration.h"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

class SourceMap;

/// Stores how a `meta` function on `at::TensorIteratorBase` builds the iterator; nothing for other functions.
void read_iterator(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                   Declaration& declaration);

/// Stores the body of the loop of an `impl` on `at::TensorIteratorBase`, for each dtype that the impl accepts: the
/// function that it passes to `at::native::cpu_kernel`. The operands are the tensor parameters, in their order.
void evaluate_element_loop(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                           Declaration& declaration);

}  // namespace structured::gen
