// Outputs and backends of unstructured kernels.
#include "check/rules.h"
#include "check/text.h"
#include "dialect/dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "model/kernel_form.h"
#include "model/parameter.h"

namespace structured::gen {
namespace {

/// A kernel that returns references returns its last parameters, which must be mutable tensors.
void check_outputs(Checker& checker, const OperatorRef& ref) {
  const Declaration& declaration = ref.declaration();
  const TypeTable& types = checker.types();
  if (!is_readable(declaration) || !types.result_is_reference(declaration.result.canonical)) return;
  if (ref.name.is_inplace()) return;  // checked by the rules for in-place variants
  KernelForm form = kernel_form(declaration, ref.name, types);
  llvm::ArrayRef<Parameter> parameters = declaration.parameters;
  if (form.outputs > parameters.size()) {
    checker.report(DiagnosticKind::kernel_outputs, declaration.result_range,
                   "kernel for {} returns {} and has {}; expected {} as its last parameters", ref.name,
                   declaration.result, Count{parameters.size(), "parameter"}, Count{form.outputs, "output"});
    return;
  }
  for (const Parameter& output : parameters.take_back(form.outputs)) {
    if (is_mutable_tensor(output, types)) continue;
    auto classified = types.argument(output.type.canonical);
    bool is_tensor = classified && classified->type.is(Type::Base::Tensor);
    std::string expected = is_tensor ? without_const(output.type.written) : (types.tensor() + "&").str();
    const Parameter& first = parameters.front();
    bool may_be_inplace = form.outputs == 1 && first.name == "self" && is_mutable_tensor(first, types);
    DiagnosticBuilder diagnostic =
        checker
            .build(DiagnosticKind::kernel_outputs, output.type_range,
                   "kernel for {} returns {}, so that {} is an output, and is {}; expected {}, or {}", ref.name,
                   declaration.result, Code(output.name), output.type, Code(expected),
                   may_be_inplace ? phrase("the in-place name {}", ref.name.inplace()) : Phrase("a result by value"))
            .note(declaration.result_range, "result declared here");
    if (is_tensor) diagnostic.fix(retyped(output, expected));
    diagnostic.emit();
  }
}

bool has_role(const Attribute& attribute) { return role_named(attribute.name).has_value(); }

/// Describes why no variant can be derived from the kernel; nullopt if one can.
std::optional<Phrase> fault_in_base(const Declaration& declaration, const OperatorName& name, const TypeTable& types) {
  if (llvm::count_if(declaration.attributes, has_role) != 1) return Phrase("is the kernel of several operators");
  if (!is_readable(declaration)) return std::nullopt;
  const bool is_inplace = kernel_form(declaration, name, types).result == KernelForm::Result::self;
  for (const Parameter& parameter : llvm::ArrayRef(declaration.parameters).drop_front(is_inplace ? 1 : 0)) {
    if (is_mutable(parameter, types)) return phrase("modifies {}", Code(parameter.name));
    if (alias_of(parameter)) return phrase("returns a view of {}", Code(parameter.name));
  }
  if (is_inplace) return std::nullopt;
  auto results = types.results(declaration.result.canonical);
  const auto is_tensor = [](const Type& type) { return type.is(Type::Base::Tensor); };
  const bool has_tensors = results && !results->empty() && llvm::all_of(*results, is_tensor);
  const bool has_list = results && results->size() == 1 && results->front().is_tensor_like() &&
                        results->front().is_list() && results->front().wrappers.size() == 1;
  if (has_tensors || has_list) return std::nullopt;
  return phrase("returns {}, which is not a new tensor", declaration.result);
}

void check_variants(Checker& checker, const PlainOperator& op) {
  const CppTypes* cpp_types = checker.options().cpp_types;
  for (const OperatorRef& ref : op.kernels) {
    const Attribute* attribute = find_attribute(ref.declaration().attributes, "variants");
    if (!attribute) continue;
    if (cpp_types && !cpp_types->wrapper_traits().has_tables) {
      checker.report(DiagnosticKind::unsupported_role, attribute->range,
                     "`variants` of {} are not derived in libraries for PyTorch; expected a `kernel` for each variant",
                     op.name);
      return;
    }
    if (&*llvm::find_if(ref.declaration().attributes, has_role) != ref.attribute) return;  // reported for that operator
    if (const auto fault = fault_in_base(ref.declaration(), op.name, checker.types())) {
      checker.report(DiagnosticKind::variant_name, attribute->range, "no variant of {} can be derived: its kernel {}",
                     op.name, *fault);
      return;
    }
  }
  const bool is_inplace = op.name.is_inplace();
  OperatorName base = op.name;
  if (is_inplace && !op.name.is_dunder()) base.base.pop_back();
  for (const NamedVariant& variant : op.derived) {
    const SourceRange& range = variant.written->range;
    // As in ATen, where `normal` names operators with other arguments than `normal_`.
    const bool is_named_functional =
        is_inplace && variant.kind == Variant::Kind::functional && variant.name.base == base.base + "_functional";
    if ((variant.name.base != base.base && !is_named_functional) || variant.name.ns != base.ns) {
      checker.report(DiagnosticKind::variant_name, range, "{} does not belong to {}; expected the base name {}",
                     variant.name, op.name, Code(base.base));
    } else if (is_inplace && variant.kind == Variant::Kind::out &&
               op.derived.front().kind != Variant::Kind::functional) {
      checker.report(DiagnosticKind::variant_name, range,
                     "out variant {} of the in-place {} needs a functional variant; expected {} before it",
                     variant.name, op.name, base);
    }
    const PlainOperator* other = checker.index().find_plain(variant.name);
    const DefinedOperator* defined = checker.index().find_defined(variant.name);
    if (!other && !defined) continue;
    const OperatorRef& ref = defined ? defined->definition : other->kernels.front();
    checker
        .build(DiagnosticKind::duplicate_schema, range, "{}, a variant of {}, is also another operator", variant.name,
               op.name)
        .note(ref.attribute->range, "the other operator is declared here")
        .emit();
  }
}

/// Returns the remedy for an operator without a kernel for Meta.
Phrase meta_advice(const Checker& checker, const PlainOperator& op) {
  const Phrase kernel("add `Meta` to a kernel's backends, or write a kernel for it");
  if (!checker.types().has_torch_schemas()) return kernel;
  const Code fake("structured::dynamic_size");
  const bool depends_on_data = llvm::any_of(op.kernels, [](const OperatorRef& ref) {
    return llvm::any_of(ref.declaration().attributes, [](const Attribute& attribute) {
      return attribute.name == "tags" && llvm::is_contained(string_arguments(attribute), "dynamic_output_shape");
    });
  });
  return depends_on_data ? phrase("as its sizes depend on data, write a kernel for it that calls {}", fake)
                         : phrase("{}, which calls {} if its sizes depend on data", kernel, fake);
}

/// Composite kernels also serve the Meta backend, through the operators that they call.
bool serves_meta(llvm::StringRef backend) { return backend == "Meta" || is_composite_backend(backend); }

}  // namespace

void check_kernel_outputs(Checker& checker) {
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : op.kernels) check_outputs(checker, ref);
  }
}

void check_kernel_variants(Checker& checker) {
  for (const PlainOperator& op : checker.index().plain()) {
    if (!op.is_imported()) check_variants(checker, op);
  }
}

void check_meta_kernels(Checker& checker) {
  if (!checker.sees_everything()) return;
  for (const PlainOperator& op : checker.index().plain()) {
    if (llvm::any_of(op.kernels, [](const OperatorRef& ref) { return llvm::any_of(ref.backends(), serves_meta); }))
      continue;
    const OperatorRef& first = op.kernels.front();
    if (first.backends().empty()) continue;  // reported by another rule
    checker.report(DiagnosticKind::no_meta_kernel, first.attribute->arguments.front().range,
                   "{} has no kernel for `Meta`, so its shapes cannot be computed without data; {}", op.name,
                   meta_advice(checker, op));
  }
}

}  // namespace structured::gen
