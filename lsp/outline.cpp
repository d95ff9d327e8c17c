// Operators as code lenses and symbols.
#include <set>

#include "answers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::lsp {
namespace {

constexpr int symbol_function = 12;
constexpr std::size_t symbol_limit = 500;

gen::SourceRange in(const KnownLibrary& library, gen::SourceRange range) {
  range.file = library.path(range.file);
  return range;
}

std::string summary(const OperatorView& op) {
  std::vector<std::string> backends = op.backends();
  std::string text = llvm::join(op.variants, ", ");
  if (op.definition && !op.is_structured()) return text + " · every backend";
  return text + " · " + (backends.empty() ? "no impl" : llvm::join(backends, ", "));
}

/// Returns the functions of the operator, once for each attribute.
std::vector<const gen::OperatorRef*> all_sites(const OperatorView& op) {
  std::vector<const gen::OperatorRef*> refs;
  if (op.definition && !op.definition->found.is_imported) refs.push_back(op.definition);
  for (const gen::OperatorRef* ref : op.computations()) refs.push_back(ref);
  refs.insert(refs.end(), op.backwards.begin(), op.backwards.end());
  return refs;
}

/// Returns the name of the function in lists of symbols.
std::string symbol_name(const OperatorView& op, const gen::OperatorRef& ref) {
  bool is_definition = &ref == op.definition;
  return is_definition ? op.variants.front() : to_string(ref.name);
}

bool matches(llvm::StringRef name, llvm::StringRef query) { return name.contains_insensitive(query); }

}  // namespace

Json code_lenses(Workspace& workspace, Locations& locations, const std::string& path) {
  workspace.refresh(path);
  KnownLibrary* library = workspace.library_of(path);
  JsonArray result;
  if (!library) return result;
  for (const OperatorView& op : operators_of(*library)) {
    gen::SourceRange range = in(*library, op.main().declaration().name_range);
    if (range.file != path) continue;
    Span span = locations.span(range);
    result.push_back(
        JsonObject{{"range", to_json(span)},
                   {"command", JsonObject{{"title", json_text(summary(op))},
                                          {"command", "structured.implementations"},
                                          {"arguments", JsonArray{locations.uri(path), to_json(span.begin)}}}}});
  }
  return result;
}

Json document_symbols(Workspace& workspace, Locations& locations, const std::string& path) {
  workspace.refresh(path);
  KnownLibrary* library = workspace.library_of(path);
  JsonArray result;
  if (!library) return result;
  struct Symbol {
    gen::Position begin;
    Json json;
  };
  std::vector<Symbol> symbols;
  for (const OperatorView& op : operators_of(*library)) {
    for (const gen::OperatorRef* ref : all_sites(op)) {
      gen::SourceRange range = in(*library, ref->declaration().range);
      if (range.file != path) continue;
      symbols.push_back(
          {ref->attribute->range.begin,
           JsonObject{{"name", json_text(symbol_name(op, *ref))},
                      {"detail", json_text(describe(*ref))},
                      {"kind", symbol_function},
                      {"range", to_json(locations.span(range))},
                      {"selectionRange", to_json(locations.span(in(*library, ref->declaration().name_range)))}}});
    }
  }
  llvm::sort(symbols, [](const Symbol& a, const Symbol& b) { return a.begin < b.begin; });
  for (Symbol& symbol : symbols) result.push_back(std::move(symbol.json));
  return result;
}

Json workspace_symbols(Workspace& workspace, Locations& locations, llvm::StringRef query) {
  workspace.refresh_all();
  JsonArray result;
  for (KnownLibrary& library : workspace.libraries()) {
    workspace.check(library);
    for (const OperatorView& op : operators_of(library)) {
      bool has_variant = llvm::any_of(op.variants, [&](const std::string& name) { return matches(name, query); });
      for (const gen::OperatorRef* ref : all_sites(op)) {
        if (!has_variant && !matches(ref->declaration().name, query)) continue;
        if (result.size() == symbol_limit) return result;
        result.push_back(JsonObject{{"name", json_text(symbol_name(op, *ref) + " (" + describe(*ref) + ")")},
                                    {"kind", symbol_function},
                                    {"containerName", json_text(ref->declaration().name)},
                                    {"location", locations.location(in(library, ref->declaration().name_range))}});
      }
    }
  }
  return result;
}

}  // namespace structured::lsp
