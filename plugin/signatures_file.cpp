#include "signatures_file.h"

#include "clang/Basic/FileManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "model/signatures_json.h"

namespace structured::gen {
namespace {

llvm::Error unreadable(llvm::StringRef path, llvm::StringRef reason) {
  return llvm::createStringError("cannot read `" + path + "`: " + reason);
}

}  // namespace

llvm::Expected<SignaturesFile> read_signatures(llvm::StringRef path, llvm::StringRef dialect, const SourceMap& map,
                                               clang::Preprocessor& preprocessor) {
  clang::SourceManager& sources = map.sources();
  llvm::Expected<clang::FileEntryRef> file = sources.getFileManager().getFileRef(path, /*OpenFile=*/true);
  if (!file) return unreadable(path, llvm::toString(file.takeError()));
  // Dependency files are written by preprocessor callbacks, which also receive files that are only looked up.
  if (clang::PPCallbacks* listeners = preprocessor.getPPCallbacks()) {
    listeners->HasInclude({}, path, /*IsAngled=*/false, *file, clang::SrcMgr::C_User);
  }
  clang::FileID id = sources.getOrCreateFileID(*file, clang::SrcMgr::C_User);
  std::optional<llvm::StringRef> text = sources.getBufferDataOrNone(id);
  if (!text) return unreadable(path, "not a regular file");
  llvm::Expected<Signatures> signatures = signatures_from_json(*text);
  if (!signatures) return llvm::createStringError("`" + path + "`: " + llvm::toString(signatures.takeError()));
  if (signatures->dialect != dialect) {
    return llvm::createStringError("`" + path + "`: `$.dialect`: expected `" + dialect + "`, found `" +
                                   signatures->dialect + "`");
  }
  return SignaturesFile{std::move(*signatures), map.path(id), *text};
}

}  // namespace structured::gen
