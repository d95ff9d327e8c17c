// One body for wrappers that are alike.
#pragma once

#include <string>

#include "lower/function.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// A name made of what the body depends on, in words: `functional_of_Tensor_Tensor_Scalar_with_TensorIteratorBase`.
/// Equal bodies have equal names, whatever else is in the library.
std::string body_name(const Body& body);

/// Gives functions with equal bodies a shared one, which receives the callees as pointers: compilers spend most of
/// their time on bodies. Functions whose callees are inlined (scalar functions) or are not pointers keep their own.
void share_bodies(LoweredLibrary& lowered);

}  // namespace structured::gen
