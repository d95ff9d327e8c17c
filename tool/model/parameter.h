// A parameter as an argument of an operator: its schema type, attributes considered.
#pragma once

#include <optional>

#include "model/declaration.h"
#include "model/operator.h"
#include "model/type.h"
#include "model/type_table.h"

namespace structured::gen {

/// A non-const `Tensor&`, or marked `alias("a!")`.
bool is_mutable(const Parameter& parameter, const TypeTable& types);
/// A non-const `Tensor&`.
bool is_mutable_tensor(const Parameter& parameter, const TypeTable& types);

/// The schema type of a parameter of `meta`, `kernel` or `composite`, with `size` and `symint` applied. std::nullopt if
/// the C++ type is not supported; an attribute that does not suit the type changes nothing.
std::optional<Type> argument_type(const Parameter& parameter, const TypeTable& types);

/// Gives the innermost list that has no length the length `size`. False if there is no list, or it has one.
bool set_list_size(Type& type, std::int64_t size);

/// The role of a parameter of a `pointwise` function; std::nullopt if the function cannot have such a parameter.
std::optional<Pointwise::Role> pointwise_role(const Declaration& declaration, const Parameter& parameter,
                                              const TypeTable& types);
/// Its schema type.
std::optional<Type> pointwise_argument_type(const Declaration& declaration, const Parameter& parameter,
                                            const TypeTable& types);

}  // namespace structured::gen
