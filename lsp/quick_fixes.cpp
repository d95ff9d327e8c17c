#include "code_actions.h"

namespace structured::lsp {
namespace {

bool overlap(const Span& a, const Span& b) { return a.begin <= b.end && b.begin <= a.end; }

/// Returns a short description of the edit.
std::string title(const Problem& problem, Documents& documents) {
  const gen::FixIt& fixit = problem.fixits.front();
  bool is_short = problem.fixits.size() == 1 && fixit.text.size() <= 60 && fixit.text.find('\n') == std::string::npos;
  const TextDocument* document = documents.text(fixit.range.file);
  if (!is_short || !document) return "fix: " + problem.message;
  std::size_t begin = document->offset(fixit.range.begin);
  std::size_t end = std::max(begin, document->offset(fixit.range.end));
  std::string old = llvm::StringRef(document->text()).slice(begin, end).trim().str();
  std::string text = llvm::StringRef(fixit.text).trim().str();
  if (old.size() > 60 || old.find('\n') != std::string::npos) return "fix: " + problem.message;
  if (old.empty()) return "insert `" + text + "`";
  if (text.empty()) return "remove `" + old + "`";
  return "replace `" + old + "` with `" + text + "`";
}

}  // namespace

void add_quick_fixes(const ActionRequest& request, Workspace& workspace, Locations& locations, JsonArray& actions) {
  const Problems& problems = workspace.problems();
  auto found = problems.find(request.path);
  if (found == problems.end()) return;
  for (const Problem& problem : found->second) {
    if (problem.fixits.empty() || !overlap(locations.span(problem.range), request.span)) continue;
    std::vector<Edit> edits;
    for (const gen::FixIt& fixit : problem.fixits) edits.push_back({fixit.range, fixit.text});
    actions.push_back(JsonObject{{"title", json_text(title(problem, workspace.documents()))},
                                 {"kind", "quickfix"},
                                 {"isPreferred", true},
                                 {"diagnostics", JsonArray{diagnostic_json(problem, locations)}},
                                 {"edit", workspace_edit(edits, locations)}});
  }
}

}  // namespace structured::lsp
