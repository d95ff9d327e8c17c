#include "emit/torch/library_source.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/torch/decompositions.h"
#include "emit/torch/function_text.h"
#include "emit/torch/nodes.h"
#include "emit/writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "lower/calling_convention.h"
#include "lower/nodes.h"

namespace structured::gen {
namespace {

// Returns the dispatch key of the wrapper's kernels.
std::string dispatch_key(const LoweredWrapper& wrapper) {
  return wrapper.backend ? wrapper.backend->enumerator : "::c10::DispatchKey::" + wrapper.kernel->backend;
}

std::string function_type(const CppSignature& signature) {
  return signature.result + "(" + llvm::join(signature.types(), ", ") + ")";
}

void write_kernel_types(Writer& writer, const LoweredLibrary& lowered) {
  writer.blank();
  for (const LoweredVariant& variant : lowered.own_variants()) {
    writer.list("using " + variant.signature + " = " + variant.called.result + "(", variant.called.declared(), ");");
  }
}

// `m.add_recorder<signature_add, "my::add", ::structured::torch::Recorded<signature_add, "my::add", AddBackward0>>();`
void write_recorder(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant, const char* recorder,
                    const std::string& arguments) {
  const std::string name = string_literal(variant.kernels_name());
  writer.list("m.add_recorder<",
              {variant.signature, name,
               std::string("::structured::torch::") + recorder + "<" + variant.signature + ", " + name + ", " +
                   lowered.nodes[variant.node].name + arguments + ">"},
              ">();");
}

void write_layer(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant,
                 LoweredVariant::Layer layer) {
  using Layer = LoweredVariant::Layer;
  const std::string types = variant.signature + ", " + string_literal(variant.kernels_name());
  switch (layer) {
    case Layer::records:
      return write_recorder(writer, lowered, variant, "Recorded",
                            variant.opaque.empty() ? "" : ", " + string_literal(variant.full_name));
    case Layer::records_inplace:
      return write_recorder(writer, lowered, variant, "RecordedInplace",
                            ", " + string_literal(variant.functional) + (variant.opaque.empty() ? "" : ", true"));
    case Layer::never_records:
      return writer.line("m.never_record<" + types + ">();");
    case Layer::without_derivative:
      return writer.line("m.add_layers<" + types + ">();");
    case Layer::batches:
      return writer.line("m.batch();");
    case Layer::functionalizes:
      return writer.line("m.functionalize<" + string_literal(variant.functional) + ">();");
  }
}

void write_definition(Writer& writer, const LoweredVariant& variant, const std::string& base) {
  Schema schema = variant.derived->schema;
  schema.name.ns.clear();
  schema.name.base = base;
  std::vector<std::string> tags;
  for (const std::string& tag : variant.tags) tags.push_back(string_literal(tag));
  writer.blank();
  writer.list("m.define(", {string_literal(to_string(schema)), "{" + llvm::join(tags, ", ") + "}"}, ");");
}

void write_registration(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant) {
  const std::string& base = variant.derived->schema.name.base;
  write_definition(writer, variant, variant.opaque.empty() ? base : variant.opaque_base);
  const std::string type = function_type(variant.called);
  for (const std::size_t index : variant.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    const std::string own_type = function_type(wrapper.signature);
    // Meta functions read sizes as numbers.
    const std::string impl = wrapper.runs_only_meta() ? "m.impl_meta<" : "m.impl<";
    std::vector<std::string> arguments;
    if (!wrapper.runs_only_meta()) {
      arguments.push_back(dispatch_key(wrapper));
    } else if (!variant.symbolic.empty()) {
      arguments = symbolic_arguments(variant, torch_scope);
    }
    const bool has_type = wrapper.runs_only_meta() || own_type == type;
    writer.list(impl + (has_type ? variant.signature : own_type) + ", " + wrapper.name + ">(", arguments, ");");
  }
  for (const LoweredVariant::Layer layer : variant.layers) write_layer(writer, lowered, variant, layer);
  if (!variant.opaque.empty()) {
    write_definition(writer, variant, base);
    write_composite(writer, lowered, variant);
  }
  if (variant.autocast.empty()) return;
  writer.line("m.impl_autocast<::structured::torch::AutocastKernel<" + variant.signature +
              ">>(::structured::torch::AutocastRule::" + variant.autocast + ");");
}

bool has_decompositions(const LoweredLibrary& lowered) {
  return llvm::any_of(lowered.own_variants(),
                      [](const LoweredVariant& variant) { return variant.decomposition.has_value(); });
}

void write_nodes(Writer& writer, const LoweredLibrary& lowered) {
  for (const LoweredNode& node : lowered.nodes) {
    write_torch_node(writer, lowered, node, lowered.variants[node.functional].called);
  }
}

void write_definitions(Writer& writer, const LoweredLibrary& lowered) {
  std::map<std::string, std::vector<const LoweredVariant*>> by_namespace;
  for (const LoweredVariant& variant : lowered.own_variants()) {
    by_namespace[variant.schema_namespace].push_back(&variant);
  }
  for (const auto& [name, variants] : by_namespace) {
    writer.blank();
    {
      const Writer::Scope body = writer.block("static void define_" + name + "(::structured::torch::Library& m) {");
      for (const LoweredVariant* variant : variants) write_registration(writer, lowered, *variant);
    }
    writer.line("static const ::structured::torch::Library library_" + name + "(" + string_literal(name) + ", define_" +
                name + ");");
  }
}

// Kernels for operators of other libraries, such as ATen.
void write_implementations(Writer& writer, const LoweredLibrary& lowered) {
  std::map<std::string, std::vector<const LoweredVariant*>> by_namespace;
  for (const LoweredVariant& variant : lowered.imported_variants()) {
    by_namespace[variant.imported->schema_namespace].push_back(&variant);
  }
  for (const auto& [name, variants] : by_namespace) {
    writer.blank();
    {
      const Writer::Scope body = writer.block("static void implement_" + name + "(::structured::torch::Kernels& m) {");
      for (const LoweredVariant* variant : variants) {
        OperatorName op = variant->derived->schema.name;
        op.ns.clear();
        for (const std::size_t index : variant->wrappers) {
          const LoweredWrapper& wrapper = lowered.wrappers[index];
          writer.list("m.impl<decltype(" + wrapper.name + "), " + wrapper.name + ">(",
                      {string_literal(to_string(op)), dispatch_key(wrapper)}, ");");
        }
      }
    }
    writer.line("static const ::structured::torch::Kernels kernels_" + name + "(" + string_literal(name) +
                ", implement_" + name + ");");
  }
}

}  // namespace

void declare_torch_derivatives(Writer& writer, const LoweredLibrary& lowered) {
  std::vector<const Function*> functions;
  for (const LoweredNode& node : lowered.nodes) {
    for (const GradientCall& call : node.calls) {
      if (call.function != nullptr) functions.push_back(call.function);
    }
  }
  declare_functions(writer, functions);
}

void declare_torch_kernels(Writer& writer, const LoweredLibrary& lowered) {
  std::vector<const Function*> functions;
  for (const LoweredWrapper& wrapper : lowered.wrappers) {
    if (wrapper.entry == LoweredWrapper::Entry::kernel) functions.push_back(&wrapper.kernel->function);
  }
  declare_functions(writer, functions);
}

void declare_torch_wrappers(Writer& writer, const LoweredLibrary& lowered) {
  for (const auto& [source, contents] : lowered.sources) {
    bool is_first = true;
    for (const std::size_t index : contents.wrappers) {
      const LoweredFunction* call = lowered.wrappers[index].find(WrapperPart::call);
      if (call == nullptr) continue;
      if (is_first) {
        writer.blank();
        writer.line("// " + source);
        is_first = false;
      }
      declare_torch_function(writer, *call);
    }
  }
}

std::string torch_library_source(const LoweredLibrary& lowered) {
  Writer writer;
  write_banner(writer, "");
  std::set<std::string> headers{"<structured/torch/library.h>"};
  if (llvm::any_of(lowered.own_variants(), [](const LoweredVariant& variant) { return !variant.autocast.empty(); })) {
    headers.insert("<structured/torch/autocast.h>");
  }
  if (has_decompositions(lowered)) headers.insert({"<limits>", "<structured/torch/decomposition.h>"});
  if (!lowered.nodes.empty()) headers.insert("<structured/torch/autograd.h>");
  if (llvm::any_of(lowered.nodes, [](const LoweredNode& node) { return !node.saved.empty(); })) {
    headers.insert("<structured/torch/saved.h>");
  }
  write_includes(writer, headers);
  declare_torch_kernels(writer, lowered);
  declare_torch_derivatives(writer, lowered);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    declare_torch_wrappers(writer, lowered);
    write_kernel_types(writer, lowered);
    write_nodes(writer, lowered);
    write_decompositions(writer, lowered);
    write_definitions(writer, lowered);
    write_implementations(writer, lowered);
  }
  if (has_decompositions(lowered)) write_decompositions_digest(writer, lowered);
  return writer.text();
}

std::string torch_support_source(const LoweredLibrary& lowered) {
  Writer writer;
  write_banner(writer, "");
  std::set<std::string> headers{"<structured/torch/support.h>"};
  if (has_decompositions(lowered)) headers.insert("<structured/torch/decomposed_call.h>");
  write_includes(writer, headers);
  return writer.text();
}

}  // namespace structured::gen
