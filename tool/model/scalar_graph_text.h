// Text form of graphs of scalar functions, for readers.
#pragma once

#include <string>
#include <vector>

#include "model/scalar_graph.h"

namespace structured::gen {

/// Returns the statements that compute the result: `return select(lt(self, 0), 0, self)`. Operations with several uses
/// and long expressions have statements of their own.
std::vector<std::string> statements_of(const ScalarGraph& graph);

/// Returns the bodies of one function as lines, those of equal graphs together: their dtypes, the parameters and the
/// result, in which `T` is the type of elements, then the statements. Where there is no graph: the reason and its
/// source location.
std::vector<std::string> text_of(const std::vector<ScalarBody>& bodies);

}  // namespace structured::gen
