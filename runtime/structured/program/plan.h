#pragma once
// Planning of a program at load.
#include "structured/program/frame.h"
#include "structured/program/graph.h"

namespace structured::program {

/// Simplifies `graph`: computes instructions whose operands are constant, removes instructions whose results are not
/// used, and releases values after their last use. `frame` receives the values of states and of computed slots.
///
/// An instruction is computed at load only if every run would compute an equal value: not if it is random, reads a
/// tensor that the program writes to, or makes a tensor that the program writes to or returns.
void plan(Graph& graph, Frame& frame);

}  // namespace structured::program
