// Unstructured operators, whose schema follows from the signature of the kernel.
#include "derive/alias.h"
#include "derive/arguments.h"
#include "derive/conventions.h"
#include "derive/facts.h"
#include "model/kernel_form.h"
#include "model/parameter.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

Variant::Kind kind_of(const OperatorName& name, const KernelForm& form) {
  if (name.is_inplace()) return Variant::Kind::inplace;
  return form.outputs > 0 ? Variant::Kind::out : Variant::Kind::functional;
}

/// Makes arguments symbolic that are symbolic integers in a kernel: others may take the numbers.
void add_symbols(Schema& schema, const Declaration& kernel, const TypeTable& types) {
  std::size_t position = 0;
  for (std::vector<Argument>* part : {&schema.positional, &schema.keyword_only, &schema.out}) {
    for (Argument& argument : *part) {
      const std::optional<Type> type = argument_type(kernel.parameters[position++], types);
      if (type && type->base == Type::Base::SymInt) argument.type.base = type->base;
    }
  }
}

Schema plain_schema(const OperatorRef& ref, const OperatorIndex& index, const TypeTable& types) {
  const Declaration& declaration = ref.declaration();
  KernelForm form = kernel_form(declaration, ref.name, types);
  llvm::ArrayRef<Parameter> parameters = declaration.parameters;
  Inputs inputs = read_inputs(parameters, types);

  Schema schema;
  schema.name = ref.name;
  for (Type& type : types.results(declaration.result.canonical).value_or(std::vector<Type>())) {
    schema.returns.push_back({std::move(type), std::nullopt, ""});
  }
  std::vector<std::string> names = result_names(read_result_names(ref, index), ref.name);
  for (std::size_t i = 0; i < names.size() && i < schema.returns.size(); ++i) schema.returns[i].name = names[i];

  AliasLetters letters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto attribute = alias_of(parameters[i]);
    std::optional<AliasSet>& alias = inputs.arguments[i].alias;
    if (is_mutable(parameters[i], types)) {
      alias = letters.written();
    } else if (attribute) {
      alias = letters.viewed(*attribute);
      alias_result(schema.returns, *attribute, *alias);
    }
  }

  std::size_t first_output = parameters.size() - form.outputs;
  if (form.result == KernelForm::Result::self) {
    schema.returns.front().alias = inputs.arguments.front().alias;
  } else if (form.result == KernelForm::Result::outputs) {
    for (std::size_t i = 0; i < schema.returns.size(); ++i) {
      schema.returns[i].alias = inputs.arguments[first_output + i].alias;
    }
  }
  auto output = inputs.arguments.begin() + static_cast<std::ptrdiff_t>(first_output);
  schema.out.assign(output, inputs.arguments.end());
  inputs.arguments.erase(output, inputs.arguments.end());
  inputs.positional = std::min(inputs.positional, inputs.arguments.size());
  set_inputs(schema, inputs);
  return schema;
}

}  // namespace

Operator derive_plain(const PlainOperator& plain, const OperatorIndex& index, const TypeTable& types) {
  // All kernels of an operator have the same signature but for symbolic integers, so the first one determines the
  // schema.
  const OperatorRef& first = plain.kernels.front();
  Variant variant;
  variant.kind = kind_of(plain.name, kernel_form(first.declaration(), plain.name, types));
  variant.schema = plain_schema(first, index, types);
  for (const Parameter& input : input_parameters(first, types)) variant.input_types.push_back(input.type.canonical);

  Operator op;
  for (const OperatorRef& ref : plain.kernels) {
    add_symbols(variant.schema, ref.declaration(), types);
    for (Kernel& kernel : make_kernels(ref)) variant.kernels.push_back(std::move(kernel));
    add_modifiers(op, ref.declaration());
    if (ref.declaration().shape) op.shape = ref.declaration().shape;
  }
  sort_by_backend(variant.kernels);
  op.variants.push_back(std::move(variant));
  set_backwards(op, plain.backwards, first, types);
  return op;
}

}  // namespace structured::gen
