#include "emit/python/bindings.h"

#include <set>

#include "emit/cpp/source_text.h"
#include "emit/writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

std::string hidden_namespace(llvm::StringRef module) { return ("structured::emitted::" + module).str(); }

std::string functions_name(std::size_t part) { return "functions_" + std::to_string(part); }

llvm::ArrayRef<PythonFunction> functions_of(llvm::ArrayRef<PythonFunction> functions, PythonPart part) {
  const std::size_t first = functions.size() * part.part / part.parts;
  const std::size_t last = functions.size() * (part.part + 1) / part.parts;
  return functions.slice(first, last - first);
}

void write_overloads(Writer& writer, const PythonFunction& function) {
  writer.blank();
  const Writer::Scope table =
      writer.block("constexpr Overload overloads_" + function.name + "[] = {", "};", Writer::continuation);
  for (const PythonOverload& overload : function.overloads) {
    std::vector<std::string> pieces = string_literal(to_string(overload.schema), 120 - 7);
    pieces.front().insert(0, "{");
    pieces.back() += ",";
    writer.line(pieces.front());
    for (const std::string& piece : llvm::ArrayRef(pieces).drop_front()) writer.line(" " + piece);
    const LoweredVariant& variant = *overload.variant;
    const CppSignature signature = public_signature(*overload.library->cpp_types, *variant.op, *variant.derived);
    writer.list(" invoke<" + signature.result + "(", signature.types(),
                "), ::" + variant.cpp_namespace + "::" + variant.function + ">},");
  }
}

void write_functions(Writer& writer, llvm::ArrayRef<PythonFunction> functions) {
  const Writer::Scope hidden = writer.in_namespace("");
  for (const PythonFunction& function : functions) write_overloads(writer, function);
  writer.blank();
  const Writer::Scope table = writer.block("constexpr Function functions[] = {", "};", Writer::continuation);
  for (const PythonFunction& function : functions) {
    const std::vector<std::string> members{"\"" + function.name + "\"", "overloads_" + function.name,
                                           function.is_method ? "true" : "false"};
    writer.list("{", members, "},");
  }
  if (functions.empty()) writer.line("{}");
}

}  // namespace

std::string python_tables_source(llvm::ArrayRef<PythonFunction> all, llvm::StringRef module, PythonPart part) {
  const llvm::ArrayRef<PythonFunction> functions = functions_of(all, part);
  std::set<std::string> headers{"<structured/python/bindings.h>"};
  for (const PythonFunction& function : functions) {
    for (const PythonOverload& overload : function.overloads) headers.insert("<" + overload.variant->header + ">");
  }
  Writer writer;
  write_banner(writer, "");
  write_includes(writer, headers);
  {
    const Writer::Scope scope = writer.in_namespace(hidden_namespace(module));
    writer.line("using ::structured::python::Function;");
    writer.line("using ::structured::python::FunctionTable;");
    writer.line("using ::structured::python::invoke;");
    writer.line("using ::structured::python::Overload;");
    write_functions(writer, functions);
    writer.blank();
    writer.line("extern const FunctionTable " + functions_name(part.part) + ";");
    writer.line("constinit const FunctionTable " + functions_name(part.part) + "{functions, " +
                std::to_string(functions.size()) + "};");
  }
  return writer.text();
}

std::string python_module_source(llvm::StringRef module, std::size_t parts) {
  Writer writer;
  write_banner(writer, "");
  write_includes(writer, {"<structured/python/module.h>"});
  std::vector<std::string> tables;
  {
    const Writer::Scope scope = writer.in_namespace(hidden_namespace(module));
    for (std::size_t part = 0; part < parts; ++part) {
      writer.line("extern const ::structured::python::FunctionTable " + functions_name(part) + ";");
      tables.push_back("&::" + hidden_namespace(module) + "::" + functions_name(part));
    }
  }
  writer.blank();
  {
    const Writer::Scope body = writer.block("PyMODINIT_FUNC PyInit_" + module + "() {");
    writer.list("static constexpr const ::structured::python::FunctionTable* tables[] = {", tables, "};");
    writer.line("return ::structured::python::create_module(\"" + module + "\", tables, " + std::to_string(parts) +
                ");");
  }
  return writer.text();
}

}  // namespace structured::gen
