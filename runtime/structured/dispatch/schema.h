#pragma once
// Schemas at run time: types, names and defaults of arguments and results.
#include <string_view>

#include "structured/base/export.h"
#include "structured/dispatch/value.h"
#include "structured/schema/view.h"

namespace structured {

using SchemaArgument = schema::ArgumentView;
using SchemaText = schema::SchemaView;

/// Parses `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`, the form of OperatorBase::schema. The
/// result views `text`. Empty text gives no arguments and results; malformed text is an Error that names the column.
STRUCTURED_API SchemaText read_schema(std::string_view text);

namespace detail {

/// Kind of the values of an argument, apart from `None`; none for types that only PyTorch has.
STRUCTURED_API Value::Kind kind_of(const SchemaArgument& argument);

}  // namespace detail

}  // namespace structured
