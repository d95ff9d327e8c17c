#include "emit/native/tables.h"

#include <map>
#include <set>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/native/public_functions.h"
#include "emit/writer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

// Kernels of a variant.
struct Kernels {
  std::vector<const LoweredWrapper*> by_backend;
  const LoweredWrapper* composite = nullptr;
};

// Declares the variant's signature and kernels, and the operator from which it is derived.
Kernels declare_kernels(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant) {
  writer.blank();
  writer.comment("//", variant.schema);
  if (variant.base && &lowered.variants[*variant.base] > &variant) {  // it is defined later in this source
    write_signature(writer, lowered.variants[*variant.base]);
    declare_table(writer, lowered, lowered.variants[*variant.base]);
  }
  write_signature(writer, variant);
  Kernels kernels;
  for (const std::size_t index : variant.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    if (wrapper.entry == LoweredWrapper::Entry::wrapper) {
      writer.line(variant.signature + " " + wrapper.name + ";");
    }
    if (wrapper.backend) {
      kernels.by_backend.push_back(&wrapper);
    } else {
      kernels.composite = &wrapper;
    }
  }
  return kernels;
}

// The function that selects the backend of a call and calls its kernel.
void write_switch(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant) {
  const Kernels kernels = declare_kernels(writer, lowered, variant);
  const CppSignature& signature = variant.dispatched;
  const std::string head = signature.result + " " + variant.table + "(";
  if (kernels.by_backend.empty() && kernels.composite != nullptr) {
    writer.one_call_function(head, signature.declared(), "return " + kernel_name(lowered, *kernels.composite) + "(",
                             signature.names());
    return;
  }
  const Writer::Scope function = writer.block(head, signature.declared(), ") {");
  const std::string backend = unused_name("backend", signature);
  writer.list("const ::structured::Backend " + backend + " = ::structured::dispatch_key(", signature.names(), ");");
  const Writer::Scope cases = writer.block("switch (" + backend + ") {");
  for (const LoweredWrapper* kernel : kernels.by_backend) {
    writer.line("case " + kernel->backend->enumerator + ":");
    writer.list("  return " + kernel_name(lowered, *kernel) + "(", signature.names(), ");");
  }
  writer.line("default:");
  if (kernels.composite != nullptr) {
    writer.list("  return " + kernel_name(lowered, *kernels.composite) + "(", signature.names(), ");");
  } else {
    writer.list("  ::structured::throw_not_in_build(", {string_literal(variant.full_name), backend}, ");");
  }
}

void write_table(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant, bool boxed) {
  const auto [kernels, composite] = declare_kernels(writer, lowered, variant);
  const bool has_slow_path = boxed && !variant.slow_path.empty();
  if (has_slow_path) {
    writer.line("::structured::SlowPath<" + variant.signature + "> " + variant.slow_path + ";");
  }
  if (!variant.via_out.empty()) {
    writer.line(variant.signature + " " + variant.via_out + ";");
  }
  if (!variant.recording.empty()) {
    writer.line(variant.signature + " " + variant.recording + ";");
  }
  if (!variant.variants.empty()) {
    writer.line("extern const ::structured::Variants " + variant.variants + ";");
  }
  if (lowered.is_checked) {  // its own initializer names it
    declare_table(writer, lowered, variant);
  }
  // After a trailing comma, formatters put each item on a separate line.
  const Writer::Scope table = writer.block(
      "constinit ::structured::Operator<" + variant.signature + "> " + variant.table + "{", "};", Writer::continuation);
  writer.line(string_literal(variant.full_name) + ",");
  std::vector<std::string> schema =
      lowered.flavour->has_schemas ? string_literal(variant.schema, 120 - 5) : std::vector<std::string>{"\"\""};
  schema.back() += ",";
  for (const std::string& piece : schema) {
    writer.line(piece);
  }
  const std::vector<std::string>& via_out = variant.backends_via_out;
  if (kernels.empty() && via_out.empty()) {
    writer.line("{},");
  } else {
    const Writer::Scope entries = writer.block("{", "},", Writer::continuation);
    for (const LoweredWrapper* kernel : kernels) {
      writer.line("{" + kernel->backend->enumerator + ", " + kernel_in_table(lowered, *kernel) + "},");
    }
    for (const std::string& backend : via_out) {
      writer.line("{" + backend + ", " + variant.via_out + "},");
    }
  }
  if (composite != nullptr) {
    writer.line(kernel_in_table(lowered, *composite) + ",");
  }
  std::vector<std::string> hooks;
  if (has_slow_path) {
    hooks.push_back(".slow_path = " + variant.slow_path);
  }
  if (!variant.via_out.empty()) {
    hooks.push_back(".common = " + variant.via_out);
  }
  if (!variant.variants.empty()) {
    hooks.push_back(".variants = &" + variant.variants);
  }
  switch (variant.autograd) {
    case LoweredVariant::Autograd::generic:
      break;
    case LoweredVariant::Autograd::records:
      hooks.push_back(".autograd = " + variant.recording);
      break;
    case LoweredVariant::Autograd::composite:
      if (variant.base) {
        hooks.push_back(".autograd = ::structured::autograd::RecordedVariant<" + variant.table + ", " +
                        lowered.variants[*variant.base].table + ">::call");
      } else {
        hooks.push_back(".autograd = " + kernel_name(lowered, *composite));
      }
      break;
    case LoweredVariant::Autograd::none:
      hooks.push_back(".autograd = ::structured::autograd::Unrecorded<" + variant.table + ">::call");
      break;
  }
  if (!hooks.empty()) {
    writer.list("{", hooks, "},");
  }
}

