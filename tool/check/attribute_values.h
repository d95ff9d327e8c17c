// Attribute arguments that must be one of a set of names: the sets.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/annotation.h"
#include "model/type_table.h"

namespace structured::gen {

/// The backends that make sense in an attribute of that role.
std::vector<std::string> backends_for(const TypeTable& types, Role role);

/// What `dtypes` takes after the backend.
llvm::ArrayRef<llvm::StringLiteral> dtype_names();

/// What `promote` takes.
llvm::ArrayRef<llvm::StringLiteral> promotion_rules();

}  // namespace structured::gen
