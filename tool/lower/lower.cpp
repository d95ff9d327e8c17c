#include <algorithm>
#include <cassert>
#include <system_error>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "lower/entry_signatures.h"
#include "lower/gradient_operators.h"
#include "lower/lowered_library.h"
#include "lower/pointwise.h"
#include "lower/requirements.h"
#include "lower/shared_bodies.h"
#include "lower/wrapper_functions.h"
#include "model/scalar_function.h"
#include "model/type_table.h"

namespace structured::gen {
namespace {

llvm::Error error_for(const LoweredVariant& variant, const llvm::Twine& problem) {
  return llvm::createStringError(std::errc::invalid_argument, "operator `%s` %s", variant.full_name.c_str(),
                                 problem.str().c_str());
}

// Unique names in the hidden namespace, distinct from argument names, which would hide them.
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

// Returns `add_Tensor` for `add.Tensor`.
std::string identifier(const OperatorName& name) {
  std::string result = name.ns.empty() ? "" : name.ns + "_";
  result += name.base;
  return name.overload.empty() ? result : result + "_" + name.overload;
}

// Returns the base name whose header declares the operator: `add` for `add` and `add_`.
std::string header_base(const OperatorName& name) {
  const llvm::StringRef base(name.base);
  const bool is_dunder = base.starts_with("__") && base.ends_with("__");
  return (name.is_inplace() && !is_dunder && base.size() > 1 ? base.drop_back() : base).str();
}

class Lowerer {
 public:
  Lowerer(const Library& library, const CppTypes& cpp_types, const LowerOptions& options)
      : options_(options), flavour_(*options.flavour), names_(library) {
    lowered_.library = &library;
    lowered_.cpp_types = &cpp_types;
    lowered_.flavour = options.flavour;
    lowered_.hidden_namespace = library.cpp_namespace + "::emitted";
    lowered_.include_prefix = joined_scopes(library.cpp_namespace, "/");
    lowered_.export_macro = llvm::StringRef(joined_scopes(library.cpp_namespace, "_")).upper() + "_OPS_API";
  }

  llvm::Error add_operators() {
    for (const Operator& op : lowered_.library->operators) {
      const Operator& structured = op.pointwise ? as_structured(op) : op;
      for (const Variant& variant : structured.variants) {
        lowered_.variants.push_back(lower_variant(structured, variant));
      }
      if (has_gradient_operators()) add_gradient_operators(op);
    }
    lowered_.own_count = lowered_.variants.size();
    for (const ImportedOperator& imported : lowered_.library->imported) {
      add_imported_variants(imported);
    }
    const auto by_name = [](const LoweredVariant& a, const LoweredVariant& b) { return a.full_name < b.full_name; };
    const auto imported = lowered_.variants.begin() + static_cast<std::ptrdiff_t>(lowered_.own_count);
    std::sort(lowered_.variants.begin(), imported, by_name);
    std::sort(imported, lowered_.variants.end(), by_name);
    for (std::size_t i = 0; i < lowered_.variants.size(); ++i) {
      LoweredVariant& entry = lowered_.variants[i];
      if (i > 0 && lowered_.variants[i - 1].full_name == entry.full_name) {
        return error_for(entry, "is defined twice");
      }
      if (!entry.op->structured && entry.derived->kernels.empty()) {
        return error_for(entry, "has neither a meta function nor a kernel");
      }
      if (entry.op->pointwise) {
        if (const std::string fault = fault_in_pointwise(*entry.op); !fault.empty()) {
          return error_for(entry, fault);
        }
        if (entry.derived->kind == Variant::Kind::functional) {
          const GradientOperator* gradient = find_gradient(*entry.op);
          entry.pointwise = lower_pointwise(*lowered_.cpp_types, *entry.op,
                                            gradient != nullptr ? gradient->derivative : std::nullopt);
        }
      }
      if (llvm::Error error = check_outputs(entry)) {
        return error;
      }
      name_variant(entry);
      if (llvm::Error error = add_wrappers(i)) {
        return error;
      }
    }
    name_wrappers_via_out();
    if (llvm::Error error = name_derived_variants()) {
      return error;
    }
    if (llvm::Error error = add_recordings()) {
      return error;
    }
    return llvm::Error::success();
  }

