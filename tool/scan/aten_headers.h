// Frontend action that reads the operators declared in the headers of libtorch.
#pragma once

#include <string>

#include "clang/Frontend/FrontendAction.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "model/aten_headers.h"
#include "scan/source_path.h"

namespace structured::gen {

/// Returns a source that includes the schemas and the meta classes of all operators of libtorch. NativeMetaFunctions.h
/// names headers that wheels do not have, so the source names those that exist in one of the folders.
std::string aten_headers_source(llvm::vfs::FileSystem& files, llvm::ArrayRef<std::string> include_dirs);

class AtenHeadersAction final : public clang::ASTFrontendAction {
 public:
  /// Both must outlive the parse.
  AtenHeadersAction(const SourceRoot& root, AtenHeaders& headers) : root_(root), headers_(headers) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance, llvm::StringRef) override;

  /// See ScanAction::getTranslationUnitKind().
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }

 private:
  const SourceRoot& root_;
  AtenHeaders& headers_;
};

}  // namespace structured::gen
