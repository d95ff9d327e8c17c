#include "derive/variants.h"

#include "derive/alias.h"
#include "derive/facts.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

Variant functional_variant(Inputs inputs, std::size_t outputs) {
  Variant variant;
  set_inputs(variant.schema, inputs);
  variant.schema.returns.assign(outputs, Return{});
  variant.input_types = std::move(inputs.types);
  return variant;
}

Variant inplace_variant(Inputs inputs, const TypeTable& types) {
  inputs.arguments.front().alias = AliasLetters().written();
  inputs.types.front() = types.mutable_tensor();
  Variant variant;
  set_inputs(variant.schema, inputs);
  variant.schema.returns = {{Type{}, inputs.arguments.front().alias, ""}};
  variant.input_types = std::move(inputs.types);
  return variant;
}

Variant out_variant(Inputs inputs, llvm::ArrayRef<std::string> outputs) {
  Variant variant;
  set_inputs(variant.schema, inputs);
  AliasLetters letters;
  for (const std::string& name : outputs) {
    Argument& out = variant.schema.out.emplace_back(Argument{name, Type{}, letters.written(), std::nullopt});
    variant.schema.returns.push_back({Type{}, out.alias, ""});
  }
  variant.input_types = std::move(inputs.types);
  return variant;
}

void add_kernels(Variant& variant, llvm::ArrayRef<OperatorRef> kernels) {
  for (const OperatorRef& ref : kernels) {
    if (ref.name != variant.schema.name) continue;
    for (Kernel& kernel : make_kernels(ref)) variant.kernels.push_back(std::move(kernel));
  }
  sort_by_backend(variant.kernels);
}

}  // namespace

std::vector<Variant> derive_variants(const DefinedOperator& definition, const Inputs& inputs,
                                     llvm::ArrayRef<std::string> outputs, const OperatorIndex& index,
                                     const TypeTable& types) {
  std::vector<ResultNames> all_names = read_result_names(definition.definition, index);

  std::vector<Variant> variants;
  for (const NamedVariant& named : definition.variants) {
    Variant variant;
    switch (named.kind) {
      case Variant::Kind::functional:
        variant = functional_variant(inputs, outputs.size());
        break;
      case Variant::Kind::inplace:
        variant = inplace_variant(inputs, types);
        break;
      case Variant::Kind::out:
        variant = out_variant(inputs, outputs);
        break;
    }
    variant.kind = named.kind;
    variant.schema.name = named.name;
    std::vector<std::string> results = result_names(all_names, named.name);
    for (std::size_t i = 0; i < results.size() && i < variant.schema.returns.size(); ++i) {
      variant.schema.returns[i].name = results[i];
    }
    add_kernels(variant, definition.kernels);
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace structured::gen
