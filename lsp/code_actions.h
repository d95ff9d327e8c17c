// Code actions at a position.
#pragma once

#include "diagnostics.h"
#include "workspace.h"

namespace structured::lsp {

struct ActionRequest {
  std::string path;
  Span span;
  std::vector<std::string> kinds;  ///< empty for all
};

/// Adds a quick fix for each problem at the position that has fix-its.
void add_quick_fixes(const ActionRequest& request, Workspace& workspace, Locations& locations, JsonArray& actions);

/// Adds actions that create impls for missing backends, and outputs that a meta function or an impl lacks.
void add_missing_pieces(const ActionRequest& request, Workspace& workspace, Locations& locations, JsonArray& actions);

/// Adds an action that converts the kernels at the position to a structured operator.
void add_conversion(const ActionRequest& request, Workspace& workspace, Locations& locations, JsonArray& actions);

}  // namespace structured::lsp
