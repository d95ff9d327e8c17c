#include "lower/lowering.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "lower/nodes.h"
#include "lower/pointwise.h"
#include "model/scalar_function.h"

namespace structured::gen {
namespace {

// Whether a node is recorded for calls of the operator. Derivatives of order 3 are not emitted, but layers in Python
// compute tangents of the second ones, which are linear in `grad`.
bool has_node(const Lowering& lowering, const Operator& op) {
  const GradientOperator* gradient = lowering.find_gradient(op);
  if (gradient == nullptr) return !derivatives_of(op).empty();
  return !gradient->is_second || lowering.options.has_python_layers;
}

// Numbers the nodes of overloads as PyTorch does: those that take tensors first.
std::map<const Operator*, std::string> name_nodes(const Lowering& lowering) {
  std::map<std::string, std::vector<const Operator*>> by_name;
  for (const LoweredVariant& entry : lowering.lowered.own_variants()) {
    std::vector<const Operator*>& ops = by_name[node_base_name(entry.op->variants.front().schema.name)];
    if (has_node(lowering, *entry.op) && !llvm::is_contained(ops, entry.op)) {
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

// Returns the index of a variant of this library.
std::size_t own_variant(const Lowering& lowering, const std::string& full_name) {
  const auto found =
      llvm::lower_bound(lowering.lowered.own_variants(), full_name,
                        [](const LoweredVariant& entry, const std::string& name) { return entry.full_name < name; });
  assert(found != lowering.lowered.own_variants().end() && found->full_name == full_name && "no such operator");
  return static_cast<std::size_t>(found - lowering.lowered.own_variants().begin());
}

// Whether libtorch's autograd can record calls of the operator: it has views of its own, and in-place variants are
// recorded as functional ones.
bool is_recordable_in_torch(const Operator& op) {
  const Variant& first = op.variants.front();
  return first.kind == Variant::Kind::functional &&
         llvm::none_of(first.schema.returns, [](const Return& result) { return result.alias.has_value(); });
}

llvm::Error check_arguments(const Lowering& lowering, const LoweredVariant& entry, const LoweredNode& node) {
  const std::optional<std::set<GradientArgument::Kind>>& known = lowering.options.gradient_arguments;
  for (const GradientCall& call : node.calls) {
    for (const GradientArgument& argument : call.arguments) {
      if (!known || known->count(argument.kind) != 0) continue;
      const std::string& target = lowering.options.target;
      if (known->empty()) {
        return error_for(
            entry, "has a derivative, which the target `" + target + "` cannot have; remove its `backward` functions");
      }
      return error_for(entry, llvm::Twine("has a derivative with the argument `") + kind_name(argument.kind) +
                                  "`, which the target `" + target + "` does not have");
    }
  }
  return llvm::Error::success();
}

std::vector<LoweredVariant::Layer> layers_of(const Lowering& lowering, const LoweredVariant& entry) {
  using Layer = LoweredVariant::Layer;
  const auto serves_all = [&](std::size_t index) { return lowering.lowered.wrappers[index].is_implicit_composite(); };
  if (llvm::any_of(entry.wrappers, serves_all)) return {};
  const Variant::Kind kind = entry.derived->kind;
  std::vector<Layer> layers;
  if (entry.autograd == LoweredVariant::Autograd::records) {
    layers.push_back(kind == Variant::Kind::inplace ? Layer::records_inplace : Layer::records);
  } else if (entry.autograd == LoweredVariant::Autograd::none && kind == Variant::Kind::functional) {
    layers.push_back(Layer::never_records);
  } else {
    layers.push_back(Layer::without_derivative);
  }
  if (kind != Variant::Kind::out) layers.push_back(Layer::batches);
  if (!entry.functional.empty()) layers.push_back(Layer::functionalizes);
  return layers;
}

}  // namespace

// Skips out= variants: the generic layer refuses to record them.
llvm::Error add_recordings(Lowering& lowering) {
  if (!lowering.flavour.has_layers) {
    return llvm::Error::success();
  }
  std::map<const Operator*, std::size_t> nodes;
  const std::map<const Operator*, std::string> names = name_nodes(lowering);
  for (std::size_t i = 0; i < lowering.lowered.own_count; ++i) {
    LoweredVariant& entry = lowering.lowered.variants[i];
    const auto serves_all = [&](std::size_t index) { return lowering.lowered.wrappers[index].is_implicit_composite(); };
    if (!entry.op->is_differentiable) {
      entry.autograd = LoweredVariant::Autograd::none;
    } else if (entry.base) {
      const bool is_functional = entry.derived->kind == Variant::Kind::functional;
      entry.autograd = is_functional ? LoweredVariant::Autograd::composite : LoweredVariant::Autograd::generic;
    } else if (!has_node(lowering, *entry.op)) {
      if (llvm::any_of(entry.wrappers, serves_all)) {
        entry.autograd = LoweredVariant::Autograd::composite;
      }
    } else if (entry.derived->kind != Variant::Kind::out &&
               (lowering.traits.has_own_autograd || is_recordable_in_torch(*entry.op))) {
      auto [node, is_new] = nodes.try_emplace(entry.op, lowering.lowered.nodes.size());
      if (is_new) {
        const GradientOperator* gradient = lowering.find_gradient(*entry.op);
        llvm::Expected<LoweredNode> lowered =
            gradient != nullptr ? lower_gradient_node(lowering.cpp_types, *entry.op, gradient->is_second)
                                : lower_node(lowering.cpp_types, *entry.op);
        if (!lowered) {
          return lowered.takeError();
        }
        if (llvm::Error error = check_arguments(lowering, entry, *lowered)) return error;
        lowered->name = lowering.names.claim(names.at(entry.op));
        for (GradientCall& call : lowered->calls) {
          if (call.emitted) {
            const std::string id = identifier(entry.op->variants.front().schema.name);
            call.emitted_name = lowering.names.claim("gradient_of_" + id + "_for_" + call.emitted->input);
          }
          if (call.op) call.variant = own_variant(lowering, lowering.full_name(*call.op));
        }
        lowering.lowered.nodes.push_back(std::move(*lowered));
      }
      entry.autograd = LoweredVariant::Autograd::records;
      entry.recording = lowering.names.claim("record_" + identifier(entry.derived->schema.name));
      entry.node = node->second;
      if (entry.derived->kind == Variant::Kind::functional) lowering.lowered.nodes[entry.node].functional = i;
      if (lowering.traits.has_own_autograd) {
        entry.recording_steps = lower_recording(lowering.lowered.nodes[entry.node], *entry.derived);
      }
    }
    if (!lowering.traits.has_own_autograd) entry.layers = layers_of(lowering, entry);
    const bool is_functional = entry.derived->kind == Variant::Kind::functional;
    if (lowering.options.has_python_layers && is_functional && entry.autograd == LoweredVariant::Autograd::records) {
      OperatorName name = entry.derived->schema.name;
      name.base.insert(0, "_unrecorded_");
      entry.unrecorded = lowering.full_name(name);
      entry.unrecorded_base = std::move(name.base);
    }
  }
  return llvm::Error::success();
}

}  // namespace structured::gen
