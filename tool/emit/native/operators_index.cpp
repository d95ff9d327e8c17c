#include "emit/native/operators_index.h"

#include <set>
#include <vector>

#include "lower/calling_convention.h"
#include "emit/native/source_text.h"
#include "emit/writer.h"

namespace structured::gen {

std::string operators_source(const Plan& plan, bool boxed) {
  Writer writer;
  write_banner(writer, "");
  std::set<std::string> headers{"<" + plan.include_prefix + "/find_operator.h>"};
  for (const PlannedVariant& planned : plan.own_variants()) {
    add_headers(*plan.cpp_types, *planned.op, *planned.variant, headers);
  }
  write_includes(writer, headers);
  if (!plan.own_variants().empty()) {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(plan.hidden_namespace);
    std::set<std::string> metas;
    for (const PlannedVariant& planned : plan.own_variants()) {
      writer.blank();
      write_signature(writer, planned);
      declare_table(writer, planned);
      if (planned.op->structured && metas.insert(planned.meta).second) {
        writer.line("const ::structured::MetaFunction& " + planned.meta + "();");
      }
      if (boxed) {
        writer.line("void " + planned.boxed + "(::structured::Stack& stack);");
      }
    }
    writer.blank();
    const Writer::Scope table =
        writer.block("constexpr ::structured::OperatorHandle handles[] = {", "};", Writer::continuation);
    for (const PlannedVariant& planned : plan.own_variants()) {
      std::vector<std::string> members{string_literal(planned.full_name, std::string::npos).front(),
                                       "&" + planned.table, boxed ? planned.boxed : "nullptr"};
      if (planned.op->structured) {
        members.push_back(planned.meta);
      }
      writer.list("{", members, "},");
    }
  }
  {
    const Writer::Scope scope = writer.in_namespace(plan.library->cpp_namespace);
    const Writer::Scope function =
        writer.block("const ::structured::OperatorHandle* find_operator([[maybe_unused]] std::string_view name) {");
    writer.line(plan.own_variants().empty()
                    ? std::string("return nullptr;")
                    : "return ::structured::detail::find_operator(::" + plan.hidden_namespace + "::handles, name);");
  }
  return writer.text();
}

}  // namespace structured::gen
