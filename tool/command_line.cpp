#include "command_line.h"

#include <cstdlib>
#include <memory>

#include "language/nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "model/cpp_names.h"
#include "model/python_names.h"
#include "resource_dir.h"
#include "scan/scanner.h"
#include "target/flavour.h"
#include "target/target.h"

namespace structured::gen {
namespace {

namespace cl = llvm::cl;

// Constructing an option registers it. Commands must be constructed before their options, hence in the same file.
cl::OptionCategory category("Options");

cl::SubCommand scan_command("scan", "Scan annotated sources and write one fragment per source");
cl::SubCommand precompile_command("precompile", "Precompile headers to speed up later scans");
cl::SubCommand check_command("check", "Check annotated sources or fragments and report diagnostics");
cl::SubCommand emit_command("emit", "Merge the fragments of a library and write its C++ and JSON files");
cl::SubCommand list_command("list", "Print the schemas of a library's operators, sorted, one per line");
cl::SubCommand explain_command("explain", "Describe one operator");

cl::SubCommand docs_command("docs", "Write a page that documents a library's operators");
cl::SubCommand python_command("python", "Write the sources and stubs of a Python module");
cl::SubCommand import_command("import", "Write annotated declarations of the operators in a native_functions.yaml");

cl::SubCommand aten_signatures_command("aten-signatures",
                                       "Write the signatures of ATen's operators, read from the headers of libtorch");

cl::SubCommand select_command("select",
                              "Select the operators and dtypes that saved programs need, for `emit --select`");

cl::list<std::string> scan_inputs(cl::Positional, cl::desc("SOURCES... [-- FLAGS...]"), cl::sub(scan_command),
                                  cl::cat(category));
cl::list<std::string> precompile_inputs(cl::Positional, cl::desc("[HEADER] [-- FLAGS...]"), cl::sub(precompile_command),
                                        cl::cat(category));
cl::list<std::string> check_inputs(cl::Positional, cl::desc("SOURCES...|FRAGMENTS... [-- FLAGS...]"),
                                   cl::sub(check_command), cl::cat(category));
cl::list<std::string> emit_inputs(cl::Positional, cl::desc("FRAGMENTS..."), cl::sub(emit_command), cl::cat(category));
cl::list<std::string> list_inputs(cl::Positional, cl::desc("FRAGMENTS...|operators.json"), cl::sub(list_command),
                                  cl::cat(category));
cl::list<std::string> explain_inputs(cl::Positional, cl::desc("OPERATOR FRAGMENTS...|operators.json"),
                                     cl::sub(explain_command), cl::cat(category));

cl::list<std::string> docs_inputs(cl::Positional, cl::desc("FRAGMENTS...|operators.json"), cl::sub(docs_command),
                                  cl::cat(category));
cl::list<std::string> python_inputs(cl::Positional, cl::desc("operators.json..."), cl::sub(python_command),
                                    cl::cat(category));

cl::list<std::string> import_inputs(cl::Positional, cl::desc("YAML [FRAGMENTS...|operators.json]"),
                                    cl::sub(import_command), cl::cat(category));

cl::list<std::string> aten_signatures_inputs(cl::Positional, cl::desc("-- FLAGS..."), cl::sub(aten_signatures_command),
                                             cl::cat(category));

cl::list<std::string> select_inputs(cl::Positional, cl::desc("MODELS..."), cl::sub(select_command), cl::cat(category));

cl::opt<std::string> dialect(
    "dialect",
    cl::desc("Target runtime: native (default), torch, torch_stable, or aten, for which emit writes JSON files only"),
    cl::value_desc("name"), cl::sub(scan_command), cl::sub(precompile_command), cl::sub(check_command),
    cl::sub(emit_command), cl::sub(list_command), cl::sub(explain_command), cl::sub(docs_command),
    cl::sub(import_command), cl::cat(category));
cl::opt<std::string> library_namespace(
    "namespace", cl::desc("Namespace of the library, in schemas and in C++ (default: aten, and structured in C++)"),
    cl::value_desc("name"), cl::sub(scan_command), cl::sub(precompile_command), cl::sub(check_command),
    cl::sub(emit_command), cl::sub(list_command), cl::sub(explain_command), cl::sub(docs_command),
    cl::sub(import_command), cl::cat(category));
cl::opt<std::string> cpp_namespace("cpp-namespace", cl::desc("Namespace in C++, if it differs"), cl::value_desc("name"),
                                   cl::sub(scan_command), cl::sub(precompile_command), cl::sub(check_command),
                                   cl::sub(emit_command), cl::sub(list_command), cl::sub(explain_command),
                                   cl::sub(docs_command), cl::sub(import_command), cl::cat(category));
cl::opt<std::string> source_root(
    "source-root", cl::desc("Directory that paths in fragments are relative to (default: the current one)"),
    cl::value_desc("folder"), cl::sub(scan_command), cl::sub(precompile_command), cl::sub(check_command),
    cl::sub(emit_command), cl::cat(category));
cl::opt<std::string> generated_root(
    "generated-root",
    cl::desc("Directory of generated sources, for paths in fragments that are not below --source-root"),
    cl::value_desc("folder"), cl::sub(check_command), cl::sub(emit_command), cl::cat(category));
cl::opt<std::string> output("o", cl::desc("Output file; - for standard output"), cl::value_desc("file"),
                            cl::sub(scan_command), cl::sub(precompile_command), cl::sub(check_command),
                            cl::sub(list_command), cl::sub(docs_command), cl::sub(import_command),
                            cl::sub(aten_signatures_command), cl::sub(select_command), cl::cat(category));
cl::opt<std::string> source_url("source-url", cl::desc("Prefix of links to sources"), cl::value_desc("address"),
                                cl::sub(docs_command), cl::cat(category));
cl::opt<std::string> dtypes_file("dtypes", cl::desc("Dtypes of operators: lines of a name and words of `dtypes`"),
                                 cl::value_desc("file"), cl::sub(docs_command), cl::cat(category));
cl::opt<std::string> output_dir("output-dir",
                                cl::desc("Directory for the output files, with the structure of the sources"),
                                cl::value_desc("folder"), cl::sub(scan_command), cl::sub(emit_command),
                                cl::sub(python_command), cl::sub(import_command), cl::cat(category));
cl::opt<std::string> python_module("module", cl::desc("Name of the Python module"), cl::value_desc("name"),
                                   cl::sub(python_command), cl::cat(category));
cl::opt<unsigned> python_parts("parts", cl::desc("Number of sources for the tables of functions (default: 1)"),
                               cl::value_desc("count"), cl::init(1), cl::sub(python_command), cl::cat(category));
cl::opt<bool> self_methods("self-methods",
                           cl::desc("Make each function whose first parameter is the Tensor `self` a method"),
                           cl::sub(python_command), cl::cat(category));
cl::opt<std::string> depfile("depfile", cl::desc("Write a dependency file for Ninja or make"), cl::value_desc("file"),
                             cl::sub(scan_command), cl::sub(precompile_command), cl::sub(check_command),
                             cl::sub(emit_command), cl::cat(category));
cl::opt<std::string> stamp("stamp", cl::desc("Touch this file if there are no errors, for Ninja or make"),
                           cl::value_desc("file"), cl::sub(check_command), cl::cat(category));
cl::opt<std::string> outputs_file("outputs-file", cl::desc("Write the list of emitted files"), cl::value_desc("file"),
                                  cl::sub(emit_command), cl::cat(category));
cl::opt<bool> no_boxed("no-boxed", cl::desc("Leave out boxed calls"), cl::sub(emit_command), cl::cat(category));
cl::opt<bool> checked("checked", cl::desc("Make every call of an operator check its kernel"), cl::sub(emit_command),
                      cl::cat(category));
cl::opt<std::string> flavour("flavour",
                             cl::desc("Contents of the registry of operators: dynamic (default), edge (no schemas and "
                                      "layers) or static (no dispatch tables either)"),
                             cl::value_desc("name"), cl::init("dynamic"), cl::sub(emit_command), cl::cat(category));
cl::opt<std::string> build_dir("p", cl::desc("Read compile flags and, to check, libraries from this build directory"),
                               cl::value_desc("folder"), cl::sub(scan_command), cl::sub(check_command),
                               cl::cat(category));
cl::opt<std::string> flags_file(
    "flags-file",
    cl::desc("Read macros, include paths and the language standard from a file with one flag per line, as in CMake's "
             "COMPILE_OPTIONS"),
    cl::value_desc("file"), cl::sub(scan_command), cl::sub(precompile_command), cl::sub(check_command),
    cl::sub(aten_signatures_command), cl::cat(category));
cl::list<std::string> source_flags(
    "flag", cl::desc("Use a compile flag like those in the file of --flags-file, which it follows"),
    cl::value_desc("flag"), cl::sub(scan_command), cl::cat(category));
cl::opt<std::string> pch("pch", cl::desc("Use the headers that `precompile` wrote to this file"),
                         cl::value_desc("file"), cl::sub(scan_command), cl::sub(check_command), cl::cat(category));
cl::opt<std::string> resource_dir("resource-dir", cl::desc("Directory with Clang's own headers"),
                                  cl::value_desc("folder"), cl::sub(scan_command), cl::sub(precompile_command),
                                  cl::sub(check_command), cl::sub(aten_signatures_command), cl::cat(category));
cl::opt<std::string> cuda_path("cuda-path",
                               cl::desc("CUDA toolkit (default: $CUDA_HOME, $CUDA_PATH, /usr/local/cuda); empty: none"),
                               cl::value_desc("folder"), cl::sub(scan_command), cl::sub(precompile_command),
                               cl::sub(check_command), cl::cat(category));
cl::list<std::string> emitted_include_prefix(
    "emitted-include-prefix",
    cl::desc("Directory or header, as include directives name it, that a later build step emits"),
    cl::value_desc("path"), cl::sub(scan_command), cl::sub(precompile_command), cl::sub(check_command),
    cl::cat(category));
cl::opt<std::string> check_format("format", cl::desc("text (default) or sarif"), cl::value_desc("name"),
                                  cl::init("text"), cl::sub(check_command), cl::cat(category));
cl::opt<std::string> list_format(
    "format",
    cl::desc("schema (default), json, yaml (as native_functions.yaml) or no-derivative (schemas of "
             "operators that a backward pass rejects)"),
    cl::value_desc("name"), cl::init("schema"), cl::sub(list_command), cl::cat(category));
cl::opt<bool> partial("partial",
                      cl::desc("The sources are a part of the library: do not report what other sources may define"),
                      cl::sub(check_command), cl::cat(category));
cl::opt<bool> fix("fix", cl::desc("Apply the suggested fixes"), cl::sub(check_command), cl::cat(category));
cl::opt<bool> warnings_as_errors("warnings-as-errors", cl::desc("Fail after warnings, too"), cl::sub(check_command),
                                 cl::cat(category));
cl::opt<std::string> lock("lock", cl::desc("Compare the schemas with those in this lock file"), cl::value_desc("file"),
                          cl::sub(check_command), cl::sub(emit_command), cl::cat(category));
cl::opt<bool> update_lock_option("update-lock", cl::desc("Write the lock file instead of comparing with it"),
                                 cl::sub(check_command), cl::sub(emit_command), cl::cat(category));
cl::opt<std::string> lock_target("lock-target",
                                 cl::desc("Name of the build's target that writes the lock file, for messages"),
                                 cl::value_desc("name"), cl::sub(check_command), cl::sub(emit_command),
                                 cl::cat(category));
cl::list<std::string> imports(
    "import", cl::desc("Import the operators of another library from its signatures.json; may be repeated"),
    cl::value_desc("file"), cl::sub(check_command), cl::sub(emit_command), cl::sub(list_command),
    cl::sub(explain_command), cl::sub(docs_command), cl::cat(category));
cl::list<std::string> backends("backends", cl::CommaSeparated,
                               cl::desc("Backends of the library; kernels for other backends are errors, and are left "
                                        "out in the flavours edge and static"),
                               cl::value_desc("names"), cl::sub(check_command), cl::sub(emit_command),
                               cl::cat(category));
cl::opt<bool> no_implied_out("no-implied-out",
                             cl::desc("Give operators only the out= variants that `meta` and `pointwise` name"),
                             cl::sub(check_command), cl::sub(emit_command), cl::sub(list_command),
                             cl::sub(explain_command), cl::sub(docs_command), cl::cat(category));
cl::opt<std::string> other_headers(
    "other-headers",
    cl::desc("Leave out functions in the headers that this file lists, sources of other libraries of the namespace"),
    cl::value_desc("file"), cl::sub(check_command), cl::sub(emit_command), cl::cat(category));
cl::list<std::string> traces("trace",
                             cl::desc("Select what a run has called: a file of `structured-run --record`; may "
                                      "be repeated"),
                             cl::value_desc("file"), cl::sub(select_command), cl::cat(category));
cl::list<std::string> operator_lists(
    "operators", cl::desc("Select the operators in a file, one full name per line; may be repeated"),
    cl::value_desc("file"), cl::sub(select_command), cl::cat(category));
cl::opt<std::string> selected_dtypes(
    "select-dtypes", cl::desc("Select these dtypes, such as Float,Long,Bool, instead of those in the inputs"),
    cl::value_desc("names"), cl::sub(select_command), cl::cat(category));
cl::opt<std::string> selection("select",
                               cl::desc("Let only operators in this file of `structured-gen select` be called by name"),
                               cl::value_desc("file"), cl::sub(emit_command), cl::cat(category));
cl::opt<std::string> explained_selection(
    "selection", cl::desc("Explain a file of `structured-gen select`: an operator or dtype, or all"),
    cl::value_desc("file"), cl::sub(explain_command), cl::cat(category));
cl::list<std::string> operator_names(
    "operator", cl::desc("Import this operator, or all overloads of this base name; may be repeated (default: all)"),
    cl::value_desc("name"), cl::sub(import_command), cl::cat(category));
cl::opt<bool> checks_yaml("check", cl::desc("Compare the operators with those of a library and print the differences"),
                          cl::sub(import_command), cl::cat(category));
cl::opt<bool> verbose("verbose", cl::desc("List the operators that annotations cannot express, and the reasons"),
                      cl::sub(aten_signatures_command), cl::cat(category));
cl::opt<bool> timing("timing", cl::desc("Print the time of each step"), cl::sub(scan_command), cl::sub(emit_command),
                     cl::cat(category));
cl::opt<bool> shows_code("code", cl::desc("Print the emitted wrappers instead"), cl::sub(explain_command),
                         cl::cat(category));
cl::opt<cl::boolOrDefault> color("color", cl::desc("Colour the messages (default: on a terminal)"),
                                 cl::sub(scan_command), cl::sub(precompile_command), cl::sub(check_command),
                                 cl::sub(emit_command), cl::cat(category));

struct CommandInputs {
  Command command;
  cl::SubCommand& subcommand;
  cl::list<std::string>& inputs;
};

llvm::ArrayRef<CommandInputs> commands() {
  static const CommandInputs all[] = {
      {Command::scan, scan_command, scan_inputs},
      {Command::precompile, precompile_command, precompile_inputs},
      {Command::check, check_command, check_inputs},
      {Command::emit, emit_command, emit_inputs},
      {Command::list, list_command, list_inputs},
      {Command::explain, explain_command, explain_inputs},
      {Command::docs, docs_command, docs_inputs},
      {Command::python, python_command, python_inputs},
      {Command::import_yaml, import_command, import_inputs},
      {Command::aten_signatures, aten_signatures_command, aten_signatures_inputs},
      {Command::select, select_command, select_inputs},
  };
  return all;
}

std::string find_cuda_toolkit() {
  if (cuda_path.getNumOccurrences() > 0) return cuda_path;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable); value && *value) return value;
  }
  constexpr const char* usual = "/usr/local/cuda";
  return llvm::sys::fs::exists(std::string(usual) + "/include/cuda_runtime.h") ? usual : "";
}

