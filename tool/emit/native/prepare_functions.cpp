#include "emit/native/prepare_functions.h"

#include <string>
#include <vector>

#include "lower/calling_convention.h"
#include "emit/native/wrapper_body.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// `PreparedOperator prepare_add_out(out, self, other, alpha)`.
CppSignature prepare_signature(const Plan& plan, const PlannedVariant& planned) {
  CppSignature signature = public_signature(*plan.cpp_types, *planned.op, *planned.variant);
  signature.result = "::structured::PreparedOperator";
  return signature;
}

std::string prepare_function(const PlannedVariant& planned) { return "prepare_" + planned.function + "("; }

}  // namespace

void declare_prepare_function(Writer& writer, const Plan& plan, const PlannedVariant& planned) {
  const CppSignature signature = prepare_signature(plan, planned);
  writer.list(plan.export_macro + " " + signature.result + " " + prepare_function(planned),
              signature.declared(/*with_defaults=*/true), ");");
}

void define_prepare_function(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper,
                             const SharedBodies& shared) {
  const PlannedVariant& planned = plan.variant_of(wrapper);
  const CppSignature signature = prepare_signature(plan, planned);
  const std::string head = signature.result + " " + prepare_function(planned);
  const std::string hidden = "::" + plan.hidden_namespace + "::";
  std::vector<std::string> arguments = expressions(signature, planned.dispatched);
  writer.blank();
  if (const std::string callee = shared.find(wrapper, WrapperPart::prepared); !callee.empty()) {
    llvm::append_range(arguments, shared_callees(plan, wrapper, WrapperPart::prepared));
    writer.one_call_function(head, signature.declared(), "return " + hidden + callee + "(", arguments);
    return;
  }
  const std::string prepare = planned.op->pointwise ? "prepare_pointwise" : "prepare";
  writer.one_call_function(head, signature.declared(),
                           "return ::structured::" + prepare + "<" + hidden + prepared_name(wrapper) + ">(", arguments);
}

}  // namespace structured::gen
