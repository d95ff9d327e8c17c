#include <cassert>
#include <system_error>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "lower/entry_signatures.h"
#include "lower/lowering.h"
#include "lower/shared_bodies.h"
#include "lower/wrapper_functions.h"
#include "model/type_table.h"

namespace structured::gen {
namespace {

const std::string& home(const LoweredVariant& entry) {
  return entry.op->structured ? entry.op->structured->meta.source : entry.derived->kernels.front().function.source;
}

void add_sources(Lowering& lowering) {
  LoweredLibrary& lowered = lowering.lowered;
  for (const std::string& source : lowering.options.sources) {
    lowered.sources[source];
  }
  for (std::size_t i = 0; i < lowered.own_count; ++i) {
    lowered.sources[home(lowered.variants[i])].variants.push_back(i);
    if (lowered.variants[i].autograd == LoweredVariant::Autograd::records) {
      lowered.sources[lowered.nodes[lowered.variants[i].node].source].recordings.push_back(i);
    }
  }
  for (std::size_t i = 0; i < lowered.nodes.size(); ++i) {
    lowered.sources[lowered.nodes[i].source].nodes.push_back(i);
  }
  for (std::size_t i = 0; i < lowered.wrappers.size(); ++i) {
    lowered.sources[lowered.source_of(lowered.wrappers[i])].wrappers.push_back(i);
  }
}

llvm::Error check_steps(const Lowering& lowering, const LoweredWrapper& wrapper, const Body& body) {
  for (const std::vector<Step>* steps : {&body.steps, &body.run_steps, &body.compute_steps}) {
    for (const Step& step : *steps) {
      if (lowering.options.steps.contains(step)) continue;
      return error_for(lowering.lowered.variant_of(wrapper), llvm::Twine("needs the step `") + step_name(step) +
                                                                 "`, which the target `" + lowering.options.target +
                                                                 "` does not have");
    }
  }
  return llvm::Error::success();
}

llvm::Error add_functions(Lowering& lowering) {
  for (LoweredWrapper& wrapper : lowering.lowered.wrappers) {
    for (const WrapperPart part : {WrapperPart::call, WrapperPart::via_out, WrapperPart::prepared}) {
      if (std::optional<LoweredFunction> function = lower_function(lowering.lowered, wrapper, part)) {
        if (llvm::Error error = check_steps(lowering, wrapper, function->body)) return error;
        wrapper.functions.push_back(std::move(*function));
      }
    }
  }
  return llvm::Error::success();
}

void set_signatures(Lowering& lowering) {
  for (LoweredWrapper& wrapper : lowering.lowered.wrappers)
    wrapper.signature = entry_signature(lowering.lowered, wrapper);
  for (LoweredVariant& variant : lowering.lowered.variants)
    variant.called = called_signature(lowering.lowered, variant);
}

}  // namespace

Lowering::Lowering(const Library& the_library, const CppTypes& the_types, const LowerOptions& the_options)
    : library(the_library),
      cpp_types(the_types),
      options(the_options),
      flavour(*the_options.flavour),
      traits(the_types.wrapper_traits()),
      names(the_library) {
  lowered.library = &library;
  lowered.cpp_types = &cpp_types;
  lowered.flavour = options.flavour;
  lowered.has_python_layers = options.has_python_layers;
  lowered.is_checked = options.is_checked;
  lowered.hidden_namespace = library.cpp_namespace + "::emitted";
  lowered.include_prefix = joined_scopes(library.cpp_namespace, "/");
  lowered.export_macro = llvm::StringRef(joined_scopes(library.cpp_namespace, "_")).upper() + "_OPS_API";
}

bool Lowering::has_backend(llvm::StringRef name) const {
  return flavour.has_all_backends || options.backends.empty() || llvm::is_contained(options.backends, name);
}

std::string Lowering::full_name(const OperatorName& name) const {
  return (name.ns.empty() ? library.schema_namespace + "::" : "") + to_string(name);
}

const GradientOperator* Lowering::find_gradient(const Operator& op) const {
  const auto found = gradients.find(&op);
  return found == gradients.end() ? nullptr : &found->second;
}

llvm::Error error_for(const LoweredVariant& variant, const llvm::Twine& problem) {
  return llvm::createStringError(std::errc::invalid_argument, "operator `%s` %s", variant.full_name.c_str(),
                                 problem.str().c_str());
}

std::string joined_scopes(llvm::StringRef cpp_namespace, llvm::StringRef separator) {
  llvm::SmallVector<llvm::StringRef> parts;
  cpp_namespace.split(parts, "::", -1, /*KeepEmpty=*/false);
  return llvm::join(parts, separator);
}

const SharedBody& LoweredLibrary::shared_body(llvm::StringRef name) const {
  const auto found = llvm::lower_bound(
      shared_bodies, name, [](const SharedBody& body, llvm::StringRef wanted) { return body.name < wanted; });
  assert(found != shared_bodies.end() && found->name == name && "a function refers to a shared body that is not there");
  return *found;
}

bool LoweredWrapper::is_implicit_composite() const {
  return kernel != nullptr && llvm::StringRef(kernel->backend).starts_with("CompositeImplicitAutograd");
}

const std::string& LoweredLibrary::source_of(const LoweredWrapper& wrapper) const {
  const Kernel* written = wrapper.kernel != nullptr ? wrapper.kernel : wrapper.impl;
  return written != nullptr ? written->function.source : variant_of(wrapper).op->structured->meta.source;
}

llvm::Expected<LoweredLibrary> lower(const Library& library, const CppTypes& cpp_types, const LowerOptions& options) {
  Lowering lowering(library, cpp_types, options);
  if (llvm::Error error = add_variants(lowering)) return error;
  if (llvm::Error error = add_wrappers(lowering)) return error;
  name_wrappers_via_out(lowering);
  if (llvm::Error error = find_bases(lowering)) return error;
  if (llvm::Error error = add_recordings(lowering)) return error;
  if (llvm::Error error = add_gradient_functions(lowering)) return error;
  add_decompositions(lowering);
  add_symbolic_functions(lowering);
  add_sources(lowering);
  if (llvm::Error error = add_functions(lowering)) return error;
  set_signatures(lowering);
  if (options.shares_bodies && lowering.traits.has_tables) {
    share_bodies(lowering.lowered);
  }
  return std::move(lowering.lowered);
}

}  // namespace structured::gen
