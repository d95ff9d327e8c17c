#include "emit/boxed.h"

#include <set>
#include <string>

#include "emit/convention.h"
#include "emit/source_text.h"
#include "emit/writer.h"

namespace structured::gen {

std::string boxed_source(const Plan& plan, llvm::StringRef source) {
  const auto found = plan.sources.find(source.str());
  if (found == plan.sources.end() || found->second.variants.empty()) {
    return nothing_from(source, "operators");
  }
  Writer writer;
  write_banner(writer, source);
  std::set<std::string> headers{"<structured/dispatch/boxed.h>"};
  for (const std::size_t index : found->second.variants) {
    add_headers(*plan.spelling, *plan.variants[index].op, *plan.variants[index].variant, headers);
  }
  write_includes(writer, headers);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(plan.hidden_namespace);
    for (const std::size_t index : found->second.variants) {
      const PlannedVariant& planned = plan.variants[index];
      writer.blank();
      writer.comment("//", planned.schema);
      write_signature(writer, plan, planned);
      declare_table(writer, planned);
      writer.one_call_function("void " + planned.boxed + "(", {"::structured::Stack& stack"},
                               "::structured::call_boxed<" + planned.table + ">(", {"stack"});
    }
  }
  return writer.text();
}

}  // namespace structured::gen
