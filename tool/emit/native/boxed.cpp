#include "emit/native/boxed.h"

#include <set>
#include <string>
#include <vector>

#include "lower/calling_convention.h"
#include "emit/native/source_text.h"
#include "emit/writer.h"

namespace structured::gen {
namespace {

void write_slow_path(Writer& writer, const PlannedVariant& planned) {
  const CppSignature& signature = planned.dispatched;
  const std::string state = unused_name("state", signature);
  std::vector<std::string> parameters = signature.declared();
  parameters.insert(parameters.begin(), "::structured::DispatchState " + state);
  std::vector<std::string> arguments = signature.names();
  arguments.insert(arguments.begin(), {planned.table, state});
  writer.one_call_function(signature.result + " " + planned.slow_path + "(", parameters,
                           "return ::structured::run_slow_path(", arguments);
}

}  // namespace

std::string boxed_source(const Plan& plan, llvm::StringRef source) {
  const auto found = plan.sources.find(source.str());
  if (found == plan.sources.end() || found->second.variants.empty()) {
    return nothing_from(source, "operators");
  }
  Writer writer;
  write_banner(writer, source);
  std::set<std::string> headers{"<structured/dispatch/boxed.h>", "<structured/dispatch/slow_path.h>"};
  for (const std::size_t index : found->second.variants) {
    add_headers(*plan.cpp_types, *plan.variants[index].op, *plan.variants[index].variant, headers);
  }
  write_includes(writer, headers);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(plan.hidden_namespace);
    for (const std::size_t index : found->second.variants) {
      const PlannedVariant& planned = plan.variants[index];
      writer.blank();
      writer.comment("//", planned.schema);
      write_signature(writer, planned);
      declare_table(writer, planned);
      writer.one_call_function("void " + planned.boxed + "(", {"::structured::Stack& stack"},
                               "::structured::call_boxed(", {planned.table, "stack"});
      write_slow_path(writer, planned);
    }
  }
  return writer.text();
}

}  // namespace structured::gen
