// Navigation between the functions of an operator.
#include "answers.h"

namespace structured::lsp {

Json functions_of(Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset,
                  Sought sought) {
  workspace.refresh(path);
  KnownLibrary* library = workspace.library_of(path);
  const TextDocument* document = workspace.documents().text(path);
  if (!library || !document) return nullptr;
  std::optional<FunctionAtPosition> target = target_at(*library, path, document->position(offset));
  if (!target || !target->op) return nullptr;
  const OperatorView& op = *target->op;

  std::vector<const gen::OperatorRef*> refs;
  if (sought != Sought::implementations) refs.push_back(&op.main());
  if (sought != Sought::definition) {
    for (const gen::OperatorRef* ref : op.computations()) {
      if (refs.empty() || ref != refs.front()) refs.push_back(ref);
    }
  }
  if (sought == Sought::references) refs.insert(refs.end(), op.backwards.begin(), op.backwards.end());
  JsonArray result;
  for (const gen::OperatorRef* ref : refs) {
    gen::SourceRange range = ref->declaration().name_range;
    range.file = library->path(range.file);
    result.push_back(locations.location(range));
  }
  return result;
}

}  // namespace structured::lsp
