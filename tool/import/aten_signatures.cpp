#include "import/aten_signatures.h"

#include <map>

#include "check/check.h"
#include "check/text.h"
#include "derive/derive.h"
#include "import/skeleton.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "model/annotation.h"
#include "model/imports.h"
#include "model/signatures_json.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral aten_namespace = "aten";
constexpr llvm::StringLiteral cpp_namespace = "at";

/// An operator of the headers with its parsed schema.
struct ParsedOperator {
  const AtenOperator* declared = nullptr;
  Schema schema;
  bool is_structured = false;
};

/// Names and types of the inputs, which the variants of a structured operator share.
std::string inputs_text(const Schema& schema) {
  std::string text;
  for (const std::vector<Argument>* arguments : {&schema.positional, &schema.keyword_only}) {
    for (const Argument& argument : *arguments) text += to_string(argument.type) + " " + argument.name + ", ";
  }
  return text;
}

bool mutates_inputs(const Schema& schema) {
  return llvm::any_of(schema.positional, [](const Argument& argument) { return argument.is_mutable(); });
}

std::optional<Variant::Kind> aten_variant_kind(const Schema& schema) {
  if (schema.name.is_inplace()) return Variant::Kind::inplace;
  if (!schema.out.empty()) return Variant::Kind::out;
  if (mutates_inputs(schema)) return std::nullopt;
  return Variant::Kind::functional;
}

class SignaturesBuilder {
 public:
  SignaturesBuilder(const AtenHeaders& headers, const Dialect& dialect)
      : headers_(headers), dialect_(dialect), skeletons_(dialect, cpp_namespace.str()) {}

  AtenSignatures build() && {
    result_.signatures = {aten_namespace.str(), cpp_namespace.str(), dialect_.name().str(), {}};
    parse_schemas();
    for (const AtenMeta& meta : headers_.metas) add_structured(meta);
    for (const ParsedOperator& op : operators_) {
      if (!op.is_structured) add_plain(op);
    }
    llvm::sort(result_.signatures.operators, [](const OperatorSignature& a, const OperatorSignature& b) {
      return to_string(a.variants.front().schema) < to_string(b.variants.front().schema);
    });
    // An operator that is left out may have hidden an error of another.
    while (reject_unchecked()) {
    }
    reject_underivable();
    llvm::sort(result_.left_out);
    return std::move(result_);
  }

 private:
  void leave_out(llvm::StringRef name, const llvm::Twine& reason) {
    result_.left_out.push_back(("operator `" + name + "`: " + reason).str());
  }

  void parse_schemas() {
    for (const AtenOperator& declared : headers_.operators) {
      llvm::Expected<Schema> schema = parse_schema(declared.schema);
      if (schema) {
        operators_.push_back({&declared, std::move(*schema)});
      } else {
        leave_out(declared.name, llvm::toString(schema.takeError()));
      }
    }
    for (ParsedOperator& op : operators_) by_name_[op.declared->name] = &op;
    for (ParsedOperator& op : operators_) {
      OperatorName name = op.schema.name;
      if (name.is_inplace() && !name.is_dunder()) name.base.pop_back();
      by_inputs_[name.base + "(" + inputs_text(op.schema)].push_back(&op);
    }
  }

  /// Returns the functional, in-place and out variants with the inputs of `functional`.
  std::vector<ParsedOperator*> variants_of(const ParsedOperator& functional) {
    std::map<Variant::Kind, ParsedOperator*> by_kind;
    for (ParsedOperator* op : by_inputs_[functional.schema.name.base + "(" + inputs_text(functional.schema)]) {
      if (const auto kind = aten_variant_kind(op->schema)) by_kind.try_emplace(*kind, op);
    }
    std::vector<ParsedOperator*> variants;
    for (const auto& [kind, op] : by_kind) variants.push_back(op);
    return variants;
  }

