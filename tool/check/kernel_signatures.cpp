// Consistency of kernels with the schema of a structured operator, or with the other kernels of an unstructured one.
#include "check/impl_alignment.h"
#include "check/rules.h"
#include "model/kernel_form.h"
#include "model/parameter.h"
#include "model/schema_default.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// A required argument of a kernel for a variant of a structured operator.
struct ExpectedArgument {
  std::string name;
  Type type;
  bool is_mutable = false;
  std::string written_type;
  SourceRange range;
};

struct ExpectedSignature {
  std::vector<ExpectedArgument> arguments;
  std::size_t results = 0;
  bool returns_references = false;
};

bool is_same_type(Type a, Type b) {
  // Only the definition has `size` and `symint`.
  auto base = [](const Type& type) { return type.base == Type::Base::SymInt ? Type::Base::Int : type.base; };
  if (base(a) != base(b) || a.wrappers.size() != b.wrappers.size()) return false;
  for (std::size_t i = 0; i < a.wrappers.size(); ++i) {
    if (a.wrappers[i].kind != b.wrappers[i].kind) return false;
  }
  return true;
}

/// Returns the outputs of the first impl; nullopt if no impl is visible, so that their number is unknown.
std::optional<llvm::ArrayRef<Parameter>> known_outputs(const Checker& checker, const DefinedOperator& op) {
  const Declaration& meta = op.definition.declaration();
  for (const OperatorRef& impl : op.impls) {
    if (!is_readable(impl.declaration()) || !is_comparable(meta, checker.types())) continue;
    std::size_t first = align_impl(impl.declaration(), meta, checker.types()).first_output;
    return llvm::ArrayRef<Parameter>(impl.declaration().parameters).drop_front(first);
  }
  return std::nullopt;
}

/// Returns std::nullopt if too little is known about the operator.
std::optional<ExpectedSignature> expected_signature(const Checker& checker, const DefinedOperator& op,
                                                    Variant::Kind kind) {
  const TypeTable& types = checker.types();
  const Declaration& definition = op.definition.declaration();
  if (!is_readable(definition)) return std::nullopt;
  std::string tensor = (types.tensor() + "&").str();
  ExpectedSignature signature;
  for (const Parameter& input : input_parameters(op.definition, types)) {
    auto type = op.is_structured() ? argument_type(input, types) : pointwise_argument_type(definition, input, types);
    if (!type) return std::nullopt;
    std::string written = input.type.written;
    if (!op.is_structured() && input.type.canonical == definition.template_parameters.front()) {
      written = ("const " + types.tensor().rsplit("::").first + "::" + to_string(*type) + "&").str();
    }
    signature.arguments.push_back({input.name, *type, false, std::move(written), input.range});
  }
  signature.results = 1;
  if (kind == Variant::Kind::inplace) {
    if (signature.arguments.empty()) return std::nullopt;
    signature.arguments.front().is_mutable = true;
    signature.arguments.front().written_type = tensor;
    signature.returns_references = true;
    return signature;
  }
  if (op.is_structured()) {
    auto outputs = known_outputs(checker, op);
    if (!outputs) return std::nullopt;
    signature.results = outputs->size();
    if (kind == Variant::Kind::functional) return signature;
    for (const Parameter& output : *outputs) {
      signature.arguments.push_back({output.name, Type{}, true, tensor, output.range});
    }
  } else if (kind == Variant::Kind::out) {
    signature.arguments.push_back({"out", Type{}, true, tensor, definition.name_range});
  }
  signature.returns_references = kind == Variant::Kind::out;
  return signature;
}

