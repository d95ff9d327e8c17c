// Code action that converts a functional, an out and optionally an in-place kernel to a structured operator. The
// statements of the out kernel up to the last resize of an output become the meta function, the rest becomes the impl.
#include <array>

#include "code_actions.h"
#include "function_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/schema.h"
#include "operators.h"

namespace structured::lsp {
namespace {

/// A kernel in an open file.
struct WrittenKernel {
  const gen::Declaration* declaration = nullptr;
  const gen::Attribute* attribute = nullptr;
  std::string name;  ///< name of the operator
  std::vector<std::string> backends;
  TextRange whole;   ///< including attributes and body
  std::string body;  ///< without braces
};

struct Trio {
  WrittenKernel functional;
  WrittenKernel out;
  std::optional<WrittenKernel> inplace;
  std::size_t first_output = 0;  ///< index among the parameters of the out kernel
};

std::vector<WrittenKernel> kernels_of(const KnownLibrary& library, const std::string& path,
                                      const TextDocument& document) {
  std::vector<WrittenKernel> result;
  for (const OperatorView& op : operators_of(library)) {
    if (op.definition || op.kernels.size() != 1 || !op.impls.empty()) continue;
    const gen::OperatorRef& ref = *op.kernels.front();
    const gen::Declaration& declaration = ref.declaration();
    if (library.path(declaration.range.file) != path || !declaration.macro_ranges.empty()) continue;
    llvm::StringRef text = document.text();
    std::optional<TextRange> body = body_after(text, document.offset(declaration.range.end));
    if (!body || body->end < body->begin + 2) continue;
    WrittenKernel kernel{&declaration, ref.attribute, op.variants.front(), ref.backends(), {}, {}};
    kernel.whole = {document.offset(declaration.range.begin), body->end};
    kernel.body = text.slice(body->begin + 1, body->end - 1).str();
    result.push_back(std::move(kernel));
  }
  return result;
}

const WrittenKernel* find(const std::vector<WrittenKernel>& kernels, const gen::OperatorName& name) {
  auto found = llvm::find_if(kernels, [&](const WrittenKernel& kernel) { return kernel.name == to_string(name); });
  return found == kernels.end() ? nullptr : &*found;
}

/// Whether `out` has the parameters of `functional`, followed by mutable tensors.
bool fits(const gen::Declaration& functional, const gen::Declaration& out) {
  std::size_t inputs = functional.parameters.size();
  if (out.parameters.size() <= inputs) return false;
  for (std::size_t i = 0; i < inputs; ++i) {
    if (functional.parameters[i].name != out.parameters[i].name) return false;
    if (functional.parameters[i].type.canonical != out.parameters[i].type.canonical) return false;
  }
  return llvm::all_of(llvm::drop_begin(out.parameters, inputs), [](const gen::Parameter& parameter) {
    llvm::StringRef type = parameter.type.canonical;
    return !type.starts_with("const ") && type.ends_with("Tensor &");
  });
}

/// Returns the variants that belong to a functional kernel.
std::optional<Trio> trio_of(const WrittenKernel& functional, const std::vector<WrittenKernel>& kernels) {
  llvm::Expected<gen::OperatorName> name = gen::parse_operator_name(functional.name);
  if (!name) {
    llvm::consumeError(name.takeError());
    return std::nullopt;
  }
  for (const std::string& overload : {name->overload.empty() ? "out" : name->overload + "_out", std::string("out")}) {
    gen::OperatorName out_name = *name;
    out_name.overload = overload;
    const WrittenKernel* out = find(kernels, out_name);
    if (!out || out == &functional || out->backends != functional.backends ||
        !fits(*functional.declaration, *out->declaration)) {
      continue;
    }
    Trio trio{functional, *out, std::nullopt, functional.declaration->parameters.size()};
    gen::OperatorName inplace_name = *name;
    inplace_name.base += '_';
    if (const WrittenKernel* inplace = find(kernels, inplace_name)) trio.inplace = *inplace;
    return trio;
  }
  return std::nullopt;
}

std::vector<std::string> outputs(const Trio& trio) {
  std::vector<std::string> result;
  for (const gen::Parameter& parameter : llvm::drop_begin(trio.out.declaration->parameters, trio.first_output)) {
    result.push_back(parameter.name);
  }
  return result;
}

/// Returns the output that `resize_output(out, SIZES)` or `out.resize_(SIZES)` resizes; nullopt for other statements.
struct Resizing {
  std::size_t output = 0;
  std::string sizes;
};
std::optional<Resizing> resizing(llvm::StringRef statement, const std::vector<std::string>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::size_t method = statement.find((outputs[i] + ".resize_(").c_str());
    if (method != llvm::StringRef::npos) {
      auto arguments = call_arguments(statement, statement.find('(', method));
      if (arguments && !arguments->empty()) return Resizing{i, arguments->front()};
    }
    for (llvm::StringRef function : {"resize_output(", "resize_("}) {
      std::size_t call = statement.find(function);
      if (call == llvm::StringRef::npos) continue;
      auto arguments = call_arguments(statement, call + function.size() - 1);
      if (arguments && arguments->size() >= 2 && arguments->front() == outputs[i]) return Resizing{i, (*arguments)[1]};
    }
  }
  return std::nullopt;
}

/// Returns the options of the allocations in the functional kernel, in order.
std::vector<std::string> allocations(const Trio& trio) {
  std::set<std::string> parameters;
  for (const gen::Parameter& parameter : trio.functional.declaration->parameters) parameters.insert(parameter.name);
  std::vector<std::string> result;
  llvm::StringRef body = trio.functional.body;
  for (std::size_t at = body.find("empty"); at != llvm::StringRef::npos; at = body.find("empty", at + 1)) {
    std::size_t open = body.find('(', at);
    if (open == llvm::StringRef::npos) break;
    auto arguments = call_arguments(body, open);
    if (!arguments || arguments->empty()) continue;
    bool is_like = body.drop_front(at).starts_with("empty_like(");
    if (is_like) {
      result.push_back(arguments->front() + ".options()");
    } else if (body.drop_front(at).starts_with("empty(") && arguments->size() >= 2) {
      result.push_back((*arguments)[1]);
    }
  }
  return result;
}

std::string first_tensor(const Trio& trio) {
  for (const gen::Parameter& parameter : trio.functional.declaration->parameters) {
    if (llvm::StringRef(parameter.type.canonical).ends_with("Tensor &")) return parameter.name;
  }
  return {};
}

/// Replaces `return RESULTS;` by `return;`.
std::string without_result(std::string statement, const std::vector<std::string>& outputs) {
  std::string all = llvm::join(outputs, ", ");
  for (const std::string& result : std::array<std::string, 4>{outputs.front(), "{" + all + "}", "std::tie(" + all + ")",
                                                              "std::forward_as_tuple(" + all + ")"}) {
    std::string wanted = "return " + result + ";";
    for (std::size_t at = statement.find(wanted); at != std::string::npos; at = statement.find(wanted, at)) {
      statement.replace(at, wanted.size(), "return;");
    }
  }
  return statement;
}

struct Bodies {
  std::string meta;
  std::string impl;
};

Bodies split(const Trio& trio, const std::string& base) {
  std::vector<std::string> names = outputs(trio);
  std::vector<std::string> all = statements(trio.out.body);
  std::size_t first = 0;  // first statement of the impl
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (resizing(all[i], names)) first = i + 1;
  }
  std::vector<std::string> options = allocations(trio);
  auto setting = [&](std::size_t output, const std::string& sizes) {
    std::string how = output < options.size() ? options[output] : first_tensor(trio) + ".options()";
    return base + ".set_output_raw_strided(" + std::to_string(output) + ", " + sizes + ", {}, " + how + ");";
  };