void add_namespaces(CommandLine& line) {
  line.schema_namespace = library_namespace.empty() ? "aten" : library_namespace.getValue();
  line.cpp_namespace = library_namespace.empty() ? "structured" : library_namespace.getValue();
  if (!cpp_namespace.empty()) line.cpp_namespace = cpp_namespace;
  // Kernels of every library may use the operators of this project.
  for (llvm::StringRef name : {llvm::StringRef("structured"), llvm::StringRef(line.cpp_namespace)}) {
    add_emitted_prefixes(line, name);
  }
  for (llvm::StringRef prefix : emitted_include_prefix) {
    prefix = prefix.trim('/');
    if (!prefix.empty()) line.emitted_prefixes.push_back(prefix.str());
  }
}

/// Describes the first invalid combination of options; empty if there is none.
std::string misuse(const CommandLine& line) {
  if (line.dialect && !find_target(*line.dialect)) {
    return unknown_target(*line.dialect);
  }
  for (const std::string& name : {line.schema_namespace, line.cpp_namespace}) {
    if (!is_cpp_namespace(name)) return "`" + name + "` cannot be the namespace of a library";
  }
  if (line.dialect && find_target(*line.dialect)->types().has_torch_schemas() &&
      is_python_keyword(line.schema_namespace)) {
    return "`" + line.schema_namespace +
           "` cannot be the namespace of a library for PyTorch, where it is a keyword; expected another name";
  }
  if (!line.build_dir.empty() && line.has_flags)
    return "found compile flags both after `--` and by `-p`; use one of them";
  if (!line.build_dir.empty() && !line.flags_file.empty())
    return "found compile flags both by `--flags-file` and by `-p`; use one of them";
  if (line.updates_lock && line.lock.empty()) return "`--update-lock` requires `--lock FILE`";
  auto is_one_of = [&](std::initializer_list<llvm::StringRef> formats) {
    return llvm::is_contained(formats, llvm::StringRef(line.format));
  };
  switch (line.command) {
    case Command::scan:
      if (line.inputs.empty()) return "no sources given";
      if (line.output.empty() == line.output_dir.empty()) {
        return "expected either `-o FILE` for one source or `--output-dir DIR` for several";
      }
      if (!line.output.empty() && line.inputs.size() > 1) {
        return "`-o` takes one source, found several; use `--output-dir`";
      }
      if (!line.depfile.empty() && line.inputs.size() > 1) return "`--depfile` takes one source, found several";
      if (!line.depfile.empty() && line.output == "-") return "`--depfile` requires `-o FILE`";
      return {};
    case Command::precompile:
      if (line.inputs.size() > 1) return "`precompile` takes one header, found several; include the others in it";
      if (line.output.empty() || line.output == "-") return "`-o FILE` is missing";
      return {};
    case Command::check:
      if (line.inputs.empty() && line.build_dir.empty()) return "no sources or fragments given";
      if (!line.depfile.empty() && line.stamp.empty())
        return "`--depfile` requires `--stamp FILE`, the file that it is for";
      if (!is_one_of({"text", "sarif"})) return "unknown format `" + line.format + "`; expected text or sarif";
      return {};
    case Command::emit:
      if (line.output_dir.empty()) return "`--output-dir` is missing";
      if (line.is_checked && !line.boxed) return "`--checked` needs boxed calls; remove `--no-boxed`";
      if (!find_flavour(line.flavour)) return unknown_flavour(line.flavour);
      if (line.is_checked && line.flavour != dynamic_flavour().name) {
        return "`--checked` needs `--flavour=dynamic`, found `" + line.flavour + "`";
      }
      return {};
    case Command::list:
      if (line.inputs.empty()) return "no fragments or operators.json given";
      if (!is_one_of({"schema", "json", "yaml", "no-derivative"})) {
        return "unknown format `" + line.format + "`; expected schema, json, yaml or no-derivative";
      }
      return {};
    case Command::select:
      if (line.inputs.empty() && line.traces.empty() && line.lists.empty()) {
        return "expected models, `--trace FILE` or `--operators FILE`";
      }
      if (line.output.empty()) return "`-o FILE` is missing";
      return {};
    case Command::explain:
      if (!line.selection.empty()) {
        return line.inputs.size() <= 1 ? "" : "`--selection` takes one operator or dtype, found several";
      }
      if (line.inputs.size() < 2) return "expected the name of an operator, then fragments or an operators.json";
      return {};
    case Command::docs:
      if (line.inputs.empty()) return "no fragments or operators.json given";
      if (!llvm::StringRef(line.output).ends_with(".md") && !llvm::StringRef(line.output).ends_with(".html")) {
        return "expected `-o FILE` with a name that ends in .md or .html";
      }
      return {};
    case Command::import_yaml:
      if (line.inputs.empty()) return "no native_functions.yaml given";
      if (line.checks_yaml) {
        return line.inputs.size() > 1 ? "" : "`--check` compares with fragments or an operators.json; found none";
      }
      if (line.inputs.size() > 1) return "expected one native_functions.yaml, found several inputs";
      if (line.output.empty() == line.output_dir.empty()) {
        return "expected either `-o FILE` or `--output-dir DIR`";
      }
      return {};
    case Command::aten_signatures:
      if (!line.inputs.empty()) return "expected compile flags after `--`, found `" + line.inputs.front() + "`";
      if (line.output.empty()) return "`-o FILE` is missing";
      return {};
    case Command::python:
      if (line.inputs.empty()) return "no operators.json given";
      if (line.output_dir.empty()) return "`--output-dir` is missing";
      if (!is_cpp_namespace(line.module) || llvm::StringRef(line.module).contains(':') ||
          is_python_keyword(line.module)) {
        return "expected `--module NAME` with an identifier that is not a keyword, got `" + line.module + "`";
      }
      if (line.parts == 0) return "expected at least 1 after `--parts`";
      return {};
  }
  return {};
}

