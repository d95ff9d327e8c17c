// Things of which there may be one only.
#include <map>

#include "check/rules.h"
#include "check/text.h"
#include "llvm/ADT/StringMap.h"
#include "model/kernel_form.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// A backend in an attribute, and the attribute's own place for `composite`, which names none.
struct BackendPlace {
  std::string backend;
  SourceRange range;
  const Site* site;
};

std::vector<BackendPlace> backend_places(const Site& site) {
  std::vector<BackendPlace> places;
  std::vector<std::string> backends = site.backends();
  if (site.role() == Role::composite) {
    places.push_back({backends.front(), site.attribute->range, &site});
    return places;
  }
  for (std::size_t i = 1; i < site.attribute->arguments.size(); ++i) {
    auto backend = string_argument(*site.attribute, i);
    if (backend) places.push_back({backend->str(), site.attribute->arguments[i].range, &site});
  }
  return places;
}

void report_duplicate(Checker& checker, const BackendPlace& place, const BackendPlace& first) {
  if (place.site->found.is_imported && !first.site->found.is_imported) return report_duplicate(checker, first, place);
  Diagnostic& diagnostic =
      checker.report(DiagnosticKind::duplicate_impl, place.range,
                     code(name_of(place.site->role())) + " for " + code(to_string(place.site->name)) + " on " +
                         code(place.backend) + " is the second; expected one for each backend");
  diagnostic.notes.push_back({first.site->found.is_imported
                                  ? "the first one is in the library that is imported"
                                  : "the first one is " + code(first.site->declaration().name),
                              first.range});
}

/// Reports every place whose backend was seen before; `seen` grows.
void check_once(Checker& checker, const Site& site, llvm::StringMap<BackendPlace>& seen) {
  for (const BackendPlace& place : backend_places(site)) {
    auto [first, is_new] = seen.try_emplace(place.backend, place);
    if (!is_new) report_duplicate(checker, place, first->second);
  }
}

/// The parameters of one function of the C++ API, outputs first as C++ callers write them.
struct Overload {
  std::string function;
  std::vector<std::string> parameters;
  std::string schema_name;
  SourceRange range;
};

std::string function_name(const OperatorName& name, bool has_outputs) {
  return (name.ns.empty() ? "" : name.ns + "::") + name.base + (has_outputs ? "_out" : "");
}

void add_overloads(const Checker& checker, const DefinedOperator& op, std::vector<Overload>& overloads) {
  const TypeTable& types = checker.types();
  // The scalar function's own types say nothing here; the number of outputs is needed for an out variant.
  if (!op.is_structured() || !is_readable(op.definition.declaration()) || op.impls.empty()) return;
  const Declaration& impl = op.impls.front().declaration();
  std::string written = (types.tensor() + " &").str();
  for (const NamedVariant& variant : op.variants) {
    bool is_out = variant.kind == Variant::Kind::out;
    std::vector<std::string> parameters;
    if (is_out) parameters.assign(impl_outputs(impl, op.definition.declaration()).size(), written);
    for (const Parameter& input : input_parameters(op.definition, types)) parameters.push_back(input.type.canonical);
    if (variant.kind == Variant::Kind::inplace && !parameters.empty()) parameters.front() = written;
    const SourceRange& range = variant.written ? variant.written->range : op.definition.attribute->range;
    overloads.push_back({function_name(variant.name, is_out), std::move(parameters), to_string(variant.name), range});
  }
}

void add_overload(const Checker& checker, const PlainOperator& op, std::vector<Overload>& overloads) {
  const Site& site = op.kernels.front();
  llvm::ArrayRef<Parameter> parameters = site.declaration().parameters;
  if (!is_readable(site.declaration())) return;
  std::size_t outputs = kernel_form(site.declaration(), op.name, checker.types()).outputs;
  if (outputs > parameters.size()) return;
  Overload overload{
      function_name(op.name, outputs > 0), {}, to_string(op.name), site.attribute->arguments.front().range};
  for (const Parameter& output : parameters.take_back(outputs)) overload.parameters.push_back(output.type.canonical);
  for (const Parameter& input : parameters.drop_back(outputs)) overload.parameters.push_back(input.type.canonical);
  overloads.push_back(std::move(overload));
}

}  // namespace

