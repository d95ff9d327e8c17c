#include "scan/scanner.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "scan/aten_headers.h"
#include "scan/attribute_registration.h"
#include "scan/attribute_watch.h"
#include "scan/builtin_headers.h"
#include "scan/collector.h"
#include "scan/parse_session.h"
#include "scan/prefilter.h"
#include "scan/scan_action.h"
#include "scan/scan_findings.h"
#include "scan/source_path.h"

namespace structured::gen {
namespace {

/// Runs before the consumer that writes the precompiled header.
class PrecompileConsumer final : public clang::SemaConsumer {
 public:
  explicit PrecompileConsumer(clang::Preprocessor& preprocessor) : engine_(preprocessor.getDiagnostics()) {
    watch_attributes(preprocessor, seen_);
  }

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  void HandleTranslationUnit(clang::ASTContext&) override {
    // Pending instantiations would be repeated by every source that uses the header.
    if (sema_) sema_->PendingInstantiations.clear();
    for (const SeenAttribute& attribute : seen_.known) {
      report_finding(engine_, misplaced_attribute_kind, attribute.place,
                     clang::CharSourceRange::getTokenRange(attribute.place),
                     "annotated declaration in a precompiled header, where scans do not find it");
    }
  }

 private:
  clang::DiagnosticsEngine& engine_;
  SeenAttributes seen_;
  clang::Sema* sema_ = nullptr;
};

class PrecompileAction final : public clang::GeneratePCHAction {
 public:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef source) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<PrecompileConsumer>(instance.getPreprocessor()));
    consumers.push_back(GeneratePCHAction::CreateASTConsumer(instance, source));
    if (!consumers.back()) return nullptr;
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
  bool shouldEraseOutputFiles() override { return getCompilerInstance().getDiagnostics().hasErrorOccurred(); }
};

}  // namespace

struct Scanner::State {
  explicit State(ScanOptions scan_options)
      : options(std::move(scan_options)), root(options.source_root), session(options, root) {}

  std::string text_error(llvm::StringRef message) const { return ("error: " + message + "\n").str(); }

  const ScanOptions options;
  const SourceRoot root;
  ParseSession session;
  Prefilter prefilter;
};

llvm::Expected<Scanner> Scanner::create(ScanOptions options) {
  if (!llvm::sys::fs::exists(options.resource_dir + "/include/stddef.h")) {
    return llvm::createStringError("no Clang " CLANG_VERSION_MAJOR_STRING " headers in `" + options.resource_dir +
                                   "`; set `--resource-dir` to the output of `clang-" CLANG_VERSION_MAJOR_STRING
                                   " -print-resource-dir`");
  }
  if (!options.pch.empty()) {
    llvm::SmallString<256> path(options.pch);
    llvm::sys::fs::make_absolute(path);
    options.pch = path.str().str();
    if (!llvm::sys::fs::exists(options.pch)) {
      return llvm::createStringError("cannot find the precompiled header `" + options.pch + "`");
    }
  }
  register_attributes();
  return Scanner(std::make_unique<State>(std::move(options)));
}

Scanner::Scanner(std::unique_ptr<State> state) : state_(std::move(state)) {}
Scanner::Scanner(Scanner&&) noexcept = default;
Scanner::~Scanner() = default;

