#include "emit/native/imports_source.h"

#include <map>
#include <set>
#include <vector>

#include "lower/calling_convention.h"
#include "emit/native/meta_functions.h"
#include "emit/native/source_text.h"
#include "emit/writer.h"

namespace structured::gen {
namespace {

// The constant that stands for a library: `operators_of_structured`.
std::string owner_name(const PlannedVariant& planned) {
  return "operators_of_" + joined_scopes(planned.imported->cpp_namespace, "_");
}

bool imports_meta(const PlannedVariant& planned) {
  return planned.op->structured && !planned.op->structured->impls.empty();
}

std::set<std::string> headers_for(const Plan& plan) {
  std::set<std::string> headers{"<structured/dispatch/imports.h>"};
  for (const PlannedVariant& planned : plan.imported_variants()) {
    headers.insert("<" + joined_scopes(planned.imported->cpp_namespace, "/") + "/find_operator.h>");
    add_headers(*plan.cpp_types, *planned.op, *planned.variant, headers);
    if (!imports_meta(planned)) {
      continue;
    }
    headers.insert(include_spelling(planned.op->structured->base.header));
    if (planned.op->structured->precomputed) {
      headers.insert(include_spelling(planned.op->structured->precomputed->type.header));
    }
  }
  return headers;
}

void write_owners(Writer& writer, const Plan& plan) {
  std::map<std::string, std::string> owners;
  for (const PlannedVariant& planned : plan.imported_variants()) {
    owners[owner_name(planned)] = planned.imported->cpp_namespace;
  }
  for (const auto& [name, cpp_namespace] : owners) {
    writer.line("constexpr ::structured::OperatorOwner " + name + "{" +
                string_literal(cpp_namespace, std::string::npos).front() + ", &::" + cpp_namespace +
                "::find_operator};");
  }
}

// Returns the names of the globals.
std::set<std::string> write_metas(Writer& writer, const Plan& plan) {
  std::set<std::string> names;
  for (const PlannedVariant& planned : plan.imported_variants()) {
    if (imports_meta(planned) && names.insert(planned.meta).second) {
      define_imported_meta(writer, planned, owner_name(planned));
    }
  }
  if (!names.empty()) {
    writer.blank();
    const Writer::Scope array =
        writer.block("constexpr ::structured::MetaImport* metas[] = {", "};", Writer::continuation);
    for (const std::string& name : names) {
      writer.line("&" + name + ",");
    }
  }
  return names;
}

void write_kernels(Writer& writer, const Plan& plan) {
  for (const PlannedVariant& planned : plan.imported_variants()) {
    writer.blank();
    write_signature(writer, planned);
    for (const std::size_t index : planned.wrappers) {
      writer.line(planned.signature + " " + plan.wrappers[index].name + ";");
    }
  }
  writer.blank();
  const Writer::Scope array =
      writer.block("constexpr ::structured::KernelImport kernels[] = {", "};", Writer::continuation);
  for (const PlannedVariant& planned : plan.imported_variants()) {
    for (const std::size_t index : planned.wrappers) {
      const PlannedWrapper& wrapper = plan.wrappers[index];
      const Writer::Scope kernel = writer.block("{", "},", Writer::continuation);
      writer.line("&" + owner_name(planned) + ",");
      writer.line(string_literal(planned.full_name, std::string::npos).front() + ",");
      std::vector<std::string> schema = string_literal(planned.schema, 120 - 9);
      schema.back() += ",";
      for (const std::string& piece : schema) {
        writer.line(piece);
      }
      writer.line(wrapper.backend->enumerator + ",");
      writer.line(string_literal(plan.source_of(wrapper), std::string::npos).front() + ",");
      writer.list("::structured::attach_kernel<", {planned.signature, wrapper.name}, ">,");
      writer.line("::structured::detach_kernel<" + planned.signature + ">,");
    }
  }
}

}  // namespace

std::string imports_source(const Plan& plan) {
  Writer writer;
  write_banner(writer, "");
  if (plan.imported_variants().empty()) {
    writer.line("// The library has no kernels for operators that it imports.");
    return writer.text();
  }
  write_includes(writer, headers_for(plan));
  {
    const HiddenVisibility hidden(writer);
    {
      const Writer::Scope scope = writer.in_namespace(plan.hidden_namespace);
      write_owners(writer, plan);
      const bool has_metas = !write_metas(writer, plan).empty();
      write_kernels(writer, plan);
      writer.blank();
      writer.line("const ::structured::KernelImports imports{" +
                  string_literal(plan.library->cpp_namespace, std::string::npos).front() + ", " +
                  (has_metas ? "metas" : "{}") + ", kernels};");
    }
    writer.blank();
    writer.comment("//", "A linker that is asked for this symbol takes the object above out of an archive.");
    writer.line("extern \"C\" void structured_imports_of_" + joined_scopes(plan.library->cpp_namespace, "_") + "() {}");
  }
  return writer.text();
}

}  // namespace structured::gen
