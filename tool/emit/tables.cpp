#include "emit/tables.h"

#include <map>
#include <set>
#include <vector>

#include "emit/source_text.h"
#include "emit/writer.h"

namespace structured::gen {
namespace {

void write_table(Writer& writer, const Plan& plan, const PlannedVariant& planned, bool boxed) {
  writer.blank();
  writer.comment("//", planned.schema);
  write_signature(writer, plan, planned);
  const PlannedWrapper* composite = nullptr;
  std::vector<const PlannedWrapper*> kernels;
  for (const std::size_t index : planned.wrappers) {
    const PlannedWrapper& wrapper = plan.wrappers[index];
    writer.line(planned.signature + " " + wrapper.name + ";");
    if (wrapper.backend) {
      kernels.push_back(&wrapper);
    } else {
      composite = &wrapper;
    }
  }
  if (boxed) {
    writer.line("::structured::Detour<" + planned.signature + "> " + planned.detour + ";");
  }
  // A comma after the last item makes formatters put each on a line of its own.
  const Writer::Scope table = writer.block(
      "constinit ::structured::Operator<" + planned.signature + "> " + planned.table + "{", "};", Writer::continuation);
  writer.line(string_literal(planned.full_name, std::string::npos).front() + ",");
  std::vector<std::string> schema = string_literal(planned.schema, 120 - 5);
  schema.back() += ",";
  for (const std::string& piece : schema) {
    writer.line(piece);
  }
  if (kernels.empty()) {
    writer.line("{},");
  } else {
    const Writer::Scope entries = writer.block("{", "},", Writer::continuation);
    for (const PlannedWrapper* kernel : kernels) {
      writer.line("{" + kernel->backend->enumerator + ", " + kernel->name + "},");
    }
  }
  if (composite != nullptr) {
    writer.line(composite->name + ",");
  }
  if (boxed) {
    writer.line(planned.detour + ",");
  }
}

}  // namespace

std::string tables_source(const Plan& plan, llvm::StringRef source, bool boxed) {
  const auto found = plan.sources.find(source.str());
  if (found == plan.sources.end() || found->second.variants.empty()) {
    return nothing_from(source, "operators");
  }
  std::set<std::string> headers{"<structured/dispatch/operator.h>"};
  std::map<std::string, std::vector<const PlannedVariant*>> by_namespace;
  for (const std::size_t index : found->second.variants) {
    const PlannedVariant& planned = plan.variants[index];
    headers.insert("<" + planned.header + ">");
    by_namespace[planned.cpp_namespace].push_back(&planned);
  }
  Writer writer;
  write_banner(writer, source);
  write_includes(writer, headers);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(plan.hidden_namespace);
    for (const std::size_t index : found->second.variants) {
      write_table(writer, plan, plan.variants[index], boxed);
    }
  }
  for (const auto& [name, variants] : by_namespace) {
    const Writer::Scope scope = writer.in_namespace(name);
    for (const PlannedVariant* planned : variants) {
      define_public_functions(writer, plan, *planned, "::" + plan.hidden_namespace + "::" + planned->table);
    }
  }
  return writer.text();
}

}  // namespace structured::gen