ScanResult Scanner::scan(const SourceCommand& command) {
  ScanResult result;
  auto fail = [&](std::string message) {
    result.messages = std::move(message);
    result.errors = 1;
    return result;
  };
  PlaceholderFileSystem& files = state_->session.files(command);
  auto status = files.status(command.source);
  if (!status) return fail(state_->text_error("cannot read `" + command.source + "`: " + status.getError().message()));
  if (status->isDirectory()) return fail(state_->text_error("`" + command.source + "` is a folder, not a source"));
  std::string flag_errors;
  auto invocation = state_->session.invocation(command, flag_errors);
  if (!invocation) return fail(std::move(flag_errors));

  Fragment fragment;
  std::string directory = state_->session.absolute(command, "");
  fragment.source = state_->root.relative(command.source, directory);
  fragment.dialect = state_->options.dialect;
  clang::PreprocessorOptions& preprocessor = invocation->getPreprocessorOpts();
  Prefilter::Result look = state_->prefilter.look_at(files, command.source, author_include_dirs(*invocation, command),
                                                     preprocessor.Includes);
  if (!look.may_have_annotations) {
    for (const std::string& path : look.visited) {
      if (!files.is_placeholder(path)) result.dependencies.push_back(state_->session.absolute(command, path));
    }
    result.fragment = std::move(fragment);
    return result;
  }
  if (!state_->options.pch.empty() && !look.defines_before_includes) state_->session.use_pch(command, *invocation);
  state_->session.add_first_include(command, files, *invocation);

  Collected collected;
  ScanAction action(state_->root, state_->options.analyze_body, collected);
  bool is_shimmed = invocation->getLangOpts().CUDA && state_->options.cuda_toolkit.empty();
  ParseResult parse = state_->session.run(command, std::move(invocation), action);
  result.dependencies = std::move(parse.dependencies);
  result.parser_errors = std::move(parse.parser_errors);
  // Empty placeholders and the shim lack names that bodies and helpers use; the compiler will check those.
  bool tolerates_errors = parse.used_placeholder || is_shimmed;
  bool failed = !parse.findings.empty() || collected.lost_declarations || (parse.errors > 0 && !tolerates_errors);
  if (failed) {
    result.messages = std::move(parse.messages);
    result.errors = std::max(parse.errors, 1u);
    result.findings = std::move(parse.findings);
    if (result.messages.empty()) {
      result.messages = state_->text_error("cannot parse an annotated declaration in `" + command.source + "`");
    }
    return result;
  }
  fragment.declarations = std::move(collected.declarations);
  fragment.skipped = std::move(collected.skipped);
  fragment.misspelt = std::move(collected.misspelt);
  result.fragment = std::move(fragment);
  return result;
}

PrecompileResult Scanner::precompile(SourceCommand command, llvm::StringRef output) {
  PrecompileResult result;
  result.errors = 1;
  if (command.source.empty()) {
    for (const DialectHeader& header : dialect_headers()) {
      if (header.dialect == state_->options.dialect) command.source = header.path.str();
    }
  }
  auto status = state_->session.files(command).status(command.source);
  if (!status) {
    result.messages = state_->text_error("cannot read `" + command.source + "`: " + status.getError().message());
    return result;
  }
  auto invocation = state_->session.invocation(command, result.messages);
  if (!invocation) return result;
  clang::FrontendOptions& frontend = invocation->getFrontendOpts();
  frontend.Inputs = {clang::FrontendInputFile(command.source, frontend.Inputs.front().getKind().getHeader())};
  frontend.ProgramAction = clang::frontend::GeneratePCH;
  frontend.OutputFile = output.str();
  frontend.IncludeTimestamps = false;
  frontend.UseTemporary = false;
  invocation->getLangOpts().CompilingPCH = true;
  PrecompileAction action;
  ParseResult parse = state_->session.run(command, std::move(invocation), action);
  result.messages = std::move(parse.messages);
  result.errors = parse.errors;
  result.succeeded = parse.errors == 0;
  result.dependencies = std::move(parse.dependencies);
  return result;
}

AtenHeadersResult Scanner::read_aten_headers(SourceCommand command) {
  AtenHeadersResult result;
  result.errors = 1;
  command.source = "/structured-gen/aten_headers.cpp";
  auto invocation = state_->session.invocation(command, result.messages);
  if (!invocation) return result;
  PlaceholderFileSystem& files = state_->session.files(command);
  files.add_file(command.source, aten_headers_source(files, author_include_dirs(*invocation, command)));
  AtenHeadersAction action(state_->root, result.headers);
  ParseResult parse = state_->session.run(command, std::move(invocation), action);
  result.messages = std::move(parse.messages);
  result.errors = parse.errors;
  return result;
}

std::vector<std::string> emitted_prefixes(llvm::StringRef cpp_namespace) {
  std::string path;
  for (llvm::StringRef rest = cpp_namespace; !rest.empty();) {
    auto [part, tail] = rest.split("::");
    if (!path.empty()) path += '/';
    path += part;
    rest = tail;
  }
  return {path + "/ops",      path + "/ops.h",          path + "/operators.h", path + "/find_operator.h",
          path + "/export.h", path + "/documentation.h"};
}

}  // namespace structured::gen
