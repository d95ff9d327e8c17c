#include "program/fragment_options.h"

#include "check/source_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "model/operator_index.h"
#include "program/library_config.h"
#include "program/output_file.h"

namespace structured::gen {

llvm::Expected<std::vector<std::string>> read_header_list(llvm::StringRef path) {
  llvm::Expected<std::string> text = read_input(path);
  if (!text) return text.takeError();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(*text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::vector<std::string> result;
  for (const llvm::StringRef line : lines) result.push_back(absolute_path(line, ""));
  return result;
}

void prepare_fragments(const FragmentOptions& options, std::vector<Fragment>& fragments) {
  if (!options.other_headers.empty()) {
    const SourceText sources(options.source_root, options.generated_root);
    llvm::StringSet<> headers;
    for (const std::string& header : options.other_headers) headers.insert(header);
    llvm::StringMap<bool> known;  // a header has several declarations
    const auto is_of_other = [&](const std::string& file) {
      const auto [entry, is_new] = known.try_emplace(file);
      if (is_new) entry->second = headers.contains(absolute_path(sources.path(file), ""));
      return entry->second;
    };
    for (Fragment& fragment : fragments) {
      llvm::erase_if(fragment.declarations, [&](const Declaration& declaration) {
        return declaration.range.file != fragment.source && is_of_other(declaration.range.file);
      });
    }
  }
  if (options.leaves_off_out) leave_off_implied_out_variants(fragments, options.schema_namespace);
}

}  // namespace structured::gen
