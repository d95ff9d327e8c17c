// Libraries of the workspace, and the assignment of files to them.
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "program/read_import.h"
#include "workspace.h"

namespace structured::lsp {
namespace {

/// Returns paths below the root relative to it, as scans do.
std::string relative(llvm::StringRef path, llvm::StringRef root) {
  llvm::StringRef below = path;
  return below.consume_front(root) && below.consume_front("/") ? below.str() : path.str();
}

/// Returns the compile command of a header, from a source that includes it.
gen::SourceCommand like(gen::SourceCommand command, const std::string& header) {
  command.source = header;
  return command;
}

}  // namespace

std::string KnownLibrary::path(llvm::StringRef file) const {
  if (file.empty() || llvm::sys::path::is_absolute(file)) return file.str();
  llvm::SmallString<256> result(config.root);
  llvm::sys::path::append(result, file);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

std::size_t Workspace::add_library(LibraryConfig config) {
  KnownLibrary& library = libraries_.emplace_back();
  library.config = std::move(config);
  library.dialect = gen::find_dialect(library.config.dialect);
  library.fragment_options.schema_namespace = library.config.schema_namespace;
  library.fragment_options.source_root = library.config.root;
  library.fragment_options.leaves_off_out = library.config.leaves_off_out;
  if (!library.config.other_headers.empty()) {
    llvm::Expected<std::vector<std::string>> headers = gen::read_header_list(library.config.other_headers);
    if (headers) {
      library.fragment_options.other_headers = std::move(*headers);
    } else {
      llvm::consumeError(headers.takeError());  // reported by the build
    }
  }
  for (const std::string& path : library.config.imports) {
    if (llvm::Error error = read_import(library, path)) library.problems.push_back(llvm::toString(std::move(error)));
  }
  return libraries_.size() - 1;
}

llvm::Error Workspace::read_import(KnownLibrary& library, const std::string& path) {
  llvm::Expected<gen::ImportedLibrary> import = gen::read_import(path, path, *library.dialect);
  if (!import) return import.takeError();
  auto known = llvm::find_if(library.imports, [&](const auto& other) { return other.definitions.source == path; });
  if (known == library.imports.end()) {
    library.imports.push_back(std::move(*import));
  } else {
    *known = std::move(*import);
  }
  return llvm::Error::success();
}

std::size_t Workspace::add_source(std::size_t library, const std::string& path) {
  std::size_t number = sources_.size();
  Source& source = sources_.emplace_back();
  source.path = path;
  source.command = command_for(path, project_, settings_);
  by_path_[path].push_back(number);
  put_into(library, number);
  return number;
}

void Workspace::put_into(std::size_t library, std::size_t number) {
  KnownLibrary& known = libraries_[library];
  Source& source = sources_[number];
  source.library = library;
  source.slot = known.fragments.size();
  gen::Fragment& fragment = known.fragments.emplace_back();
  fragment.source = relative(source.path, known.config.root);
  fragment.dialect = known.config.dialect;
  known.sources.push_back(number);
}

void Workspace::take_out(std::size_t number) {
  Source& source = sources_[number];
  KnownLibrary& known = libraries_[source.library];
  forget(source);
  known.fragments.erase(known.fragments.begin() + static_cast<std::ptrdiff_t>(source.slot));
  known.sources.erase(known.sources.begin() + static_cast<std::ptrdiff_t>(source.slot));
  for (std::size_t slot = source.slot; slot < known.sources.size(); ++slot) sources_[known.sources[slot]].slot = slot;
}

/// A file without a library is checked together with the other open files of its folder.
std::size_t Workspace::loose_library(const std::string& path) {
  std::string folder = llvm::sys::path::parent_path(path).str();
  auto [entry, is_new] = loose_by_folder_.try_emplace(folder, 0);
  if (!is_new) return entry->second;
  LibraryConfig config;
  config.name = folder;
  config.root = folder;
  config.schema_namespace = settings_.schema_namespace;
  config.cpp_namespace = settings_.cpp_namespace;
  config.dialect = settings_.dialect;
  config.cuda_toolkit = settings_.cuda_toolkit;
  config.is_whole = false;
  return entry->second = add_library(std::move(config));
}

/// Returns the sources for the file; an unlisted header belongs to the libraries that include it.
std::vector<std::size_t> Workspace::sources_for(const std::string& path) {
  auto known = by_path_.find(path);
  if (known != by_path_.end()) return known->second;
  std::size_t number = sources_.size();
  auto includes = [&](const Source& source) { return llvm::is_contained(source.dependencies, path); };
  auto user = llvm::find_if(sources_, includes);
  if (user != sources_.end()) {
    gen::SourceCommand command = like(user->command, path);
    add_source(user->library, path);
    sources_[number].command = std::move(command);
  } else {
    add_source(loose_library(path), path);
  }
  sources_[number].is_loose = true;
  return {number};
}

void Workspace::adopt_headers(const Source& user) {
  if (!libraries_[user.library].config.is_whole) return;
  for (std::size_t number = 0; number < sources_.size(); ++number) {
    Source& header = sources_[number];
    bool is_homeless = header.is_loose && !libraries_[header.library].config.is_whole;
    if (!is_homeless || !llvm::is_contained(user.dependencies, header.path)) continue;
    take_out(number);
    put_into(user.library, number);
    header.command = like(user.command, header.path);
    header.live.reset();
    if (header.is_open) header.due = Clock::now();
  }
}

}  // namespace structured::lsp
