#include "lower/plan.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "lower/pointwise.h"
#include "lower/requirements.h"
#include "model/type_table.h"

namespace structured::gen {
namespace {

llvm::Error error_for(const PlannedVariant& variant, const llvm::Twine& problem) {
  return llvm::createStringError(std::errc::invalid_argument, "operator `%s` %s", variant.full_name.c_str(),
                                 problem.str().c_str());
}

// Names in the hidden namespace, each given away once, and none of them the name of an argument, which would hide it.
class NameTable {
 public:
  explicit NameTable(const Library& library) {
    for (const Operator& op : library.operators) {
      add_arguments(op);
    }
    for (const ImportedOperator& imported : library.imported) {
      add_arguments(imported.op);
    }
  }
  std::string claim(std::string name) {
    while (!taken_.insert(name).second) {
      name += '_';
    }
    return name;
  }

 private:
  void add_arguments(const Operator& op) {
    for (const Variant& variant : op.variants) {
      for (const Argument* argument : arguments_of(variant.schema)) {
        taken_.insert(argument->name);
      }
    }
  }

  llvm::StringSet<> taken_;
};

// `add_Tensor`
std::string identifier(const OperatorName& name) {
  std::string result = name.ns.empty() ? "" : name.ns + "_";
  result += name.base;
  return name.overload.empty() ? result : result + "_" + name.overload;
}

// The base name that heads a header: `add` for `add_`, too.
std::string header_base(const OperatorName& name) {
  const bool has_suffix = name.is_inplace() && !name.is_dunder() && name.base.size() > 1;
  return has_suffix ? name.base.substr(0, name.base.size() - 1) : name.base;
}

class Planner {
 public:
  Planner(const Library& library, const CppTypes& cpp_types) : names_(library) {
    plan_.library = &library;
    plan_.cpp_types = &cpp_types;
    plan_.hidden_namespace = library.cpp_namespace + "::emitted";
    plan_.include_prefix = joined_scopes(library.cpp_namespace, "/");
    plan_.export_macro = llvm::StringRef(joined_scopes(library.cpp_namespace, "_")).upper() + "_OPS_API";
  }

  llvm::Error add_operators() {
    for (const Operator& op : plan_.library->operators) {
      const Operator& planned = op.pointwise ? lowered(op) : op;
      for (const Variant& variant : planned.variants) {
        plan_.variants.push_back(planned_variant(planned, variant));
      }
    }
    plan_.own_count = plan_.variants.size();
    for (const ImportedOperator& imported : plan_.library->imported) {
      add_imported_variants(imported);
    }
    const auto by_name = [](const PlannedVariant& a, const PlannedVariant& b) { return a.full_name < b.full_name; };
    const auto imported = plan_.variants.begin() + static_cast<std::ptrdiff_t>(plan_.own_count);
    std::sort(plan_.variants.begin(), imported, by_name);
    std::sort(imported, plan_.variants.end(), by_name);
    for (std::size_t i = 0; i < plan_.variants.size(); ++i) {
      PlannedVariant& planned = plan_.variants[i];
      if (i > 0 && plan_.variants[i - 1].full_name == planned.full_name) {
        return error_for(planned, "is there twice");
      }
      if (!planned.op->structured && planned.variant->kernels.empty()) {
        return error_for(planned, "has neither a meta function nor a kernel");
      }
      if (planned.op->pointwise) {
        if (const std::string fault = fault_in_pointwise(*planned.op); !fault.empty()) {
          return error_for(planned, fault);
        }
      }
      if (llvm::Error error = check_outputs(planned)) {
        return error;
      }
      name_variant(planned);
      if (llvm::Error error = add_wrappers(i)) {
        return error;
      }
    }
    add_common_wrappers();
    return llvm::Error::success();
  }

  Plan finish(const std::vector<std::string>& sources) && {
    for (const std::string& source : sources) {
      plan_.sources[source];
    }
    for (std::size_t i = 0; i < plan_.own_count; ++i) {
      plan_.sources[home(plan_.variants[i])].variants.push_back(i);
    }
    for (std::size_t i = 0; i < plan_.wrappers.size(); ++i) {
      plan_.sources[plan_.source_of(plan_.wrappers[i])].wrappers.push_back(i);
    }
    return std::move(plan_);
  }

