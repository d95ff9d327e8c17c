// Conversion of parameters to arguments: schema types, with attributes applied.
#pragma once

#include <optional>

#include "model/declaration.h"
#include "model/operator.h"
#include "model/schema.h"
#include "model/type_table.h"

namespace structured::gen {

/// Whether the parameter is a non-const `Tensor&` or has `alias("a!")`.
bool is_mutable(const Parameter& parameter, const TypeTable& types);
/// Whether the parameter is a non-const `Tensor&`.
bool is_mutable_tensor(const Parameter& parameter, const TypeTable& types);

/// Returns the schema type of a parameter of `meta`, `kernel` or `composite`, with `size` and `symint` applied.
/// std::nullopt if the C++ type is not supported. Ignores attributes that do not apply to the type.
std::optional<Type> argument_type(const Parameter& parameter, const TypeTable& types);

/// Sets the length of the innermost list. Returns false if there is no list or it has a length already.
bool set_list_size(Type& type, int64_t size);

/// Returns the role of a parameter of a `pointwise` function; std::nullopt if its type is not allowed there.
std::optional<Pointwise::Role> pointwise_role(const Declaration& declaration, const Parameter& parameter,
                                              const TypeTable& types);
/// Returns the schema type of a parameter of a `pointwise` function.
std::optional<Type> pointwise_argument_type(const Declaration& declaration, const Parameter& parameter,
                                            const TypeTable& types);

}  // namespace structured::gen