  void add_structured(const AtenMeta& meta) {
    const auto functional = by_name_.find(meta.name);
    if (functional == by_name_.end()) return leave_out(meta.name, "no schema has the name of its meta class");
    const std::vector<ParsedOperator*> variants = variants_of(*functional->second);
    const Schema& out = variants.back()->schema;
    if (variants.front() != functional->second || out.out.empty()) return leave_out(meta.name, "has no out= variant");

    Operator op;
    OperatorSignature signature;
    for (ParsedOperator* variant : variants) {
      variant->is_structured = true;
      op.variants.push_back({*aten_variant_kind(variant->schema), variant->schema, {}, {}});
      signature.variants.push_back({variant->schema, {}});
    }
    op.structured.emplace().base.name = meta.base.name;
    for (const Argument& output : out.out) signature.outputs.push_back(output.name);
    op.structured->output_names = signature.outputs;
    signature.impls = {"CPU"};
    op.structured->impls.push_back(placeholder("impl"));
    // TensorIterator checks devices, and accepts numbers on the CPU.
    op.checks_device = !llvm::is_contained(meta.base.bases, dialect_.cpp_types()->wrapper_traits().iterator);
    const std::string name = to_string(variants.front()->schema.name);
    std::optional<Declaration> definition = first_declaration(op, name);
    if (!definition) return;
    if (definition->parameters.size() != meta.parameters.size() + 1) {
      return leave_out(name, "the meta function and the schema have other numbers of arguments");
    }
    definition->name = meta.base.name + "::meta";
    definition->base_class = meta.base;
    definition->result = meta.result;
    definition->result_class = meta.result_class;
    // Kernels name the base of the class, which has all that they use.
    definition->parameters.front().type.written = meta.base.bases.front() + "&";
    set_types(llvm::MutableArrayRef(definition->parameters).drop_front(), meta.parameters);
    signature.definition = std::move(*definition);
    result_.signatures.operators.push_back(std::move(signature));
  }

  void add_plain(const ParsedOperator& op) {
    const std::string name = to_string(op.schema.name);
    Operator plain;
    plain.checks_device = false;  // the headers do not tell
    plain.variants.push_back({aten_variant_kind(op.schema).value_or(Variant::Kind::functional), op.schema, {}, {}});
    plain.variants.front().kernels.push_back(placeholder(op.declared->name + "_symint"));
    std::optional<Declaration> definition = first_declaration(plain, name);
    if (!definition) return;
    if (definition->parameters.size() != op.declared->parameters.size()) {
      return leave_out(name, "its function type and its schema have other numbers of arguments");
    }
    definition->name = cpp_namespace.str() + "::" + op.declared->name;
    definition->result = op.declared->result;
    set_types(definition->parameters, op.declared->parameters);
    for (Attribute& attribute : definition->attributes) {
      if (attribute.name == "kernel") attribute.arguments.resize(1);
    }
    OperatorSignature signature;
    signature.variants.push_back({op.schema, {"CPU"}});
    signature.definition = std::move(*definition);
    result_.signatures.operators.push_back(std::move(signature));
  }

  static Kernel placeholder(std::string name) {
    Kernel kernel;
    kernel.backend = "CPU";
    kernel.function.name = std::move(name);
    return kernel;
  }

  std::optional<Declaration> first_declaration(const Operator& op, const std::string& name) {
    llvm::Expected<Skeleton> skeleton = skeletons_.build(op);
    if (!skeleton) {
      leave_out(name, llvm::toString(skeleton.takeError()));
      return std::nullopt;
    }
    Declaration definition = std::move(skeleton->declarations.front());
    for (Parameter& parameter : definition.parameters) parameter.default_argument.reset();
    return definition;
  }

  /// Sets the types that the headers have. `symint` completes integers in place of c10::SymInt.
  void set_types(llvm::MutableArrayRef<Parameter> parameters, llvm::ArrayRef<CppType> types) const {
    for (auto [parameter, type] : llvm::zip_equal(parameters, types)) {
      parameter.type = type;
      const auto found = dialect_.types().argument(type.canonical);
      const bool is_symbolic = found && found->type.base == Type::Base::SymInt;
      if (is_symbolic) llvm::erase_if(parameter.attributes, [](const Attribute& a) { return a.name == "symint"; });
    }
  }

