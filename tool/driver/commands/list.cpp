#include <algorithm>

#include "driver/command.h"
#include "driver/inputs.h"
#include "emit/text/native_functions_yaml.h"
#include "llvm/ADT/STLExtras.h"
#include "model/library_json.h"
#include "model/scalar_function.h"
#include "model/schema.h"

namespace structured::gen {
namespace {

/// Returns one schema per line, without the library's own namespace, for the operators that `includes` accepts.
template <typename Includes>
std::string schemas(const Library& library, Includes includes) {
  std::vector<std::string> lines;
  for (const Operator& op : library.operators) {
    if (!includes(op)) continue;
    for (const Variant& variant : op.variants) {
      Schema schema = variant.schema;
      if (schema.name.ns == library.schema_namespace) schema.name.ns.clear();
      lines.push_back(to_string(schema) + "\n");
    }
  }
  std::sort(lines.begin(), lines.end());
  std::string result;
  for (const std::string& text : lines) result += text;
  return result;
}

class ListCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(inputs_, "FRAGMENTS...|operators.json");
    options.value("o", output_, "file", "Output file; - for standard output");
    options.value(
        "format", format_, "name",
        "schema (default), json, yaml (as native_functions.yaml) or no-derivative (schemas of operators that a "
        "backward pass rejects)");
    library_.declare_names(options);
    library_.declare_imports(options);
  }

  std::string misuse() const override {
    if (std::string message = library_.misuse(); !message.empty()) return message;
    if (inputs_.empty()) return "no fragments or operators.json given";
    if (llvm::is_contained({"schema", "json", "yaml", "no-derivative"}, llvm::StringRef(format_))) return {};
    return "unknown format `" + format_ + "`; expected schema, json, yaml or no-derivative";
  }

  int run(const Environment& environment) override {
    std::optional<Library> library = read_library(environment, library_, inputs_);
    if (!library) return exit_errors;
    if (format_ == "json") return environment.finish(output_, to_json(*library));
    if (format_ == "yaml") {
      const Dialect* dialect = find_dialect(library->dialect);
      if (!dialect) return environment.fail(unknown_dialect(library->dialect));
      return environment.finish(output_, native_functions_yaml(*library, dialect->types()));
    }
    if (format_ == "no-derivative") return environment.finish(output_, schemas(*library, lacks_derivative));
    return environment.finish(output_, schemas(*library, [](const Operator&) { return true; }));
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_ = "-";
  std::string format_ = "schema";
  LibraryOptions library_;
};

}  // namespace

std::unique_ptr<Command> make_list() { return std::make_unique<ListCommand>(); }

}  // namespace structured::gen
