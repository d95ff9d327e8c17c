#include <map>

#include "commands.h"
#include "inputs.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "model/fragment_json.h"
#include "output_file.h"
#include "timing.h"

namespace structured::gen {
namespace {

/// Returns the path of the fragment. The output folder mirrors the source tree.
std::string fragment_path(const CommandLine& line, const Fragment& fragment) {
  if (!line.output.empty()) return line.output;
  llvm::StringRef source = fragment.source;
  // Only the name of a source outside the root is kept.
  llvm::SmallString<256> path(is_below_root(source) ? source : llvm::sys::path::filename(source));
  llvm::sys::path::replace_extension(path, ".fragment.json");
  llvm::SmallString<256> result(line.output_dir);
  llvm::sys::path::append(result, path);
  return result.str().str();
}

}  // namespace

int run_scan(const CommandLine& line) {
  Timing timing(line.prints_timing);
  auto scanned = scan_sources(line, line.inputs, nullptr, &timing);
  if (!scanned) return exit_errors;
  std::map<std::string, const ScannedSource*> by_path;
  for (const ScannedSource& source : *scanned) {
    auto [entry, is_new] = by_path.try_emplace(fragment_path(line, source.fragment), &source);
    if (!is_new) {
      return fail(line, "`" + entry->second->fragment.source + "` and `" + source.fragment.source +
                            "` would both be written to `" + entry->first + "`");
    }
  }
  timing.begin("write fragments");
  for (const auto& [path, source] : by_path) {
    if (llvm::Error error = write_output(path, to_json(source->fragment))) {
      return fail(line, llvm::toString(std::move(error)));
    }
    if (line.depfile.empty()) continue;
    std::vector<std::string> dependencies = source->dependencies;
    if (!line.flags_file.empty()) dependencies.push_back(line.flags_file);
    if (llvm::Error error = write_output(line.depfile, depfile_text(path, dependencies))) {
      return fail(line, llvm::toString(std::move(error)));
    }
  }
  return exit_success;
}

}  // namespace structured::gen
