#include "answers.h"
#include "language/attributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "lower/compiler_facts.h"
#include "model/documentation.h"
#include "model/refinement.h"
#include "model/schema.h"

namespace structured::lsp {
namespace {

/// Returns the derived operator, or null if it has errors.
const gen::Operator* derived_operator(const gen::Library& library, const OperatorView& view) {
  auto has_name = [&](const gen::Operator& op) {
    gen::OperatorName name = op.variants.front().schema.name;
    if (name.ns == library.schema_namespace) name.ns.clear();
    return to_string(name) == view.variants.front();
  };
  auto own = llvm::find_if(library.operators, has_name);
  if (own != library.operators.end()) return &*own;
  for (const gen::ImportedOperator& imported : library.imported) {
    if (has_name(imported.op)) return &imported.op;
  }
  return nullptr;
}

std::string place(const gen::Declaration& declaration) {
  return llvm::sys::path::filename(declaration.range.file).str() + ":" +
         std::to_string(declaration.name_range.begin.line);
}

/// Returns the dtypes that an attribute of the function lists for the backend.
std::string dtypes(const gen::Declaration& declaration, const std::string& backend) {
  for (const gen::Attribute& attribute : declaration.attributes) {
    if (attribute.name != "dtypes" || gen::string_argument(attribute, 0) != llvm::StringRef(backend)) continue;
    return " (" + llvm::join(gen::string_arguments(attribute, 1), ", ") + ")";
  }
  return "";
}

/// Returns the properties that the function requires of its tensors.
std::string refinements(const gen::Declaration& declaration) {
  std::string result;
  for (const gen::Parameter& parameter : declaration.parameters) {
    const std::optional<gen::Refinement> refinement = gen::refinement_of(parameter);
    if (!refinement) continue;
    const std::vector<std::string> words = gen::properties(*refinement);
    const std::string type =
        gen::has_attribute(parameter.attributes, "requires") ? gen::refined_type(*refinement) : parameter.type.written;
    llvm::StringRef shown = type;
    shown.consume_front("structured::");
    result += ", `" + parameter.name + "` is a `" + shown.str() + "`, with " +
              (words.empty() ? "any properties" : llvm::join(words, " and "));
  }
  return result;
}

std::string schemas(const gen::Library& library, const gen::Operator& op) {
  std::string result = "```text\n";
  for (const gen::Variant& variant : op.variants) {
    gen::Schema schema = variant.schema;
    if (schema.name.ns == library.schema_namespace) schema.name.ns.clear();
    result += to_string(schema) + "\n";
  }
  return result + "```\n";
}

std::string backends(const OperatorView& op) {
  std::string result;
  for (const gen::OperatorRef* ref : op.computations()) {
    for (const std::string& backend : ref->backends()) {
      result += "- " + backend + ": `" + ref->declaration().name + "` at " + place(ref->declaration()) +
                dtypes(ref->declaration(), backend) + refinements(ref->declaration()) + "\n";
    }
  }
  if (op.definition) {
    const gen::Declaration& declaration = op.definition->declaration();
    std::string name = "`" + declaration.name + "` at " + place(declaration) + refinements(declaration);
    result += op.is_structured() ? "- Meta: " + name + "\n" : "- every backend: " + name + ", for each element\n";
  }
  for (const gen::OperatorRef* ref : op.backwards) {
    result += "- derivative: `" + ref->declaration().name + "` at " + place(ref->declaration()) + "\n";
  }
  return result;
}

/// Lists what compilers see of an operator for PyTorch.
std::string compilers(const gen::Operator& op) {
  std::string result;
  for (const std::string& fact : gen::compiler_facts(op)) result += "- compilers " + fact + "\n";
  return result;
}

}  // namespace

Json hover(Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset) {
  workspace.refresh(path);
  KnownLibrary* library = workspace.library_of(path);
  const TextDocument* document = workspace.documents().text(path);
  if (!library || !document) return nullptr;
  std::optional<FunctionAtPosition> target = target_at(*library, path, document->position(offset));
  if (!target) return nullptr;

  std::string text;
  const gen::AttributeSpec* spec = target->attribute ? gen::find_attribute(target->attribute->name) : nullptr;
  if (spec) text += "`" + spec->example.str() + "`\n\n" + spec->help.str() + "\n\n";
  if (target->op) {
    const gen::Library* derived = workspace.derived(*library);
    const gen::Operator* op = derived ? derived_operator(*derived, *target->op) : nullptr;
    text += op ? schemas(*derived, *op)
               : "`" + target->op->variants.front() + "`: no schema, because its declarations have errors\n";
    text += "\n" + backends(*target->op);
    if (op && llvm::StringRef(library->config.dialect).starts_with("torch")) text += compilers(*op);
    const std::string& comment = target->op->main().declaration().comment;
    if (!comment.empty()) text += "\n" + gen::documentation_markdown(gen::read_documentation(comment)) + "\n";
  }
  if (text.empty()) return nullptr;
  gen::SourceRange range = target->range;
  range.file = path;
  return JsonObject{{"contents", JsonObject{{"kind", "markdown"}, {"value", json_text(text)}}},
                    {"range", to_json(locations.span(range))}};
}

}  // namespace structured::lsp
