// Code actions that add missing parts of an operator: an impl for a backend, an output.
#include <set>

#include "check/attribute_values.h"
#include "check/impl_alignment.h"
#include "code_actions.h"
#include "function_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "operators.h"

namespace structured::lsp {
namespace {

/// Limit on outputs; a larger index is a mistake.
constexpr int64_t most_outputs = 64;

/// Returns the number of outputs that the meta function sets.
std::size_t output_count(const gen::Declaration& meta) {
  int64_t most = 0;
  if (meta.body) {
    for (const gen::OutputFact& output : meta.body->outputs) most = std::max(most, output.index);
  }
  return static_cast<std::size_t>(std::min(most, most_outputs - 1)) + 1;
}

/// Returns the backends of the library, or else CPU, CUDA and the backends of its other impls.
std::set<std::string> wanted_backends(const KnownLibrary& library) {
  const std::vector<std::string>& own = library.config.backends;
  std::set<std::string> result(own.begin(), own.end());
  if (result.empty()) {
    result = {"CPU", "CUDA"};
    for (const OperatorView& op : operators_of(library)) {
      for (const gen::OperatorRef* ref : op.impls) {
        for (const std::string& backend : ref->backends()) result.insert(backend);
      }
    }
  }
  std::vector<std::string> possible = gen::backends_for(library.dialect->types(), gen::Role::impl);
  std::erase_if(result, [&](const std::string& backend) { return !llvm::is_contained(possible, backend); });
  return result;
}

/// Derives the name of a new impl: `relu_cpu` -> `relu_cuda`, `relu_meta` -> `relu_cuda`.
std::string impl_name(const gen::Declaration& model, const std::vector<std::string>& suffixes,
                      llvm::StringRef backend) {
  llvm::StringRef name = model.name;
  name = name.substr(name.rfind(':') + 1);  // npos + 1 is 0
  for (llvm::StringRef suffix : suffixes) {
    if (name.consume_back("_" + suffix.lower())) break;
  }
  return (name + "_" + backend.lower()).str();
}

/// Returns the parameters of the impl, as in an existing impl or as the meta function requires.
std::string parameters(const OperatorView& op, const KnownLibrary& library, Documents& documents) {
  if (!op.impls.empty()) {
    const gen::SourceRange& range = op.impls.front()->declaration().parameters_range;
    if (const TextDocument* document = documents.text(library.path(range.file))) {
      return llvm::StringRef(document->text()).slice(document->offset(range.begin), document->offset(range.end)).str();
    }
  }
  const gen::Declaration& meta = op.definition->declaration();
  std::vector<std::string> result;
  for (const gen::ExpectedParameter& parameter : gen::expected_parameters(meta, library.dialect->types())) {
    result.push_back(parameter.text());
  }
  // The tensor type as spelled in the source.
  std::string tensor = "const Tensor&";
  for (const gen::Parameter& parameter : meta.parameters) {
    if (gen::is_output_type(parameter.type, library.dialect->types())) tensor = parameter.type.written;
  }
  std::size_t count = output_count(meta);
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(tensor + (count == 1 ? " out" : " out" + std::to_string(i)));
  }
  return llvm::join(result, ", ");
}

/// Insertion point of a new impl: after the last function of the corresponding file of the other backend, or after the
/// existing impl.
struct Spot {
  std::string path;
  std::size_t offset = 0;
};

std::optional<Spot> behind(const gen::Declaration& declaration, const KnownLibrary& library, Documents& documents) {
  std::string path = library.path(declaration.range.file);
  const TextDocument* document = documents.text(path);
  if (!document) return std::nullopt;
  return Spot{path, function_end(document->text(), document->offset(declaration.range.end))};
}

/// Finds the corresponding source of the library: for `kernels/cpu/unary.cpp` and CUDA, `kernels/cuda/unary.cu` or
/// `.cpp`.
std::optional<Spot> beside(const gen::Declaration& model, llvm::StringRef backend, const KnownLibrary& library,
                           Documents& documents) {
  std::string path = library.path(model.range.file);
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  llvm::StringRef stem = llvm::sys::path::stem(path);
  std::string wanted = (llvm::sys::path::parent_path(folder) + "/" + backend.lower() + "/" + stem).str();
  auto scope = [](llvm::StringRef name) { return name.take_front(name.rfind(':') + 1); };
  for (const gen::Fragment& fragment : library.facts()) {
    std::string source = library.path(fragment.source);
    if (llvm::StringRef(source).rsplit('.').first != wanted) continue;
    const gen::Declaration* last = nullptr;
    for (const gen::Declaration& declaration : fragment.declarations) {
      if (declaration.range.file == fragment.source && scope(declaration.name) == scope(model.name))
        last = &declaration;
    }
    if (last) return behind(*last, library, documents);
  }
  return std::nullopt;
}

Edit insertion(const Spot& spot, std::string text, Documents& documents) {
  gen::Position position = documents.text(spot.path)->position(spot.offset);
  return {{spot.path, position, position}, std::move(text)};
}

void add(JsonArray& actions, const std::string& title, const std::vector<Edit>& edits, Locations& locations,
         const char* kind = "refactor.rewrite") {
  actions.push_back(
      JsonObject{{"title", json_text(title)}, {"kind", kind}, {"edit", workspace_edit(edits, locations)}});
}

void add_impls(const FunctionAtPosition& target, const KnownLibrary& library, Documents& documents,
               Locations& locations, JsonArray& actions) {
  const OperatorView& op = *target.op;
  const gen::Declaration& model = op.impls.empty() ? op.definition->declaration() : op.impls.front()->declaration();
  const std::string& out = op.variants.back();
  std::vector<std::string> suffixes = op.backends();
  suffixes.push_back("meta");
  for (const std::string& backend : wanted_backends(library)) {
    if (llvm::is_contained(op.backends(), backend)) continue;
    std::optional<Spot> spot = beside(model, backend, library, documents);
    if (!spot) spot = behind(model, library, documents);
    if (!spot) continue;
    std::string check = library.config.dialect == "aten" ? "TORCH_CHECK" : "STRUCTURED_CHECK";
    std::string text = "\n\n[[structured::impl(\"" + out + "\", \"" + backend + "\")]]\nvoid " +
                       impl_name(model, suffixes, backend) + "(" + parameters(op, library, documents) + ") {\n  " +
                       check + "(false, \"" + op.variants.front() + ": not implemented for " + backend + "\");\n}";
    add(actions, "create the impl of `" + op.variants.front() + "` for " + backend,
        {insertion(*spot, std::move(text), documents)}, locations);
  }
}

/// Completes an impl that has fewer outputs than its meta function sets.
void add_missing_outputs(const FunctionAtPosition& target, const KnownLibrary& library, Locations& locations,
                         JsonArray& actions) {
  for (const gen::OperatorRef* impl : target.op->impls) {
    const gen::Declaration& declaration = impl->declaration();
    if (target.declaration != &declaration || declaration.parameters.empty()) continue;
    const gen::Declaration& meta = target.op->definition->declaration();
    gen::ImplAlignment alignment = gen::align_impl(declaration, meta, library.dialect->types());
    std::size_t count = declaration.parameters.size() - std::min(alignment.first_output, declaration.parameters.size());
    std::size_t wanted = output_count(meta);
    if (count >= wanted) continue;
    const gen::Parameter& last = declaration.parameters.back();
    std::string type = count > 0 ? last.type.written : "const Tensor&";
    std::string text;
    for (std::size_t i = count; i < wanted; ++i) {
      text += ", " + type + (wanted == 1 ? " out" : " out" + std::to_string(i));
    }
    Edit edit{{library.path(last.range.file), last.range.end, last.range.end}, std::move(text)};
    add(actions, wanted - count == 1 ? "add the missing output" : "add the missing outputs", {edit}, locations);
  }
}

/// Returns the meta function whose body contains the range.
const gen::Declaration* meta_before(const gen::SourceRange& range, const KnownLibrary& library) {
  const gen::Declaration* result = nullptr;
  for (const gen::FoundDeclaration& found : library.operators().declarations()) {
    const gen::Declaration& declaration = *found.declaration;
    if (found.is_imported || library.path(declaration.range.file) != range.file) continue;
    if (declaration.range.begin > range.begin || (result && result->range.begin > declaration.range.begin)) continue;
    result = &declaration;
  }
  return result && gen::has_attribute(result->attributes, "meta") ? result : nullptr;
}

/// Sets an output at the end of a path that leaves it unset.
void add_settings(const Problem& problem, const KnownLibrary& library, Documents& documents, Locations& locations,
                  JsonArray& actions) {
  bool is_unset = problem.code == gen::name_of(gen::DiagnosticKind::output_unset) && problem.data.output;
  const gen::Declaration* meta = is_unset ? meta_before(problem.range, library) : nullptr;
  const TextDocument* document = documents.text(problem.range.file);
  if (!meta || !document || meta->parameters.empty()) return;
  llvm::StringRef text = document->text();
  std::size_t at = document->offset(problem.range.begin);
  llvm::StringRef before = text.take_front(at).rtrim();
  bool is_end = text.drop_front(at).starts_with("}");
  bool is_return = text.drop_front(at).starts_with("return");
  bool needs_braces = is_return && !before.ends_with("{") && !before.ends_with("}") && !before.ends_with(";");
  if (!is_end && !is_return) return;

  const std::string& base = meta->parameters.front().name;
  std::string tensor;
  for (const gen::Parameter& parameter : meta->parameters) {
    if (tensor.empty() && gen::is_output_type(parameter.type, library.dialect->types())) tensor = parameter.name;
  }
  auto offer = [&](const std::string& title, const std::string& call) {
    std::vector<Edit> edits;
    gen::Position position = document->position(at);
    gen::SourceRange place{problem.range.file, position, position};
    if (is_end) {
      bool is_on_own_line = before.size() < at && text.slice(before.size(), at).contains('\n');
      edits.push_back({place, is_on_own_line ? "  " + call + "\n" : call + " "});
    } else if (needs_braces) {
      std::size_t end = text.find(';', at) + 1;
      gen::Position behind_return = document->position(end);
      edits.push_back({place, "{ " + call + " "});
      edits.push_back({{problem.range.file, behind_return, behind_return}, " }"});
    } else {
      edits.push_back({place, call + " "});
    }
    add(actions, title, edits, locations, "quickfix");
  };
  std::string number = std::to_string(*problem.data.output);
  if (!tensor.empty()) {
    offer("add the missing output " + number + ", like `" + tensor + "`",
          base + ".set_output_raw_strided(" + number + ", " + tensor + ".sizes(), {}, " + tensor + ".options());");
  }
  offer("leave output " + number + " undefined", base + ".set_output_undefined(" + number + ");");
}

}  // namespace

void add_missing_pieces(const ActionRequest& request, Workspace& workspace, Locations& locations, JsonArray& actions) {
  Documents& documents = workspace.documents();
  KnownLibrary* library = workspace.library_of(request.path);
  const TextDocument* document = documents.text(request.path);
  if (!library || !document) return;
  const Problems& problems = workspace.problems();
  if (auto found = problems.find(request.path); found != problems.end()) {
    for (const Problem& problem : found->second) {
      Span span = locations.span(problem.range);
      bool is_here = span.begin <= request.span.end && request.span.begin <= span.end;
      if (is_here) add_settings(problem, *library, documents, locations, actions);
    }
  }
  std::size_t offset = document->offset(request.span.begin, locations.encoding());
  std::optional<FunctionAtPosition> target = target_at(*library, request.path, document->position(offset));
  if (!target || !target->op || !target->op->is_structured()) return;
  add_missing_outputs(*target, *library, locations, actions);
  if (!target->op->definition->found.is_imported) add_impls(*target, *library, documents, locations, actions);
}

}  // namespace structured::lsp