  llvm::Expected<LoweredLibrary> finish() && {
    lowered_.is_checked = options_.is_checked;
    for (const std::string& source : options_.sources) {
      lowered_.sources[source];
    }
    for (std::size_t i = 0; i < lowered_.own_count; ++i) {
      lowered_.sources[home(lowered_.variants[i])].variants.push_back(i);
      if (lowered_.variants[i].autograd == LoweredVariant::Autograd::records) {
        lowered_.sources[lowered_.nodes[lowered_.variants[i].node].source].recordings.push_back(i);
      }
    }
    for (std::size_t i = 0; i < lowered_.nodes.size(); ++i) {
      lowered_.sources[lowered_.nodes[i].source].nodes.push_back(i);
    }
    for (std::size_t i = 0; i < lowered_.wrappers.size(); ++i) {
      lowered_.sources[lowered_.source_of(lowered_.wrappers[i])].wrappers.push_back(i);
    }
    for (LoweredWrapper& wrapper : lowered_.wrappers) {
      for (const WrapperPart part : {WrapperPart::call, WrapperPart::via_out, WrapperPart::prepared}) {
        if (std::optional<LoweredFunction> function = lower_function(lowered_, wrapper, part)) {
          if (llvm::Error error = check_steps(wrapper, function->body)) return error;
          wrapper.functions.push_back(std::move(*function));
        }
      }
    }
    set_signatures();
    if (options_.shares_bodies && lowered_.cpp_types->wrapper_traits().has_tables) {
      share_bodies(lowered_);
    }
    return std::move(lowered_);
  }

 private:
  llvm::Error check_steps(const LoweredWrapper& wrapper, const Body& body) const {
    for (const std::vector<Step>* steps : {&body.steps, &body.run_steps, &body.compute_steps}) {
      for (const Step& step : *steps) {
        if (options_.steps.contains(step)) continue;
        return error_for(lowered_.variant_of(wrapper),
                         llvm::Twine("needs the step `") + step_name(step) + "`, which the target does not have");
      }
    }
    return llvm::Error::success();
  }

  void set_signatures() {
    for (LoweredWrapper& wrapper : lowered_.wrappers) wrapper.signature = entry_signature(lowered_, wrapper);
    for (LoweredVariant& variant : lowered_.variants) variant.called = called_signature(lowered_, variant);
  }

  const Operator& as_structured(const Operator& op) {
    const std::string id = identifier(op.variants.front().schema.name);
    const std::string meta = lowered_.hidden_namespace + "::" + names_.claim("meta_of_" + id);
    return lowered_.pointwise_operators.emplace_back(
        pointwise_as_structured(*lowered_.cpp_types, op, meta, claim_kernels(op)));
  }

  // Whether autograd traces calls of operators, so that emitted gradients must be operators.
  bool has_gradient_operators() const {
    return flavour_.has_layers && !lowered_.cpp_types->wrapper_traits().has_own_autograd;
  }

  void add_gradient_operators(const Operator& op) {
    for (GradientOperator& gradient : gradient_operators(*lowered_.cpp_types, op)) {
      const Operator& structured = as_structured(gradient.op);
      lowered_.variants.push_back(lower_variant(structured, structured.variants.front()));
      gradients_.emplace(&structured, std::move(gradient));
    }
  }

  // Returns null for an operator of the author.
  const GradientOperator* find_gradient(const Operator& op) const {
    const auto found = gradients_.find(&op);
    return found == gradients_.end() ? nullptr : &found->second;
  }

  // Whether a node is recorded for calls of the operator. Derivatives of order 3 are not emitted.
  bool has_node(const Operator& op) const {
    const GradientOperator* gradient = find_gradient(op);
    return gradient != nullptr ? !gradient->is_second : !derivatives_of(op).empty();
  }

  std::vector<std::string> claim_kernels(const Operator& op) {
    std::vector<std::string> kernels;
    for (const std::string& name : op.pointwise->backends) {
      const std::optional<CppBackend> backend = lowered_.cpp_types->backend(name);
      kernels.push_back(lowered_.hidden_namespace + "::" +
                        names_.claim((backend ? backend->cpp_namespace : name) + "_of_" +
                                     identifier(op.variants.front().schema.name)));
    }
    return kernels;
  }

