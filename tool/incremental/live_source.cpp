#include "incremental/live_source.h"

#include "clang/Lex/PreprocessorOptions.h"
#include "incremental/incremental_reparse.h"
#include "incremental/preamble.h"
#include "scan/attribute_registration.h"
#include "scan/prefilter.h"
#include "scan/scan_action.h"
#include "scan/source_path.h"

namespace structured::gen {
namespace {

llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> with_unsaved(const UnsavedFiles& unsaved,
                                                                    llvm::StringRef directory) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real = llvm::vfs::createPhysicalFileSystem();
  auto texts = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto& [path, file] : unsaved) {
    // The version serves as modification time, from which Clang tells whether headers changed.
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

  ScanOptions options;
  SourceRoot root;
  ParseSession session;
  SourceCommand command;
  std::optional<Preamble> headers;
  std::optional<IncrementalReparse> known;
};

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
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> seen = with_unsaved(unsaved, command.directory);
  ParseSession::Workspace space = state_->session.make_workspace(seen);
  auto text = space.files->getBufferForFile(command.source);
  if (!text) return fail("cannot read `" + command.source + "`: " + text.getError().message());
  std::string flag_errors;
  auto invocation = state_->session.invocation(command, flag_errors);
  if (!invocation) return fail(std::move(flag_errors));

  // Changed headers are detected before, at lower cost than by content.
  invocation->getHeaderSearchOpts().ValidateASTInputFilesContent = false;
  // Spelling suggestions are left to the compiler: the search takes as long as the rest of the parse.
  invocation->getLangOpts().SpellChecking = false;
  // Builtin names of the C library would all be looked up in the preamble at once.
  invocation->getLangOpts().NoBuiltin = true;
  // No warnings are shown, and unknown warning flags trigger a spelling search.
  invocation->getDiagnosticOpts().Warnings.clear();

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

  state_->session.add_first_include(command, *space.files, *invocation);

  bool keeps_headers = mode != ScanMode::once;
  if (!keeps_headers) state_->headers.reset();
  std::string source_text = keeps_headers ? (*text)->getBuffer().str() : "";
  if (std::optional<Preamble>& headers = state_->headers; keeps_headers) {
    // Quick scans do not check headers on disk, which takes a while; the next whole scan does.
    result.reused_headers = headers && headers->begin(*invocation, **text) &&
                            (mode == ScanMode::quick || headers->are_current(*invocation, **text, *space.files));
    if (!result.reused_headers)
      headers = Preamble::read(state_->root, state_->options.analyze_body, space, *invocation, **text);
  }
  std::optional<IncrementalReparse>& known = state_->known;
  // Declarations in headers may have changed.
  if (!result.reused_headers) known.reset();
  if (known) known->compare(source_text);
  result.is_quick = mode == ScanMode::quick && known;
  Collected collected;
  const ScanOptions& options = state_->options;
  const bool is_quick = result.is_quick && options.analyze_quickly;
  ScanAction action(state_->root, is_quick ? options.analyze_quickly : options.analyze_body, collected);
  if (result.is_quick) {
    *text = llvm::MemoryBuffer::getMemBufferCopy(known->remaining_text(), command.source);
    invocation->getFrontendOpts().SkipFunctionBodies = true;
    action.skip_bodies([&](unsigned name_offset) { return known->is_known(name_offset); });
  }
  if (const std::optional<Preamble>& headers = state_->headers) {
    headers->use(*invocation, std::move(*text));
    seen->pushOverlay(headers->files());
    space = state_->session.make_workspace(std::move(seen));
  }
  ParseResult parse = state_->session.run(space, std::move(invocation), action);
  collected.map.reset();
  scanned.errors = parse.errors;
  scanned.findings = std::move(parse.findings);
  scanned.parser_errors = std::move(parse.parser_errors);
  scanned.dependencies = std::move(parse.dependencies);
  result.used_placeholder = parse.used_placeholder;
  bool lost_declarations = collected.lost_declarations;
  if (const std::optional<Preamble>& headers = state_->headers) {
    fragment.declarations = headers->declarations;
    append(scanned.findings, headers->findings);
    append(scanned.parser_errors, headers->parser_errors);
    append(scanned.dependencies, headers->dependencies);
    lost_declarations |= headers->lost_declarations;
    result.used_placeholder |= headers->used_placeholder;
  }
  bool is_shimmed = is_cuda(command.source, command.flags) && state_->options.cuda_toolkit.empty();
  // Empty placeholders and the shim lack names that bodies and helpers use; the compiler will check those.
  bool tolerates_errors = result.used_placeholder || is_shimmed;
  if (tolerates_errors && !lost_declarations) scanned.parser_errors.clear();
  bool has_errors = !scanned.parser_errors.empty();
  for (std::size_t i = 0; i < collected.extents.size(); ++i) {
    const FunctionExtent& extent = collected.extents[i];
    bool was_read = !extent.has_skipped_body && !has_errors;
    if (!was_read) collected.declarations[i].body = known ? known->facts(extent.name) : std::nullopt;
  }
  if (result.is_quick) known->add_others(collected.declarations, collected.extents);
  append(fragment.declarations, collected.declarations);
  fragment.skipped = std::move(collected.skipped);
  fragment.misspelt = std::move(collected.misspelt);
  if (lost_declarations || !scanned.findings.empty()) return result;
  if (keeps_headers && !has_errors && !result.is_quick) {
    known.emplace(std::move(source_text), collected.declarations, collected.extents);
  }
  scanned.fragment = std::move(fragment);
  return result;
}

}  // namespace structured::gen
