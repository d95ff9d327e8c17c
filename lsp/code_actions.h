// What the editor offers to do at a place.
#pragma once

#include "diagnostics.h"
#include "workspace.h"

namespace structured::lsp {

struct ActionRequest {
  std::string path;
  Span span;
  std::vector<std::string> kinds;  ///< empty: all
};

/// One quick fix for each problem at the place that one edit mends.
void add_quick_fixes(const ActionRequest& request, Workspace& workspace, Locations& locations, JsonArray& actions);

/// Impls for backends that the operator at the place lacks, and outputs that a meta function or an impl lacks.
void add_missing_pieces(const ActionRequest& request, Workspace& workspace, Locations& locations, JsonArray& actions);

/// The kernels at the place made one structured operator.
void add_conversion(const ActionRequest& request, Workspace& workspace, Locations& locations, JsonArray& actions);

}  // namespace structured::lsp
