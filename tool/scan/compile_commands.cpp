#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "scan/scanner.h"

namespace structured::gen {
namespace {

std::string normalised(llvm::StringRef path, llvm::StringRef directory) {
  // make_absolute for a folder is in `fs` before LLVM 22, and in `path` from then on.
  using namespace llvm::sys::fs;
  using namespace llvm::sys::path;
  llvm::SmallString<256> result(path);
  make_absolute(directory, result);
  make_absolute(result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(result, real) ? result.str().str() : real.str().str();
}

/// Returns the number of common leading folders.
std::size_t nearness(llvm::StringRef a, llvm::StringRef b) {
  std::size_t result = 0;
  auto x = llvm::sys::path::begin(a);
  auto y = llvm::sys::path::begin(b);
  for (; x != llvm::sys::path::end(a) && y != llvm::sys::path::end(b) && *x == *y; ++x, ++y) ++result;
  return result;
}

bool is_header(llvm::StringRef path) {
  constexpr llvm::StringLiteral extensions[] = {".h", ".hh", ".hpp", ".hxx", ".cuh"};
  return llvm::is_contained(extensions, llvm::sys::path::extension(path));
}

std::vector<std::string> arguments_of(const llvm::json::Object& entry) {
  std::vector<std::string> result;
  if (const llvm::json::Array* arguments = entry.getArray("arguments")) {
    for (const llvm::json::Value& argument : *arguments) {
      if (auto text = argument.getAsString()) result.push_back(text->str());
    }
  } else if (auto command = entry.getString("command")) {
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    llvm::SmallVector<const char*> split;
    llvm::cl::TokenizeGNUCommandLine(*command, saver, split);
    result.assign(split.begin(), split.end());
  }
  return result;
}

/// Returns the flags without compiler, launcher and source.
std::vector<std::string> flags_of(const llvm::json::Object& entry, llvm::StringRef file, llvm::StringRef directory) {
  std::vector<std::string> arguments = arguments_of(entry);
  std::vector<std::string> result;
  bool in_flags = false;  // neither the compiler nor a launcher before it begins with `-`
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    in_flags = in_flags || argument.starts_with("-");
    if (!in_flags || argument == "--") continue;
    bool may_be_source = !argument.starts_with("-") && argument.ends_with(llvm::sys::path::filename(file));
    if (may_be_source && normalised(argument, directory) == file) continue;
    result.push_back(argument.str());
  }
  return result;
}

}  // namespace

llvm::Expected<std::vector<SourceCommand>> all_compile_commands(llvm::StringRef build_dir) {
  llvm::SmallString<256> path(build_dir);
  llvm::sys::path::append(path, "compile_commands.json");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    return llvm::createStringError("cannot read `" + path.str().str() + "`: " + buffer.getError().message());
  }
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*buffer)->getBuffer());
  if (!json) return llvm::createStringError("`" + path.str().str() + "`: " + llvm::toString(json.takeError()));
  const llvm::json::Array* entries = json->getAsArray();
  if (!entries) return llvm::createStringError("`" + path.str().str() + "` is not an array of compile commands");

  std::vector<SourceCommand> result;
  std::set<std::string> seen;
  for (const llvm::json::Value& value : *entries) {
    const llvm::json::Object* entry = value.getAsObject();
    if (!entry) continue;
    auto file = entry->getString("file");
    auto directory = entry->getString("directory");
    if (!file || !directory) continue;
    SourceCommand command;
    command.source = normalised(*file, *directory);
    if (!seen.insert(command.source).second) continue;
    command.directory = directory->str();
    command.flags = flags_of(*entry, command.source, command.directory);
    command.is_foreign = true;
    result.push_back(std::move(command));
  }
  return result;
}

const SourceCommand* nearest_command(llvm::StringRef path, llvm::ArrayRef<const SourceCommand*> commands) {
  const SourceCommand* nearest = nullptr;
  std::size_t most = 2;  // the root, and one folder below
  for (const SourceCommand* command : commands) {
    std::size_t shared = nearness(command->source, path);
    if (shared <= most) continue;
    most = shared;
    nearest = command;
  }
  return nearest;
}

llvm::Expected<std::vector<SourceCommand>> compile_commands(llvm::StringRef build_dir,
                                                            const std::vector<std::string>& sources) {
  llvm::Expected<std::vector<SourceCommand>> all = all_compile_commands(build_dir);
  if (!all) return all.takeError();
  std::vector<SourceCommand> result;
  for (const std::string& source : sources) {
    std::string absolute = normalised(source, ".");
    auto found = llvm::find_if(*all, [&](const SourceCommand& command) { return command.source == absolute; });
    if (found == all->end() && is_header(source)) {
      std::vector<const SourceCommand*> commands;
      for (const SourceCommand& command : *all) commands.push_back(&command);
      if (const SourceCommand* nearest = nearest_command(absolute, commands)) {
        result.push_back(*nearest);
        result.back().source = absolute;
        continue;
      }
    }
    if (found == all->end()) {
      llvm::SmallString<256> path(build_dir);
      llvm::sys::path::append(path, "compile_commands.json");
      return llvm::createStringError("`" + path.str().str() + "` has no entry for `" + source + "`");
    }
    result.push_back(*found);
  }
  return result;
}

}  // namespace structured::gen
