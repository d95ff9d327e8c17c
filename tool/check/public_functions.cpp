#include "check/public_functions.h"

#include "dialect/dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/kernel_form.h"
#include "model/parameter.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// Returns the type as messages show it: `const structured::Tensor&`.
std::string spelled(const CppTypes& cpp_types, const Type& type, bool is_mutable) {
  std::string text = cpp_types.argument(type, is_mutable);
  constexpr llvm::StringLiteral prefix = "::structured::";
  for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) text.erase(at, 2);
  return text;
}

std::string written_tensor(const Checker& checker) {
  const CppTypes* cpp_types = checker.options().cpp_types;
  return cpp_types ? spelled(*cpp_types, Type(), /*is_mutable=*/true) : (checker.types().tensor() + " &").str();
}

/// Returns the types of the inputs; nullopt if one of them is not supported.
std::optional<std::vector<std::string>> input_types(const Checker& checker, const DefinedOperator& op) {
  const Declaration& definition = op.definition.declaration();
  if (!is_readable(definition)) return std::nullopt;
  std::vector<std::string> types;
  if (op.is_structured()) {
    for (const Parameter& input : input_parameters(op.definition, checker.types())) {
      types.push_back(public_type(checker, input));
    }
    return types;
  }
  const CppTypes* cpp_types = checker.options().cpp_types;
  if (!cpp_types) return std::nullopt;
  for (const Parameter& parameter : definition.parameters) {
    auto type = pointwise_argument_type(definition, parameter, checker.types());
    if (!type) return std::nullopt;
    types.push_back(spelled(*cpp_types, *type, /*is_mutable=*/false));
  }
  return types;
}

std::optional<std::size_t> output_count(const DefinedOperator& op) {
  if (!op.is_structured()) return 1;
  if (op.impls.empty()) return std::nullopt;
  return impl_outputs(op.impls.front().declaration(), op.definition.declaration()).size();
}

std::vector<std::string> backends_of(const Checker& checker, const DefinedOperator& op, const OperatorName& variant) {
  std::vector<std::string> backends{"Meta"};
  if (!op.is_structured()) {
    llvm::append_range(backends, checker.types().pointwise_backends(checker.options().backends));
  }
  for (const OperatorRef& impl : op.impls) llvm::append_range(backends, impl.backends());
  for (const OperatorRef& kernel : op.kernels) {
    if (kernel.name == variant) llvm::append_range(backends, kernel.backends());
  }
  return backends;
}

void add_functions(const Checker& checker, const DefinedOperator& op, std::vector<PublicFunction>& functions) {
  auto inputs = input_types(checker, op);
  auto outputs = output_count(op);
  for (const NamedVariant& variant : op.variants) {
    PublicFunction& function = functions.emplace_back();
    bool is_out = variant.kind == Variant::Kind::out;
    function.variant = variant.name;
    function.name = variant.name.base + (is_out ? "_out" : "");
    function.backends = backends_of(checker, op, variant.name);
    function.range = variant.written ? variant.written->range : op.definition.attribute->range;
    if (!inputs || (is_out && !outputs)) continue;
    function.parameters = inputs;
    if (is_out) function.parameters->insert(function.parameters->begin(), *outputs, written_tensor(checker));
    bool writes_first = variant.kind == Variant::Kind::inplace && !inputs->empty();
    if (writes_first) function.parameters->front() = written_tensor(checker);
  }
}

void add_function(const Checker& checker, const PlainOperator& op, std::vector<PublicFunction>& functions) {
  const OperatorRef& ref = op.kernels.front();
  llvm::ArrayRef<Parameter> parameters = ref.declaration().parameters;
  std::size_t outputs = kernel_form(ref.declaration(), op.name, checker.types()).outputs;
  PublicFunction& function = functions.emplace_back();
  function.variant = op.name;
  function.name = op.name.base + (outputs > 0 ? "_out" : "");
  function.range = ref.attribute->arguments.front().range;
  for (const OperatorRef& kernel : op.kernels) llvm::append_range(function.backends, kernel.backends());
  if (!is_readable(ref.declaration()) || outputs > parameters.size()) return;
  function.parameters.emplace();
  for (const Parameter& output : parameters.take_back(outputs)) {
    function.parameters->push_back(public_type(checker, output));
  }
  for (const Parameter& input : parameters.drop_back(outputs)) {
    function.parameters->push_back(public_type(checker, input));
  }
}

/// Adds the functions of variants that are derived from a kernel.
void add_derived(const Checker& checker, const PlainOperator& op, std::vector<PublicFunction>& functions) {
  const Declaration& declaration = op.kernels.front().declaration();
  llvm::ArrayRef<Parameter> parameters = declaration.parameters;
  auto results = checker.types().results(declaration.result.canonical);
  for (const NamedVariant& variant : op.derived) {
    PublicFunction& function = functions.emplace_back();
    bool is_out = variant.kind == Variant::Kind::out;
    function.variant = variant.name;
    function.name = variant.name.base + (is_out ? "_out" : "");
    function.range = variant.written->range;
    function.backends.push_back("CompositeExplicitAutograd");
    const CppTypes* cpp_types = checker.options().cpp_types;
    if (!is_readable(declaration) || !results || !cpp_types) continue;
    function.parameters.emplace();
    for (std::size_t i = 0; is_out && i < results->size(); ++i) {
      function.parameters->push_back(spelled(*cpp_types, (*results)[i], /*is_mutable=*/true));
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      auto type = argument_type(parameters[i], checker.types());
      bool is_option = is_out && parameters[i].name == "dtype" && type && type->base == Type::Base::ScalarType &&
                       i + 3 < parameters.size() && parameters[i + 1].name == "layout";
      if (is_option) {
        i += 3;
      } else if (type) {
        function.parameters->push_back(spelled(*cpp_types, *type, /*is_mutable=*/false));
      }
    }
  }
}

}  // namespace

std::string PublicFunction::signature() const {
  return qualified_name() + "(" + (parameters ? llvm::join(*parameters, ", ") : "...") + ")";
}

std::vector<PublicFunction> public_functions(const Checker& checker) {
  std::vector<PublicFunction> functions;
  const CppTypes* cpp_types = checker.options().cpp_types;
  if (cpp_types && !cpp_types->wrapper_traits().has_public_functions) return functions;
  for (const DefinedOperator& op : checker.index().defined()) {
    if (!op.is_imported()) add_functions(checker, op, functions);
  }
  for (const PlainOperator& op : checker.index().plain()) {
    if (op.is_imported()) continue;
    add_function(checker, op, functions);
    add_derived(checker, op, functions);
  }
  return functions;
}

std::string public_type(const Checker& checker, const Parameter& parameter) {
  const CppTypes* cpp_types = checker.options().cpp_types;
  auto type = cpp_types ? argument_type(parameter, checker.types()) : std::nullopt;
  return type ? spelled(*cpp_types, *type, is_mutable_tensor(parameter, checker.types())) : parameter.type.canonical;
}

std::string backend_namespace(const Checker& checker, llvm::StringRef backend) {
  const CppTypes* cpp_types = checker.options().cpp_types;
  auto found = cpp_types ? cpp_types->backend(backend) : std::nullopt;
  return found ? found->cpp_namespace : "";
}

}  // namespace structured::gen
