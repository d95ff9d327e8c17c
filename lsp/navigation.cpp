// From one function of an operator to the others.
#include "answers.h"

namespace structured::lsp {

Json functions_of(Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset,
                  Sought sought) {
  workspace.refresh(path);
  KnownLibrary* library = workspace.library_of(path);
  const TextDocument* document = workspace.documents().text(path);
  if (!library || !document) return nullptr;
  std::optional<Target> target = target_at(*library, path, document->position(offset));
  if (!target || !target->op) return nullptr;
  const OperatorView& op = *target->op;

  std::vector<const gen::Site*> sites;
  if (sought != Sought::implementations) sites.push_back(&op.main());
  if (sought != Sought::definition) {
    for (const gen::Site* site : op.computations()) {
      if (sites.empty() || site != sites.front()) sites.push_back(site);
    }
  }
  if (sought == Sought::references) sites.insert(sites.end(), op.backwards.begin(), op.backwards.end());
  JsonArray result;
  for (const gen::Site* site : sites) {
    gen::SourceRange range = site->declaration().name_range;
    range.file = library->path(range.file);
    result.push_back(locations.location(range));
  }
  return result;
}

}  // namespace structured::lsp
