#include "driver/library_options.h"

#include "dialect/dialect.h"
#include "model/cpp_names.h"
#include "model/python_names.h"

namespace structured::gen {

void LibraryOptions::declare_names(OptionSet& options) {
  options.value(
      "dialect", dialect, "name",
      "Dialect runtime: native (default), torch, torch_stable, or aten, for which emit writes JSON files only");
  options.value("namespace", schema_name, "name",
                "Namespace of the library, in schemas and in C++ (default: aten, and structured in C++)");
  options.value("cpp-namespace", cpp_name, "name", "Namespace in C++, if it differs");
}

void LibraryOptions::declare_source_root(OptionSet& options) {
  options.value("source-root", source_root, "folder",
                "Directory that paths in fragments are relative to (default: the current one)");
}

void LibraryOptions::declare_generated_root(OptionSet& options) {
  options.value("generated-root", generated_root, "folder",
                "Directory of generated sources, for paths in fragments that are not below --source-root");
}

void LibraryOptions::declare_imports(OptionSet& options) {
  options.values("import", imports, "file",
                 "Import the operators of another library from its signatures.json; may be repeated");
  options.flag("no-implied-out", leaves_off_out,
               "Give operators only the out= variants that `meta` and `pointwise` name");
}

void LibraryOptions::declare_backends(OptionSet& options) {
  options.comma_values("backends", backends, "names",
                       "Backends of the library; kernels for other backends are errors, and are left out in the "
                       "flavours edge and static");
  options.value("other-headers", other_headers, "file",
                "Leave out functions in the headers that this file lists, sources of other libraries of the namespace");
}

std::string LibraryOptions::schema_namespace() const {
  const std::string given = schema_name.value_or("");
  return given.empty() ? "aten" : given;
}

std::string LibraryOptions::cpp_namespace() const {
  for (const std::optional<std::string>& given : {cpp_name, schema_name}) {
    if (given && !given->empty()) return *given;
  }
  return "structured";
}

bool LibraryOptions::is_described() const {
  return dialect || schema_name || cpp_name || source_root || !imports.empty() || !backends.empty() ||
         !other_headers.empty() || leaves_off_out;
}

std::string LibraryOptions::misuse() const {
  if (dialect && !find_dialect(*dialect)) return unknown_dialect(*dialect);
  for (const std::string& name : {schema_namespace(), cpp_namespace()}) {
    if (!is_cpp_namespace(name)) return "`" + name + "` cannot be the namespace of a library";
  }
  if (dialect && find_dialect(*dialect)->types().has_torch_schemas() && is_python_keyword(schema_namespace())) {
    return "`" + schema_namespace() +
           "` cannot be the namespace of a library for PyTorch, where it is a keyword; expected another name";
  }
  return {};
}

void LockOptions::declare(OptionSet& options) {
  options.value("lock", file, "file", "Compare the schemas with those in this lock file");
  options.flag("update-lock", is_update, "Write the lock file instead of comparing with it");
  options.value("lock-target", target, "name", "Name of the build's target that writes the lock file, for messages");
}

std::string LockOptions::misuse() const {
  return is_update && file.empty() ? "`--update-lock` requires `--lock FILE`" : "";
}

}  // namespace structured::gen
