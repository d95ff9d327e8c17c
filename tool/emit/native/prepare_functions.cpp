#include "emit/native/prepare_functions.h"

#include <string>
#include <vector>

#include "emit/native/function_text.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

// `PreparedOperator prepare_add_out(out, self, other, alpha)`.
CppSignature prepare_signature(const LoweredLibrary& lowered, const LoweredVariant& variant) {
  CppSignature signature = public_signature(*lowered.cpp_types, *variant.op, *variant.derived);
  signature.result = "::structured::PreparedOperator";
  return signature;
}

std::string prepare_function(const LoweredVariant& variant) { return "prepare_" + variant.function + "("; }

}  // namespace

void declare_prepare_function(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant) {
  const CppSignature signature = prepare_signature(lowered, variant);
  writer.list(lowered.export_macro + " " + signature.result + " " + prepare_function(variant),
              signature.declared(/*with_defaults=*/true), ");");
}

void define_prepare_function(Writer& writer, const LoweredLibrary& lowered, const LoweredWrapper& wrapper,
                             const LoweredFunction& prepared) {
  const LoweredVariant& variant = lowered.variant_of(wrapper);
  const CppSignature signature = prepare_signature(lowered, variant);
  const std::string head = signature.result + " " + prepare_function(variant);
  const std::string hidden = "::" + lowered.hidden_namespace + "::";
  std::vector<std::string> arguments = expressions(signature, variant.dispatched);
  writer.blank();
  if (!prepared.shared.empty()) {
    for (const std::string& argument : shared_body_arguments(prepared)) {
      arguments.push_back(argument);
    }
    writer.one_call_function(head, signature.declared(), "return " + hidden + prepared.shared + "(", arguments);
    return;
  }
  const std::string prepare = prepared.body.compute_steps.empty() ? "prepare" : "prepare_pointwise";
  writer.one_call_function(head, signature.declared(),
                           "return ::structured::" + prepare + "<" + hidden + prepared.name + ">(", arguments);
}

}  // namespace structured::gen
