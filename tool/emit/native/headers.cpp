#include "emit/native/headers.h"

#include <set>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/native/prepare_functions.h"
#include "emit/native/public_functions.h"
#include "emit/writer.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

std::string export_header_spelling(const LoweredLibrary& lowered) {
  return "<" + lowered.include_prefix + "/export.h>";
}

void write_head(Writer& writer, const std::set<std::string>& headers) {
  write_banner(writer, "");
  writer.line("#pragma once");
  write_includes(writer, headers);
}

std::string ops_header(const LoweredLibrary& lowered, const std::vector<const LoweredVariant*>& variants) {
  std::set<std::string> headers{export_header_spelling(lowered)};
  std::map<std::string, std::vector<const LoweredVariant*>> by_namespace;
  struct Direct {
    const LoweredVariant* variant;
    bool is_preparable;
  };
  std::map<std::string, std::vector<Direct>> direct;
  for (const LoweredVariant* variant : variants) {
    add_headers(*lowered.cpp_types, *variant->op, *variant->derived, headers);
    by_namespace[variant->cpp_namespace].push_back(variant);
    for (const std::size_t index : variant->wrappers) {
      const LoweredWrapper& wrapper = lowered.wrappers[index];
      if (!wrapper.backend) {
        continue;
      }
      const bool is_preparable = lowered.is_preparable(wrapper);
      direct[variant->cpp_namespace + "::" + wrapper.backend->cpp_namespace].push_back({variant, is_preparable});
      if (is_preparable) {
        headers.insert("<structured/kernel/prepared.h>");
      }
    }
  }
  Writer writer;
  write_head(writer, headers);
  for (const auto& [name, members] : by_namespace) {
    const Writer::Scope scope = writer.in_namespace(name);
    for (const LoweredVariant* variant : members) {
      writer.blank();
      writer.comment("///", "`" + variant->schema + "`");
      declare_public_functions(writer, lowered, *variant);
      define_temporary_overload(writer, lowered, *variant);
    }
  }
  for (const auto& [name, members] : direct) {
    const Writer::Scope scope = writer.in_namespace(name);
    writer.line("// Call the kernels of one backend without dispatching.");
    for (const Direct& member : members) {
      declare_public_functions(writer, lowered, *member.variant);
      if (member.is_preparable) {
        declare_prepare_function(writer, lowered, *member.variant);
      }
    }
  }
  return writer.text();
}

}  // namespace

std::map<std::string, std::string> ops_headers(const LoweredLibrary& lowered) {
  std::map<std::string, std::vector<const LoweredVariant*>> by_header;
  for (const LoweredVariant& variant : lowered.own_variants()) {
    by_header[variant.header].push_back(&variant);
  }
  std::map<std::string, std::string> result;
  for (const auto& [path, variants] : by_header) {
    result[path] = ops_header(lowered, variants);
  }
  return result;
}

std::string export_header(const LoweredLibrary& lowered) {
  const std::string exports = llvm::StringRef(lowered.export_macro).drop_back(3).str() + "EXPORTS";
  Writer writer;
  write_banner(writer, "");
  writer.line("#pragma once");
  writer.blank();
  writer.comment("//", "Marks the functions that the library exports. On Windows, define " + exports +
                           " while compiling the library itself.");
  writer.line("#if defined(_WIN32) && defined(" + exports + ")");
  writer.line("#define " + lowered.export_macro + " __declspec(dllexport)");
  writer.line("#elif defined(_WIN32)");
  writer.line("#define " + lowered.export_macro + " __declspec(dllimport)");
  writer.line("#else");
  writer.line("#define " + lowered.export_macro + " __attribute__((visibility(\"default\")))");
  writer.line("#endif");
  return writer.text();
}

std::string find_operator_header(const LoweredLibrary& lowered) {
  Writer writer;
  write_head(writer, {"<string>", "<string_view>", "<structured/dispatch/library.h>", export_header_spelling(lowered)});
  {
    const Writer::Scope scope = writer.in_namespace(lowered.library->cpp_namespace);
    writer.comment("///", "The operator of this library with exactly this name (`" + lowered.library->schema_namespace +
                              "::add.Tensor`), or null. Handles live as long as the library. Thread-safe.");
    writer.line(lowered.export_macro + " const ::structured::OperatorHandle* find_operator(std::string_view name);");
    writer.comment("///",
                   "The dispatch table of the operator with exactly this name, as text: what each backend's slot "
                   "holds, and why. Throws Error if this library has no such operator. Thread-safe.");
    const Writer::Scope function = writer.block("inline std::string dispatch_table(std::string_view name) {");
    writer.line("return ::structured::detail::dispatch_table(find_operator(name), name);");
  }
  return writer.text();
}

std::string documentation_header(const LoweredLibrary& lowered) {
  std::map<std::string, std::vector<const LoweredVariant*>> by_namespace;
  for (const LoweredVariant& variant : lowered.own_variants()) {
    if (!variant.op->documentation.empty()) {
      by_namespace[variant.cpp_namespace].push_back(&variant);
    }
  }
  Writer writer;
  write_banner(writer, "");
  writer.comment("//",
                 "Declares the functions of operators again, with their documentation, for editors and documentation "
                 "generators. No emitted source includes this header, so that a comment recompiles none.");
  writer.line("#pragma once");
  write_includes(writer, {"<" + lowered.include_prefix + "/operators.h>"});
  for (const auto& [name, members] : by_namespace) {
    const Writer::Scope scope = writer.in_namespace(name);
    for (const LoweredVariant* variant : members) {
      writer.blank();
      writer.comment("///", variant->op->documentation);
      writer.line("///");
      writer.comment("///", "`" + variant->schema + "`");
      declare_public_functions(writer, lowered, *variant, /*with_defaults=*/false);
    }
  }
  return writer.text();
}

std::string operators_header(const LoweredLibrary& lowered) {
  std::set<std::string> headers{"<" + lowered.include_prefix + "/find_operator.h>"};
  for (const LoweredVariant& variant : lowered.own_variants()) {
    headers.insert("<" + variant.header + ">");
  }
  Writer writer;
  write_head(writer, headers);
  return writer.text();
}

}  // namespace structured::gen