 private:
  const Operator& lowered(const Operator& op) {
    const std::string id = identifier(op.variants.front().schema.name);
    const std::string scope = plan_.hidden_namespace + "::";
    return plan_.lowered.emplace_back(
        lowered_pointwise(op, scope + names_.claim("meta_of_" + id), scope + names_.claim("cpu_of_" + id)));
  }

  PlannedVariant planned_variant(const Operator& op, const Variant& variant) const {
    const OperatorName& name = variant.schema.name;
    PlannedVariant planned;
    planned.op = &op;
    planned.variant = &variant;
    planned.dispatched = dispatched_signature(*plan_.cpp_types, variant.schema);
    planned.schema = to_string(variant.schema);
    planned.full_name = (name.ns.empty() ? plan_.library->schema_namespace + "::" : "") + to_string(name);
    planned.function = name.base + (variant.kind == Variant::Kind::out ? "_out" : "");
    planned.cpp_namespace = plan_.library->cpp_namespace + (name.ns.empty() ? "" : "::" + name.ns);
    planned.header = plan_.include_prefix + "/ops/" + (name.ns.empty() ? "" : name.ns + "/") + header_base(name) + ".h";
    return planned;
  }

  // Variants without a kernel of ours are no matter of this library.
  void add_imported_variants(const ImportedOperator& imported) {
    for (const Variant& variant : imported.op.variants) {
      const bool has_impls = imported.op.structured && !imported.op.structured->impls.empty();
      if (!has_impls && variant.kernels.empty()) {
        continue;
      }
      PlannedVariant& planned = plan_.variants.emplace_back(planned_variant(imported.op, variant));
      planned.imported = &imported;
      planned.header.clear();
      planned.cpp_namespace.clear();
      if (variant.schema.name.ns == imported.schema_namespace) {
        Schema schema = variant.schema;
        schema.name.ns.clear();
        planned.schema = to_string(schema);
      }
    }
  }

  // What derive guarantees, and a file that someone wrote by hand may not.
  static llvm::Error check_outputs(const PlannedVariant& planned) {
    if (!planned.op->structured) {
      return llvm::Error::success();
    }
    const Schema& schema = planned.variant->schema;
    const std::size_t outputs = planned.op->structured->output_names.size();
    const bool writes_one =
        outputs == 1 && llvm::any_of(inputs_of(schema), [](const Argument* input) { return input->is_mutable(); });
    switch (planned.variant->kind) {
      case Variant::Kind::functional:
        if (outputs == 0 || schema.returns.size() != outputs) {
          return error_for(planned, "returns " + llvm::Twine(schema.returns.size()) + " tensors, expected " +
                                        llvm::Twine(outputs) + ", as many as its kernels have outputs");
        }
        break;
      case Variant::Kind::inplace:
        if (!writes_one) {
          return error_for(planned, "is in-place, expected one output and an argument that is written");
        }
        break;
      case Variant::Kind::out:
        if (schema.out.size() != outputs) {
          return error_for(planned, "has " + llvm::Twine(schema.out.size()) + " out arguments, expected " +
                                        llvm::Twine(outputs) + ", as many as its kernels have outputs");
        }
        break;
    }
    return llvm::Error::success();
  }

  void name_variant(PlannedVariant& planned) {
    const std::string id = identifier(planned.variant->schema.name);
    planned.signature = names_.claim("signature_" + id);
    planned.table = names_.claim("op_" + id);
    planned.boxed = names_.claim("boxed_" + id);
    planned.slow_path = names_.claim("slow_path_" + id);
    if (planned.op->structured) {
      std::string& meta = meta_names_[planned.op];
      if (meta.empty()) {
        meta = names_.claim("meta_" + identifier(planned.op->variants.front().schema.name));
      }
      planned.meta = meta;
    }
  }

