#include <map>

#include "commands.h"
#include "import/compare_libraries.h"
#include "import/import_skeletons.h"
#include "import/native_functions.h"
#include "import/yaml_library.h"
#include "inputs.h"
#include "language/nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "output_file.h"

namespace structured::gen {
namespace {

/// A YAML file, read for one target.
struct YamlFile {
  std::string name;
  std::vector<YamlOperator> operators;
  std::vector<OperatorName> generated;  ///< variants that torchgen would add
  std::size_t schemas = 0;
};

bool is_named(const YamlOperator& op, llvm::StringRef name) {
  return llvm::any_of(op.op.variants, [&](const Variant& variant) {
    return variant.schema.name.base == name || to_string(variant.schema.name) == name;
  });
}

/// Keeps the operators that `--operator` names. Returns false after printing errors.
bool select_operators(const CommandLine& line, YamlFile& file) {
  if (line.operators.empty()) return true;
  bool is_good = true;
  for (const std::string& name : line.operators) {
    if (llvm::any_of(file.operators, [&](const YamlOperator& op) { return is_named(op, name); })) continue;
    std::vector<std::string> known;
    for (const YamlOperator& op : file.operators) {
      for (const Variant& variant : op.op.variants) known.push_back(to_string(variant.schema.name));
    }
    fail(line, "`" + file.name + "` has no operator `" + name + "`" + did_you_mean(name, known));
    is_good = false;
  }
  llvm::erase_if(file.operators, [&](const YamlOperator& op) {
    return llvm::none_of(line.operators, [&](const std::string& name) { return is_named(op, name); });
  });
  return is_good;
}

/// Returns std::nullopt after printing errors.
std::optional<YamlFile> read_yaml(const CommandLine& line, const Target& target, llvm::StringRef schema_namespace) {
  YamlFile file;
  file.name = line.inputs.front();
  llvm::Expected<std::string> text = read_input(file.name);
  if (!text) {
    fail(line, llvm::toString(text.takeError()));
    return std::nullopt;
  }
  NativeFunctions native = read_native_functions(file.name, *text);
  for (const std::string& error : native.errors) fail(line, error);
  if (!native.errors.empty()) return std::nullopt;
  YamlLibrary library = yaml_library(file.name, native.functions, target, schema_namespace);
  for (const std::string& error : library.errors) fail(line, error);
  if (!library.errors.empty()) return std::nullopt;
  file.operators = std::move(library.operators);
  for (const NativeFunction& function : native.functions) {
    for (const OperatorName& name : function.autogen) file.generated.push_back(in_library(name, schema_namespace));
  }
  if (!select_operators(line, file)) return std::nullopt;
  for (const YamlOperator& op : file.operators) file.schemas += op.op.variants.size();
  return file;
}

int compare_with_sources(const CommandLine& line) {
  std::optional<Library> library = read_library(line, {line.inputs.begin() + 1, line.inputs.end()});
  if (!library) return exit_errors;
  const Target* target = find_target(library->dialect);
  if (!target) return fail(line, unknown_target(library->dialect));
  std::optional<YamlFile> file = read_yaml(line, *target, library->schema_namespace);
  if (!file) return exit_errors;
  const LibraryComparison comparison = compare_libraries(file->name, file->operators, *library,
                                                         /*finds_others=*/line.operators.empty(), file->generated);
  std::string text;
  for (const std::string& difference : comparison.differences) text += difference + "\n";
  text += std::to_string(comparison.equal) + " operators agree, " + std::to_string(comparison.different) + " differ\n";
  if (llvm::Error error = write_output("-", text)) return fail(line, llvm::toString(std::move(error)));
  return comparison.differences.empty() ? exit_success : exit_errors;
}

/// Paths and contents.
using Files = std::vector<std::pair<std::string, std::string>>;

/// Adds a source, and a header if there are precomputed values.
void add_files(Files& files, llvm::StringRef path, llvm::ArrayRef<SkeletonOperator> operators, SkeletonStyle style) {
  llvm::SmallString<128> header(path);
  llvm::sys::path::replace_extension(header, "");
  header += "_values.h";
  style.values_header = llvm::sys::path::filename(header).str();
  files.emplace_back(path.str(), skeleton_source(operators, style));
  std::string values = values_header(operators, style);
  if (!values.empty()) files.emplace_back(header.str().str(), std::move(values));
}

Files files_of(const CommandLine& line, const ImportedSkeletons& imported, const SkeletonStyle& style) {
  Files files;
  if (!line.output.empty()) {
    add_files(files, line.output, imported.operators, style);
    return files;
  }
  std::map<std::string, std::vector<SkeletonOperator>> by_base;
  for (const SkeletonOperator& op : imported.operators) by_base[op.base].push_back(op);
  for (const auto& [base, operators] : by_base) {
    llvm::SmallString<128> path(line.output_dir);
    llvm::sys::path::append(path, base + ".cpp");
    add_files(files, path, operators, style);
  }
  return files;
}

/// Writes the files unless one of them exists with other contents, which an author may have written.
int write_files(const CommandLine& line, const Files& files) {
  if (line.output == "-" && files.size() > 1) {
    return fail(line, "operators with precomputed values have a class in a header; expected `-o FILE`, found `-o -`");
  }
  for (const auto& [path, text] : files) {
    if (path == "-" || !llvm::sys::fs::is_regular_file(path)) continue;
    llvm::Expected<std::string> found = read_input(path);
    if (!found) return fail(line, llvm::toString(found.takeError()));
    if (*found != text) return fail(line, "`" + path + "` exists with other contents; remove it or name another file");
  }
  for (const auto& [path, text] : files) {
    if (llvm::Error error = write_output(path, text)) return fail(line, llvm::toString(std::move(error)));
  }
  return exit_success;
}

int write_skeletons(const CommandLine& line) {
  const Target& target = *find_target(line.dialect.value_or("native"));
  std::optional<YamlFile> file = read_yaml(line, target, line.schema_namespace);
  if (!file) return exit_errors;
  ImportOptions options;
  options.file = file->name;
  options.schema_namespace = line.schema_namespace;
  options.cpp_namespace = line.cpp_namespace;
  options.name_space = line.cpp_namespace + "::kernels";
  options.whole_library = line.operators.empty();
  const ImportedSkeletons imported = import_skeletons(file->operators, target, options);
  for (const std::string& reason : imported.left_out) {
    llvm::errs() << "structured-gen: warning: " << reason << "; left out\n";
  }
  const std::size_t count = file->schemas - imported.left_out.size();
  llvm::errs() << "imported " << count << " of " << file->schemas << " operators\n";
  if (count == 0) return fail(line, "`" + file->name + "` has no operator to import");
  return write_files(line, files_of(line, imported, {target.name().str(), options.name_space, ""}));
}

}  // namespace

int run_import(const CommandLine& line) {
  return line.checks_yaml ? compare_with_sources(line) : write_skeletons(line);
}

}  // namespace structured::gen
