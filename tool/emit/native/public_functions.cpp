#include "emit/native/public_functions.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

std::vector<CppSignature> public_signatures(const LoweredLibrary& lowered, const LoweredVariant& variant) {
  std::vector<CppSignature> result{public_signature(*lowered.cpp_types, *variant.op, *variant.derived)};
  if (std::optional<CppSignature> with_options = options_signature(*lowered.cpp_types, *variant.op, *variant.derived)) {
    result.push_back(std::move(*with_options));
  }
  return result;
}

}  // namespace

void write_signature(Writer& writer, const LoweredVariant& variant) {
  const CppSignature& signature = variant.dispatched;
  writer.list("using " + variant.signature + " = " + signature.result + "(", signature.declared(), ");");
}

void declare_table(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant) {
  if (lowered.flavour->has_tables) {
    writer.line("extern ::structured::Operator<" + variant.signature + "> " + variant.table + ";");
  } else {
    writer.line(variant.signature + " " + variant.table + ";");
  }
}

std::string kernel_name(const LoweredLibrary& lowered, const LoweredWrapper& wrapper) {
  if (wrapper.entry != LoweredWrapper::Entry::derived) return wrapper.name;
  const std::string scope = "::" + lowered.hidden_namespace + "::";
  const LoweredVariant& variant = lowered.variant_of(wrapper);
  const std::string kind = variant.derived->kind == Variant::Kind::out ? "OutVariant" : "FunctionalVariant";
  return "::structured::" + kind + "<" + scope + variant.table + ", " + scope + lowered.variants[*variant.base].table +
         ">::call";
}

std::string qualified_kernel_name(const LoweredLibrary& lowered, const LoweredWrapper& wrapper) {
  const bool is_emitted = wrapper.entry == LoweredWrapper::Entry::wrapper;
  return (is_emitted ? "::" + lowered.hidden_namespace + "::" : "") + kernel_name(lowered, wrapper);
}

std::string kernel_in_table(const LoweredLibrary& lowered, const LoweredWrapper& wrapper) {
  if (!lowered.checks(wrapper)) return kernel_name(lowered, wrapper);
  return "::structured::Checked<::" + lowered.hidden_namespace + "::" + lowered.variant_of(wrapper).table + ", " +
         qualified_kernel_name(lowered, wrapper) + ">::call";
}

void declare_public_functions(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant,
                              bool with_defaults) {
  for (const CppSignature& signature : public_signatures(lowered, variant)) {
    writer.list(lowered.export_macro + " " + signature.result + " " + variant.function + "(",
                signature.declared(with_defaults), ");");
  }
}

void define_temporary_overload(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant) {
  const std::optional<CppSignature> signature =
      temporary_signature(*lowered.cpp_types, public_signature(*lowered.cpp_types, *variant.op, *variant.derived));
  if (!signature) {
    return;
  }
  const Writer::Scope body = writer.block("inline " + signature->result + " " + variant.function + "(",
                                          signature->declared(/*with_defaults=*/true), ") {");
  writer.list("return std::move(" + variant.function + "(", signature->names(), "));");
}

void define_public_functions(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant,
                             llvm::StringRef callee) {
  const CppSignature& dispatched = variant.dispatched;
  for (const CppSignature& signature : public_signatures(lowered, variant)) {
    const std::string head = signature.result + " " + variant.function + "(";
    const std::string call = ((variant.derived->schema.returns.empty() ? "" : "return ") + callee + "(").str();
    writer.blank();
    const std::string options = options_of(signature);
    if (options.empty()) {
      writer.one_call_function(head, signature.declared(), call, expressions(signature, dispatched));
      continue;
    }
    // A separate function, so that the call without options saves no registers.
    const std::string others = variant.function + "_with_options(";
    {
      const Writer::Scope body =
          writer.block("[[gnu::noinline]] static " + signature.result + " " + others, signature.declared(), ") {");
      writer.list(call, expressions(signature, dispatched), ");");
    }
    writer.blank();
    const Writer::Scope body = writer.block(head, signature.declared(), ") {");
    {
      // The most frequent call. The compiler sees that all options are empty.
      const Writer::Scope empty = writer.block("if (" + options + ".is_empty()) {");
      writer.list(call, expressions(signature, dispatched, /*has_empty_options=*/true), ");");
    }
    writer.list("return " + others, signature.names(), ");");
  }
}

}  // namespace structured::gen