// The variants that are served via out=.
void write_variants(Writer& writer, const LoweredLibrary& lowered, llvm::ArrayRef<std::size_t> indices) {
  std::map<std::string, std::map<Variant::Kind, const LoweredVariant*>> by_name;
  for (const std::size_t index : indices) {
    const LoweredVariant& variant = lowered.variants[index];
    if (!variant.variants.empty()) {
      by_name[variant.variants][variant.derived->kind] = &variant;
    }
  }
  for (const auto& [name, by_kind] : by_name) {
    std::vector<std::string> members{"&" + by_kind.at(Variant::Kind::out)->table};
    for (const Variant::Kind kind : {Variant::Kind::functional, Variant::Kind::inplace}) {
      const auto found = by_kind.find(kind);
      const bool has_via_out = found != by_kind.end() && !found->second->via_out.empty();
      members.push_back(has_via_out ? found->second->table + ".as_variant()" : "{}");
    }
    writer.blank();
    writer.list("constinit const ::structured::Variants " + name + "{", members, "};");
  }
}

}  // namespace

std::string tables_source(const LoweredLibrary& lowered, llvm::StringRef source, bool boxed) {
  const auto found = lowered.sources.find(source.str());
  if (found == lowered.sources.end() || found->second.variants.empty()) {
    return nothing_from(source, "operators");
  }
  const bool has_tables = lowered.flavour->has_tables;
  std::set<std::string> headers{has_tables ? "<structured/dispatch/operator.h>"
                                           : "<structured/dispatch/static_call.h>"};
  if (lowered.is_checked) {
    headers.insert("<structured/check/checked.h>");
  }
  std::map<std::string, std::vector<const LoweredVariant*>> by_namespace;
  std::vector<const Function*> kernels;
  for (const std::size_t index : found->second.variants) {
    const LoweredVariant& variant = lowered.variants[index];
    headers.insert("<" + variant.header + ">");
    if (variant.base) {
      headers.insert("<structured/iterator/derived_variants.h>");
      if (variant.autograd == LoweredVariant::Autograd::composite) {
        headers.insert("<structured/autograd/recorded_variant.h>");
      }
    }
    if (variant.autograd == LoweredVariant::Autograd::none) {
      headers.insert("<structured/autograd/unrecorded.h>");
    }
    by_namespace[variant.cpp_namespace].push_back(&variant);
    for (const std::size_t wrapper : variant.wrappers) {
      if (lowered.wrappers[wrapper].entry == LoweredWrapper::Entry::kernel) {
        kernels.push_back(&lowered.wrappers[wrapper].kernel->function);
      }
    }
  }
  Writer writer;
  write_banner(writer, source);
  write_includes(writer, headers);
  declare_functions(writer, kernels);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    for (const std::size_t index : found->second.variants) {
      const LoweredVariant& variant = lowered.variants[index];
      has_tables ? write_table(writer, lowered, variant, boxed) : write_switch(writer, lowered, variant);
    }
    write_variants(writer, lowered, found->second.variants);
  }
  for (const auto& [name, variants] : by_namespace) {
    const Writer::Scope scope = writer.in_namespace(name);
    for (const LoweredVariant* variant : variants) {
      define_public_functions(writer, lowered, *variant, "::" + lowered.hidden_namespace + "::" + variant->table);
    }
  }
  return writer.text();
}

}  // namespace structured::gen