  // Returns an imported operator with impls that are emitted from its scalar function.
  const Operator& with_scalar_impls(const Operator& op) {
    Operator result = op;
    const Operator structured = pointwise_as_structured(*lowered_.cpp_types, op, "", claim_kernels(op));
    llvm::append_range(result.structured->impls, structured.structured->impls);
    result.structured->output_names = structured.structured->output_names;
    result.checks_device = structured.checks_device;
    return lowered_.pointwise_operators.emplace_back(std::move(result));
  }

  std::string full_name(const OperatorName& name) const {
    return (name.ns.empty() ? lowered_.library->schema_namespace + "::" : "") + to_string(name);
  }

  LoweredVariant lower_variant(const Operator& op, const Variant& variant) const {
    const OperatorName& name = variant.schema.name;
    LoweredVariant entry;
    entry.op = &op;
    entry.derived = &variant;
    entry.dispatched = dispatched_signature(*lowered_.cpp_types, variant.schema);
    entry.schema = to_string(variant.schema);
    entry.full_name = full_name(name);
    entry.schema_namespace = name.ns.empty() ? lowered_.library->schema_namespace : name.ns;
    const Variant& first = op.variants.front();
    if (variant.kind != Variant::Kind::functional && first.kind == Variant::Kind::functional) {
      const OperatorName& functional = first.schema.name;
      entry.functional = to_string(OperatorName{entry.schema_namespace, functional.base, functional.overload});
    }
    entry.tags = op.tags;
    if (op.pointwise && !llvm::is_contained(op.tags, "pointwise")) entry.tags.emplace_back("pointwise");
    entry.function = name.base + (variant.kind == Variant::Kind::out ? "_out" : "");
    entry.cpp_namespace = lowered_.library->cpp_namespace + (name.ns.empty() ? "" : "::" + name.ns);
    entry.header =
        lowered_.include_prefix + "/ops/" + (name.ns.empty() ? "" : name.ns + "/") + header_base(name) + ".h";
    return entry;
  }

  // Adds only variants for which this library has kernels.
  void add_imported_variants(const ImportedOperator& imported) {
    const Operator& op = imported.op.pointwise && imported.op.structured ? with_scalar_impls(imported.op) : imported.op;
    for (const Variant& variant : op.variants) {
      const bool has_impls = op.structured && !op.structured->impls.empty();
      if (!has_impls && variant.kernels.empty()) {
        continue;
      }
      LoweredVariant& entry = lowered_.variants.emplace_back(lower_variant(op, variant));
      entry.imported = &imported;
      entry.header.clear();
      entry.cpp_namespace.clear();
      if (variant.schema.name.ns == imported.schema_namespace) {
        Schema schema = variant.schema;
        schema.name.ns.clear();
        entry.schema = to_string(schema);
      }
    }
  }

  // Checks guarantees of derive that a handwritten operators.json may violate.
  static llvm::Error check_outputs(const LoweredVariant& entry) {
    if (!entry.op->structured) {
      return llvm::Error::success();
    }
    const Schema& schema = entry.derived->schema;
    const std::size_t outputs = entry.op->structured->output_names.size();
    const bool writes_one =
        outputs == 1 && llvm::any_of(inputs_of(schema), [](const Argument* input) { return input->is_mutable(); });
    switch (entry.derived->kind) {
      case Variant::Kind::functional:
        if (outputs == 0 || schema.returns.size() != outputs) {
          return error_for(entry, "returns " + llvm::Twine(schema.returns.size()) + " tensors, expected " +
                                      llvm::Twine(outputs) + ", as many as its kernels have outputs");
        }
        break;
      case Variant::Kind::inplace:
        if (!writes_one) {
          return error_for(entry, "is in-place, expected one output and a mutable argument");
        }
        break;
      case Variant::Kind::out:
        if (schema.out.size() != outputs) {
          return error_for(entry, "has " + llvm::Twine(schema.out.size()) + " out arguments, expected " +
                                      llvm::Twine(outputs) + ", as many as its kernels have outputs");
        }
        break;
    }
    return llvm::Error::success();
  }

