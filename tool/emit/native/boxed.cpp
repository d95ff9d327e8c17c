#include "emit/native/boxed.h"

#include <set>
#include <string>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/native/public_functions.h"
#include "emit/writer.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

void write_boxed_call(Writer& writer, const LoweredVariant& variant, bool has_layers) {
  std::vector<std::string> arguments{variant.table, "stack"};
  if (!has_layers) {
    arguments.insert(arguments.begin(), string_literal(variant.full_name));
  }
  writer.one_call_function("void " + variant.boxed + "(", {"::structured::Stack& stack"},
                           has_layers ? "::structured::call_boxed(" : "::structured::unbox(", arguments);
}

void write_slow_path(Writer& writer, const LoweredVariant& variant) {
  const CppSignature& signature = variant.dispatched;
  const std::string state = unused_name("state", signature);
  std::vector<std::string> parameters = signature.declared();
  parameters.insert(parameters.begin(), "::structured::DispatchState " + state);
  std::vector<std::string> arguments = signature.names();
  arguments.insert(arguments.begin(), {variant.table, state});
  writer.one_call_function(signature.result + " " + variant.slow_path + "(", parameters,
                           "return ::structured::run_slow_path(", arguments);
}

}  // namespace

std::string boxed_source(const LoweredLibrary& lowered, llvm::StringRef source) {
  const auto found = lowered.sources.find(source.str());
  std::vector<const LoweredVariant*> variants;
  if (found != lowered.sources.end()) {
    for (const std::size_t index : found->second.variants) {
      const LoweredVariant& variant = lowered.variants[index];
      if (!variant.boxed.empty() || !variant.slow_path.empty()) {
        variants.push_back(&variant);
      }
    }
  }
  if (variants.empty()) {
    return nothing_from(source, "operators with boxed calls");
  }
  Writer writer;
  write_banner(writer, source);
  const bool has_layers = lowered.flavour->has_layers;
  std::set<std::string> headers =
      has_layers ? std::set<std::string>{"<structured/dispatch/boxed.h>", "<structured/dispatch/slow_path.h>"}
                 : std::set<std::string>{"<structured/dispatch/unbox.h>"};
  for (const LoweredVariant* variant : variants) {
    add_headers(*lowered.cpp_types, *variant->op, *variant->derived, headers);
  }
  write_includes(writer, headers);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    for (const LoweredVariant* variant : variants) {
      writer.blank();
      writer.comment("//", variant->schema);
      write_signature(writer, *variant);
      declare_table(writer, lowered, *variant);
      if (!variant->boxed.empty()) {
        write_boxed_call(writer, *variant, has_layers);
      }
      if (!variant->slow_path.empty()) {
        write_slow_path(writer, *variant);
      }
    }
  }
  return writer.text();
}

}  // namespace structured::gen
