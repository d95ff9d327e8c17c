// Schemas of the language (schema/), and their parser with errors that LLVM's code passes on.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "structured/schema/schema.h"
#include "structured/schema/type.h"

namespace structured::gen {

using schema::AliasSet;
using schema::Argument;
using schema::OperatorName;
using schema::Return;
using schema::Schema;
using schema::Type;

using schema::find_base;
using schema::has_list;
using schema::to_string;
using schema::unwrapped;

/// Errors state the column, and what was expected and found.
llvm::Expected<Type> parse_type(llvm::StringRef text);
llvm::Expected<OperatorName> parse_operator_name(llvm::StringRef text);
llvm::Expected<Schema> parse_schema(llvm::StringRef text);

}  // namespace structured::gen
