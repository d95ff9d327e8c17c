#include "structured/program/saved_value.h"

#include <string_view>

#include "structured/base/error.h"
#include "structured/format/zip.h"
#include "structured/program/pickle.h"
#include "structured/program/unpickle.h"

namespace structured::program {

DynamicValue read_saved_value(const std::shared_ptr<detail::FileBytes>& file, const std::string& name,
                              RequireGradient require_gradient) {
  const detail::ZipArchive archive(file->view(), name);
  constexpr std::string_view member = "data.pkl";
  for (const detail::ZipArchive::Member& candidate : archive.members()) {
    if (!candidate.name.ends_with(member)) continue;
    const std::string root(candidate.name.substr(0, candidate.name.size() - member.size()));
    ArchiveStorages storages(archive, file);
    const Pickle pickle(archive.read(candidate), name + ": " + std::string(candidate.name));
    return Unpickler(pickle, storages, root + "data/", nullptr, require_gradient).read(pickle.root_index());
  }
  fail(name, ": expected a member `data.pkl`, found none");
}

DynamicValue load_saved_value(const std::string& path) { return read_saved_value(detail::FileBytes::map(path), path); }

}  // namespace structured::program
