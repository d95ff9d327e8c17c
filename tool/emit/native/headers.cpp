#include "emit/native/headers.h"

#include <set>
#include <vector>

#include "lower/calling_convention.h"
#include "emit/native/prepare_functions.h"
#include "emit/native/source_text.h"
#include "emit/writer.h"

namespace structured::gen {
namespace {

std::string export_header_spelling(const Plan& plan) { return "<" + plan.include_prefix + "/export.h>"; }

void write_head(Writer& writer, const std::set<std::string>& headers) {
  write_banner(writer, "");
  writer.line("#pragma once");
  write_includes(writer, headers);
}

std::string ops_header(const Plan& plan, const std::vector<const PlannedVariant*>& variants) {
  std::set<std::string> headers{export_header_spelling(plan)};
  std::map<std::string, std::vector<const PlannedVariant*>> by_namespace;
  struct Direct {
    const PlannedVariant* variant;
    bool is_preparable;
  };
  std::map<std::string, std::vector<Direct>> direct;
  for (const PlannedVariant* planned : variants) {
    add_headers(*plan.cpp_types, *planned->op, *planned->variant, headers);
    by_namespace[planned->cpp_namespace].push_back(planned);
    for (const std::size_t index : planned->wrappers) {
      const PlannedWrapper& wrapper = plan.wrappers[index];
      if (!wrapper.backend) {
        continue;
      }
      const bool is_preparable = plan.is_preparable(wrapper);
      direct[planned->cpp_namespace + "::" + wrapper.backend->cpp_namespace].push_back({planned, is_preparable});
      if (is_preparable) {
        headers.insert("<structured/kernel/prepared.h>");
      }
    }
  }
  Writer writer;
  write_head(writer, headers);
  for (const auto& [name, members] : by_namespace) {
    const Writer::Scope scope = writer.in_namespace(name);
    for (const PlannedVariant* planned : members) {
      writer.blank();
      if (!planned->op->documentation.empty()) {
        writer.comment("///", planned->op->documentation);
        writer.line("///");
      }
      writer.comment("///", "`" + planned->schema + "`");
      declare_public_functions(writer, plan, *planned);
    }
  }
  for (const auto& [name, members] : direct) {
    const Writer::Scope scope = writer.in_namespace(name);
    writer.line("// The same, straight to the kernels of one backend.");
    for (const Direct& member : members) {
      declare_public_functions(writer, plan, *member.variant);
      if (member.is_preparable) {
        declare_prepare_function(writer, plan, *member.variant);
      }
    }
  }
  return writer.text();
}

}  // namespace

std::map<std::string, std::string> ops_headers(const Plan& plan) {
  std::map<std::string, std::vector<const PlannedVariant*>> by_header;
  for (const PlannedVariant& planned : plan.own_variants()) {
    by_header[planned.header].push_back(&planned);
  }
  std::map<std::string, std::string> result;
  for (const auto& [path, variants] : by_header) {
    result[path] = ops_header(plan, variants);
  }
  return result;
}

std::string export_header(const Plan& plan) {
  const std::string exports = llvm::StringRef(plan.export_macro).drop_back(3).str() + "EXPORTS";
  Writer writer;
  write_banner(writer, "");
  writer.line("#pragma once");
  writer.blank();
  writer.comment("//",
                 "Marks the functions that the library gives to others. Where symbols are imported and exported, " +
                     exports + " is defined while the library itself is compiled.");
  writer.line("#if defined(_WIN32) && defined(" + exports + ")");
  writer.line("#define " + plan.export_macro + " __declspec(dllexport)");
  writer.line("#elif defined(_WIN32)");
  writer.line("#define " + plan.export_macro + " __declspec(dllimport)");
  writer.line("#else");
  writer.line("#define " + plan.export_macro + " __attribute__((visibility(\"default\")))");
  writer.line("#endif");
  return writer.text();
}

std::string find_operator_header(const Plan& plan) {
  Writer writer;
  write_head(writer, {"<string>", "<string_view>", "<structured/dispatch/library.h>", export_header_spelling(plan)});
  {
    const Writer::Scope scope = writer.in_namespace(plan.library->cpp_namespace);
    writer.comment("///", "The operator of this library with exactly this name (`" + plan.library->schema_namespace +
                              "::add.Tensor`), or null. Handles live as long as the library. Thread-safe.");
    writer.line(plan.export_macro + " const ::structured::OperatorHandle* find_operator(std::string_view name);");
    writer.comment("///",
                   "The dispatch table of the operator with exactly this name, as text: what each backend's slot "
                   "holds, and why. Throws Error if this library has no such operator. Thread-safe.");
    const Writer::Scope function = writer.block("inline std::string dispatch_table(std::string_view name) {");
    writer.line("return ::structured::detail::dispatch_table(find_operator(name), name);");
  }
  return writer.text();
}

std::string operators_header(const Plan& plan) {
  std::set<std::string> headers{"<" + plan.include_prefix + "/find_operator.h>"};
  for (const PlannedVariant& planned : plan.own_variants()) {
    headers.insert("<" + planned.header + ">");
  }
  Writer writer;
  write_head(writer, headers);
  return writer.text();
}

}  // namespace structured::gen
