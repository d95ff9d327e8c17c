#include "structured/program/pt2.h"

#include <algorithm>
#include <utility>

#include "structured/base/error.h"
#include "structured/program/json.h"
#include "structured/program/pt2_graph.h"
#include "structured/program/pt2_weights.h"

namespace structured::program {
namespace {

constexpr std::string_view kFormatMember = "archive_format";
constexpr int64_t kMajorVersion = 8;

/// Name of the only program in the archive, or `wanted` if there is one of this name.
std::string find_model(const detail::ZipArchive& archive, const std::string& folder, std::string_view wanted) {
  constexpr std::string_view suffix = ".json";
  std::vector<std::string> models;
  for (const detail::ZipArchive::Member& member : archive.members()) {
    if (!member.name.starts_with(folder) || !member.name.ends_with(suffix)) continue;
    const std::string_view name = member.name.substr(folder.size());
    models.emplace_back(name.substr(0, name.size() - suffix.size()));
  }
  std::string list;
  for (const std::string& model : models) list += (list.empty() ? "`" : ", `") + model + "`";
  if (wanted.empty()) {
    STRUCTURED_CHECK(models.size() == 1, archive.name(), ": expected one program, or the name of one, found ",
                     models.size(), models.empty() ? "" : ": ", list);
    return models[0];
  }
  STRUCTURED_CHECK(std::find(models.begin(), models.end(), wanted) != models.end(), archive.name(),
                   ": expected a program `", wanted, "`, found ", list.empty() ? "none" : list);
  return std::string(wanted);
}

void check_archive(const detail::ZipArchive& archive, const std::string& root) {
  const std::string_view format = archive.read(root + std::string(kFormatMember));
  STRUCTURED_CHECK(format == "pt2", archive.name(), ": expected the archive format `pt2`, found `",
                   format.substr(0, 32), "`");
  if (archive.find(root + "archive_version") != nullptr) {
    const std::string_view version = archive.read(root + "archive_version");
    STRUCTURED_CHECK(version == "0", archive.name(), ": expected archive version 0, found `", version.substr(0, 32),
                     "`");
  }
  if (archive.find(root + "byteorder") != nullptr) {
    const std::string_view order = archive.read(root + "byteorder");
    STRUCTURED_CHECK(order == "little", archive.name(), ": expected little-endian tensors, found `",
                     order.substr(0, 32), "`");
  }
}

}  // namespace

std::string pt2_root(const detail::ZipArchive& archive) {
  for (const detail::ZipArchive::Member& member : archive.members()) {
    const std::size_t slash = member.name.find('/');
    if (slash != std::string_view::npos && member.name.substr(slash + 1) == kFormatMember) {
      return std::string(member.name.substr(0, slash + 1));
    }
  }
  STRUCTURED_CHECK(archive.find("serialized_exported_program.json") == nullptr, archive.name(),
                   ": expected a file of PyTorch 2.9 or later, found one of PyTorch 2.7 or earlier; load it by "
                   "torch.export.load and save it by torch.export.save of a newer PyTorch");
  return {};
}

Graph read_pt2(const detail::ZipArchive& archive, const std::shared_ptr<detail::FileBytes>& file,
               std::string_view model, const OperatorLookups& libraries) {
  const std::string root = pt2_root(archive);
  check_archive(archive, root);
  const std::string name = find_model(archive, root + "models/", model);
  const std::string member = root + "models/" + name + ".json";
  // Metadata of nodes is more than half of the text, and serves only to print programs.
  const JsonDocument document(archive.read(member), archive.name() + ": " + member, "metadata");
  const JsonValue program = document.root();
  const JsonValue version = program["schema_version"];
  if (version["major"].integer() != kMajorVersion) {
    version.fail_here("expected schema version ", kMajorVersion, ", found ", version["major"].integer());
  }
  Pt2Weights weights(archive, file, root, name);
  return Pt2GraphReader(program, weights, libraries).read();
}

}  // namespace structured::program