/// Returns the error message for an unknown command.
std::string unknown_command(llvm::StringRef word) {
  std::vector<std::string> names;
  for (const CommandInputs& entry : commands()) names.push_back(entry.subcommand.getName().str());
  std::string hint = did_you_mean(word, names);
  if (!hint.empty()) return "unknown command `" + word.str() + "`" + hint;
  std::string last = names.back();
  names.pop_back();
  return "unknown command `" + word.str() + "`; expected " + llvm::join(names, ", ") + " or " + last;
}

void print_version(llvm::raw_ostream& out) {
  out << "structured-gen " STRUCTURED_VERSION " (Clang " LLVM_VERSION_STRING ")\n";
}

}  // namespace

void add_emitted_prefixes(CommandLine& line, llvm::StringRef name_space) {
  for (std::string& prefix : emitted_prefixes(name_space)) {
    if (!llvm::is_contained(line.emitted_prefixes, prefix)) line.emitted_prefixes.push_back(std::move(prefix));
  }
}

std::optional<CommandLine> parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  // Arguments after `--` are for Clang; LLVM's parser would treat them as inputs.
  int own_count = 0;
  while (own_count < argc && llvm::StringRef(argv[own_count]) != "--") ++own_count;
  line.has_flags = own_count < argc;
  for (int i = own_count + 1; i < argc; ++i) line.flags.push_back(argv[i]);

  if (own_count > 1 && !llvm::StringRef(argv[1]).starts_with("-")) {
    auto is_named = [&](const CommandInputs& entry) { return entry.subcommand.getName() == argv[1]; };
    if (llvm::none_of(commands(), is_named)) {
      fail(line, unknown_command(argv[1]));
      return std::nullopt;
    }
  }
  // Hides options that LLVM's libraries register.
  cl::HideUnrelatedOptions(category);
  for (const CommandInputs& entry : commands()) cl::HideUnrelatedOptions(category, entry.subcommand);
  cl::SetVersionPrinter(print_version);
  constexpr const char* overview =
      "structured-gen derives a tensor library's operators from annotated C++ functions.\n\n"
      "  structured-gen scan -o add.fragment.json add.cpp -- -std=c++20 -Iinclude\n"
      "  structured-gen emit --output-dir out add.fragment.json\n\n"
      "`structured-gen COMMAND --help` describes one command.\n";
  if (!cl::ParseCommandLineOptions(own_count, argv, overview, &llvm::errs())) return std::nullopt;

  const CommandInputs* chosen = nullptr;
  for (const CommandInputs& entry : commands()) {
    if (entry.subcommand) chosen = &entry;
  }
  if (!chosen) {
    if (own_count > 1) {
      fail(line, "no command given");
    } else {
      cl::PrintHelpMessage();
    }
    return std::nullopt;
  }
  line.command = chosen->command;
  const cl::Option* const describing[] = {&library_namespace,      &cpp_namespace,           &dialect, &source_root,
                                          std::addressof(imports), std::addressof(backends), &lock};
  line.describes_library =
      llvm::any_of(describing, [](const cl::Option* option) { return option->getNumOccurrences() > 0; });
  line.inputs.assign(chosen->inputs.begin(), chosen->inputs.end());
  if (dialect.getNumOccurrences() > 0) line.dialect = dialect;
  add_namespaces(line);
  line.source_root = source_root;
  line.generated_root = generated_root;
  line.output = output;
  line.output_dir = output_dir;
  line.depfile = depfile;
  line.stamp = stamp;
  line.outputs_file = outputs_file;
  line.format = line.command == Command::list ? list_format : check_format;
  line.source_url = source_url;
  line.dtypes_file = dtypes_file;
  line.build_dir = build_dir;
  line.flags_file = flags_file;
  line.source_flags.assign(source_flags.begin(), source_flags.end());
  line.pch = pch;
  line.resource_dir = resource_dir.empty() ? default_resource_dir(argv[0]) : resource_dir;
  line.cuda_toolkit = find_cuda_toolkit();
  line.imports.assign(imports.begin(), imports.end());
  line.backends.assign(backends.begin(), backends.end());
  line.lock = lock;
  line.lock_target = lock_target;
  line.updates_lock = update_lock_option;
  line.is_partial = partial;
  line.leaves_off_out = no_implied_out;
  line.other_headers = other_headers;
  line.applies_fixits = fix;
  line.warnings_as_errors = warnings_as_errors;
  line.boxed = !no_boxed;
  line.is_checked = checked;
  line.flavour = flavour;
  line.shows_code = shows_code;
  line.module = python_module;
  line.parts = python_parts;
  line.self_methods = self_methods;
  line.operators.assign(operator_names.begin(), operator_names.end());
  line.traces.assign(traces.begin(), traces.end());
  line.lists.assign(operator_lists.begin(), operator_lists.end());
  line.dtypes = selected_dtypes;
  line.selection = line.command == Command::explain ? explained_selection : selection;
  line.checks_yaml = checks_yaml;
  line.prints_timing = timing;
  line.is_verbose = verbose;
  line.colors = color == cl::BOU_UNSET ? llvm::sys::Process::StandardErrHasColors() : color == cl::BOU_TRUE;
  if (std::string message = misuse(line); !message.empty()) {
    fail(line, message + "; see `structured-gen " + chosen->subcommand.getName().str() + " --help`");
    return std::nullopt;
  }
  return line;
}

int fail(const CommandLine& line, const std::string& message, int status) {
  llvm::raw_ostream& out = llvm::errs();
  out << "structured-gen: ";
  if (line.colors) out.changeColor(llvm::raw_ostream::RED, /*bold=*/true);
  out << "error: ";
  if (line.colors) out.resetColor();
  out << message << '\n';
  return status;
}

}  // namespace structured::gen