  void name_variant(LoweredVariant& entry) {
    const std::string id = identifier(entry.derived->schema.name);
    entry.signature = names_.claim("signature_" + id);
    entry.table = names_.claim((flavour_.has_tables ? "op_" : "dispatch_") + id);
    const bool is_selected = !options_.selected || options_.selected->count(entry.full_name) != 0;
    if (is_selected) {
      entry.boxed = names_.claim("boxed_" + id);
    }
    if (flavour_.has_layers) {
      entry.slow_path = names_.claim("slow_path_" + id);
    }
    if (!flavour_.has_schemas && is_selected) {
      add_parameters(entry, id);
    }
    if (entry.op->structured) {
      std::string& meta = meta_names_[entry.op];
      if (meta.empty()) {
        meta = names_.claim("meta_" + identifier(entry.op->variants.front().schema.name));
      }
      entry.meta = meta;
    }
  }

  // Operators with equal parameters share a list.
  void add_parameters(LoweredVariant& entry, const std::string& id) {
    std::vector<LoweredParameter> parameters = lower_parameters(*lowered_.cpp_types, entry.derived->schema);
    const auto [found, is_new] = parameter_lists_.try_emplace(parameters, lowered_.parameter_lists.size());
    entry.parameters = found->second;
    if (is_new) {
      lowered_.parameter_lists.push_back({names_.claim("parameters_" + id), std::move(parameters)});
    }
  }

  bool has_backend(llvm::StringRef name) const {
    return flavour_.has_all_backends || options_.backends.empty() || llvm::is_contained(options_.backends, name);
  }

  llvm::Error add_wrappers(std::size_t index) {
    const Variant& variant = *lowered_.variants[index].derived;
    std::map<std::string, LoweredWrapper> by_backend;
    const Kernel* composite = nullptr;
    for (const Kernel& kernel : variant.kernels) {
      if (!is_composite_backend(kernel.backend)) {
        if (has_backend(kernel.backend)) {
          by_backend[kernel.backend].kernel = &kernel;
        }
      } else if (composite == nullptr) {
        composite = &kernel;
      }
    }
    if (const std::optional<StructuredParts>& parts = lowered_.variants[index].op->structured) {
      for (const Kernel& impl : parts->impls) {
        if (has_backend(impl.backend)) {
          by_backend[impl.backend].impl = &impl;
        }
      }
      if (lowered_.variants[index].imported == nullptr && has_backend("Meta")) {
        by_backend["Meta"];
      }
    }
    for (auto& [name, wrapper] : by_backend) {
      wrapper.backend = lowered_.cpp_types->backend(name);
      if (!wrapper.backend) {
        return error_for(lowered_.variants[index], "has a kernel for unknown backend `" + name + "`");
      }
      add_wrapper(index, std::move(wrapper));
    }
    if (composite != nullptr) {
      LoweredWrapper wrapper;
      wrapper.kernel = composite;
      add_wrapper(index, std::move(wrapper));
    }
    return llvm::Error::success();
  }

  // Numbers the nodes of overloads as PyTorch does: those that take tensors first.
  std::map<const Operator*, std::string> name_nodes() const {
    std::map<std::string, std::vector<const Operator*>> by_name;
    for (const LoweredVariant& entry : lowered_.own_variants()) {
      std::vector<const Operator*>& ops = by_name[node_base_name(entry.op->variants.front().schema.name)];
      if (has_node(*entry.op) && !llvm::is_contained(ops, entry.op)) {
        ops.push_back(entry.op);
      }
    }
    const auto takes_tensor = [](const Operator* op) {
      const llvm::StringRef overload = op->variants.front().schema.name.overload;
      return overload.empty() || overload.starts_with("Tensor");
    };
    std::map<const Operator*, std::string> names;
    for (auto& [name, ops] : by_name) {
      std::stable_partition(ops.begin(), ops.end(), takes_tensor);
      for (std::size_t i = 0; i < ops.size(); ++i) {
        names[ops[i]] = name + std::to_string(i);
      }
    }
    return names;
  }