  /// Returns the definitions, each at the line that is its index plus 1.
  ImportedLibrary library() const {
    ImportedLibrary library = imported_library(result_.signatures, dialect_.types(), aten_namespace, "");
    for (auto [index, declaration] : llvm::enumerate(library.definitions.declarations)) {
      locate(declaration, static_cast<unsigned>(index) + 1);
    }
    return library;
  }
  static void locate(Declaration& declaration, unsigned line) {
    for (SourceRange* range :
         {&declaration.range, &declaration.name_range, &declaration.result_range, &declaration.parameters_range}) {
      range->begin.line = range->end.line = line;
    }
    for (Parameter& parameter : declaration.parameters) {
      for (SourceRange* range : {&parameter.range, &parameter.type_range, &parameter.name_range}) {
        range->begin.line = range->end.line = line;
      }
      for (Attribute& attribute : parameter.attributes) {
        attribute.range.begin.line = line;
        for (AttributeArgument& argument : attribute.arguments) argument.range.begin.line = line;
      }
    }
    for (Attribute& attribute : declaration.attributes) {
      attribute.range.begin.line = line;
      for (AttributeArgument& argument : attribute.arguments) argument.range.begin.line = line;
    }
  }

  bool reject_unchecked() {
    CheckOptions options;
    options.schema_namespace = aten_namespace.str();
    options.whole_library = false;
    std::map<std::size_t, std::string> reasons;
    for (const Diagnostic& diagnostic : check({library().definitions}, dialect_.types(), options)) {
      if (severity_of(diagnostic.kind) != Severity::error || diagnostic.range.begin.line == 0) continue;
      reasons.try_emplace(diagnostic.range.begin.line - 1, diagnostic.message);
    }
    reject(reasons);
    return !reasons.empty();
  }

  void reject_underivable() {
    const ImportedLibrary imported = library();
    const Library derived =
        derive({imported.definitions, imported.kernels}, dialect_.types(), aten_namespace, cpp_namespace);
    llvm::StringMap<std::string> schemas;
    for (const Operator& op : derived.operators) {
      for (const Variant& variant : op.variants) schemas[to_string(variant.schema.name)] = to_string(variant.schema);
    }
    std::map<std::size_t, std::string> reasons;
    for (const auto& [index, op] : llvm::enumerate(result_.signatures.operators)) {
      for (const VariantSignature& variant : op.variants) {
        const std::string expected = to_string(variant.schema);
        const std::string& found = schemas[to_string(variant.schema.name)];
        if (found == expected) continue;
        reasons.try_emplace(index,
                            ("annotations derive `" + llvm::Twine(found) + "`; expected `" + expected + "`").str());
      }
    }
    reject(reasons);
  }

  void reject(const std::map<std::size_t, std::string>& reasons) {
    std::vector<OperatorSignature> kept;
    for (auto [index, op] : llvm::enumerate(result_.signatures.operators)) {
      const auto reason = reasons.find(index);
      if (reason == reasons.end()) {
        kept.push_back(std::move(op));
      } else {
        leave_out(to_string(op.variants.front().schema.name), reason->second);
      }
    }
    result_.signatures.operators = std::move(kept);
  }

  const AtenHeaders& headers_;
  const Dialect& dialect_;
  SkeletonBuilder skeletons_;
  std::vector<ParsedOperator> operators_;
  llvm::StringMap<ParsedOperator*> by_name_;                 ///< by the names of the headers: `add_Tensor`
  llvm::StringMap<std::vector<ParsedOperator*>> by_inputs_;  ///< by base name and inputs
  AtenSignatures result_;
};

}  // namespace

AtenSignatures aten_signatures(const AtenHeaders& headers, const Dialect& dialect) {
  return SignaturesBuilder(headers, dialect).build();
}

}  // namespace structured::gen
