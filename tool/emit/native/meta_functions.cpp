#include "emit/native/meta_functions.h"

#include <string>
#include <vector>

#include "emit/cpp/source_text.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

// `using NAME = void(::structured::MetaBase&, const ::structured::Tensor&);`
void write_type_alias(Writer& writer, const StructuredParts& parts, const std::string& name) {
  std::vector<std::string> types;
  for (const std::string& type : parts.meta.parameters) {
    types.push_back(qualified_type(type));
  }
  writer.list("using " + name + " = " + qualified_type(parts.meta.result) + "(", types, ");");
}

std::string type_name(const LoweredVariant& variant) { return "type_of_" + variant.meta; }

// The text that two libraries must agree on: the type of the meta function and the members of its result.
std::string signature_text(const StructuredParts& parts) {
  std::string text = parts.meta.result;
  if (parts.precomputed) {
    text += " {";
    for (const Member& member : parts.precomputed->members) {
      text += (text.back() == '{' ? "" : "; ") + member.type.canonical + " " + member.name;
    }
    text += "}";
  }
  text += " (";
  for (const std::string& type : parts.meta.parameters) {
    text += (text.back() == '(' ? "" : ", ") + type;
  }
  return text + ")";
}

void write_literal(Writer& writer, llvm::StringRef text, llvm::StringRef after) {
  constexpr std::size_t columns = 120 - 8;
  std::vector<std::string> pieces = string_literal(text, columns);
  pieces.back() += after;
  for (const std::string& piece : pieces) {
    writer.line(piece);
  }
}

}  // namespace

void write_meta_function(Writer& writer, const LoweredVariant& variant) {
  const StructuredParts& parts = *variant.op->structured;
  writer.blank();
  const Writer::Scope body = writer.block("const ::structured::MetaFunction& " + variant.meta + "() {");
  write_type_alias(writer, parts, "Signature");
  {
    const Writer::Scope constant = writer.block("static constexpr ::structured::TypedMetaFunction<Signature> function{",
                                                "};", Writer::continuation);
    write_literal(writer, signature_text(parts), ",");
    writer.line("&::" + parts.meta.name + ",");
  }
  writer.line("return function;");
}

void declare_imported_meta(Writer& writer, const LoweredVariant& variant) {
  write_type_alias(writer, *variant.op->structured, type_name(variant));
  writer.line("extern ::structured::ImportedMeta<" + type_name(variant) + "> " + variant.meta + ";");
  writer.blank();
}

void define_imported_meta(Writer& writer, const LoweredVariant& variant, llvm::StringRef owner) {
  writer.blank();
  write_type_alias(writer, *variant.op->structured, type_name(variant));
  const Writer::Scope constant =
      writer.block("constinit ::structured::ImportedMeta<" + type_name(variant) + "> " + variant.meta + "{", "};",
                   Writer::continuation);
  writer.line(owner + ",");
  writer.line(string_literal(variant.full_name) + ",");
  write_literal(writer, signature_text(*variant.op->structured), ",");
}

}  // namespace structured::gen
