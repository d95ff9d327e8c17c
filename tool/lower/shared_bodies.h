// Shares bodies of wrappers.
#pragma once

#include <string>

#include "lower/function.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// Returns a descriptive name of the body: `functional_of_Tensor_Tensor_Scalar_with_TensorIteratorBase`. Equal bodies
/// have equal names in all libraries.
std::string body_name(const Body& body);

/// Gives functions with equal bodies a shared one, which receives the callees as pointers: compilers spend most of
/// their time on bodies. Functions whose callees are inlined (scalar functions) or are not pointers keep their own.
void share_bodies(LoweredLibrary& lowered);

}  // namespace structured::gen