void compare_argument(Checker& checker, const OperatorRef& ref, const Parameter& parameter,
                      const ExpectedArgument& expected) {
  auto type = argument_type(parameter, checker.types());
  if (!type) return;
  bool is_same =
      is_same_type(*type, expected.type) && is_mutable_tensor(parameter, checker.types()) == expected.is_mutable;
  if (!is_same) {
    checker
        .build(DiagnosticKind::kernel_mismatch, parameter.type_range, "kernel for {} takes {} where its schema has {}",
               ref.name, parameter.type, Code(expected.written_type))
        .note(expected.range, "argument declared here")
        .fix(retyped(parameter, expected.written_type))
        .emit();
  } else if (!parameter.name.empty() && parameter.name != expected.name) {
    checker
        .build(DiagnosticKind::kernel_mismatch, parameter.name_range, "kernel for {} names an argument {}; expected {}",
               ref.name, Code(parameter.name), Code(expected.name))
        .note(expected.range, "argument declared here")
        .fix(renamed(ref.declaration(), parameter, expected.name))
        .emit();
  }
}

void compare_with_schema(Checker& checker, const DefinedOperator& op, const OperatorRef& ref) {
  const NamedVariant* variant = op.find(ref.name);
  const Declaration& declaration = ref.declaration();
  if (!variant || !is_readable(declaration)) return;
  auto expected = expected_signature(checker, op, variant->kind);
  if (!expected) return;
  if (declaration.parameters.size() != expected->arguments.size()) {
    checker
        .build(DiagnosticKind::kernel_mismatch, declaration.name_range,
               "kernel for {} has {}; expected {}, the arguments of its schema", ref.name,
               Count{declaration.parameters.size(), "parameter"}, expected->arguments.size())
        .note(op.definition.declaration().name_range, "the operator is declared here")
        .emit();
    return;
  }
  for (std::size_t i = 0; i < expected->arguments.size(); ++i) {
    compare_argument(checker, ref, declaration.parameters[i], expected->arguments[i]);
  }
  const std::string& result = declaration.result.canonical;
  auto results = checker.types().results(result);
  if (!results) return;
  bool are_tensors = llvm::all_of(*results, [](const Type& type) { return type.is(Type::Base::Tensor); });
  bool are_references = checker.types().result_is_reference(result);
  if (are_tensors && results->size() == expected->results && are_references == expected->returns_references) return;
  checker
      .build(DiagnosticKind::kernel_mismatch, declaration.result_range, "kernel for {} returns {}; expected {} by {}",
             ref.name, declaration.result, Count{expected->results, "tensor"},
             Phrase(expected->returns_references ? "reference" : "value"))
      .note(op.definition.declaration().name_range, "the operator is declared here")
      .emit();
}

/// Returns the attributes and the default that a parameter contributes to the schema, as text; empty if there are none.
std::string modifiers_of(const Parameter& parameter, const TypeTable& types, bool shows_symint) {
  std::string text;
  for (llvm::StringRef name : {"kwonly", "size", "symint", "alias"}) {
    const Attribute* attribute = find_attribute(parameter.attributes, name);
    if (!attribute || (name == "symint" && !shows_symint)) continue;
    text += (text.empty() ? "" : ", ") + name.str();
    if (auto number = integer_argument(*attribute, 0)) text += "(" + std::to_string(*number) + ")";
    if (auto set = string_argument(*attribute, 0)) text += ("(\"" + *set + "\")").str();
  }
  const Attribute* attribute = find_attribute(parameter.attributes, "schema_default");
  std::optional<std::string> value;
  if (attribute) {
    if (auto given = string_argument(*attribute, 0)) value = given->str();
  } else if (auto type = argument_type(parameter, types); type && parameter.default_argument) {
    value = schema_default(*type, *parameter.default_argument);
  }
  if (value) text += (text.empty() ? "" : ", ") + ("default " + *value);
  return text;
}

Phrase describe_modifiers(const std::string& modifiers) {
  return modifiers.empty() ? Phrase("nothing") : phrase("{}", Code(modifiers));
}

/// Whether one of two kernels takes numbers where the other one takes symbolic integers. The dispatcher converts.
bool differs_in_symbols(const Parameter& mine, const Parameter& theirs, const TypeTable& types) {
  auto type = types.argument(mine.type.canonical);
  auto expected = types.argument(theirs.type.canonical);
  return type && expected && type->type.base != expected->type.base && is_same_type(type->type, expected->type);
}

