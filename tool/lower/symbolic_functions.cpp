#include <map>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "lower/lowering.h"

namespace structured::gen {
namespace {

constexpr const char* symbolic_prefix = "_symbolic_";
constexpr const char* outputs_name = "outputs";

/// Returns the schema of an operator with the inputs of another one, the outputs of the caller, if there are any, and
/// the tensors that meta describes as results.
Schema symbolic_schema(const Schema& functional, std::string name) {
  using Wrapper = Type::Wrapper;
  Schema schema;
  schema.name.base = std::move(name);
  for (const std::vector<Argument>* part : {&functional.positional, &functional.keyword_only}) {
    for (const Argument& argument : *part) schema.positional.push_back({argument.name, argument.type, {}, {}});
  }
  std::string outputs = outputs_name;
  while (llvm::any_of(schema.positional, [&](const Argument& argument) { return argument.name == outputs; })) {
    outputs += '_';
  }
  const Type optional_tensors{Type::Base::Tensor, {{Wrapper::Kind::optional, {}}, {Wrapper::Kind::list, {}}}};
  schema.positional.push_back({std::move(outputs), optional_tensors, {}, {}});
  schema.returns.push_back({{Type::Base::Tensor, {{Wrapper::Kind::list, {}}}}, {}, ""});
  return schema;
}

llvm::MutableArrayRef<LoweredVariant> own_variants_of(Lowering& lowering) {
  return llvm::MutableArrayRef(lowering.lowered.variants).take_front(lowering.lowered.own_count);
}

/// Adds the meta functions of operators that scalar functions define, for a target without kernels that accept symbols.
void add_pointwise_functions(Lowering& lowering) {
  std::map<const Operator*, std::size_t> by_operator;
  for (LoweredVariant& entry : own_variants_of(lowering)) {
    if (!entry.pointwise) continue;
    by_operator.try_emplace(entry.op, lowering.lowered.symbolic_functions.size());
    lowering.lowered.symbolic_functions.push_back({nullptr, &*entry.pointwise, false, "", "", {}});
  }
  for (LoweredVariant& entry : own_variants_of(lowering)) {
    if (!entry.op->pointwise) continue;
    entry.symbolic = entry.full_name;
    lowering.lowered.symbolic_functions[by_operator.at(entry.op)].fakes.emplace_back(entry.full_name,
                                                                                     entry.derived->kind);
  }
}

}  // namespace

void add_symbolic_functions(Lowering& lowering) {
  if (lowering.options.symbols == Symbols::none || !lowering.flavour.has_layers) return;
  if (lowering.options.symbols == Symbols::fakes) add_pointwise_functions(lowering);
  std::map<const Operator*, std::size_t> by_operator;
  std::vector<SymbolicFunction>& functions = lowering.lowered.symbolic_functions;
  for (std::size_t i = 0; i < lowering.lowered.own_count; ++i) {
    LoweredVariant& entry = lowering.lowered.variants[i];
    const std::optional<ShapeProgram>& program = entry.op->shape;
    if (!program || program->functions.empty()) continue;
    const auto [found, is_new] = by_operator.try_emplace(entry.op, functions.size());
    if (is_new) functions.push_back({&*program, nullptr, !entry.op->structured, "", "", {}});
    SymbolicFunction& function = functions[found->second];
    if (!entry.op->structured || lowering.options.symbols == Symbols::fakes) {
      entry.symbolic = entry.full_name;
      function.fakes.emplace_back(entry.full_name, entry.derived->kind);
      continue;
    }
    const Schema& functional = entry.op->variants.front().schema;
    const std::string name = symbolic_prefix + identifier(functional.name);
    entry.symbolic = entry.schema_namespace + "::" + name;
    function.name = entry.symbolic;
    function.schema = to_string(symbolic_schema(functional, name));
  }
}

}  // namespace structured::gen
