// Structured operators: a meta function, and impls that compute into outputs.
#include "derive/conventions.h"
#include "derive/facts.h"
#include "derive/variants.h"
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
  return op;
}

}  // namespace structured::gen