/// `other` is the first kernel of the operator, which determines the schema. A kernel for an operator of another
/// library need not repeat the attributes and defaults.
void compare_kernels(Checker& checker, const OperatorRef& ref, const OperatorRef& other) {
  const Declaration& a = ref.declaration();
  const Declaration& b = other.declaration();
  if (&a == &b || !is_readable(a) || !is_readable(b)) return;
  constexpr DiagnosticKind mismatch = DiagnosticKind::kernel_mismatch;
  constexpr MessageFormat<> other_is_here = "the other kernel is declared here";
  const Phrase as_there = as_on(other.backends());
  if (a.parameters.size() != b.parameters.size()) {
    checker
        .build(mismatch, a.name_range, "kernel for {} has {}; expected {}{}", ref.name,
               Count{a.parameters.size(), "parameter"}, b.parameters.size(), as_there)
        .note(b.name_range, other_is_here)
        .emit();
    return;
  }
  for (std::size_t i = 0; i < a.parameters.size(); ++i) {
    const Parameter& mine = a.parameters[i];
    const Parameter& theirs = b.parameters[i];
    const bool has_other_type = mine.type.canonical != theirs.type.canonical;
    if (has_other_type && !differs_in_symbols(mine, theirs, checker.types())) {
      const Types types(mine.type, theirs.type);
      checker
          .build(mismatch, mine.type_range, "kernel for {} takes {}; expected {}{}", ref.name, types.first,
                 types.second, as_there)
          .note(theirs.range, other_is_here)
          .fix(retyped(mine, theirs.type.written))
          .emit();
    } else if (!mine.name.empty() && !theirs.name.empty() && mine.name != theirs.name) {
      checker
          .build(mismatch, mine.name_range, "kernel for {} names an argument {}; expected {}{}", ref.name,
                 Code(mine.name), Code(theirs.name), as_there)
          .note(theirs.range, other_is_here)
          .fix(renamed(a, mine, theirs.name))
          .emit();
    } else if (std::string said = modifiers_of(mine, checker.types(), !has_other_type),
               expected = modifiers_of(theirs, checker.types(), !has_other_type);
               said != expected && !(other.found.is_imported && said.empty())) {
      checker
          .build(mismatch, mine.range, "kernel for {} has {} on {}; expected {}{}", ref.name, describe_modifiers(said),
                 Code(mine.name), describe_modifiers(expected), as_there)
          .note(theirs.range, other_is_here)
          .emit();
    }
  }
  if (a.result.canonical != b.result.canonical) {
    const Types types(a.result, b.result);
    checker
        .build(mismatch, a.result_range, "kernel for {} returns {}; expected {}{}", ref.name, types.first, types.second,
               as_there)
        .note(b.result_range, other_is_here)
        .fix(retyped_result(a, b.result.written))
        .emit();
    return;
  }
  auto names = [&](const OperatorRef& s) { return result_names(read_result_names(s, checker.index()), s.name); };
  if (other.found.is_imported && names(ref).empty() && !has_attribute(a.attributes, "out")) return;
  if (names(ref) != names(other) || has_attribute(a.attributes, "out") != has_attribute(b.attributes, "out")) {
    checker
        .build(mismatch, a.name_range,
               "kernel for {} has other `returns` or `out` attributes than the kernel on {}; expected the same",
               ref.name, List(other.backends()))
        .note(b.name_range, other_is_here)
        .emit();
  }
}

}  // namespace

void check_kernels_against_schema(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    for (const OperatorRef& ref : op.kernels) compare_with_schema(checker, op, ref);
  }
}

void check_kernels_agree(Checker& checker) {
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : llvm::drop_begin(op.kernels)) compare_kernels(checker, ref, op.kernels.front());
  }
}

}  // namespace structured::gen