  llvm::Error add_wrappers(std::size_t index) {
    const Variant& variant = *plan_.variants[index].variant;
    std::map<std::string, PlannedWrapper> by_backend;
    const Kernel* composite = nullptr;
    for (const Kernel& kernel : variant.kernels) {
      if (!is_composite_backend(kernel.backend)) {
        by_backend[kernel.backend].kernel = &kernel;
      } else if (composite == nullptr) {
        composite = &kernel;
      }
    }
    if (const std::optional<StructuredParts>& parts = plan_.variants[index].op->structured) {
      for (const Kernel& impl : parts->impls) {
        by_backend[impl.backend].impl = &impl;
      }
      if (plan_.variants[index].imported == nullptr) {
        by_backend["Meta"];
      }
    }
    for (auto& [name, wrapper] : by_backend) {
      wrapper.backend = plan_.cpp_types->backend(name);
      if (!wrapper.backend) {
        return error_for(plan_.variants[index], "has a kernel for `" + name + "`, which is no backend");
      }
      add_wrapper(index, std::move(wrapper));
    }
    if (composite != nullptr) {
      PlannedWrapper wrapper;
      wrapper.kernel = composite;
      add_wrapper(index, std::move(wrapper));
    }
    return llvm::Error::success();
  }

  // They stand beside the wrappers for Meta.
  void add_common_wrappers() {
    std::map<const Operator*, std::size_t> out_variants;
    for (std::size_t i = 0; i < plan_.own_count; ++i) {
      const PlannedVariant& planned = plan_.variants[i];
      if (planned.op->structured && planned.variant->kind == Variant::Kind::out) {
        out_variants[planned.op] = i;
      }
    }
    std::map<const Operator*, std::string> names;
    for (std::size_t i = 0; i < plan_.own_count; ++i) {
      PlannedVariant& planned = plan_.variants[i];
      const auto out = out_variants.find(planned.op);
      if (out == out_variants.end()) {
        continue;
      }
      std::string& name = names[planned.op];
      if (name.empty()) {
        name = names_.claim("variants_" + identifier(planned.op->variants.front().schema.name));
      }
      planned.variants = name;
      planned.out_variant = out->second;
      const bool has_meta_class = llvm::any_of(planned.wrappers, [this](std::size_t index) {
        const PlannedWrapper& wrapper = plan_.wrappers[index];
        return wrapper.kernel == nullptr && wrapper.impl == nullptr;
      });
      if (has_meta_class && planned.variant->kind != Variant::Kind::out) {
        planned.common = names_.claim("wrapper_common_" + identifier(planned.variant->schema.name));
      }
    }
  }

  void add_wrapper(std::size_t index, PlannedWrapper wrapper) {
    PlannedVariant& planned = plan_.variants[index];
    const std::string where = wrapper.backend ? wrapper.backend->cpp_namespace : "composite";
    wrapper.variant = index;
    wrapper.name = names_.claim("wrapper_" + where + "_" + identifier(planned.variant->schema.name));
    if (wrapper.kernel != nullptr) {
      // What a composite calls is operators again, which bump versions themselves; one that has a derivative of its
      // own need not.
      const bool writes = llvm::any_of(arguments_of(planned.variant->schema),
                                       [](const Argument* argument) { return argument->is_mutable(); });
      wrapper.bumps_versions = writes && wrapper.kernel->backend != "CompositeImplicitAutograd";
      wrapper.impl = nullptr;
      if (planned.imported == nullptr && can_be_entry(plan_, wrapper)) {
        wrapper.is_kernel_itself = true;
        wrapper.name = "::" + wrapper.kernel->function.name;
      }
    }
    planned.wrappers.push_back(plan_.wrappers.size());
    plan_.wrappers.push_back(std::move(wrapper));
  }

  static const std::string& home(const PlannedVariant& planned) {
    return planned.op->structured ? planned.op->structured->meta.source
                                  : planned.variant->kernels.front().function.source;
  }

  Plan plan_;
  NameTable names_;
  std::map<const Operator*, std::string> meta_names_;
};

}  // namespace

std::string joined_scopes(llvm::StringRef cpp_namespace, llvm::StringRef separator) {
  llvm::SmallVector<llvm::StringRef> parts;
  cpp_namespace.split(parts, "::", -1, /*KeepEmpty=*/false);
  return llvm::join(parts, separator);
}

const std::string& Plan::source_of(const PlannedWrapper& wrapper) const {
  const Kernel* written = wrapper.kernel != nullptr ? wrapper.kernel : wrapper.impl;
  return written != nullptr ? written->function.source : variant_of(wrapper).op->structured->meta.source;
}

llvm::Expected<Plan> make_plan(const Library& library, const CppTypes& cpp_types,
                               const std::vector<std::string>& sources) {
  Planner planner(library, cpp_types);
  if (llvm::Error error = planner.add_operators()) {
    return error;
  }
  return std::move(planner).finish(sources);
}

}  // namespace structured::gen
