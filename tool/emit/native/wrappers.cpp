#include "emit/native/wrappers.h"

#include <map>
#include <set>
#include <vector>

#include "lower/calling_convention.h"
#include "emit/native/meta_functions.h"
#include "emit/native/pointwise.h"
#include "emit/native/prepare_functions.h"
#include "emit/native/source_text.h"
#include "emit/native/wrapper_body.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// The author's functions that a wrapper reaches.
std::vector<const Function*> functions_of(const Plan& plan, const PlannedWrapper& wrapper) {
  if (wrapper.kernel != nullptr) {
    return {&wrapper.kernel->function};
  }
  const PlannedVariant& planned = plan.variant_of(wrapper);
  if (planned.op->pointwise) {
    return {};  // it is defined right there
  }
  std::vector<const Function*> result;
  if (planned.imported == nullptr) {
    result.push_back(&planned.op->structured->meta);
  }
  if (wrapper.impl != nullptr) {
    result.push_back(&wrapper.impl->function);
  }
  return result;
}

// Whether a public function calls it without looking at a table.
bool is_direct(const Plan& plan, const PlannedWrapper& wrapper) {
  return wrapper.backend && plan.variant_of(wrapper).imported == nullptr;
}

constexpr WrapperPart all_parts[] = {WrapperPart::call, WrapperPart::common, WrapperPart::prepared};

std::set<std::string> headers_for(const Plan& plan, const PlannedSource& source, const SharedBodies& shared) {
  std::set<std::string> headers;
  for (const std::size_t index : source.wrappers) {
    const PlannedWrapper& wrapper = plan.wrappers[index];
    const PlannedVariant& planned = plan.variant_of(wrapper);
    if (wrapper.is_kernel_itself && !is_direct(plan, wrapper)) {
      continue;
    }
    if (planned.imported == nullptr) {
      headers.insert("<" + planned.header + ">");
    } else {
      add_headers(*plan.cpp_types, *planned.op, *planned.variant, headers);
    }
    for (const WrapperPart part : all_parts) {
      if (!wrapper.is_kernel_itself && has_part(plan, wrapper, part) && shared.has_body_here(wrapper, part)) {
        add_body_headers(plan, wrapper, part, headers);
      }
    }
    if (wrapper.kernel == nullptr) {
      if (has_part(plan, wrapper, WrapperPart::common)) {
        headers.insert("<structured/dispatch/operator.h>");
      }
      headers.insert(planned.imported == nullptr ? "<structured/dispatch/meta_function.h>"
                                                 : "<structured/dispatch/imports.h>");
      if (planned.op->pointwise) {
        add_pointwise_headers(*planned.op, headers);
      }
      add_author_headers(*planned.op->structured, headers);
    }
  }
  return headers;
}

}  // namespace

void write_wrapper_and_globals(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper,
                               const SharedBodies& shared, std::set<std::string>& declared) {
  const PlannedVariant& planned = plan.variant_of(wrapper);
  if (wrapper.kernel == nullptr && planned.imported != nullptr && declared.insert(planned.meta).second) {
    writer.blank();
    declare_imported_meta(writer, planned);
  }
  write_wrapper_part(writer, plan, wrapper, WrapperPart::call, shared.find(wrapper, WrapperPart::call));
  if (has_part(plan, wrapper, WrapperPart::common)) {
    const PlannedVariant& out = plan.variants[planned.out_variant];
    if (declared.insert(out.table).second) {
      writer.blank();
      write_signature(writer, out);
      declare_table(writer, out);
    }
    write_wrapper_part(writer, plan, wrapper, WrapperPart::common, shared.find(wrapper, WrapperPart::common));
  }
}

std::string wrappers_source(const Plan& plan, const SharedBodies& shared, llvm::StringRef source) {
  const auto found = plan.sources.find(source.str());
  if (found == plan.sources.end() || found->second.wrappers.empty()) {
    return nothing_from(source, "kernels");
  }
  Writer writer;
  write_banner(writer, source);
  write_includes(writer, headers_for(plan, found->second, shared));
  std::vector<const Function*> functions;
  for (const std::size_t index : found->second.wrappers) {
    const PlannedWrapper& wrapper = plan.wrappers[index];
    if (!wrapper.is_kernel_itself || is_direct(plan, wrapper)) {
      llvm::append_range(functions, functions_of(plan, wrapper));
    }
  }
  declare_functions(writer, functions);

  std::map<std::string, std::vector<const PlannedWrapper*>> direct;  // by namespace
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(plan.hidden_namespace);
    std::set<std::string> declared;
    for (const std::size_t index : found->second.variants) {
      const PlannedVariant& planned = plan.variants[index];
      if (planned.op->pointwise && planned.variant->kind == Variant::Kind::functional) {
        write_pointwise_functions(writer, plan, planned);
      }
      if (planned.op->structured && planned.variant->kind == Variant::Kind::functional) {
        write_meta_function(writer, planned);
      }
    }
    shared.write(writer, plan, source);
    for (const std::size_t index : found->second.wrappers) {
      const PlannedWrapper& wrapper = plan.wrappers[index];
      if (!wrapper.is_kernel_itself) {
        write_wrapper_and_globals(writer, plan, wrapper, shared, declared);
      }
      if (has_part(plan, wrapper, WrapperPart::prepared)) {
        write_wrapper_part(writer, plan, wrapper, WrapperPart::prepared, shared.find(wrapper, WrapperPart::prepared));
      }
      if (is_direct(plan, wrapper)) {
        direct[plan.variant_of(wrapper).cpp_namespace + "::" + wrapper.backend->cpp_namespace].push_back(&wrapper);
      }
    }
  }
  for (const auto& [name, wrappers] : direct) {
    const Writer::Scope scope = writer.in_namespace(name);
    for (const PlannedWrapper* wrapper : wrappers) {
      const std::string scope_of_callee = wrapper->is_kernel_itself ? "" : "::" + plan.hidden_namespace + "::";
      define_public_functions(writer, plan, plan.variant_of(*wrapper), scope_of_callee + wrapper->name);
      if (has_part(plan, *wrapper, WrapperPart::prepared)) {
        define_prepare_function(writer, plan, *wrapper, shared);
      }
    }
  }
  return writer.text();
}

}  // namespace structured::gen
