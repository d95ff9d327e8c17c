#include "emit/torch/wrappers_source.h"

#include <set>

#include "emit/cpp/source_text.h"
#include "emit/torch/pointwise.h"
#include "emit/writer.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// The author's functions that a wrapper calls.
std::vector<const Function*> torch_callees(const LoweredLibrary& lowered, const LoweredWrapper& wrapper) {
  if (wrapper.kernel != nullptr) return {&wrapper.kernel->function};
  const StructuredParts& parts = *lowered.variant_of(wrapper).op->structured;
  std::vector<const Function*> functions;
  if (!parts.meta_is_member()) functions.push_back(&parts.meta);
  if (wrapper.impl != nullptr) functions.push_back(&wrapper.impl->function);
  return functions;
}

}  // namespace

std::string torch_wrappers_source(const LoweredLibrary& lowered, const TorchSupport& support, llvm::StringRef source,
                                  const LoweredSource& contents) {
  std::set<std::string> headers{support.adaptors_header.str()};
  std::vector<const Function*> functions;
  std::vector<const LoweredFunction*> calls;
  for (const std::size_t index : contents.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    const LoweredFunction* call = wrapper.find(WrapperPart::call);
    if (call == nullptr) continue;
    calls.push_back(call);
    const Operator& op = *lowered.variant_of(wrapper).op;
    if (wrapper.kernel == nullptr) add_author_headers(*op.structured, headers, torch_folders);
    // Headers with meta classes do not include the lists of tensors that they name.
    if (wrapper.kernel == nullptr && op.structured->meta_is_member()) headers.insert("<ATen/core/IListRef.h>");
    if (wrapper.kernel == nullptr && op.pointwise) {
      add_torch_pointwise_headers(support, lowered.variant_of(wrapper), headers);
      continue;  // this source defines the callees
    }
    for (const Function* function : torch_callees(lowered, wrapper)) functions.push_back(function);
  }
  if (calls.empty()) return nothing_from(source, "kernels that need wrappers");
  Writer writer;
  write_banner(writer, source);
  write_includes(writer, headers);
  declare_functions(writer, functions);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    for (const std::size_t index : contents.variants) {
      const LoweredVariant& variant = lowered.variants[index];
      if (variant.pointwise) write_torch_pointwise(writer, support, variant);
    }
    for (const LoweredFunction* call : calls) write_torch_function(writer, support, *call);
  }
  return writer.text();
}

std::string torch_wrappers(const LoweredLibrary& lowered, const TorchSupport& support, const LoweredVariant& variant) {
  Writer writer;
  for (const std::size_t index : variant.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    if (const LoweredFunction* call = wrapper.find(WrapperPart::call)) {
      write_torch_function(writer, support, *call);
    } else {
      writer.blank();
      writer.comment("//", variant.schema);
      writer.comment("//", "No wrapper is emitted: the dispatcher calls " + wrapper.name + ".");
    }
  }
  return writer.text();
}

}  // namespace structured::gen
