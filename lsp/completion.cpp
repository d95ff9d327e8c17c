#include "answers.h"
#include "attribute_context.h"
#include "check/allow.h"
#include "check/attribute_values.h"
#include "language/attributes.h"
#include "language/dtypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/refinement.h"

namespace structured::lsp {
namespace {

constexpr int kind_function = 3;
constexpr int kind_property = 10;
constexpr int kind_enum_member = 20;

class Items {
 public:
  Items(const AttributeContext& context, const TextDocument& document, Encoding encoding)
      : context_(context), span_{document.place(context.begin, encoding), document.place(context.end, encoding)} {}

  /// Adds an item unless it is already an argument. Lower `rank` comes first.
  void add(llvm::StringRef label, int kind, llvm::StringRef detail, int rank = 0, llvm::StringRef text = {}) {
    if (llvm::is_contained(context_.arguments, label)) return;
    JsonObject item{
        {"label", json_text(label)},
        {"kind", kind},
        {"filterText", json_text(label)},
        {"sortText", json_text((llvm::Twine(rank) + label).str())},
        {"textEdit", JsonObject{{"range", to_json(span_)}, {"newText", json_text(text.empty() ? label : text)}}}};
    if (!detail.empty()) item["detail"] = json_text(detail);
    items_.push_back(std::move(item));
  }

  Json take() { return JsonObject{{"isIncomplete", false}, {"items", std::move(items_)}}; }

 private:
  const AttributeContext& context_;
  Span span_;
  JsonArray items_;
};

void add_attributes(Items& items) {
  for (const gen::AttributeSpec& spec : gen::attribute_table()) items.add(spec.name(), kind_property, spec.help);
}

/// Adds the names of operators to which the attribute applies.
void add_operators(Items& items, const KnownLibrary& library, llvm::StringRef attribute) {
  for (const OperatorView& op : operators_of(library)) {
    if (attribute == "impl" && !op.is_structured()) continue;
    std::vector<std::string> backends = op.backends();
    std::string detail = op.is_structured() ? "structured" : op.definition ? "pointwise" : "kernels";
    if (!backends.empty()) detail += ": " + llvm::join(backends, ", ");
    for (const std::string& variant : op.variants) {
      // An impl usually names the out variant, a derivative the functional one.
      bool is_usual = attribute == "impl" ? &variant == &op.variants.back() : &variant == &op.variants.front();
      items.add(variant, kind_function, detail, is_usual ? 0 : 1);
    }
  }
}

/// Adds backends, first those that the operator lacks.
void add_backends(Items& items, const KnownLibrary& library, gen::Role role, llvm::StringRef op_name) {
  std::vector<std::string> taken;
  for (const OperatorView& op : operators_of(library)) {
    if (llvm::is_contained(op.variants, op_name)) taken = op.backends();
  }
  const std::vector<std::string>& own = library.config.backends;
  for (const std::string& backend : gen::backends_for(library.dialect->types(), role)) {
    if (!own.empty() && !llvm::is_contained(own, backend)) continue;
    bool is_taken = llvm::is_contained(taken, backend);
    items.add(backend, kind_enum_member, is_taken ? "already implemented" : "", is_taken ? 1 : 0);
  }
}

/// Adds the other variants of the operator whose functional variant is the first argument.
void add_variants(Items& items, const AttributeContext& context) {
  if (context.arguments.empty()) return;
  llvm::Expected<gen::OperatorName> name = gen::parse_operator_name(context.arguments.front());
  if (!name) return llvm::consumeError(name.takeError());
  gen::OperatorName out = *name;
  out.overload = name->overload.empty() ? "out" : name->overload + "_out";
  items.add(to_string(name->inplace()), kind_function, "in-place variant");
  items.add(to_string(out), kind_function, "out variant");
  if (name->overload.empty()) return;
  out.overload = "out";
  items.add(to_string(out), kind_function, "out variant", 1);
}

}  // namespace

Json completion(Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset) {
  const TextDocument* document = workspace.documents().text(path);
  if (!document) return nullptr;
  std::optional<AttributeContext> context = attribute_context(document->text(), offset);
  if (!context) return nullptr;
  KnownLibrary* library = workspace.library_of(path);
  Items items(*context, *document, locations.encoding());
  llvm::StringRef attribute = context->attribute;
  if (attribute.empty()) {
    add_attributes(items);
    return items.take();
  }
  if (!library) return nullptr;
  bool is_first = context->index == 0;
  auto role = gen::role_named(attribute);
  if (attribute == "promote") {
    for (llvm::StringRef rule : gen::promotion_rules()) items.add(rule, kind_enum_member, "");
  } else if (attribute == "autocast") {
    for (llvm::StringRef rule : gen::autocast_rules()) items.add(rule, kind_enum_member, "");
  } else if (attribute == "allow") {
    for (const std::string& kind : gen::allowable_kinds()) items.add(kind, kind_enum_member, "");
  } else if (attribute == "dtypes" && is_first) {
    add_backends(items, *library, gen::Role::kernel, "");
  } else if (attribute == "dtypes") {
    for (const gen::DtypeName& dtype : gen::dtype_names()) items.add(dtype.name, kind_enum_member, "");
  } else if (attribute == "requires") {
    for (const std::string& name : gen::property_names()) items.add(name, kind_enum_member, "");
  } else if (attribute == "meta" || attribute == "pointwise") {
    if (!is_first) add_variants(items, *context);
  } else if (role && is_first) {
    add_operators(items, *library, attribute);
  } else if (role == gen::Role::impl || role == gen::Role::kernel) {
    add_backends(items, *library, *role, context->arguments.empty() ? "" : context->arguments.front());
  }
  return items.take();
}

}  // namespace structured::lsp