  Bodies bodies;
  std::set<std::size_t> set;
  auto add = [](std::string& body, const std::string& statement) { body += "  " + statement + "\n"; };
  for (std::size_t i = 0; i < first; ++i) {
    if (std::optional<Resizing> found = resizing(all[i], names)) {
      if (set.insert(found->output).second) add(bodies.meta, setting(found->output, found->sizes));
      continue;
    }
    std::set<std::string> used = identifiers(all[i]);
    // Statements that use the outputs are dropped: the wrappers check outputs.
    if (llvm::none_of(names, [&](const std::string& name) { return used.count(name) > 0; })) add(bodies.meta, all[i]);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!set.count(i)) add(bodies.meta, setting(i, first_tensor(trio) + ".sizes()"));
  }

  std::vector<std::string> kept(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  for (std::string& statement : kept) statement = without_result(std::move(statement), names);
  if (!kept.empty() && kept.back() == "return;") kept.pop_back();
  std::set<std::string> used;
  for (const std::string& statement : kept) used.merge(identifiers(statement));
  // Variables of the meta function that the impl reads are computed again.
  for (std::size_t i = first; i-- > 0;) {
    bool is_needed =
        llvm::any_of(declared_names(all[i]), [&](const std::string& name) { return used.count(name) > 0; });
    if (!is_needed) continue;
    kept.insert(kept.begin(), all[i]);
    used.merge(identifiers(all[i]));
  }
  for (const std::string& statement : kept) add(bodies.impl, statement);
  return bodies;
}

std::string text_of(const gen::SourceRange& range, const TextDocument& document) {
  return llvm::StringRef(document.text()).slice(document.offset(range.begin), document.offset(range.end)).str();
}

