#include "emit/native/wrappers.h"

#include <map>
#include <set>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/native/function_text.h"
#include "emit/native/meta_functions.h"
#include "emit/native/pointwise.h"
#include "emit/native/prepare_functions.h"
#include "emit/native/public_functions.h"
#include "emit/native/recordings.h"
#include "emit/native/shared_bodies.h"
#include "llvm/ADT/STLExtras.h"
#include "lower/calling_convention.h"
#include "model/refinement.h"

namespace structured::gen {
namespace {

// The author's functions that a wrapper calls.
std::vector<const Function*> functions_of(const LoweredLibrary& lowered, const LoweredWrapper& wrapper) {
  if (wrapper.kernel != nullptr) {
    return {&wrapper.kernel->function};
  }
  const LoweredVariant& variant = lowered.variant_of(wrapper);
  if (variant.op->pointwise) {
    return {};  // defined in the same source
  }
  std::vector<const Function*> result;
  if (variant.imported == nullptr) {
    result.push_back(&variant.op->structured->meta);
  }
  if (wrapper.impl != nullptr) {
    result.push_back(&wrapper.impl->function);
  }
  return result;
}

// Whether a public function calls the wrapper without dispatching.
bool is_direct(const LoweredLibrary& lowered, const LoweredWrapper& wrapper) {
  return wrapper.backend && lowered.variant_of(wrapper).imported == nullptr;
}

// Whether the function's body is printed in the wrapper's own source.
bool has_body_here(const LoweredLibrary& lowered, const LoweredFunction& function) {
  return function.shared.empty() || !lowered.shared_body(function.shared).is_for_many();
}

std::set<std::string> headers_for(const LoweredLibrary& lowered, const LoweredSource& source) {
  std::set<std::string> headers;
  if (lowered.is_checked) {
    headers.insert("<structured/check/checked.h>");
  }
  for (const std::size_t index : source.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    const LoweredVariant& variant = lowered.variant_of(wrapper);
    if (wrapper.entry != LoweredWrapper::Entry::wrapper && !is_direct(lowered, wrapper)) {
      continue;
    }
    if (variant.imported == nullptr) {
      headers.insert("<" + variant.header + ">");
    } else {
      add_headers(*lowered.cpp_types, *variant.op, *variant.derived, headers);
    }
    for (const LoweredFunction& function : wrapper.functions) {
      if (has_body_here(lowered, function)) {
        add_body_headers(function.body, headers);
      }
    }
    if (wrapper.kernel == nullptr) {
      if (wrapper.find(WrapperPart::via_out) != nullptr) {
        headers.insert("<structured/dispatch/operator.h>");
      }
      headers.insert(variant.imported == nullptr ? "<structured/dispatch/meta_function.h>"
                                                 : "<structured/dispatch/imports.h>");
      if (variant.op->pointwise) {
        add_pointwise_headers(lowered, *variant.op, headers);
      }
      add_author_headers(*variant.op->structured, headers);
    }
  }
  add_recording_headers(lowered, source, headers);
  for (const std::size_t index : source.wrappers) {
    for (const Function* function : functions_of(lowered, lowered.wrappers[index])) {
      if (llvm::any_of(function->parameters, [](const std::string& type) { return refinement_of(type).has_value(); })) {
        headers.insert("<structured/kernel/refined.h>");
      }
    }
  }
  return headers;
}

}  // namespace

void write_wrapper_and_globals(Writer& writer, const LoweredLibrary& lowered, const LoweredWrapper& wrapper,
                               std::set<std::string>& declared) {
  const LoweredVariant& variant = lowered.variant_of(wrapper);
  if (wrapper.kernel == nullptr && variant.imported != nullptr && declared.insert(variant.meta).second) {
    writer.blank();
    declare_imported_meta(writer, variant);
  }
  if (const LoweredFunction* call = wrapper.find(WrapperPart::call)) {
    write_function(writer, *call);
  }
  if (const LoweredFunction* via_out = wrapper.find(WrapperPart::via_out)) {
    const LoweredVariant& out = lowered.variants[variant.out_variant];
    if (declared.insert(out.table).second) {
      writer.blank();
      write_signature(writer, out);
      declare_table(writer, lowered, out);
    }
    write_function(writer, *via_out);
  }
}

std::string wrappers_source(const LoweredLibrary& lowered, llvm::StringRef source) {
  const auto found = lowered.sources.find(source.str());
  if (found == lowered.sources.end() || (found->second.wrappers.empty() && found->second.nodes.empty())) {
    return nothing_from(source, "kernels");
  }
  Writer writer;
  write_banner(writer, source);
  write_includes(writer, headers_for(lowered, found->second));
  std::vector<const Function*> functions;
  for (const std::size_t index : found->second.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    if (wrapper.entry == LoweredWrapper::Entry::wrapper || is_direct(lowered, wrapper)) {
      llvm::append_range(functions, functions_of(lowered, wrapper));
    }
  }
  for (const std::size_t index : found->second.nodes) {
    for (const GradientCall& call : lowered.nodes[index].calls) {
      if (call.function != nullptr) {
        functions.push_back(call.function);
      }
    }
  }
  declare_functions(writer, functions);

  std::map<std::string, std::vector<const LoweredWrapper*>> direct;  // by namespace
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    std::set<std::string> declared;
    for (const std::size_t index : found->second.variants) {
      const LoweredVariant& variant = lowered.variants[index];
      if (variant.pointwise) {
        write_pointwise_functions(writer, variant);
      }
      if (lowered.flavour->has_schemas && variant.op->structured &&
          variant.derived->kind == Variant::Kind::functional) {
        write_meta_function(writer, variant);
      }
    }
    for (const std::size_t index : pointwise_variants(lowered, found->second)) {
      if (lowered.variants[index].imported != nullptr) {
        write_pointwise_functions(writer, lowered.variants[index]);
      }
    }
    write_shared_bodies(writer, lowered, source);
    write_recordings(writer, lowered, found->second, declared);
    for (const std::size_t index : found->second.wrappers) {
      const LoweredWrapper& wrapper = lowered.wrappers[index];
      write_wrapper_and_globals(writer, lowered, wrapper, declared);
      if (const LoweredFunction* prepared = wrapper.find(WrapperPart::prepared)) {
        write_function(writer, *prepared);
      }
      if (is_direct(lowered, wrapper)) {
        const LoweredVariant& variant = lowered.variant_of(wrapper);
        if (lowered.checks(wrapper) && declared.insert(variant.table).second) {
          writer.blank();
          write_signature(writer, variant);
          declare_table(writer, lowered, variant);
        }
        direct[lowered.variant_of(wrapper).cpp_namespace + "::" + wrapper.backend->cpp_namespace].push_back(&wrapper);
      }
    }
  }
  for (const auto& [name, wrappers] : direct) {
    const Writer::Scope scope = writer.in_namespace(name);
    for (const LoweredWrapper* wrapper : wrappers) {
      const LoweredVariant& variant = lowered.variant_of(*wrapper);
      define_public_functions(
          writer, lowered, variant,
          lowered.checks(*wrapper) ? kernel_in_table(lowered, *wrapper) : qualified_kernel_name(lowered, *wrapper));
      if (const LoweredFunction* prepared = wrapper->find(WrapperPart::prepared)) {
        define_prepare_function(writer, lowered, *wrapper, *prepared);
      }
    }
  }
  return writer.text();
}

}  // namespace structured::gen
