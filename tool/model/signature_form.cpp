#include "model/signature_form.h"

#include "llvm/ADT/STLExtras.h"
#include "model/kernel_form.h"
#include "model/parameter.h"

namespace structured::gen {

llvm::ArrayRef<Parameter> input_parameters(const OperatorRef& ref, const TypeTable& types) {
  llvm::ArrayRef<Parameter> parameters = ref.declaration().parameters;
  switch (ref.role()) {
    case Role::meta:
      return parameters.empty() ? parameters : parameters.drop_front();
    case Role::kernel:
    case Role::composite: {
      std::size_t outputs = kernel_form(ref.declaration(), ref.name, types).outputs;
      return parameters.drop_back(std::min(outputs, parameters.size()));
    }
    default:
      return parameters;
  }
}

bool has_precomputed(const Declaration& meta) { return meta.result_class.has_value(); }

std::string precomputed_parameter_type(const Declaration& meta) {
  return has_precomputed(meta) ? "const " + meta.result_class->name + " &" : "";
}

std::vector<const Parameter*> impl_inputs(const Declaration& meta) {
  auto is_replaced = [&](const Parameter& parameter) {
    return has_precomputed(meta) && llvm::any_of(meta.result_class->members,
                                                 [&](const Member& member) { return member.name == parameter.name; });
  };
  std::vector<const Parameter*> inputs;
  for (std::size_t i = 1; i < meta.parameters.size(); ++i) {
    if (!is_replaced(meta.parameters[i])) inputs.push_back(&meta.parameters[i]);
  }
  return inputs;
}

bool is_base(const Parameter& parameter, const Declaration& meta) {
  const std::string& type = parameter.type.canonical;
  if (type == meta.parameters.front().type.canonical) return true;
  const bool is_member = meta.base_class && meta.name == meta.base_class->name + "::meta";
  return is_member &&
         llvm::any_of(meta.base_class->bases, [&](const std::string& base) { return type == base + " &"; });
}

bool takes_base(const Declaration& impl, const Declaration& meta) {
  return !impl.parameters.empty() && !meta.parameters.empty() && is_base(impl.parameters.front(), meta);
}

llvm::ArrayRef<Parameter> impl_outputs(const Declaration& impl, const Declaration& meta) {
  std::size_t inputs = (takes_base(impl, meta) ? 1 : 0) + impl_inputs(meta).size() + (has_precomputed(meta) ? 1 : 0);
  return llvm::ArrayRef<Parameter>(impl.parameters).drop_front(std::min(inputs, impl.parameters.size()));
}

std::vector<std::string> differentiable_inputs(const OperatorRef& definition, const TypeTable& types) {
  bool is_pointwise = definition.role() == Role::pointwise;
  std::vector<std::string> names;
  for (const Parameter& parameter : input_parameters(definition, types)) {
    bool is_differentiable = false;
    if (is_pointwise) {
      is_differentiable = pointwise_role(definition.declaration(), parameter, types) == Pointwise::Role::element;
    } else {
      auto type = argument_type(parameter, types);
      bool is_self = definition.name.is_inplace() && names.empty();  // its previous value is an input
      is_differentiable = type && type->is_tensor_like() && (is_self || !is_mutable(parameter, types));
    }
    if (is_differentiable) names.push_back(parameter.name);
  }
  return names;
}

std::vector<std::string> gradients_of(const OperatorRef& backward, const OperatorRef& definition,
                                      const TypeTable& types) {
  std::vector<std::string> written = string_arguments(*backward.attribute, 1);
  return written.empty() ? differentiable_inputs(definition, types) : written;
}

std::vector<ResultNames> read_result_names(const OperatorRef& ref, const OperatorIndex& index) {
  llvm::ArrayRef<NamedVariant> variants;  // without the name of a kernel
  if (const DefinedOperator* op = index.find_defined(ref.name)) {
    variants = op->variants;
  } else if (const PlainOperator* plain = index.find_plain(ref.name)) {
    variants = plain->derived;
  }
  const auto is_variant = [&](const OperatorName& name) {
    return name == ref.name || llvm::any_of(variants, [&](const NamedVariant& named) { return named.name == name; });
  };
  std::vector<ResultNames> all;
  for (const Attribute& attribute : ref.declaration().attributes) {
    if (attribute.name != "returns") continue;
    ResultNames names{&attribute, std::nullopt, {}};
    if (auto first = string_argument(attribute, 0)) {
      auto name = index.read_name(*first);
      if (name && is_variant(*name)) names.variant = name;
    }
    names.names = string_arguments(attribute, names.variant ? 1 : 0);
    all.push_back(std::move(names));
  }
  return all;
}

std::vector<std::string> result_names(llvm::ArrayRef<ResultNames> all, const OperatorName& variant) {
  std::vector<std::string> general;
  for (const ResultNames& names : all) {
    if (names.variant == variant) return names.names;
    if (!names.variant && general.empty()) general = names.names;
  }
  return general;
}

}  // namespace structured::gen
