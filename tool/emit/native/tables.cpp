#include "emit/native/tables.h"

#include <map>
#include <set>
#include <vector>

#include "emit/native/source_text.h"
#include "emit/writer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// The backends that have a kernel of their own for out= and none for this variant, which its common wrapper makes of
// it.
std::vector<std::string> commonly_served(const Plan& plan, const PlannedVariant& planned) {
  std::vector<std::string> backends;
  if (planned.common.empty()) {
    return backends;
  }
  const auto backend_of = [&](std::size_t index) -> llvm::StringRef {
    const PlannedWrapper& wrapper = plan.wrappers[index];
    return wrapper.backend ? llvm::StringRef(wrapper.backend->enumerator) : "";
  };
  for (const std::size_t out : plan.variants[planned.out_variant].wrappers) {
    const llvm::StringRef backend = backend_of(out);
    const bool is_served =
        llvm::any_of(planned.wrappers, [&](std::size_t index) { return backend_of(index) == backend; });
    if (!backend.empty() && plan.wrappers[out].kernel != nullptr && !is_served) {
      backends.push_back(backend.str());
    }
  }
  return backends;
}

void write_table(Writer& writer, const Plan& plan, const PlannedVariant& planned, bool boxed) {
  writer.blank();
  writer.comment("//", planned.schema);
  write_signature(writer, planned);
  const PlannedWrapper* composite = nullptr;
  std::vector<const PlannedWrapper*> kernels;
  for (const std::size_t index : planned.wrappers) {
    const PlannedWrapper& wrapper = plan.wrappers[index];
    if (!wrapper.is_kernel_itself) {
      writer.line(planned.signature + " " + wrapper.name + ";");
    }
    if (wrapper.backend) {
      kernels.push_back(&wrapper);
    } else {
      composite = &wrapper;
    }
  }
  if (boxed) {
    writer.line("::structured::SlowPath<" + planned.signature + "> " + planned.slow_path + ";");
  }
  if (!planned.common.empty()) {
    writer.line(planned.signature + " " + planned.common + ";");
  }
  if (!planned.variants.empty()) {
    writer.line("extern const ::structured::Variants " + planned.variants + ";");
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
  const std::vector<std::string> commonly = commonly_served(plan, planned);
  if (kernels.empty() && commonly.empty()) {
    writer.line("{},");
  } else {
    const Writer::Scope entries = writer.block("{", "},", Writer::continuation);
    for (const PlannedWrapper* kernel : kernels) {
      writer.line("{" + kernel->backend->enumerator + ", " + kernel->name + "},");
    }
    for (const std::string& backend : commonly) {
      writer.line("{" + backend + ", " + planned.common + "},");
    }
  }
  if (composite != nullptr) {
    writer.line(composite->name + ",");
  }
  std::vector<std::string> hooks;
  if (boxed) {
    hooks.push_back(".slow_path = " + planned.slow_path);
  }
  if (!planned.common.empty()) {
    hooks.push_back(".common = " + planned.common);
  }
  if (!planned.variants.empty()) {
    hooks.push_back(".variants = &" + planned.variants);
  }
  if (!hooks.empty()) {
    writer.list("{", hooks, "},");
  }
}

// The variants that a backend gets from its out= kernel.
void write_variants(Writer& writer, const Plan& plan, llvm::ArrayRef<std::size_t> indices) {
  std::map<std::string, std::map<Variant::Kind, const PlannedVariant*>> by_name;
  for (const std::size_t index : indices) {
    const PlannedVariant& planned = plan.variants[index];
    if (!planned.variants.empty()) {
      by_name[planned.variants][planned.variant->kind] = &planned;
    }
  }
  for (const auto& [name, by_kind] : by_name) {
    std::vector<std::string> members{"&" + by_kind.at(Variant::Kind::out)->table};
    for (const Variant::Kind kind : {Variant::Kind::functional, Variant::Kind::inplace}) {
      const auto found = by_kind.find(kind);
      const bool is_common = found != by_kind.end() && !found->second->common.empty();
      members.push_back(is_common ? found->second->table + ".as_variant()" : "{}");
    }
    writer.blank();
    writer.list("constinit const ::structured::Variants " + name + "{", members, "};");
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
  std::vector<const Function*> kernels;
  for (const std::size_t index : found->second.variants) {
    const PlannedVariant& planned = plan.variants[index];
    headers.insert("<" + planned.header + ">");
    by_namespace[planned.cpp_namespace].push_back(&planned);
    for (const std::size_t wrapper : planned.wrappers) {
      if (plan.wrappers[wrapper].is_kernel_itself) {
        kernels.push_back(&plan.wrappers[wrapper].kernel->function);
      }
    }
  }
  Writer writer;
  write_banner(writer, source);
  write_includes(writer, headers);
  declare_functions(writer, kernels);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(plan.hidden_namespace);
    for (const std::size_t index : found->second.variants) {
      write_table(writer, plan, plan.variants[index], boxed);
    }
    write_variants(writer, plan, found->second.variants);
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
