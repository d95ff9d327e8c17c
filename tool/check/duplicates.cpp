// Duplicate definitions, kernels and functions.
#include <map>

#include "check/public_functions.h"
#include "check/rules.h"
#include "llvm/ADT/StringMap.h"

namespace structured::gen {
namespace {

/// A backend that an attribute names, with its location; for `composite`, the location of the attribute.
struct BackendPlace {
  std::string backend;
  SourceRange range;
  const OperatorRef* ref;
};

std::vector<BackendPlace> backend_places(const OperatorRef& ref) {
  std::vector<BackendPlace> places;
  std::vector<std::string> backends = ref.backends();
  if (ref.role() == Role::composite) {
    places.push_back({backends.front(), ref.attribute->range, &ref});
    return places;
  }
  for (std::size_t i = 1; i < ref.attribute->arguments.size(); ++i) {
    auto backend = string_argument(*ref.attribute, i);
    if (backend) places.push_back({backend->str(), ref.attribute->arguments[i].range, &ref});
  }
  return places;
}

void note_first(DiagnosticBuilder& diagnostic, const OperatorRef& first, const SourceRange& range) {
  if (first.found.is_imported)
    diagnostic.note(range, "the first one is in the library that is imported");
  else
    diagnostic.note(range, "the first one is {}", Code(first.declaration().name));
}

void report_duplicate(Checker& checker, const BackendPlace& place, const BackendPlace& first) {
  if (place.ref->found.is_imported && !first.ref->found.is_imported) return report_duplicate(checker, first, place);
  DiagnosticBuilder diagnostic = checker.build(DiagnosticKind::duplicate_impl, place.range,
                                               "{} for {} on {} is a duplicate; expected one function for each backend",
                                               place.ref->role(), place.ref->name, Code(place.backend));
  note_first(diagnostic, *first.ref, first.range);
  diagnostic.emit();
}

/// Reports every backend that is in `seen` already, and adds the others.
void check_once(Checker& checker, const OperatorRef& ref, llvm::StringMap<BackendPlace>& seen) {
  for (const BackendPlace& place : backend_places(ref)) {
    auto [first, is_new] = seen.try_emplace(place.backend, place);
    if (!is_new) report_duplicate(checker, place, first->second);
  }
}

}  // namespace

void check_duplicate_impls(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    llvm::StringMap<BackendPlace> impls;
    for (const OperatorRef& impl : op.impls) check_once(checker, impl, impls);
    std::map<OperatorName, llvm::StringMap<BackendPlace>> kernels;
    for (const OperatorRef& kernel : op.kernels) {
      // An impl implements every variant on its backend.
      llvm::StringMap<BackendPlace>& seen = kernels.try_emplace(kernel.name, impls).first->second;
      check_once(checker, kernel, seen);
    }
    for (const OperatorRef& kernel : op.kernels) {
      for (const BackendPlace& place : backend_places(kernel)) {
        if (place.backend != "Meta") continue;
        checker
            .build(DiagnosticKind::duplicate_impl, place.range,
                   "{} for {} on `Meta` is a duplicate; {} already defines the kernel for `Meta`", kernel.role(),
                   kernel.name, op.definition.role())
            .note(op.definition.declaration().name_range, "the operator is declared here")
            .emit();
      }
    }
  }
  for (const PlainOperator& op : checker.index().plain()) {
    llvm::StringMap<BackendPlace> seen;
    for (const OperatorRef& kernel : op.kernels) check_once(checker, kernel, seen);
  }
}

void check_duplicate_metas(Checker& checker) {
  std::map<OperatorName, const OperatorRef*> seen;
  for (const DefinedOperator& op : checker.index().defined()) {
    const OperatorRef& ref = op.definition;
    auto [first, is_new] = seen.try_emplace(ref.name, &ref);
    if (is_new) continue;
    DiagnosticBuilder diagnostic = checker.build(DiagnosticKind::duplicate_meta, ref.attribute->arguments.front().range,
                                                 "{} is defined again by {}; expected one {} for each operator",
                                                 ref.name, Code(ref.declaration().name), ref.role());
    note_first(diagnostic, *first->second, first->second->attribute->arguments.front().range);
    diagnostic.emit();
  }
}

void check_duplicate_schemas(Checker& checker) {
  struct Owner {
    const DefinedOperator* op;
    SourceRange range;
  };
  std::map<OperatorName, Owner> seen;
  for (const DefinedOperator& op : checker.index().defined()) {
    for (const NamedVariant& variant : op.variants) {
      const SourceRange& range = variant.written ? variant.written->range : op.definition.attribute->range;
      auto [first, is_new] = seen.try_emplace(variant.name, Owner{&op, range});
      // Two definitions of one operator are reported once, not for each variant.
      if (is_new || first->second.op == &op || first->second.op->definition.name == op.definition.name) continue;
      checker
          .build(DiagnosticKind::duplicate_schema, range,
                 "{}, a variant of {}, is also a variant of {}; expected another overload name", variant.name,
                 op.definition.name, first->second.op->definition.name)
          .note(first->second.range, "the other operator is declared here")
          .emit();
    }
  }
}

void check_overloads(Checker& checker) {
  std::vector<PublicFunction> functions = public_functions(checker);
  std::map<std::pair<std::string, std::vector<std::string>>, const PublicFunction*> seen;
  for (const PublicFunction& function : functions) {
    if (!function.parameters) continue;
    auto [first, is_new] = seen.try_emplace({function.qualified_name(), *function.parameters}, &function);
    if (is_new || first->second->variant == function.variant) continue;
    const OperatorName& other = first->second->variant;
    checker
        .build(DiagnosticKind::overload_collision, function.range,
               "{} and {} have the same C++ signature, {}; expected different base names or parameter types",
               function.variant, other, Code(function.signature()))
        .note(first->second->range, "{} is declared here", other)
        .emit();
  }
}

void check_own_functions(Checker& checker) {
  if (checker.options().cpp_namespace.empty()) return;
  const std::string library = checker.options().cpp_namespace + "::";
  std::vector<const OperatorRef*> inside;  // usually empty
  for_each_reference(checker, [&](const OperatorRef& ref) {
    const Declaration& declaration = ref.declaration();
    if (ref.found.is_imported || ref.role() == Role::pointwise || !is_readable(declaration)) return;
    if (llvm::StringRef(declaration.name).starts_with(library)) inside.push_back(&ref);
  });
  if (inside.empty()) return;
  std::map<std::pair<std::string, std::vector<std::string>>, PublicFunction> emitted;
  for (const PublicFunction& function : public_functions(checker)) {
    if (!function.parameters) continue;
    std::string scope = library;
    if (!function.variant.ns.empty()) scope += function.variant.ns + "::";
    emitted.try_emplace({scope + function.name, *function.parameters}, function);
    for (const std::string& backend : function.backends) {
      std::string inner = backend_namespace(checker, backend);
      if (!inner.empty()) emitted.try_emplace({scope + inner + "::" + function.name, *function.parameters}, function);
    }
  }
  for (const OperatorRef* ref : inside) {
    const Declaration& declaration = ref->declaration();
    std::vector<std::string> parameters;
    for (const Parameter& parameter : declaration.parameters) parameters.push_back(public_type(checker, parameter));
    auto found = emitted.find({declaration.name, parameters});
    if (found == emitted.end()) continue;
    checker.report(DiagnosticKind::overload_collision, declaration.name_range,
                   "{} has the name and the parameters of the function emitted for {}; expected it in another "
                   "namespace",
                   Code(declaration.name), found->second.variant);
  }
}

}  // namespace structured::gen
