// Answers to requests about a position or a file.
#pragma once

#include "locations.h"
#include "operators.h"
#include "workspace.h"

namespace structured::lsp {

/// Returns schemas, backends, dtypes and documentation of the operator at a position and the meaning of the attribute
/// there; null if there is neither.
Json hover(Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset);

enum class Sought { definition, implementations, references };
/// Returns the locations of the functions of the operator at a position.
Json functions_of(Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset,
                  Sought sought);

/// Completes names of operators, backends, dtypes and attributes inside attributes.
Json completion(Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset);

/// Returns a code lens for each operator defined in the file.
Json code_lenses(Workspace& workspace, Locations& locations, const std::string& path);

Json document_symbols(Workspace& workspace, Locations& locations, const std::string& path);

/// Returns operators of all libraries whose name, or whose functions' names, contain the query.
Json workspace_symbols(Workspace& workspace, Locations& locations, llvm::StringRef query);

}  // namespace structured::lsp