void check_duplicate_impls(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    llvm::StringMap<BackendPlace> impls;
    for (const Site& impl : op.impls) check_once(checker, impl, impls);
    std::map<OperatorName, llvm::StringMap<BackendPlace>> kernels;
    for (const Site& kernel : op.kernels) {
      // An impl serves every variant on its backend.
      llvm::StringMap<BackendPlace>& seen = kernels.try_emplace(kernel.name, impls).first->second;
      check_once(checker, kernel, seen);
    }
    for (const Site& kernel : op.kernels) {
      for (const BackendPlace& place : backend_places(kernel)) {
        if (place.backend != "Meta") continue;
        Diagnostic& diagnostic = checker.report(DiagnosticKind::duplicate_impl, place.range,
                                                code(name_of(kernel.role())) + " for " + code(to_string(kernel.name)) +
                                                    " on `Meta` is the second; " + code(op.definition.attribute->name) +
                                                    " gives the operator its kernel for `Meta`");
        diagnostic.notes.push_back({"the operator is declared here", op.definition.declaration().name_range});
      }
    }
  }
  for (const PlainOperator& op : checker.index().plain()) {
    llvm::StringMap<BackendPlace> seen;
    for (const Site& kernel : op.kernels) check_once(checker, kernel, seen);
  }
}

void check_duplicate_metas(Checker& checker) {
  std::map<OperatorName, const Site*> seen;
  for (const DefinedOperator& op : checker.index().defined()) {
    const Site& site = op.definition;
    auto [first, is_new] = seen.try_emplace(site.name, &site);
    if (is_new) continue;
    Diagnostic& diagnostic =
        checker.report(DiagnosticKind::duplicate_meta, site.attribute->arguments.front().range,
                       code(to_string(site.name)) + " is defined a second time, by " + code(site.declaration().name) +
                           "; expected one " + code(site.attribute->name) + " for each operator");
    diagnostic.notes.push_back({first->second->found.is_imported
                                    ? "the first one is in the library that is imported"
                                    : "the first one is " + code(first->second->declaration().name),
                                first->second->attribute->arguments.front().range});
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
      // Two definitions of one operator are one error, not one for each variant.
      if (is_new || first->second.op == &op || first->second.op->definition.name == op.definition.name) continue;
      Diagnostic& diagnostic =
          checker.report(DiagnosticKind::duplicate_schema, range,
                         code(to_string(variant.name)) + ", a variant of " + code(to_string(op.definition.name)) +
                             ", is a variant of " + code(to_string(first->second.op->definition.name)) +
                             " too; expected another overload name");
      diagnostic.notes.push_back({"the other operator is declared here", first->second.range});
    }
  }
}

void check_overloads(Checker& checker) {
  std::vector<Overload> overloads;
  // The functions of imported operators are in the C++ namespace of their own library.
  for (const DefinedOperator& op : checker.index().defined()) {
    if (!op.is_imported()) add_overloads(checker, op, overloads);
  }
  for (const PlainOperator& op : checker.index().plain()) {
    if (!op.is_imported()) add_overload(checker, op, overloads);
  }
  std::map<std::pair<std::string, std::vector<std::string>>, const Overload*> seen;
  for (const Overload& overload : overloads) {
    auto [first, is_new] = seen.try_emplace({overload.function, overload.parameters}, &overload);
    if (is_new || first->second->schema_name == overload.schema_name) continue;
    std::string parameters;
    for (const std::string& type : overload.parameters) parameters += (parameters.empty() ? "" : ", ") + type;
    Diagnostic& diagnostic = checker.report(
        DiagnosticKind::overload_collision, overload.range,
        code(overload.schema_name) + " and " + code(first->second->schema_name) + " are one C++ function, " +
            code(overload.function + "(" + parameters + ")") + "; expected different base names or parameter types");
    diagnostic.notes.push_back({code(first->second->schema_name) + " is declared here", first->second->range});
  }
}

}  // namespace structured::gen
