#include "lower/lowering.h"

#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "lower/requirements.h"

namespace structured::gen {
namespace {

void add_wrapper(Lowering& lowering, std::size_t index, LoweredWrapper wrapper) {
  LoweredVariant& entry = lowering.lowered.variants[index];
  const std::string where = wrapper.backend ? wrapper.backend->cpp_namespace : "composite";
  wrapper.variant = index;
  wrapper.name = lowering.names.claim("wrapper_" + where + "_" + identifier(entry.derived->schema.name));
  if (wrapper.kernel != nullptr) {
    // The operators that an implicit composite calls bump versions.
    const bool writes = llvm::any_of(arguments_of(entry.derived->schema),
                                     [](const Argument* argument) { return argument->is_mutable(); });
    wrapper.bumps_versions = writes && !wrapper.is_implicit_composite() && lowering.traits.bumps_versions;
    wrapper.impl = nullptr;
    if (!entry.derived->derived_from.empty()) {
      wrapper.entry = LoweredWrapper::Entry::derived;
      wrapper.bumps_versions = false;
    } else if (entry.imported == nullptr && is_directly_callable(lowering.lowered, wrapper)) {
      wrapper.entry = LoweredWrapper::Entry::kernel;
      wrapper.name = "::" + wrapper.kernel->function.name;
    }
  }
  entry.wrappers.push_back(lowering.lowered.wrappers.size());
  lowering.lowered.wrappers.push_back(std::move(wrapper));
}

llvm::Error add_wrappers_of(Lowering& lowering, std::size_t index) {
  const Variant& variant = *lowering.lowered.variants[index].derived;
  std::map<std::string, LoweredWrapper> by_backend;
  const Kernel* composite = nullptr;
  // Where sizes depend on data, the kernel for Meta is a symbolic function.
  const std::optional<ShapeProgram>& shape = lowering.lowered.variants[index].op->shape;
  const bool has_dynamic_sizes = shape && shape->has_dynamic_sizes && lowering.options.symbols != Symbols::none;
  for (const Kernel& kernel : variant.kernels) {
    if (!is_composite_backend(kernel.backend)) {
      if (lowering.has_backend(kernel.backend) && !(has_dynamic_sizes && kernel.backend == "Meta")) {
        by_backend[kernel.backend].kernel = &kernel;
      }
    } else if (composite == nullptr) {
      composite = &kernel;
    }
  }
  if (const std::optional<StructuredParts>& parts = lowering.lowered.variants[index].op->structured) {
    for (const Kernel& impl : parts->impls) {
      if (lowering.has_backend(impl.backend)) {
        by_backend[impl.backend].impl = &impl;
      }
    }
    if (lowering.lowered.variants[index].imported == nullptr && lowering.has_backend("Meta")) {
      by_backend["Meta"];
    }
  }
  for (auto& [name, wrapper] : by_backend) {
    wrapper.backend = lowering.cpp_types.backend(name);
    if (!wrapper.backend) {
      return error_for(lowering.lowered.variants[index], "has a kernel for unknown backend `" + name + "`");
    }
    add_wrapper(lowering, index, std::move(wrapper));
  }
  if (composite != nullptr) {
    LoweredWrapper wrapper;
    wrapper.kernel = composite;
    add_wrapper(lowering, index, std::move(wrapper));
  }
  return llvm::Error::success();
}

}  // namespace

llvm::Error add_wrappers(Lowering& lowering) {
  for (std::size_t i = 0; i < lowering.lowered.variants.size(); ++i) {
    if (llvm::Error error = add_wrappers_of(lowering, i)) return error;
  }
  return llvm::Error::success();
}

}  // namespace structured::gen