  // Own variants but out= ones, which the generic layer refuses to record.
  llvm::Error add_recordings() {
    if (!flavour_.has_layers) {
      return llvm::Error::success();
    }
    const WrapperTraits traits = lowered_.cpp_types->wrapper_traits();
    std::map<const Operator*, std::size_t> nodes;
    const std::map<const Operator*, std::string> names = name_nodes();
    for (std::size_t i = 0; i < lowered_.own_count; ++i) {
      LoweredVariant& entry = lowered_.variants[i];
      const auto serves_all = [this](std::size_t index) { return lowered_.wrappers[index].is_implicit_composite(); };
      if (!entry.op->is_differentiable) {
        entry.autograd = LoweredVariant::Autograd::none;
      } else if (entry.base) {
        const bool is_functional = entry.derived->kind == Variant::Kind::functional;
        entry.autograd = is_functional ? LoweredVariant::Autograd::composite : LoweredVariant::Autograd::generic;
      } else if (!has_node(*entry.op)) {
        if (llvm::any_of(entry.wrappers, serves_all)) {
          entry.autograd = LoweredVariant::Autograd::composite;
        }
      } else if (entry.derived->kind != Variant::Kind::out &&
                 (traits.has_own_autograd || is_recordable_in_torch(*entry.op))) {
        auto [node, is_new] = nodes.try_emplace(entry.op, lowered_.nodes.size());
        if (is_new) {
          llvm::Expected<LoweredNode> lowered = find_gradient(*entry.op) != nullptr
                                                    ? lower_gradient_node(*lowered_.cpp_types, *entry.op)
                                                    : lower_node(*lowered_.cpp_types, *entry.op);
          if (!lowered) {
            return lowered.takeError();
          }
          lowered->name = names_.claim(names.at(entry.op));
          for (GradientCall& call : lowered->calls) {
            if (call.emitted) {
              const std::string id = identifier(entry.op->variants.front().schema.name);
              call.emitted_name = names_.claim("gradient_of_" + id + "_for_" + call.emitted->input);
            }
            if (call.op) call.variant = own_variant(full_name(*call.op));
          }
          lowered_.nodes.push_back(std::move(*lowered));
        }
        entry.autograd = LoweredVariant::Autograd::records;
        entry.recording = names_.claim("record_" + identifier(entry.derived->schema.name));
        entry.node = node->second;
        if (entry.derived->kind == Variant::Kind::functional) lowered_.nodes[entry.node].functional = i;
        if (traits.has_own_autograd) {
          entry.recording_steps = lower_recording(lowered_.nodes[entry.node], *entry.derived);
        }
      }
    }
    return llvm::Error::success();
  }

  // Returns the index of a variant of this library.
  std::size_t own_variant(const std::string& full_name) const {
    const auto found =
        llvm::lower_bound(lowered_.own_variants(), full_name,
                          [](const LoweredVariant& entry, const std::string& name) { return entry.full_name < name; });
    assert(found != lowered_.own_variants().end() && found->full_name == full_name && "no such operator");
    return static_cast<std::size_t>(found - lowered_.own_variants().begin());
  }

  // Whether libtorch's autograd can record calls of the operator: it has views of its own, and in-place variants are
  // recorded as functional ones.
  static bool is_recordable_in_torch(const Operator& op) {
    const Variant& first = op.variants.front();
    return first.kind == Variant::Kind::functional &&
           llvm::none_of(first.schema.returns, [](const Return& result) { return result.alias.has_value(); });
  }

  // Functions via out= belong to the wrapper for Meta.
  void name_wrappers_via_out() {
    if (!lowered_.cpp_types->wrapper_traits().has_tables || !flavour_.has_tables || !has_backend("Meta")) {
      return;
    }
    std::map<const Operator*, std::size_t> out_variants;
    for (std::size_t i = 0; i < lowered_.own_count; ++i) {
      const LoweredVariant& entry = lowered_.variants[i];
      if (entry.op->structured && entry.derived->kind == Variant::Kind::out) {
        out_variants[entry.op] = i;
      }
    }
    std::map<const Operator*, std::string> names;
    for (std::size_t i = 0; i < lowered_.own_count; ++i) {
      LoweredVariant& entry = lowered_.variants[i];
      const auto out = out_variants.find(entry.op);
      if (out == out_variants.end()) {
        continue;
      }
      std::string& name = names[entry.op];
      if (name.empty()) {
        name = names_.claim("variants_" + identifier(entry.op->variants.front().schema.name));
      }
      entry.variants = name;
      entry.out_variant = out->second;
      const bool has_meta_class =
          llvm::any_of(entry.wrappers, [this](std::size_t index) { return lowered_.wrappers[index].runs_only_meta(); });
      if (has_meta_class && entry.derived->kind != Variant::Kind::out) {
        entry.via_out = names_.claim("wrapper_via_out_" + identifier(entry.derived->schema.name));
        entry.backends_via_out = backends_via_out(entry);
      }
    }
  }

