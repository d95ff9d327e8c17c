#include <algorithm>

#include "commands.h"
#include "emit/emit.h"
#include "emit/text/explain.h"
#include "emit/text/native_functions_yaml.h"
#include "inputs.h"
#include "model/library_json.h"
#include "model/scalar_function.h"
#include "model/schema.h"
#include "output_file.h"

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

}  // namespace

int run_list(const CommandLine& line) {
  std::optional<Library> library = read_library(line, line.inputs);
  if (!library) return exit_errors;
  std::string text;
  if (line.format == "json") {
    text = to_json(*library);
  } else if (line.format == "yaml") {
    const Target* target = find_target(library->dialect);
    if (!target) return fail(line, unknown_target(library->dialect));
    text = native_functions_yaml(*library, target->types());
  } else if (line.format == "no-derivative") {
    text = schemas(*library, lacks_derivative);
  } else {
    text = schemas(*library, [](const Operator&) { return true; });
  }
  if (llvm::Error error = write_output(line.output.empty() ? "-" : line.output, text)) {
    return fail(line, llvm::toString(std::move(error)));
  }
  return exit_success;
}

int run_explain(const CommandLine& line) {
  if (!line.selection.empty()) return explain_selection(line);
  const std::string& name = line.inputs.front();
  std::optional<Library> library = read_library(line, {line.inputs.begin() + 1, line.inputs.end()});
  if (!library) return exit_errors;
  llvm::Expected<const Operator*> op = find_operator(*library, name);
  if (!op) return fail(line, llvm::toString(op.takeError()));
  const Target* target = find_target(library->dialect);
  if (!target) return fail(line, unknown_target(library->dialect));
  llvm::Expected<std::string> text =
      line.shows_code ? emitted_wrapper(*library, *target, name) : explain(*library, *target, **op);
  if (!text) return fail(line, llvm::toString(text.takeError()));
  if (llvm::Error error = write_output("-", *text)) return fail(line, llvm::toString(std::move(error)));
  return exit_success;
}

}  // namespace structured::gen
