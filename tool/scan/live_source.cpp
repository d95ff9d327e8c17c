#include "scan/live_source.h"

#include "clang/Frontend/PrecompiledPreamble.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "scan/attribute_registration.h"
#include "scan/collector.h"
#include "scan/dependencies.h"
#include "scan/known_bodies.h"
#include "scan/parse_session.h"
#include "scan/prefilter.h"
#include "scan/scan_action.h"
#include "scan/source_path.h"

namespace structured::gen {
namespace {

/// Collects what is annotated in the headers while Clang precompiles them: a parse that starts from them does not see
/// it.
class HeaderCallbacks final : public clang::PreambleCallbacks {
 public:
  HeaderCallbacks(const SourceRoot& root, Collected& collected, std::shared_ptr<Dependencies> dependencies)
      : root_(root), collected_(collected), dependencies_(std::move(dependencies)) {}

  void BeforeExecute(clang::CompilerInstance& instance) override {
    instance_ = &instance;
    dependencies_->attachToPreprocessor(instance.getPreprocessor());
    collector_.emplace(instance.getPreprocessor(), root_, collected_);
  }

  void HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (start()) collector_->HandleTopLevelDecl(group);
  }

  void AfterExecute(clang::CompilerInstance& instance) override {
    if (!start()) return;
    collector_->HandleTranslationUnit(instance.getASTContext());
    collector_->ForgetSema();
    collected_.map.reset();
  }

 private:
  bool start() {
    if (!has_sema_ && instance_->hasSema()) {
      collector_->InitializeSema(instance_->getSema());
      has_sema_ = true;
    }
    return has_sema_;
  }

  const SourceRoot& root_;
  Collected& collected_;
  std::shared_ptr<Dependencies> dependencies_;
  clang::CompilerInstance* instance_ = nullptr;
  std::optional<Collector> collector_;
  bool has_sema_ = false;
};

/// The headers in parsed form, and what parsing them gave.
struct Headers {
  clang::PrecompiledPreamble parsed;
  std::vector<Declaration> declarations;
  std::vector<ScanFinding> findings;
  std::vector<ParserError> parser_errors;
  std::vector<std::string> dependencies;
  bool lost_declarations = false;
  bool used_placeholder = false;
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_unsaved(const UnsavedFiles& unsaved, llvm::StringRef directory) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real = llvm::vfs::createPhysicalFileSystem();
  auto texts = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto& [path, file] : unsaved) {
    // The version takes the place of the time of change, by which Clang tells whether headers are as they were.
    texts->addFile(path, static_cast<time_t>(file.version), llvm::MemoryBuffer::getMemBuffer(file.text, path));
  }
  auto result = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(real));
  result->pushOverlay(std::move(texts));
  if (!directory.empty()) result->setCurrentWorkingDirectory(directory);
  return result;
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

struct LiveSource::State {
  State(ScanOptions scan_options, SourceCommand source_command)
      : options(std::move(scan_options)),
        root(options.source_root),
        session(options, root),
        command(std::move(source_command)) {
    register_attributes();
  }

  /// Sees to it that `headers` are those of this text, or none.
  bool prepare_headers(ParseSession::Workspace& space, const clang::CompilerInvocation& invocation,
                       const llvm::MemoryBuffer& text);

  ScanOptions options;
  SourceRoot root;
  ParseSession session;
  SourceCommand command;
  std::optional<Headers> headers;
  std::optional<KnownBodies> bodies;
};

