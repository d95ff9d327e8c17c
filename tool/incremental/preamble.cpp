#include "incremental/preamble.h"

#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "incremental/preamble_instantiations.h"
#include "scan/clang_versions.h"
#include "scan/collector.h"
#include "scan/dependencies.h"

namespace structured::gen {
namespace {

/// Collects the annotated declarations of headers while Clang precompiles them; a parse that starts from the preamble
/// does not visit them.
class HeaderCallbacks final : public clang::PreambleCallbacks {
 public:
  /// `rest` is the text after the preamble.
  HeaderCallbacks(const SourceRoot& root, BodyCallback analyze_body, Collected& collected,
                  std::shared_ptr<Dependencies> dependencies, llvm::StringRef rest)
      : root_(root),
        analyze_body_(analyze_body),
        collected_(collected),
        dependencies_(std::move(dependencies)),
        rest_(rest) {}

  void BeforeExecute(clang::CompilerInstance& instance) override {
    instance_ = &instance;
    dependencies_->attachToPreprocessor(instance.getPreprocessor());
    collector_.emplace(instance.getPreprocessor(), root_, analyze_body_, collected_);
  }

  void HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (!start()) return;
    collector_->HandleTopLevelDecl(group);
    // The parser is one token ahead: after the last declaration it has left the file.
    bool is_last = !instance_->getPreprocessor().getCurrentFileLexer();
    if (is_last && !rest_.empty())
      is_spoilt_ = !instantiate_named_types(instance_->getSema(), std::exchange(rest_, ""));
  }

  void AfterExecute(clang::CompilerInstance& instance) override {
    if (!start()) return;
    collector_->HandleTranslationUnit(instance.getASTContext());
    collector_->ForgetSema();
    collected_.map.reset();
  }

  /// Whether instantiating types named in the rest caused an error.
  bool is_spoilt() const { return is_spoilt_; }

 private:
  bool start() {
    if (!has_sema_ && instance_->hasSema()) {
      collector_->InitializeSema(instance_->getSema());
      has_sema_ = true;
    }
    return has_sema_;
  }

  const SourceRoot& root_;
  BodyCallback analyze_body_;
  Collected& collected_;
  std::shared_ptr<Dependencies> dependencies_;
  llvm::StringRef rest_;
  clang::CompilerInstance* instance_ = nullptr;
  std::optional<Collector> collector_;
  bool has_sema_ = false;
  bool is_spoilt_ = false;
};

clang::PreambleBounds bounds_of(const clang::CompilerInvocation& invocation, const llvm::MemoryBuffer& text) {
  return clang::ComputePreambleBounds(invocation.getLangOpts(), text.getMemBufferRef(), /*MaxLines=*/0);
}

}  // namespace

std::optional<Preamble> Preamble::read(const SourceRoot& root, BodyCallback analyze_body,
                                       ParseSession::Workspace& space, const clang::CompilerInvocation& invocation,
                                       const llvm::MemoryBuffer& text) {
  clang::PreambleBounds bounds = bounds_of(invocation, text);
  if (bounds.Size == 0) return std::nullopt;
  for (llvm::StringRef rest : {text.getBuffer().drop_front(bounds.Size), llvm::StringRef()}) {
    auto dependencies = std::make_shared<Dependencies>(*space.files, /*reads_pch_files=*/false);
    Collected collected;
    HeaderCallbacks callbacks(root, analyze_body, collected, dependencies, rest);
    const OwnedDiagnosticOptions diagnostic_options = copy_of(invocation.getDiagnosticOpts());
    ScanDiagnostics diagnostics(*diagnostic_options, root);
    llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> engine =
        make_engine(*space.files, *diagnostic_options, diagnostics);
    auto parsed = clang::PrecompiledPreamble::Build(invocation, &text, bounds, preamble_engine(engine), space.files,
                                                    std::make_shared<clang::PCHContainerOperations>(),
                                                    /*StoreInMemory=*/true, "", callbacks);
    if (callbacks.is_spoilt()) continue;
    if (!parsed) return std::nullopt;
    Preamble result(std::move(*parsed));
    result.declarations = std::move(collected.declarations);
    result.findings = diagnostics.take_findings();
    result.parser_errors = diagnostics.take_parser_errors();
    result.lost_declarations = collected.lost_declarations;
    result.used_placeholder = dependencies->used_placeholder();
    for (const std::string& name : dependencies->getDependencies()) {
      llvm::SmallString<256> path(name);
      space.files->makeAbsolute(path);
      llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
      result.dependencies.push_back(path.str().str());
    }
    // Clang would create the file for each parse and hash all its bytes; creating it once is enough.
    clang::CompilerInvocation user(invocation);
    result.files_ = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    auto copy = llvm::MemoryBuffer::getMemBufferCopy(text.getBuffer(), text.getBufferIdentifier());
    result.parsed_.AddImplicitPreamble(user, result.files_, copy.get());
    result.path_ = user.getPreprocessorOpts().ImplicitPCHInclude;
    return result;
  }
  return std::nullopt;
}

bool Preamble::begin(const clang::CompilerInvocation& invocation, const llvm::MemoryBuffer& text) const {
  clang::PreambleBounds bounds = bounds_of(invocation, text);
  return bounds.PreambleEndsAtStartOfLine == parsed_.getBounds().PreambleEndsAtStartOfLine &&
         text.getBuffer().take_front(bounds.Size) == parsed_.getContents();
}

bool Preamble::are_current(const clang::CompilerInvocation& invocation, const llvm::MemoryBuffer& text,
                           llvm::vfs::FileSystem& files) const {
  return parsed_.CanReuse(invocation, text.getMemBufferRef(), bounds_of(invocation, text), files);
}

void Preamble::use(clang::CompilerInvocation& invocation, std::unique_ptr<llvm::MemoryBuffer> text) const {
  clang::PreprocessorOptions& options = invocation.getPreprocessorOpts();
  options.ImplicitPCHInclude = path_;
  options.PrecompiledPreambleBytes = {parsed_.getBounds().Size, parsed_.getBounds().PreambleEndsAtStartOfLine};
  options.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH;
  options.UsePredefines = false;
  options.addRemappedFile(invocation.getFrontendOpts().Inputs.front().getFile(), text.release());
}

}  // namespace structured::gen
