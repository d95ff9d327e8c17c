// Differences between the versions of Clang that the tool builds with: 19, and 22 as in Debian's security updates.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/TemplateBase.h"
#include "clang/AST/TemplateName.h"
#include "clang/AST/Type.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/PrecompiledPreamble.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/InMemoryModuleCache.h"
#if CLANG_VERSION_MAJOR >= 22
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Options/Options.h"
#include "clang/Serialization/ModuleCache.h"
#else
#include "clang/Driver/Options.h"
#include "clang/Frontend/Utils.h"
#endif

namespace structured::gen {

#if CLANG_VERSION_MAJOR >= 22

namespace driver_options = clang::options;
inline const llvm::opt::OptTable& driver_option_table() { return clang::getDriverOptTable(); }

using OwnedDiagnosticOptions = std::unique_ptr<clang::DiagnosticOptions>;
/// Options as the constructor of TextDiagnosticPrinter takes them.
inline clang::DiagnosticOptions& printer_options(clang::DiagnosticOptions& options) { return options; }
/// An engine that reports to `client`. All arguments must outlive it.
inline llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> make_engine(llvm::vfs::FileSystem& files,
                                                                      clang::DiagnosticOptions& options,
                                                                      clang::DiagnosticConsumer& client) {
  return clang::CompilerInstance::createDiagnostics(files, options, &client, /*ShouldOwnClient=*/false);
}
/// An instance that reads files through `files` and reports to `client`.
inline std::unique_ptr<clang::CompilerInstance> make_instance(std::shared_ptr<clang::CompilerInvocation> invocation,
                                                              clang::FileManager& files,
                                                              clang::DiagnosticConsumer& client) {
  auto instance = std::make_unique<clang::CompilerInstance>(std::move(invocation));
  instance->setVirtualFileSystem(files.getVirtualFileSystemPtr());
  instance->createDiagnostics(&client, /*ShouldOwnClient=*/false);
  instance->setFileManager(&files);
  return instance;
}
inline bool accepts_ast_file(const std::string& path, clang::FileManager& files,
                             const clang::CompilerInvocation& invocation) {
  clang::RawPCHContainerReader reader;
  return clang::ASTReader::isAcceptableASTFile(path, files, *clang::createCrossProcessModuleCache(), reader,
                                               invocation.getLangOpts(), invocation.getCodeGenOpts(),
                                               invocation.getTargetOpts(), invocation.getPreprocessorOpts(),
                                               invocation.getHeaderSearchOpts(), "");
}
inline llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> preamble_engine(
    const llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine>& engine) {
  return engine;
}
/// The type that a use of a template at `place` names. A template, since few sources need Sema's header.
template <class Sema>
clang::QualType specialization_type(Sema& sema, clang::TemplateName name, clang::SourceLocation place,
                                    clang::TemplateArgumentListInfo& arguments) {
  return sema.CheckTemplateIdType(clang::ElaboratedTypeKeyword::None, name, place, arguments, /*Scope=*/nullptr,
                                  /*ForNestedNameSpecifier=*/false);
}
inline clang::QualType type_of(const clang::RecordDecl& record) {
  return record.getASTContext().getCanonicalTagType(&record);
}
/// The id of an error that has_compile_error() does not count. Errors of this class are not "unrecoverable".
template <unsigned size>
unsigned own_error_id(clang::DiagnosticsEngine& engine, const char (&format)[size]) {
  return engine.getDiagnosticIDs()->getCustomDiagID({clang::diag::Severity::Error, format,
                                                     clang::DiagnosticIDs::CLASS_WARNING, /*ShowInSystemHeader=*/true,
                                                     /*ShowInSystemMacro=*/true});
}
/// Whether Clang has reported an error that may make declarations invalid.
inline bool has_compile_error(const clang::DiagnosticsEngine& engine) { return engine.hasUnrecoverableErrorOccurred(); }
inline clang::SourceLocation location_of(const clang::IdentifierLoc& identifier) { return identifier.getLoc(); }
inline llvm::StringRef name_of(const clang::IdentifierLoc& identifier) {
  return identifier.getIdentifierInfo()->getName();
}

#else

namespace driver_options = clang::driver::options;
inline const llvm::opt::OptTable& driver_option_table() { return clang::driver::getDriverOptTable(); }

using OwnedDiagnosticOptions = llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions>;
/// Options as the constructor of TextDiagnosticPrinter takes them.
inline clang::DiagnosticOptions* printer_options(clang::DiagnosticOptions& options) { return &options; }
/// An engine that reports to `client`. All arguments must outlive it.
inline llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> make_engine(llvm::vfs::FileSystem&,
                                                                      clang::DiagnosticOptions& options,
                                                                      clang::DiagnosticConsumer& client) {
  return clang::CompilerInstance::createDiagnostics(&options, &client, /*ShouldOwnClient=*/false);
}
/// An instance that reads files through `files` and reports to `client`.
inline std::unique_ptr<clang::CompilerInstance> make_instance(std::shared_ptr<clang::CompilerInvocation> invocation,
                                                              clang::FileManager& files,
                                                              clang::DiagnosticConsumer& client) {
  auto instance = std::make_unique<clang::CompilerInstance>();
  instance->setInvocation(std::move(invocation));
  instance->createDiagnostics(&client, /*ShouldOwnClient=*/false);
  instance->setFileManager(&files);
  return instance;
}
inline bool accepts_ast_file(const std::string& path, clang::FileManager& files,
                             const clang::CompilerInvocation& invocation) {
  llvm::IntrusiveRefCntPtr<clang::InMemoryModuleCache> cache = new clang::InMemoryModuleCache;
  clang::RawPCHContainerReader reader;
  return clang::ASTReader::isAcceptableASTFile(path, files, *cache, reader, invocation.getLangOpts(),
                                               invocation.getTargetOpts(), invocation.getPreprocessorOpts(), "");
}
inline clang::DiagnosticsEngine& preamble_engine(const llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine>& engine) {
  return *engine;
}
/// The type that a use of a template at `place` names. A template, since few sources need Sema's header.
template <class Sema>
clang::QualType specialization_type(Sema& sema, clang::TemplateName name, clang::SourceLocation place,
                                    clang::TemplateArgumentListInfo& arguments) {
  return sema.CheckTemplateIdType(name, place, arguments);
}
inline clang::QualType type_of(const clang::RecordDecl& record) {
  return record.getASTContext().getRecordType(&record);
}
/// The id of an error that has_compile_error() does not count.
template <unsigned size>
unsigned own_error_id(clang::DiagnosticsEngine& engine, const char (&format)[size]) {
  return engine.getCustomDiagID(clang::DiagnosticsEngine::Error, format);
}
/// Whether Clang has reported an error that may make declarations invalid. Custom errors are not "uncompilable".
inline bool has_compile_error(const clang::DiagnosticsEngine& engine) { return engine.hasUncompilableErrorOccurred(); }
inline clang::SourceLocation location_of(const clang::IdentifierLoc& identifier) { return identifier.Loc; }
inline llvm::StringRef name_of(const clang::IdentifierLoc& identifier) { return identifier.Ident->getName(); }

#endif

/// A copy of the options.
inline OwnedDiagnosticOptions copy_of(const clang::DiagnosticOptions& options) {
  return OwnedDiagnosticOptions(new clang::DiagnosticOptions(options));
}

}  // namespace structured::gen
