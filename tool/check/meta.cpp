// Bases, precomputed values and inputs of meta functions.
#include "check/rules.h"
#include "check/text.h"
#include "dialect/dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "model/parameter.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

template <typename Function>
void for_each_meta(Checker& checker, Function function) {
  for (const DefinedOperator& op : checker.index().defined()) {
    if (op.is_structured() && is_readable(op.definition.declaration())) function(op.definition);
  }
}

bool is_base(const Checker& checker, const ClassFact& fact) {
  llvm::StringRef base = checker.types().meta_base();
  return fact.name == base || llvm::is_contained(fact.bases, base);
}

/// Describes why emitted code cannot derive from the class; empty if it can.
const char* fault_in(const Checker& checker, const ClassFact& fact) {
  if (fact.is_final) return "is `final`";
  const CppTypes* cpp_types = checker.options().cpp_types;
  if (fact.is_abstract && cpp_types && !cpp_types->wrapper_traits().has_abstract_bases) return "is abstract";
  if (!fact.is_default_constructible) return "has no default constructor";
  return "";
}

}  // namespace

void check_meta_bases(Checker& checker) {
  std::string base = checker.types().meta_base().str();
  for_each_meta(checker, [&](const OperatorRef& ref) {
    const Declaration& meta = ref.declaration();
    if (meta.parameters.empty()) {
      checker
          .build(DiagnosticKind::meta_base, meta.parameters_range, "`meta` for {} has no parameters; expected {} first",
                 ref.name, Code(base + "&"))
          .fix(replacement(meta.parameters_range, base + "& op"))
          .emit();
      return;
    }
    const Parameter& first = meta.parameters.front();
    const std::optional<ClassFact>& fact = meta.base_class;
    bool has_base = fact && is_base(checker, *fact);
    bool is_const = first.type.canonical == "const " + (has_base ? fact->name : base) + " &";
    if (!has_base && !is_const) {
      // If the first parameter is an input, the base was forgotten.
      bool is_input = checker.types().argument(first.type.canonical).has_value();
      DiagnosticBuilder diagnostic =
          checker.build(DiagnosticKind::meta_base, is_input ? meta.parameters_range : first.type_range,
                        "`meta` for {} takes {} first; expected a reference to {} or to a class derived from it",
                        ref.name, first.type, Code(base));
      if (is_input) diagnostic.fix(insertion_before(first.range, base + "& op, "));
      diagnostic.emit();
      return;
    }
    if (is_const || first.type.canonical != fact->name + " &") {
      std::string expected = without_const(llvm::StringRef(first.type.written).rtrim("& ")) + "&";
      checker
          .build(DiagnosticKind::meta_base, first.type_range,
                 "`meta` for {} takes its base as {}; expected a reference to non-const, {}", ref.name, first.type,
                 Code(expected))
          .fix(retyped(first, expected))
          .emit();
      return;
    }
    if (const char* fault = fault_in(checker, *fact); *fault) {
      checker
          .build(DiagnosticKind::meta_base, first.type_range,
                 "{} {}; expected a class that emitted code can derive from", Code(fact->name), Phrase(fault))
          .note(fact->range, "{} defined here", Code(fact->name))
          .emit();
    }
  });
}

void check_hidden_classes(Checker& checker) {
  auto check_one = [&](const ClassFact& fact, const SourceRange& range, const char* what) {
    if (fact.is_visible_from_header) return;
    checker
        .build(DiagnosticKind::hidden_class, range,
               "{}, {}, is not defined in a header; expected one that emitted code can include", Code(fact.name),
               Phrase(what))
        .note(fact.range, "{} defined here", Code(fact.name))
        .emit();
  };
  for_each_meta(checker, [&](const OperatorRef& ref) {
    const Declaration& meta = ref.declaration();
    if (!meta.parameters.empty() && meta.base_class && is_base(checker, *meta.base_class)) {
      check_one(*meta.base_class, meta.parameters.front().type_range, "the operator's base");
    }
    if (has_precomputed(meta) && !checker.types().results(meta.result.canonical)) {
      check_one(*meta.result_class, meta.result_range, "the type of the precomputed values");
    }
  });
}

void check_written_inputs(Checker& checker) {
  for_each_meta(checker, [&](const OperatorRef& ref) {
    for (const Parameter& parameter : input_parameters(ref, checker.types())) {
      if (!is_mutable_tensor(parameter, checker.types())) continue;
      std::string expected = "const " + parameter.type.written;
      checker
          .build(DiagnosticKind::written_input, parameter.type_range,
                 "`meta` for {} takes {} as {}, which is mutable; expected {}", ref.name, Code(parameter.name),
                 parameter.type, Code(expected))
          .fix(retyped(parameter, expected))
          .emit();
    }
  });
}

void check_symbolic_sizes(Checker& checker) {
  const auto refusal_of = [](const OperatorRef& ref) -> const ShapeProgram* {
    const std::optional<ShapeProgram>& shape = ref.declaration().shape;
    return shape && !shape->refusal.empty() ? &*shape : nullptr;
  };
  for_each_meta(checker, [&](const OperatorRef& ref) {
    const ShapeProgram* shape = refusal_of(ref);
    if (shape == nullptr) return;
    checker
        .build(DiagnosticKind::fixed_sizes, ref.declaration().name_range,
               "the meta function of {} {}, so that calls with symbolic sizes fix them", ref.name,
               Phrase(shape->refusal))
        .note(shape->range, "it does so here")
        .emit();
  });
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : op.kernels) {
      const ShapeProgram* shape = refusal_of(ref);
      if (shape == nullptr) continue;
      checker
          .build(DiagnosticKind::dynamic_size, ref.declaration().name_range,
                 "the kernel for {} of {} has a size that depends on data and {}; expected what can be translated to "
                 "Python",
                 Code("Meta"), ref.name, Phrase(shape->refusal))
          .note(shape->range, "it does so here")
          .emit();
    }
  }
}

}  // namespace structured::gen