/// Returns the attributes of the functional kernel, with `kernel` replaced by `meta`.
std::string meta_attributes(const Trio& trio, const TextDocument& document) {
  std::vector<std::string> names{trio.functional.name};
  if (trio.inplace) names.push_back(trio.inplace->name);
  names.push_back(trio.out.name);
  std::string result = "[[structured::meta(\"" + llvm::join(names, "\", \"") + "\")";
  for (const gen::Attribute& attribute : trio.functional.declaration->attributes) {
    if (&attribute == trio.functional.attribute) continue;
    std::string text = text_of(attribute.range, document);
    bool has_scope = llvm::StringRef(text).starts_with("structured::");
    result += (has_scope ? ", " : ", structured::") + text;
  }
  return result + "]]\n";
}

/// Returns the qualifier before `Tensor` in the functional kernel.
std::string qualifier(const Trio& trio) {
  for (const gen::Parameter& parameter : trio.functional.declaration->parameters) {
    llvm::StringRef type = parameter.type.written;
    if (!type.contains("Tensor")) continue;
    type = type.take_front(type.rfind("Tensor"));
    type.consume_front("const ");
    return type.trim().str();
  }
  return "";
}

std::string function_name(const gen::Declaration& declaration) {
  llvm::StringRef name = declaration.name;
  return name.substr(name.rfind(':') + 1).str();
}

std::string meta_text(const Trio& trio, const std::string& base, const std::string& body, const KnownLibrary& library,
                      const TextDocument& document) {
  const gen::Declaration& functional = *trio.functional.declaration;
  std::string name = function_name(functional);
  for (const std::string& backend : trio.functional.backends) {
    std::string suffix = "_" + llvm::StringRef(backend).lower();
    if (llvm::StringRef(name).ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  std::string meta_base = qualifier(trio) + (library.config.dialect == "aten" ? "impl::MetaBase" : "MetaBase");
  return meta_attributes(trio, document) + "void " + name + "_meta(" + meta_base + "& " + base + ", " +
         text_of(functional.parameters_range, document) + ") {\n" + body + "}";
}

std::string impl_text(const Trio& trio, const std::string& body) {
  const gen::Declaration& out = *trio.out.declaration;
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < out.parameters.size(); ++i) {
    const gen::Parameter& parameter = out.parameters[i];
    parameters.push_back((i < trio.first_output ? "" : "const ") + parameter.type.written + " " + parameter.name);
  }
  std::string backends = "\"" + llvm::join(trio.out.backends, "\", \"") + "\"";
  return "[[structured::impl(\"" + trio.out.name + "\", " + backends + ")]]\nvoid " + function_name(out) + "(" +
         llvm::join(parameters, ", ") + ") {\n" + body + "}";
}

bool contains(const WrittenKernel& kernel, std::size_t offset) {
  return kernel.whole.begin <= offset && offset <= kernel.whole.end;
}

}  // namespace

void add_conversion(const ActionRequest& request, Workspace& workspace, Locations& locations, JsonArray& actions) {
  KnownLibrary* library = workspace.library_of(request.path);
  const TextDocument* document = workspace.documents().text(request.path);
  if (!library || !document) return;
  std::size_t offset = document->offset(request.span.begin, locations.encoding());
  std::vector<WrittenKernel> kernels = kernels_of(*library, request.path, *document);
  for (const WrittenKernel& kernel : kernels) {
    std::optional<Trio> trio = trio_of(kernel, kernels);
    if (!trio || first_tensor(*trio).empty()) continue;
    bool is_here = contains(trio->functional, offset) || contains(trio->out, offset) ||
                   (trio->inplace && contains(*trio->inplace, offset));
    if (!is_here) continue;
    std::string base = "op";
    while (identifiers(trio->out.body).count(base)) base += '_';
    Bodies bodies = split(*trio, base);
    auto range = [&](const TextRange& text) {
      return gen::SourceRange{request.path, document->position(text.begin), document->position(text.end)};
    };
    std::vector<Edit> edits{{range(trio->functional.whole), meta_text(*trio, base, bodies.meta, *library, *document)},
                            {range(trio->out.whole), impl_text(*trio, bodies.impl)}};
    if (trio->inplace) {
      // Removes the blank lines after the kernel as well.
      TextRange gone = trio->inplace->whole;
      while (gone.end < document->text().size() && llvm::isSpace(document->text()[gone.end])) ++gone.end;
      edits.push_back({range(gone), ""});
    }
    actions.push_back(JsonObject{{"title", json_text("convert `" + trio->functional.name + "` to structured")},
                                 {"kind", "refactor.rewrite"},
                                 {"edit", workspace_edit(edits, locations)}});
  }
}

}  // namespace structured::lsp
