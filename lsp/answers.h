// Answers to what an editor asks about a place or a file.
#pragma once

#include "locations.h"
#include "operators.h"
#include "workspace.h"

namespace structured::lsp {

/// Schemas, backends, dtypes and documentation of the operator at the place, and what the attribute means; null where
/// there is none.
Json hover(Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset);

enum class Sought { definition, implementations, references };
/// The places of the functions of the operator at a place.
Json functions_of(Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset,
                  Sought sought);

/// Names of operators, backends, dtypes and attributes inside attributes.
Json completion(Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset);

/// One lens for each operator that is defined in the file.
Json code_lenses(Workspace& workspace, Locations& locations, const std::string& path);

Json document_symbols(Workspace& workspace, Locations& locations, const std::string& path);

/// Operators of all libraries whose name, or whose functions' names, contain the query.
Json workspace_symbols(Workspace& workspace, Locations& locations, llvm::StringRef query);

}  // namespace structured::lsp
