#include <map>

#include "driver/command.h"
#include "driver/inputs.h"
#include "import/compare_libraries.h"
#include "import/import_skeletons.h"
#include "import/native_functions.h"
#include "import/yaml_library.h"
#include "language/nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "program/output_file.h"

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

/// Keeps the operators with these names; all if there are none. Returns false after printing errors.
bool select_operators(const Environment& environment, llvm::ArrayRef<std::string> names, YamlFile& file) {
  if (names.empty()) return true;
  bool is_good = true;
  for (const std::string& name : names) {
    if (llvm::any_of(file.operators, [&](const YamlOperator& op) { return is_named(op, name); })) continue;
    std::vector<std::string> known;
    for (const YamlOperator& op : file.operators) {
      for (const Variant& variant : op.op.variants) known.push_back(to_string(variant.schema.name));
    }
    environment.fail("`" + file.name + "` has no operator `" + name + "`" + did_you_mean(name, known));
    is_good = false;
  }
  llvm::erase_if(file.operators, [&](const YamlOperator& op) {
    return llvm::none_of(names, [&](const std::string& name) { return is_named(op, name); });
  });
  return is_good;
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

Files files_of(const ImportedSkeletons& imported, const SkeletonStyle& style, llvm::StringRef output,
               llvm::StringRef output_dir) {
  Files files;
  if (!output.empty()) {
    add_files(files, output, imported.operators, style);
    return files;
  }
  std::map<std::string, std::vector<SkeletonOperator>> by_base;
  for (const SkeletonOperator& op : imported.operators) by_base[op.base].push_back(op);
  for (const auto& [base, operators] : by_base) {
    llvm::SmallString<128> path(output_dir);
    llvm::sys::path::append(path, base + ".cpp");
    add_files(files, path, operators, style);
  }
  return files;
}

/// Writes the files unless one of them exists with other contents, which an author may have written.
int write_files(const Environment& environment, const Files& files) {
  if (files.size() > 1 && files.front().first == "-") {
    return environment.fail(
        "operators with precomputed values have a class in a header; expected `-o FILE`, found `-o -`");
  }
  for (const auto& [path, text] : files) {
    if (path == "-" || !llvm::sys::fs::is_regular_file(path)) continue;
    llvm::Expected<std::string> found = read_input(path);
    if (!found) return environment.fail(found.takeError());
    if (*found != text) {
      return environment.fail("`" + path + "` exists with other contents; remove it or name another file");
    }
  }
  for (const auto& [path, text] : files) {
    if (llvm::Error error = environment.write(path, text)) return environment.fail(std::move(error));
  }
  return exit_success;
}

class ImportCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(inputs_, "YAML [FRAGMENTS...|operators.json]");
    options.value("o", output_, "file", "Output file; - for standard output");
    options.value("output-dir", output_dir_, "folder", "Directory for the output files, one for each base name");
    options.values("operator", operators_, "name",
                   "Import this operator, or all overloads of this base name; may be repeated (default: all)");
    options.flag("check", is_check_, "Compare the operators with those of a library and print the differences");
    library_.declare_names(options);
  }

  std::string misuse() const override {
    if (std::string message = library_.misuse(); !message.empty()) return message;
    if (inputs_.empty()) return "no native_functions.yaml given";
    if (is_check_) {
      return inputs_.size() > 1 ? "" : "`--check` compares with fragments or an operators.json; found none";
    }
    if (inputs_.size() > 1) return "expected one native_functions.yaml, found several inputs";
    return output_.empty() == output_dir_.empty() ? "expected either `-o FILE` or `--output-dir DIR`" : "";
  }

  int run(const Environment& environment) override {
    return is_check_ ? compare_with_sources(environment) : write_skeletons(environment);
  }

 private:
  /// Returns std::nullopt after printing errors.
  std::optional<YamlFile> read_yaml(const Environment& environment, const Dialect& dialect,
                                    llvm::StringRef schema_namespace) const {
    YamlFile file;
    file.name = inputs_.front();
    llvm::Expected<std::string> text = read_input(file.name);
    if (!text) {
      environment.fail(text.takeError());
      return std::nullopt;
    }
    NativeFunctions native = read_native_functions(file.name, *text);
    for (const std::string& error : native.errors) environment.fail(error);
    if (!native.errors.empty()) return std::nullopt;
    YamlLibrary library = yaml_library(file.name, native.functions, dialect, schema_namespace);
    for (const std::string& error : library.errors) environment.fail(error);
    if (!library.errors.empty()) return std::nullopt;
    file.operators = std::move(library.operators);
    for (const NativeFunction& function : native.functions) {
      for (const OperatorName& name : function.autogen) file.generated.push_back(in_library(name, schema_namespace));
    }
    if (!select_operators(environment, operators_, file)) return std::nullopt;
    for (const YamlOperator& op : file.operators) file.schemas += op.op.variants.size();
    return file;
  }

  int compare_with_sources(const Environment& environment) const {
    std::optional<Library> library = read_library(environment, library_, {inputs_.begin() + 1, inputs_.end()});
    if (!library) return exit_errors;
    const Dialect* dialect = find_dialect(library->dialect);
    if (!dialect) return environment.fail(unknown_dialect(library->dialect));
    std::optional<YamlFile> file = read_yaml(environment, *dialect, library->schema_namespace);
    if (!file) return exit_errors;
    const LibraryComparison comparison = compare_libraries(file->name, file->operators, *library,
                                                           /*finds_others=*/operators_.empty(), file->generated);
    std::string text;
    for (const std::string& difference : comparison.differences) text += difference + "\n";
    text +=
        std::to_string(comparison.equal) + " operators agree, " + std::to_string(comparison.different) + " differ\n";
    const int status = environment.finish("-", text);
    return comparison.differences.empty() ? status : exit_errors;
  }

  int write_skeletons(const Environment& environment) const {
    const Dialect& dialect = *find_dialect(library_.dialect.value_or("native"));
    std::optional<YamlFile> file = read_yaml(environment, dialect, library_.schema_namespace());
    if (!file) return exit_errors;
    ImportOptions options;
    options.file = file->name;
    options.schema_namespace = library_.schema_namespace();
    options.cpp_namespace = library_.cpp_namespace();
    options.name_space = options.cpp_namespace + "::kernels";
    options.whole_library = operators_.empty();
    const ImportedSkeletons imported = import_skeletons(file->operators, dialect, options);
    for (const std::string& reason : imported.left_out) {
      environment.err << "structured-gen: warning: " << reason << "; left out\n";
    }
    const std::size_t count = file->schemas - imported.left_out.size();
    environment.err << "imported " << count << " of " << file->schemas << " operators\n";
    if (count == 0) return environment.fail("`" + file->name + "` has no operator to import");
    const SkeletonStyle style{dialect.name().str(), options.name_space, ""};
    return write_files(environment, files_of(imported, style, output_, output_dir_));
  }

  std::vector<std::string> inputs_;
  std::string output_;
  std::string output_dir_;
  std::vector<std::string> operators_;  ///< names of operators to import; empty: all
  bool is_check_ = false;
  LibraryOptions library_;
};

}  // namespace

std::unique_ptr<Command> make_import() { return std::make_unique<ImportCommand>(); }

}  // namespace structured::gen
