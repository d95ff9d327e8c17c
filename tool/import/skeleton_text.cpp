#include "import/skeleton_text.h"

#include "emit/writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {
namespace {

std::string literal(const AttributeArgument& argument) {
  if (const auto* number = std::get_if<int64_t>(&argument.value)) return std::to_string(*number);
  if (const auto* flag = std::get_if<bool>(&argument.value)) return *flag ? "true" : "false";
  std::string text = "\"";
  for (const char c : std::get<std::string>(argument.value)) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

std::string text_of(const Attribute& attribute) {
  std::string text = "structured::" + attribute.name;
  if (attribute.arguments.empty()) return text;
  return text + "(" + llvm::join(llvm::map_range(attribute.arguments, literal), ", ") + ")";
}

std::vector<std::string> texts_of(llvm::ArrayRef<Attribute> attributes) {
  std::vector<std::string> texts;
  for (const Attribute& attribute : attributes) texts.push_back(text_of(attribute));
  return texts;
}

std::string text_of(const Parameter& parameter) {
  std::vector<Attribute> attributes = parameter.attributes;
  if (parameter.default_argument) {
    llvm::erase_if(attributes, [](const Attribute& attribute) { return attribute.name == "schema_default"; });
  }
  std::string text;
  if (!attributes.empty()) text = "[[" + llvm::join(texts_of(attributes), ", ") + "]] ";
  text += parameter.type.written + " " + parameter.name;
  if (parameter.default_argument) text += " = " + parameter.default_argument->text;
  return text;
}

llvm::StringRef local_name(llvm::StringRef name) { return name.contains("::") ? name.rsplit("::").second : name; }

void print(Writer& writer, const Declaration& function) {
  writer.list("[[", texts_of(function.attributes), "]]");
  std::vector<std::string> parameters;
  for (const Parameter& parameter : function.parameters) parameters.push_back(text_of(parameter));
  writer.list(function.result.written + " " + local_name(function.name) + "(", parameters, ");");
}

bool is_native(const SkeletonStyle& style) { return style.dialect == "native"; }

/// Writes the directives for the runtime, sorted.
void include_runtime(Writer& writer, const SkeletonStyle& style, bool has_structured) {
  if (is_native(style)) {
    writer.line("#include <structured/structured.h>");
  } else if (style.dialect == "torch") {
    writer.line("#include <structured/torch.h>");
  } else {
    writer.line("#include <ATen/ATen.h>");
    if (has_structured) {
      writer.line("#include <ATen/TensorIterator.h>");
      writer.line("#include <ATen/TensorMeta.h>");
    }
    writer.line("#include <structured/annotate.h>");
  }
}

void use_runtime(Writer& writer, const SkeletonStyle& style) {
  if (!is_native(style) || llvm::StringRef(style.name_space).starts_with("structured::")) return;
  writer.line("using namespace structured;");
  writer.blank();
}

bool has_values(const SkeletonOperator& op) { return op.skeleton.values.has_value(); }

}  // namespace

std::string skeleton_source(llvm::ArrayRef<SkeletonOperator> operators, const SkeletonStyle& style) {
  Writer writer;
  const bool has_structured = llvm::any_of(operators, [](const SkeletonOperator& op) {
    return !op.skeleton.declarations.empty() && op.skeleton.declarations.front().base_class.has_value();
  });
  if (llvm::any_of(operators, has_values)) {
    writer.line("#include \"" + style.values_header + "\"");
    writer.blank();
  }
  include_runtime(writer, style, has_structured);
  {
    const Writer::Scope name_space = writer.in_namespace(style.name_space);
    use_runtime(writer, style);
    for (const SkeletonOperator& op : operators) {
      writer.blank();
      writer.comment("//", llvm::join(op.names, ", "));
      for (const std::string& note : op.notes) writer.comment("//", note);
      for (const Declaration& function : op.skeleton.declarations) print(writer, function);
    }
  }
  return writer.text();
}

std::string values_header(llvm::ArrayRef<SkeletonOperator> operators, const SkeletonStyle& style) {
  if (llvm::none_of(operators, has_values)) return "";
  Writer writer;
  writer.line("#pragma once");
  writer.blank();
  include_runtime(writer, style, /*has_structured=*/false);
  {
    const Writer::Scope name_space = writer.in_namespace(style.name_space);
    use_runtime(writer, style);
    for (const SkeletonOperator& op : operators) {
      if (!has_values(op)) continue;
      writer.blank();
      writer.comment("///", "Values that the meta function of `" + op.names.front() + "` computes for its impls.");
      const Writer::Scope body = writer.block("struct " + local_name(op.skeleton.values->name) + " {", "};");
      for (const Member& member : op.skeleton.values->members) {
        writer.line(member.type.written + " " + member.name + ";");
      }
    }
  }
  return writer.text();
}

}  // namespace structured::gen
