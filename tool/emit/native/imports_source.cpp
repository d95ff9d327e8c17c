#include "emit/native/imports_source.h"

#include <map>
#include <set>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/native/meta_functions.h"
#include "emit/native/public_functions.h"
#include "emit/writer.h"
#include "llvm/ADT/STLExtras.h"
#include "lower/calling_convention.h"
#include "model/refinement.h"

namespace structured::gen {
namespace {

// The name of the constant that describes an imported library: `operators_of_structured`.
std::string owner_name(const LoweredVariant& variant) {
  return "operators_of_" + joined_scopes(variant.imported->cpp_namespace, "_");
}

bool imports_meta(const LoweredVariant& variant) {
  return variant.op->structured && !variant.op->structured->impls.empty();
}

std::set<std::string> headers_for(const LoweredLibrary& lowered) {
  std::set<std::string> headers{"<structured/dispatch/imports.h>"};
  for (const LoweredVariant& variant : lowered.imported_variants()) {
    headers.insert("<" + joined_scopes(variant.imported->cpp_namespace, "/") + "/find_operator.h>");
    add_headers(*lowered.cpp_types, *variant.op, *variant.derived, headers);
    if (!imports_meta(variant)) {
      continue;
    }
    headers.insert(include_spelling(variant.op->structured->base.header));
    if (llvm::any_of(variant.op->structured->meta.parameters,
                     [](const std::string& type) { return refinement_of(type).has_value(); })) {
      headers.insert("<structured/kernel/refined.h>");
    }
    if (variant.op->structured->precomputed) {
      headers.insert(include_spelling(variant.op->structured->precomputed->type.header));
    }
  }
  return headers;
}

void write_owners(Writer& writer, const LoweredLibrary& lowered) {
  std::map<std::string, std::string> owners;
  for (const LoweredVariant& variant : lowered.imported_variants()) {
    owners[owner_name(variant)] = variant.imported->cpp_namespace;
  }
  for (const auto& [name, cpp_namespace] : owners) {
    writer.line("constexpr ::structured::OperatorOwner " + name + "{" + string_literal(cpp_namespace) +
                ", &::" + cpp_namespace + "::find_operator};");
  }
}

// Returns the names of the globals.
std::set<std::string> write_metas(Writer& writer, const LoweredLibrary& lowered) {
  std::set<std::string> names;
  for (const LoweredVariant& variant : lowered.imported_variants()) {
    if (imports_meta(variant) && names.insert(variant.meta).second) {
      define_imported_meta(writer, variant, owner_name(variant));
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

void write_kernels(Writer& writer, const LoweredLibrary& lowered) {
  for (const LoweredVariant& variant : lowered.imported_variants()) {
    writer.blank();
    write_signature(writer, variant);
    for (const std::size_t index : variant.wrappers) {
      writer.line(variant.signature + " " + lowered.wrappers[index].name + ";");
    }
  }
  writer.blank();
  const Writer::Scope array =
      writer.block("constexpr ::structured::KernelImport kernels[] = {", "};", Writer::continuation);
  for (const LoweredVariant& variant : lowered.imported_variants()) {
    for (const std::size_t index : variant.wrappers) {
      const LoweredWrapper& wrapper = lowered.wrappers[index];
      const Writer::Scope kernel = writer.block("{", "},", Writer::continuation);
      writer.line("&" + owner_name(variant) + ",");
      writer.line(string_literal(variant.full_name) + ",");
      std::vector<std::string> schema = string_literal(variant.schema, 120 - 9);
      schema.back() += ",";
      for (const std::string& piece : schema) {
        writer.line(piece);
      }
      writer.line(wrapper.backend->enumerator + ",");
      writer.line(string_literal(lowered.source_of(wrapper)) + ",");
      writer.list("::structured::attach_kernel<", {variant.signature, kernel_name(lowered, wrapper)}, ">,");
      writer.line("::structured::detach_kernel<" + variant.signature + ">,");
    }
  }
}

}  // namespace

std::string imports_source(const LoweredLibrary& lowered) {
  Writer writer;
  write_banner(writer, "");
  if (lowered.imported_variants().empty()) {
    writer.line("// The library has no kernels for operators that it imports.");
    return writer.text();
  }
  write_includes(writer, headers_for(lowered));
  {
    const HiddenVisibility hidden(writer);
    {
      const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
      write_owners(writer, lowered);
      const bool has_metas = !write_metas(writer, lowered).empty();
      write_kernels(writer, lowered);
      writer.blank();
      writer.line("const ::structured::KernelImports imports{" + string_literal(lowered.library->cpp_namespace) + ", " +
                  (has_metas ? "metas" : "{}") + ", kernels};");
    }
    writer.blank();
    writer.comment("//", "Referring to this symbol makes a linker take `imports` out of an archive.");
    writer.line("extern \"C\" void structured_imports_of_" + joined_scopes(lowered.library->cpp_namespace, "_") +
                "() {}");
  }
  return writer.text();
}

}  // namespace structured::gen