  // Returns the backends whose only kernel is for the out= variant.
  std::vector<std::string> backends_via_out(const LoweredVariant& entry) const {
    const auto backend_of = [&](std::size_t index) {
      const std::optional<CppBackend>& backend = lowered_.wrappers[index].backend;
      return backend ? backend->enumerator : std::string();
    };
    std::vector<std::string> backends;
    for (const std::size_t out : lowered_.variants[entry.out_variant].wrappers) {
      const LoweredWrapper& wrapper = lowered_.wrappers[out];
      if (!wrapper.backend || wrapper.kernel == nullptr) continue;
      const bool is_served = llvm::any_of(
          entry.wrappers, [&](std::size_t index) { return backend_of(index) == wrapper.backend->enumerator; });
      if (!is_served) backends.push_back(wrapper.backend->enumerator);
    }
    return backends;
  }

  // The runtime has the functions of derived variants.
  llvm::Error name_derived_variants() {
    for (std::size_t i = 0; i < lowered_.own_count; ++i) {
      LoweredVariant& entry = lowered_.variants[i];
      const std::string& base_name = entry.derived->derived_from;
      if (base_name.empty()) {
        continue;
      }
      if (!lowered_.cpp_types->wrapper_traits().has_tables) {
        return error_for(entry, "is a variant that `variants` derives; libraries for PyTorch need a kernel for it");
      }
      const auto is_base = [&](const LoweredVariant& other) {
        return to_string(other.derived->schema.name) == base_name;
      };
      const auto base = llvm::find_if(lowered_.own_variants(), is_base);
      if (base == lowered_.own_variants().end()) {
        return error_for(entry, "is derived from unknown operator `" + base_name + "`");
      }
      entry.base = static_cast<std::size_t>(base - lowered_.own_variants().begin());
    }
    return llvm::Error::success();
  }

  void add_wrapper(std::size_t index, LoweredWrapper wrapper) {
    LoweredVariant& entry = lowered_.variants[index];
    const std::string where = wrapper.backend ? wrapper.backend->cpp_namespace : "composite";
    wrapper.variant = index;
    wrapper.name = names_.claim("wrapper_" + where + "_" + identifier(entry.derived->schema.name));
    if (wrapper.kernel != nullptr) {
      // The operators that an implicit composite calls bump versions.
      const bool writes = llvm::any_of(arguments_of(entry.derived->schema),
                                       [](const Argument* argument) { return argument->is_mutable(); });
      wrapper.bumps_versions =
          writes && !wrapper.is_implicit_composite() && lowered_.cpp_types->wrapper_traits().bumps_versions;
      wrapper.impl = nullptr;
      if (!entry.derived->derived_from.empty()) {
        wrapper.entry = LoweredWrapper::Entry::derived;
        wrapper.bumps_versions = false;
      } else if (entry.imported == nullptr && is_directly_callable(lowered_, wrapper)) {
        wrapper.entry = LoweredWrapper::Entry::kernel;
        wrapper.name = "::" + wrapper.kernel->function.name;
      }
    }
    entry.wrappers.push_back(lowered_.wrappers.size());
    lowered_.wrappers.push_back(std::move(wrapper));
  }

  static const std::string& home(const LoweredVariant& entry) {
    return entry.op->structured ? entry.op->structured->meta.source : entry.derived->kernels.front().function.source;
  }

  const LowerOptions& options_;
  const Flavour& flavour_;
  LoweredLibrary lowered_;
  NameTable names_;
  std::map<std::vector<LoweredParameter>, std::size_t> parameter_lists_;
  std::map<const Operator*, std::string> meta_names_;
  std::map<const Operator*, GradientOperator> gradients_;
};

}  // namespace

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
  Lowerer lowerer(library, cpp_types, options);
  if (llvm::Error error = lowerer.add_operators()) {
    return error;
  }
  return std::move(lowerer).finish();
}

}  // namespace structured::gen
