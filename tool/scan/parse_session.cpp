#include "scan/parse_session.h"

#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "scan/builtin_headers.h"
#include "scan/clang_versions.h"
#include "scan/dependencies.h"

namespace structured::gen {
namespace {

/// Defined where function bodies of headers are parsed. Clang accepts a precompiled header only with the same macros.
constexpr llvm::StringLiteral bodies_macro = "STRUCTURED_SCAN_HAS_BODIES";

/// Input for Clang's driver, which requires one; a fixed name makes its results reusable.
constexpr llvm::StringLiteral any_input = "/structured-gen/input";
constexpr llvm::StringLiteral cuda_shim_dir = "/structured-gen/cuda_shim";
constexpr llvm::StringLiteral cuda_replaced_dir = "/structured-gen/cuda_replaced";

std::string absolute_path(const PlaceholderFileSystem& files, llvm::StringRef path) {
  llvm::SmallString<256> result(path);
  files.makeAbsolute(result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

}  // namespace

std::vector<std::string> author_include_dirs(const clang::CompilerInvocation& invocation,
                                             const SourceCommand& command) {
  std::vector<std::string> result;
  for (const clang::HeaderSearchOptions::Entry& entry : invocation.getHeaderSearchOpts().UserEntries) {
    if (entry.Group == clang::frontend::Quoted || entry.Group == clang::frontend::Angled) result.push_back(entry.Path);
  }
  for (std::string& directory : system_include_dirs(command.flags)) result.push_back(std::move(directory));
  return result;
}

ParseSession::ParseSession(const ScanOptions& options, const SourceRoot& root) : options_(options), root_(root) {}

ParseSession::Workspace& ParseSession::workspace(llvm::StringRef directory) {
  auto [entry, is_new] = workspaces_.try_emplace(directory.str());
  Workspace& result = entry->second;
  if (!is_new) return result;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real = llvm::vfs::createPhysicalFileSystem();
  if (!directory.empty()) real->setCurrentWorkingDirectory(directory);
  result = make_workspace(std::move(real));
  return result;
}

ParseSession::Workspace ParseSession::make_workspace(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real) const {
  Workspace result;
  result.files = llvm::makeIntrusiveRefCnt<PlaceholderFileSystem>(std::move(real), options_.emitted_prefixes,
                                                                  /*hides_real=*/!options_.reads_emitted_headers);
  result.files->add_file(any_input, "");
  for (const DialectHeader& header : dialect_headers()) result.files->add_file(header.path, header.text);
  result.files->add_file((cuda_replaced_dir + "/texture_fetch_functions.h").str(), "");
  for (llvm::StringRef name : cuda_shim_headers()) {
    result.files->add_file((cuda_shim_dir + "/" + name).str(), cuda_shim_text(name));
  }
  result.manager = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), result.files);
  return result;
}

std::string ParseSession::absolute(const SourceCommand& command, llvm::StringRef path) {
  return absolute_path(files(command), path);
}

std::vector<std::string> ParseSession::driver_arguments(const SourceCommand& command) const {
  // The driver derives the location of the C++ library from the path of the compiler.
  llvm::StringRef prefix = options_.resource_dir;
  for (int i = 0; i < 3; ++i) prefix = llvm::sys::path::parent_path(prefix);
  std::vector<std::string> result{(prefix + "/bin/clang++").str(), "-resource-dir=" + options_.resource_dir};
  result.push_back("-fbracket-depth=256");  // the default of Clang 19; that of Clang 22 overflows the stack
  // First in the search order to hide existing headers, or last to provide only missing ones.
  if (options_.reads_emitted_headers) {
    result.insert(result.end(), {"-idirafter", PlaceholderFileSystem::emitted_root.str()});
  } else {
    for (llvm::StringRef option : {"-iquote", "-I"}) {
      result.push_back((option + PlaceholderFileSystem::emitted_root).str());
    }
  }
  std::vector<std::string> flags = scan_flags(command.flags, command.is_foreign);
  bool has_standard =
      llvm::any_of(flags, [](llvm::StringRef flag) { return flag.starts_with("-std=") || flag.starts_with("--std="); });
  if (!has_standard) result.push_back("-std=c++20");
  result.insert(result.end(), flags.begin(), flags.end());
  if (is_cuda(command.source, command.flags)) {
    CudaSetup setup{options_.cuda_toolkit, cuda_replaced_dir.str(), cuda_shim_dir.str()};
    for (std::string& flag : cuda_flags(setup)) result.push_back(std::move(flag));
  } else if (!llvm::is_contained(flags, "-x")) {
    result.insert(result.end(), {"-x", "c++"});
  }
  // Only errors matter; the compiler of the build reports warnings.
  result.insert(result.end(), {"-w", any_input.str()});
  return result;
}

std::vector<std::string> ParseSession::cache_key(const SourceCommand& command) const {
  std::vector<std::string> key = driver_arguments(command);
  key.push_back(command.directory);
  return key;
}

std::shared_ptr<clang::CompilerInvocation> ParseSession::invocation(const SourceCommand& command,
                                                                    std::string& messages) {
  Workspace& space = workspace(command.directory);
  std::unique_ptr<clang::CompilerInvocation>& known = invocations_[cache_key(command)];
  if (!known) {
    OwnedDiagnosticOptions diagnostic_options = copy_of(clang::DiagnosticOptions());
    diagnostic_options->ShowColors = options_.colors;
    ScanDiagnostics diagnostics(*diagnostic_options, root_);
    clang::CreateInvocationOptions settings;
    settings.Diags = make_engine(*space.files, *diagnostic_options, diagnostics);
    settings.VFS = space.files;
    std::vector<std::string> arguments = driver_arguments(command);
    std::vector<const char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
    known = clang::createInvocation(pointers, settings);
    if (!known || diagnostics.getNumErrors() > 0) {
      known.reset();
      messages = diagnostics.take_text();
      if (messages.empty()) messages = "error: Clang rejects the flags for `" + command.source + "`\n";
      return nullptr;
    }
  }

  auto result = std::make_shared<clang::CompilerInvocation>(*known);
  clang::FrontendOptions& frontend = result->getFrontendOpts();
  clang::InputKind kind = frontend.Inputs.front().getKind();
  frontend.Inputs = {clang::FrontendInputFile(command.source, kind)};
  frontend.ProgramAction = clang::frontend::ParseSyntaxOnly;
  frontend.SkipFunctionBodies = !options_.analyze_body && !options_.has_bodies;
  if (options_.has_bodies) result->getPreprocessorOpts().addMacroDef(bodies_macro);
  frontend.DisableFree = false;  // the process parses many sources
  frontend.Plugins.clear();
  frontend.AddPluginActions.clear();
  frontend.PluginArgs.clear();
  clang::DiagnosticOptions& diagnostics = result->getDiagnosticOpts();
  diagnostics.ShowColors = options_.colors;
  diagnostics.ErrorLimit = 0;  // unlimited; the limit stops the parse
  diagnostics.VerifyDiagnostics = false;
  result->getDependencyOutputOpts() = {};
  result->getHeaderSearchOpts().ValidateASTInputFilesContent = true;
  return result;
}

void ParseSession::add_first_include(const SourceCommand& command, llvm::vfs::FileSystem& files,
                                     clang::CompilerInvocation& invocation) const {
  const std::string& header = options_.first_include;
  if (header.empty()) return;
  std::vector<std::string>& includes = invocation.getPreprocessorOpts().Includes;
  const bool is_found = llvm::any_of(author_include_dirs(invocation, command),
                                     [&](const std::string& folder) { return files.exists(folder + "/" + header); });
  if (is_found) includes.insert(includes.begin(), header);
}

bool ParseSession::use_pch(const SourceCommand& command, clang::CompilerInvocation& invocation) {
  const auto [known, is_new] = pch_uses_.try_emplace(cache_key(command), PchUse::none);
  if (is_new) {
    clang::FileManager& files = *workspace(command.directory).manager;
    clang::CompilerInvocation with_bodies(invocation);
    with_bodies.getPreprocessorOpts().addMacroDef(bodies_macro);
    if (accepts_ast_file(options_.pch, files, invocation)) {
      known->second = PchUse::as_it_is;
    } else if (!options_.has_bodies && accepts_ast_file(options_.pch, files, with_bodies)) {
      known->second = PchUse::with_bodies;
    }
  }
  if (known->second == PchUse::none) return false;
  clang::PreprocessorOptions& preprocessor = invocation.getPreprocessorOpts();
  if (known->second == PchUse::with_bodies) preprocessor.addMacroDef(bodies_macro);
  preprocessor.ImplicitPCHInclude = options_.pch;
  return true;
}

ParseResult ParseSession::run(const SourceCommand& command, std::shared_ptr<clang::CompilerInvocation> invocation,
                              clang::FrontendAction& action) {
  return run(workspace(command.directory), std::move(invocation), action);
}

ParseResult ParseSession::run(Workspace& space, std::shared_ptr<clang::CompilerInvocation> invocation,
                              clang::FrontendAction& action) {
  ParseResult result;
  auto dependencies = std::make_shared<Dependencies>(*space.files, options_.lists_dependencies);
  ScanDiagnostics diagnostics(invocation->getDiagnosticOpts(), root_);
  {
    const std::unique_ptr<clang::CompilerInstance> instance =
        make_instance(std::move(invocation), *space.manager, diagnostics);
    instance->addDependencyCollector(dependencies);
    clang::FrontendInputFile input = instance->getFrontendOpts().Inputs.front();
    if (instance->createTarget() && action.BeginSourceFile(*instance, input)) {
      llvm::consumeError(action.Execute());  // also reported to the diagnostics engine
      action.EndSourceFile();
    }
  }
  result.errors = diagnostics.getNumErrors();
  result.findings = diagnostics.take_findings();
  result.parser_errors = diagnostics.take_parser_errors();
  result.messages = diagnostics.take_text();
  result.used_placeholder = dependencies->used_placeholder();
  for (const std::string& name : dependencies->getDependencies()) {
    result.dependencies.push_back(absolute_path(*space.files, name));
  }
  return result;
}

}  // namespace structured::gen
