#include "emit/torch_stable/torch_stable_printer.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/cpp/emitted_sources.h"
#include "emit/cpp/source_text.h"
#include "emit/torch/function_text.h"
#include "emit/torch/library_source.h"
#include "emit/torch/wrappers_source.h"
#include "emit/writer.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {
namespace {

constexpr TorchSupport stable_support{
    {"::structured::torch_stable::", "::structured::torch_stable::OptionalDeviceGuard", /*labels_tensors=*/true},
    "<structured/torch_stable/adaptors.h>",
    "<structured/torch_stable/pointwise.h>"};

/// Defines an operator with the variant's schema and this base name. Returns the argument for its kernels.
std::string write_stable_definition(Writer& writer, const LoweredVariant& variant, const std::string& base) {
  Schema schema = variant.derived->schema;
  schema.name.ns.clear();
  schema.name.base = base;
  std::vector<std::string> tags;
  for (const std::string& tag : variant.tags) tags.push_back(string_literal(tag));
  writer.blank();
  writer.list("m.define(", {string_literal(to_string(schema)), "{" + llvm::join(tags, ", ") + "}"}, ");");
  return string_literal(to_string(schema.name));
}

void write_stable_registration(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant) {
  const std::string name = write_stable_definition(writer, variant, variant.derived->schema.name.base);
  for (const std::size_t index : variant.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    const std::string function = "&" + wrapper.name;
    if (wrapper.runs_only_meta()) {  // meta functions read sizes as numbers
      std::vector<std::string> arguments{name};
      if (!variant.symbolic.empty()) arguments.emplace_back("true");
      writer.list("m.impl_meta<" + function + ">(", arguments, ");");
    } else {
      const std::string key = wrapper.backend ? wrapper.backend->enumerator : wrapper.kernel->backend;
      writer.list("m.impl<" + function + ">(", {name, string_literal(key)}, ");");
    }
  }
  if (variant.unrecorded.empty()) return;
  const std::string unrecorded = write_stable_definition(writer, variant, variant.unrecorded_base);
  for (const std::size_t index : variant.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    if (!wrapper.backend || !wrapper.backend->has_memory) continue;
    writer.list("m.impl<&" + wrapper.name + ">(", {unrecorded, string_literal(wrapper.backend->enumerator)}, ");");
  }
}

/// The node that the variant is the first to have, or null.
const LoweredNode* node_of(const LoweredLibrary& lowered, const LoweredVariant& variant) {
  for (const LoweredNode& node : lowered.nodes) {
    if (&lowered.variants[node.functional] == &variant) return &node;
  }
  return nullptr;
}

/// Operators of the functions that compute gradients. Autograd records the operators that they call.
void write_gradient_operators(Writer& writer, const LoweredNode& node) {
  for (const GradientCall& call : node.calls) {
    if (call.function == nullptr) continue;
    writer.blank();
    writer.list("m.define(", {string_literal(call.schema), "{}"}, ");");
    const llvm::StringRef name = llvm::StringRef(call.schema).split('(').first;
    writer.list("m.impl<&::" + call.function->name + ">(",
                {string_literal(name.str()), string_literal("CompositeImplicitAutograd")}, ");");
  }
}

std::string library_source(const LoweredLibrary& lowered) {
  Writer writer;
  write_banner(writer, "");
  write_includes(writer, {"<structured/torch_stable/library.h>"});
  declare_torch_kernels(writer, lowered);
  declare_torch_derivatives(writer, lowered);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    declare_torch_wrappers(writer, lowered);
    std::map<std::string, std::vector<const LoweredVariant*>> by_namespace;
    for (const LoweredVariant& variant : lowered.own_variants()) {
      by_namespace[variant.schema_namespace].push_back(&variant);
    }
    for (const auto& [name, variants] : by_namespace) {
      writer.blank();
      {
        const Writer::Scope body =
            writer.block("static void define_" + name + "(::structured::torch_stable::Library& m) {");
        for (const LoweredVariant* variant : variants) {
          write_stable_registration(writer, lowered, *variant);
          if (const LoweredNode* node = node_of(lowered, *variant)) write_gradient_operators(writer, *node);
        }
      }
      writer.line("static const ::structured::torch_stable::Library library_" + name + "(" + string_literal(name) +
                  ", define_" + name + ");");
    }
  }
  return writer.text();
}

class TorchStablePrinter final : public Printer {
 public:
  StepSet steps() const override { return torch_steps(); }

  std::set<GradientArgument::Kind> gradient_arguments() const override {
    using Kind = GradientArgument::Kind;
    return {Kind::gradient, Kind::optional_gradient,     Kind::gradients, Kind::optional_gradients,
            Kind::saved,    Kind::saved_unless_modified, Kind::conjugate, Kind::weighted};
  }

  bool decomposes() const override { return true; }

  bool has_python_layers() const override { return true; }

  Symbols symbols() const override { return Symbols::fakes; }

  EmittedFiles files(const LoweredLibrary& lowered, const PrintOptions&) const override {
    EmittedFiles files{{"library.cpp", library_source(lowered)}};
    for (const auto& [source, contents] : lowered.sources) {
      files.emplace_back(emitted_sources(source).wrappers,
                         torch_wrappers_source(lowered, stable_support, source, contents));
    }
    return files;
  }

  std::string wrappers(const LoweredLibrary& lowered, const LoweredVariant& variant) const override {
    return torch_wrappers(lowered, stable_support, variant);
  }
};

}  // namespace

const Printer& torch_stable_printer() {
  static const TorchStablePrinter printer;
  return printer;
}

}  // namespace structured::gen
