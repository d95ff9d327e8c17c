// Structured operators: a meta function, and impls that compute into outputs.
#include "derive/conventions.h"
#include "derive/facts.h"
#include "derive/variants.h"
#include "llvm/ADT/STLExtras.h"
#include "model/annotation.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// Returns the names of an impl's outputs. Without an impl, the number of result names determines that of outputs.
std::vector<std::string> output_names(const DefinedOperator& definition, const OperatorIndex& index) {
  const Declaration& meta = definition.definition.declaration();
  std::vector<std::string> names;
  if (!definition.impls.empty()) {
    for (const Parameter& output : impl_outputs(definition.impls.front().declaration(), meta)) {
      names.push_back(output.name);
    }
    return names;
  }
  const OperatorName& functional = definition.definition.name;
  std::size_t count = result_names(read_result_names(definition.definition, index), functional).size();
  if (count <= 1) return {"out"};
  for (std::size_t i = 0; i < count; ++i) names.push_back("out" + std::to_string(i));
  return names;
}

std::optional<Precomputed> precomputed(const Declaration& meta) {
  if (!has_precomputed(meta)) return std::nullopt;
  Precomputed result{{meta.result_class->name, meta.result_class->header}, {}, meta.result_class->members};
  std::vector<const Parameter*> kept = impl_inputs(meta);
  for (std::size_t i = 1; i < meta.parameters.size(); ++i) {
    if (!llvm::is_contained(kept, &meta.parameters[i])) result.replaced.push_back(meta.parameters[i].name);
  }
  return result;
}

Pointwise::Role role_of_argument(const Parameter& parameter, const TypeTable& types) {
  const auto classified = types.argument(parameter.type.canonical);
  if (!classified) return Pointwise::Role::value;
  if (classified->type.is(Type::Base::Tensor)) return Pointwise::Role::element;
  return classified->type.base == Type::Base::Scalar ? Pointwise::Role::scalar : Pointwise::Role::value;
}

/// Whether the loop's result has the type of the output that the iterator gets by the rule of promotion.
bool fits_output(const ScalarBody& body, llvm::StringRef promotion) {
  return body.dtype == "bool" || (body.graph->type() == ScalarType::boolean) == (promotion == "bool");
}

/// A reason why compilers do not see what the loop computes, for all dtypes.
struct LoopRefusal {
  std::string reason;
  SourceRange range;
};

std::optional<LoopRefusal> refusal_of(const DefinedOperator& definition, const OperatorRef& impl, const Operator& op) {
  const Declaration& meta = definition.definition.declaration();
  const IteratorFact& iterator = *meta.iterator;
  if (!iterator.refusal.empty()) {
    return LoopRefusal{"has a meta function that " + iterator.refusal, iterator.range};
  }
  if (op.structured->precomputed) {
    return LoopRefusal{"has a meta function that precomputes values", meta.result_range};
  }
  if (op.structured->output_names.size() != 1) {
    return LoopRefusal{"has more than one output", impl.declaration().name_range};
  }
  for (const OperatorRef& other : definition.impls) {
    const Declaration& declaration = other.declaration();
    const bool is_equal = llvm::equal(
        declaration.scalar_bodies, impl.declaration().scalar_bodies,
        [](const ScalarBody& a, const ScalarBody& b) { return a.dtype == b.dtype && a.graph && a.graph == b.graph; });
    if (&declaration != &impl.declaration() && !is_equal) {
      return LoopRefusal{"has another impl, which computes something else", declaration.name_range};
    }
  }
  for (const Variant& variant : op.variants) {
    if (!variant.kernels.empty()) {
      return LoopRefusal{"has a kernel beside its impls", variant.kernels.front().function.range};
    }
  }
  return std::nullopt;
}

/// Returns what the impls apply to each element; nullopt if scans do not tell.
std::optional<Pointwise> element_loop(const DefinedOperator& definition, const Operator& op, const TypeTable& types) {
  const Declaration& meta = definition.definition.declaration();
  const auto impl = llvm::find_if(definition.impls,
                                  [](const OperatorRef& each) { return !each.declaration().scalar_bodies.empty(); });
  if (!meta.iterator || impl == definition.impls.end()) return std::nullopt;
  Pointwise loop;
  loop.function = make_function(impl->found);
  loop.promotion = meta.iterator->promotion;
  loop.is_opaque = has_attribute(meta.attributes, "opaque");
  for (const Parameter& parameter : llvm::drop_begin(meta.parameters)) {
    loop.roles.push_back(role_of_argument(parameter, types));
  }
  loop.bodies = impl->declaration().scalar_bodies;
  const std::optional<LoopRefusal> refusal = refusal_of(definition, *impl, op);
  for (ScalarBody& body : loop.bodies) {
    loop.dtypes.push_back(body.dtype);
    if (refusal) {
      body.graph.reset();
      body.refusal = refusal->reason;
      body.range = refusal->range;
    } else if (body.graph && !fits_output(body, loop.promotion)) {
      body.graph.reset();
      body.refusal = "has a loop whose result has another type than the output that the meta function declares";
      body.range = loop.function.range;
    }
  }
  return loop;
}

}  // namespace

Operator derive_structured(const DefinedOperator& definition, const OperatorIndex& index, const TypeTable& types) {
  const OperatorRef& ref = definition.definition;
  const Declaration& meta = ref.declaration();
  StructuredParts parts;
  parts.base = {meta.base_class->name, meta.base_class->header};
  parts.meta = make_function(ref.found);
  parts.precomputed = precomputed(meta);
  parts.output_names = output_names(definition, index);
  for (const OperatorRef& impl : definition.impls) {
    for (Kernel& kernel : make_kernels(impl)) {
      kernel.takes_base = takes_base(impl.declaration(), meta);
      parts.impls.push_back(std::move(kernel));
    }
  }
  sort_by_backend(parts.impls);

  Operator op;
  op.variants =
      derive_variants(definition, read_inputs(input_parameters(ref, types), types), parts.output_names, index, types);
  op.structured = std::move(parts);
  op.shape = meta.shape;
  add_modifiers(op, meta);
  set_backwards(op, definition.backwards, ref, types);
  op.loop = element_loop(definition, op, types);
  return op;
}

}  // namespace structured::gen
