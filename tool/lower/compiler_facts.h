// Facts that compilers of tensor programs know of an operator, in words.
#pragma once

#include <string>
#include <vector>

#include "model/operator.h"

namespace structured::gen {

/// Phrases whose subject is "compilers": "see what it computes for float", "call it as a whole for int64_t: it has a
/// loop … at my.h:3:5". Empty if nothing is known, as for kernels without a meta function.
std::vector<std::string> compiler_facts(const Operator& op);

}  // namespace structured::gen
