#include "lower/lowering.h"

#include <algorithm>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "lower/pointwise.h"

namespace structured::gen {
namespace {

std::vector<std::string> claim_kernels(Lowering& lowering, const Operator& op) {
  std::vector<std::string> kernels;
  for (const std::string& name : op.pointwise->backends) {
    const std::optional<CppBackend> backend = lowering.cpp_types.backend(name);
    kernels.push_back(lowering.lowered.hidden_namespace + "::" +
                      lowering.names.claim((backend ? backend->cpp_namespace : name) + "_of_" +
                                           identifier(op.variants.front().schema.name)));
  }
  return kernels;
}

const Operator& as_structured(Lowering& lowering, const Operator& op) {
  const std::string id = identifier(op.variants.front().schema.name);
  const std::string meta = lowering.lowered.hidden_namespace + "::" + lowering.names.claim("meta_of_" + id);
  return lowering.lowered.pointwise_operators.emplace_back(
      pointwise_as_structured(lowering.cpp_types, op, meta, claim_kernels(lowering, op)));
}

// Whether autograd traces calls of operators, so that emitted gradients must be operators.
bool has_gradient_operators(const Lowering& lowering) {
  return lowering.flavour.has_layers && !lowering.traits.has_own_autograd;
}

// Returns an imported operator with impls that are emitted from its scalar function.
const Operator& with_scalar_impls(Lowering& lowering, const Operator& op) {
  Operator result = op;
  const Operator structured = pointwise_as_structured(lowering.cpp_types, op, "", claim_kernels(lowering, op));
  llvm::append_range(result.structured->impls, structured.structured->impls);
  result.structured->output_names = structured.structured->output_names;
  result.checks_device = structured.checks_device;
  return lowering.lowered.pointwise_operators.emplace_back(std::move(result));
}

LoweredVariant lower_variant(const Lowering& lowering, const Operator& op, const Variant& variant) {
  const OperatorName& name = variant.schema.name;
  LoweredVariant entry;
  entry.op = &op;
  entry.derived = &variant;
  entry.dispatched = dispatched_signature(lowering.cpp_types, variant.schema);
  entry.schema = to_string(variant.schema);
  entry.full_name = lowering.full_name(name);
  entry.schema_namespace = name.ns.empty() ? lowering.library.schema_namespace : name.ns;
  const Variant& first = op.variants.front();
  if (variant.kind != Variant::Kind::functional && first.kind == Variant::Kind::functional) {
    const OperatorName& functional = first.schema.name;
    entry.functional = to_string(OperatorName{entry.schema_namespace, functional.base, functional.overload});
  }
  entry.tags = op.tags;
  if (op.pointwise && !llvm::is_contained(op.tags, "pointwise")) entry.tags.emplace_back("pointwise");
  entry.function = name.base + (variant.kind == Variant::Kind::out ? "_out" : "");
  entry.cpp_namespace = lowering.library.cpp_namespace + (name.ns.empty() ? "" : "::" + name.ns);
  entry.header =
      lowering.lowered.include_prefix + "/ops/" + (name.ns.empty() ? "" : name.ns + "/") + header_base(name) + ".h";
  return entry;
}

void add_gradient_operators(Lowering& lowering, const Operator& op) {
  for (GradientOperator& gradient : gradient_operators(lowering.cpp_types, op)) {
    const Operator& structured = as_structured(lowering, gradient.op);
    lowering.lowered.variants.push_back(lower_variant(lowering, structured, structured.variants.front()));
    lowering.gradients.emplace(&structured, std::move(gradient));
  }
}

// Adds only variants for which this library has kernels.
void add_imported_variants(Lowering& lowering, const ImportedOperator& imported) {
  const Operator& op =
      imported.op.pointwise && imported.op.structured ? with_scalar_impls(lowering, imported.op) : imported.op;
  for (const Variant& variant : op.variants) {
    const bool has_impls = op.structured && !op.structured->impls.empty();
    if (!has_impls && variant.kernels.empty()) {
      continue;
    }
    LoweredVariant& entry = lowering.lowered.variants.emplace_back(lower_variant(lowering, op, variant));
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
llvm::Error check_outputs(const LoweredVariant& entry) {
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

// Names that several variants share.
struct SharedNames {
  std::map<std::vector<LoweredParameter>, std::size_t> parameter_lists;
  std::map<const Operator*, std::string> metas;
};

// Operators with equal parameters share a list.
void add_parameters(Lowering& lowering, SharedNames& shared, LoweredVariant& entry, const std::string& id) {
  std::vector<LoweredParameter> parameters = lower_parameters(lowering.cpp_types, entry.derived->schema);
  const auto [found, is_new] = shared.parameter_lists.try_emplace(parameters, lowering.lowered.parameter_lists.size());
  entry.parameters = found->second;
  if (is_new) {
    lowering.lowered.parameter_lists.push_back({lowering.names.claim("parameters_" + id), std::move(parameters)});
  }
}

void name_variant(Lowering& lowering, SharedNames& shared, LoweredVariant& entry) {
  const std::string id = identifier(entry.derived->schema.name);
  entry.signature = lowering.names.claim("signature_" + id);
  entry.table = lowering.names.claim((lowering.flavour.has_tables ? "op_" : "dispatch_") + id);
  const bool is_selected = !lowering.options.selected || lowering.options.selected->count(entry.full_name) != 0;
  if (is_selected) {
    entry.boxed = lowering.names.claim("boxed_" + id);
  }
  if (lowering.flavour.has_layers) {
    entry.slow_path = lowering.names.claim("slow_path_" + id);
  }
  if (!lowering.flavour.has_schemas && is_selected) {
    add_parameters(lowering, shared, entry, id);
  }
  if (entry.op->structured) {
    std::string& meta = shared.metas[entry.op];
    if (meta.empty()) {
      meta = lowering.names.claim("meta_" + identifier(entry.op->variants.front().schema.name));
    }
    entry.meta = meta;
  }
}

/// PyTorch calls composites as the operators that they call, and its function that registers rules takes no out=
/// variants.
llvm::Error set_sharding(LoweredVariant& entry) {
  const bool is_composite = llvm::any_of(
      entry.derived->kernels, [](const Kernel& kernel) { return kernel.backend == "CompositeImplicitAutograd"; });
  entry.takes_spread_tensors = entry.imported == nullptr && entry.derived->kind != Variant::Kind::out && !is_composite;
  if (!entry.takes_spread_tensors) return llvm::Error::success();
  const Schema& schema = entry.derived->schema;
  if (entry.op->pointwise) entry.sharding = pointwise_sharding_rule(schema);
  if (entry.op->sharding.empty()) return llvm::Error::success();
  llvm::Expected<ShardingRule> rule = parse_sharding_rule(entry.op->sharding);
  if (!rule) return error_for(entry, "has an unreadable sharding rule: " + llvm::toString(rule.takeError()));
  if (const auto fault = misfit(*rule, schema)) {
    return error_for(entry, "has a sharding rule that " + *fault);
  }
  entry.sharding = std::move(*rule);
  return llvm::Error::success();
}

}  // namespace

llvm::Error add_variants(Lowering& lowering) {
  for (const Operator& op : lowering.library.operators) {
    const Operator& structured = op.pointwise ? as_structured(lowering, op) : op;
    for (const Variant& variant : structured.variants) {
      lowering.lowered.variants.push_back(lower_variant(lowering, structured, variant));
    }
    if (has_gradient_operators(lowering)) add_gradient_operators(lowering, op);
  }
  lowering.lowered.own_count = lowering.lowered.variants.size();
  for (const ImportedOperator& imported : lowering.library.imported) {
    add_imported_variants(lowering, imported);
  }
  const auto by_name = [](const LoweredVariant& a, const LoweredVariant& b) { return a.full_name < b.full_name; };
  const auto imported = lowering.lowered.variants.begin() + static_cast<std::ptrdiff_t>(lowering.lowered.own_count);
  std::sort(lowering.lowered.variants.begin(), imported, by_name);
  std::sort(imported, lowering.lowered.variants.end(), by_name);
  SharedNames shared;
  for (std::size_t i = 0; i < lowering.lowered.variants.size(); ++i) {
    LoweredVariant& entry = lowering.lowered.variants[i];
    if (i > 0 && lowering.lowered.variants[i - 1].full_name == entry.full_name) {
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
        const GradientOperator* gradient = lowering.find_gradient(*entry.op);
        entry.pointwise =
            lower_pointwise(lowering.cpp_types, *entry.op, gradient != nullptr ? gradient->derivative : std::nullopt);
      }
    }
    const bool is_own_functional = entry.derived->kind == Variant::Kind::functional && entry.imported == nullptr;
    // Our own runtime has no autocast, and a source for it and for PyTorch may have the attribute.
    if (is_own_functional && !lowering.traits.has_own_autograd) entry.autocast = entry.op->autocast;
    if (llvm::Error error = set_sharding(entry)) return error;
    if (llvm::Error error = check_outputs(entry)) {
      return error;
    }
    name_variant(lowering, shared, entry);
  }
  return llvm::Error::success();
}

}  // namespace structured::gen
