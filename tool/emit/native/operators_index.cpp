#include "emit/native/operators_index.h"

#include <set>
#include <vector>

#include "emit/native/source_text.h"
#include "emit/writer.h"
#include "lower/calling_convention.h"

namespace structured::gen {

std::string operators_source(const LoweredLibrary& lowered, bool boxed) {
  Writer writer;
  write_banner(writer, "");
  std::set<std::string> headers{"<" + lowered.include_prefix + "/find_operator.h>"};
  for (const LoweredVariant& variant : lowered.own_variants()) {
    add_headers(*lowered.cpp_types, *variant.op, *variant.derived, headers);
  }
  write_includes(writer, headers);
  if (!lowered.own_variants().empty()) {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    std::set<std::string> metas;
    for (const LoweredVariant& variant : lowered.own_variants()) {
      writer.blank();
      write_signature(writer, variant);
      declare_table(writer, variant);
      if (variant.op->structured && metas.insert(variant.meta).second) {
        writer.line("const ::structured::MetaFunction& " + variant.meta + "();");
      }
      if (boxed) {
        writer.line("void " + variant.boxed + "(::structured::Stack& stack);");
      }
    }
    writer.blank();
    {
      const Writer::Scope table =
          writer.block("constexpr ::structured::OperatorHandle handles[] = {", "};", Writer::continuation);
      for (const LoweredVariant& variant : lowered.own_variants()) {
        std::vector<std::string> members{string_literal(variant.full_name, std::string::npos).front(),
                                         "&" + variant.table, boxed ? variant.boxed : "nullptr"};
        if (variant.op->structured) {
          members.push_back(variant.meta);
        }
        writer.list("{", members, "},");
      }
    }
    writer.blank();
    writer.line("STRUCTURED_ANNOUNCE_OPERATORS(\"" + joined_scopes(lowered.library->cpp_namespace, ".") +
                "\", handles);");
  }
  {
    const Writer::Scope scope = writer.in_namespace(lowered.library->cpp_namespace);
    const Writer::Scope function =
        writer.block("const ::structured::OperatorHandle* find_operator([[maybe_unused]] std::string_view name) {");
    writer.line(lowered.own_variants().empty()
                    ? std::string("return nullptr;")
                    : "return ::structured::detail::find_operator(::" + lowered.hidden_namespace + "::handles, name);");
  }
  return writer.text();
}

}  // namespace structured::gen