bool LiveSource::State::prepare_headers(ParseSession::Workspace& space, const clang::CompilerInvocation& invocation,
                                        const llvm::MemoryBuffer& text) {
  clang::PreambleBounds bounds = clang::ComputePreambleBounds(invocation.getLangOpts(), text.getMemBufferRef(), 0);
  if (headers && headers->parsed.CanReuse(invocation, text.getMemBufferRef(), bounds, *space.files)) return true;
  headers.reset();
  if (bounds.Size == 0) return false;
  auto dependencies = std::make_shared<Dependencies>(*space.files, /*reads_pch_files=*/false);
  Collected collected;
  HeaderCallbacks callbacks(root, collected, dependencies);
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> diagnostic_options =
      new clang::DiagnosticOptions(invocation.getDiagnosticOpts());
  ScanDiagnostics diagnostics(*diagnostic_options, root);
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> engine =
      clang::CompilerInstance::createDiagnostics(diagnostic_options.get(), &diagnostics, /*ShouldOwnClient=*/false);
  auto parsed = clang::PrecompiledPreamble::Build(invocation, &text, bounds, *engine, space.files,
                                                  std::make_shared<clang::PCHContainerOperations>(),
                                                  /*StoreInMemory=*/true, "", callbacks);
  if (!parsed) return false;
  headers.emplace(Headers{std::move(*parsed),
                          std::move(collected.declarations),
                          diagnostics.take_findings(),
                          diagnostics.take_parser_errors(),
                          {},
                          collected.lost_declarations,
                          dependencies->used_placeholder()});
  for (const std::string& name : dependencies->getDependencies()) {
    llvm::SmallString<256> path(name);
    space.files->makeAbsolute(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    headers->dependencies.push_back(path.str().str());
  }
  return false;
}

LiveSource::LiveSource(ScanOptions options, SourceCommand command)
    : state_(std::make_unique<State>(std::move(options), std::move(command))) {}
LiveSource::LiveSource(LiveSource&&) noexcept = default;
LiveSource& LiveSource::operator=(LiveSource&&) noexcept = default;
LiveSource::~LiveSource() = default;

const SourceCommand& LiveSource::command() const { return state_->command; }

void LiveSource::forget_headers() { state_->headers.reset(); }

LiveScan LiveSource::scan(const UnsavedFiles& unsaved, ScanMode mode) {
  LiveScan result;
  ScanResult& scanned = result.scanned;
  auto fail = [&](std::string message) {
    scanned.parser_errors.push_back({std::move(message), {}});
    scanned.errors = 1;
    return std::move(result);
  };
  const SourceCommand& command = state_->command;
  ParseSession::Workspace space = state_->session.make_workspace(with_unsaved(unsaved, command.directory));
  auto text = space.files->getBufferForFile(command.source);
  if (!text) return fail("cannot read `" + command.source + "`: " + text.getError().message());
  std::string flag_errors;
  auto invocation = state_->session.invocation(command, flag_errors);
  if (!invocation) return fail(std::move(flag_errors));

  // Whether the headers are as they were is asked before, and cheaper than by their contents.
  invocation->getHeaderSearchOpts().ValidateASTInputFilesContent = false;
  // What a misspelled name may have meant is for the compiler to say: the search takes as long as all the rest.
  invocation->getLangOpts().SpellChecking = false;

  Fragment fragment;
  fragment.source = state_->root.relative(command.source, command.directory);
  fragment.dialect = state_->options.dialect;
  Prefilter prefilter;
  Prefilter::Result look = prefilter.look_at(*space.files, command.source, author_include_dirs(*invocation, command),
                                             invocation->getPreprocessorOpts().Includes);
  if (!look.may_have_annotations) {
    state_->headers.reset();
    scanned.dependencies = std::move(look.visited);
    scanned.fragment = std::move(fragment);
    return result;
  }

  bool keeps_headers = mode != ScanMode::once;
  if (!keeps_headers) state_->headers.reset();
  std::string source_text = keeps_headers ? (*text)->getBuffer().str() : "";
  if (keeps_headers) result.reused_headers = state_->prepare_headers(space, *invocation, **text);
  if (const std::optional<Headers>& headers = state_->headers) {
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below = with_unsaved(unsaved, command.directory);
    headers->parsed.AddImplicitPreamble(*invocation, below, text->release());
    space = state_->session.make_workspace(std::move(below));
  }
  Collected collected;
  ScanAction action(state_->root, collected);
  // What the headers say may be another thing now.
  if (!result.reused_headers) state_->bodies.reset();
  if (state_->bodies) state_->bodies->compare(source_text);
  if (mode == ScanMode::quick && state_->bodies) {
    invocation->getFrontendOpts().SkipFunctionBodies = true;
    action.skip_bodies([&](unsigned name_offset) { return state_->bodies->is_known(name_offset); });
  }
  ParseResult parse = state_->session.run(space, std::move(invocation), action);
  collected.map.reset();
  scanned.errors = parse.errors;
  scanned.findings = std::move(parse.findings);
  scanned.parser_errors = std::move(parse.parser_errors);
  scanned.dependencies = std::move(parse.dependencies);
  result.used_placeholder = parse.used_placeholder;
  bool lost_declarations = collected.lost_declarations;
  if (const std::optional<Headers>& headers = state_->headers) {
    fragment.declarations = headers->declarations;
    append(scanned.findings, headers->findings);
    append(scanned.parser_errors, headers->parser_errors);
    append(scanned.dependencies, headers->dependencies);
    lost_declarations |= headers->lost_declarations;
    result.used_placeholder |= headers->used_placeholder;
  }
  bool is_shimmed = is_cuda(command.source, command.flags) && state_->options.cuda_toolkit.empty();
  // An empty placeholder, or the shim, lacks what bodies and helpers name: the compiler is the one to judge those.
  bool tolerates_errors = result.used_placeholder || is_shimmed;
  if (tolerates_errors && !lost_declarations) scanned.parser_errors.clear();
  bool has_errors = !scanned.parser_errors.empty();
  for (std::size_t i = 0; i < collected.extents.size(); ++i) {
    FunctionExtent& extent = collected.extents[i];
    result.is_quick |= extent.has_skipped_body;
    if (!extent.has_skipped_body && !has_errors) continue;
    if (extent.has_skipped_body) extent.end = state_->bodies ? state_->bodies->end(extent.name) : 0;
    collected.declarations[i].body =
        state_->bodies && extent.end > 0 ? state_->bodies->facts(extent.name) : std::nullopt;
  }
  append(fragment.declarations, collected.declarations);
  if (lost_declarations || !scanned.findings.empty()) return result;
  if (keeps_headers && !has_errors) {
    state_->bodies.emplace(std::move(source_text), collected.declarations, collected.extents);
  }
  scanned.fragment = std::move(fragment);
  return result;
}

}  // namespace structured::gen
