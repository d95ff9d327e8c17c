#include "operators.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::lsp {
namespace {

std::string short_name(gen::OperatorName name, const KnownLibrary& library) {
  if (name.ns == library.config.schema_namespace) name.ns.clear();
  return to_string(name);
}

std::vector<const gen::OperatorRef*> pointers(const std::vector<gen::OperatorRef>& refs) {
  std::vector<const gen::OperatorRef*> result;
  for (const gen::OperatorRef& ref : refs) {
    if (!ref.found.is_imported) result.push_back(&ref);
  }
  return result;
}

bool contains(const gen::SourceRange& range, const std::string& file, const gen::Position& position) {
  return range.file == file && range.begin <= position && position <= range.end;
}

bool has(const OperatorView& op, const gen::Declaration& declaration) {
  auto is_same = [&](const gen::OperatorRef* ref) { return ref->found.declaration == &declaration; };
  return (op.definition && is_same(op.definition)) || llvm::any_of(op.impls, is_same) ||
         llvm::any_of(op.kernels, is_same) || llvm::any_of(op.backwards, is_same);
}

bool has(const OperatorView& op, const gen::Attribute& attribute) {
  auto is_same = [&](const gen::OperatorRef* ref) { return ref->attribute == &attribute; };
  return (op.definition && is_same(op.definition)) || llvm::any_of(op.impls, is_same) ||
         llvm::any_of(op.kernels, is_same) || llvm::any_of(op.backwards, is_same);
}

}  // namespace

std::vector<const gen::OperatorRef*> OperatorView::computations() const {
  std::vector<const gen::OperatorRef*> result = impls;
  result.insert(result.end(), kernels.begin(), kernels.end());
  return result;
}

std::vector<std::string> OperatorView::backends() const {
  std::set<std::string> result;
  for (const gen::OperatorRef* ref : computations()) {
    for (std::string& backend : ref->backends()) result.insert(std::move(backend));
  }
  return {result.begin(), result.end()};
}

std::vector<OperatorView> operators_of(const KnownLibrary& library) {
  std::vector<OperatorView> result;
  for (const gen::DefinedOperator& op : library.operators().defined()) {
    OperatorView view;
    for (const gen::NamedVariant& variant : op.variants) view.variants.push_back(short_name(variant.name, library));
    if (view.variants.empty()) view.variants.push_back(short_name(op.definition.name, library));
    view.definition = &op.definition;
    view.impls = pointers(op.impls);
    view.kernels = pointers(op.kernels);
    view.backwards = pointers(op.backwards);
    if (op.is_imported() && view.computations().empty() && view.backwards.empty()) continue;
    result.push_back(std::move(view));
  }
  for (const gen::PlainOperator& op : library.operators().plain()) {
    OperatorView view;
    view.variants.push_back(short_name(op.name, library));
    view.kernels = pointers(op.kernels);
    view.backwards = pointers(op.backwards);
    if (!view.kernels.empty()) result.push_back(std::move(view));
  }
  return result;
}

std::optional<FunctionAtPosition> target_at(const KnownLibrary& library, const std::string& path,
                                            const gen::Position& position) {
  for (const gen::FoundDeclaration& found : library.operators().declarations()) {
    const gen::Declaration& declaration = *found.declaration;
    if (found.is_imported || library.path(declaration.range.file) != path) continue;
    if (!contains(declaration.range, declaration.range.file, position)) continue;
    FunctionAtPosition target;
    target.declaration = &declaration;
    auto look_at = [&](const std::vector<gen::Attribute>& attributes) {
      for (const gen::Attribute& attribute : attributes) {
        if (!contains(attribute.range, declaration.range.file, position)) continue;
        target.attribute = &attribute;
        target.range = attribute.range;
      }
    };
    look_at(declaration.attributes);
    for (const gen::Parameter& parameter : declaration.parameters) look_at(parameter.attributes);
    if (!target.attribute) {
      if (!contains(declaration.name_range, declaration.range.file, position)) continue;
      target.range = declaration.name_range;
    }
    std::vector<OperatorView> operators = operators_of(library);
    auto own = operators.end();
    if (target.attribute) {
      own = llvm::find_if(operators, [&](const OperatorView& op) { return has(op, *target.attribute); });
    }
    if (own == operators.end()) {
      own = llvm::find_if(operators, [&](const OperatorView& op) { return has(op, declaration); });
    }
    if (own != operators.end()) target.op = std::move(*own);
    return target;
  }
  return std::nullopt;
}

std::string describe(const gen::OperatorRef& ref) {
  std::string result = gen::name_of(ref.role());
  if (ref.role() == gen::Role::impl || ref.role() == gen::Role::kernel) {
    result += " for " + llvm::join(ref.backends(), ", ");
  }
  return result;
}

}  // namespace structured::lsp
