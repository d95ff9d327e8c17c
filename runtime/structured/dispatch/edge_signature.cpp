// Signatures of operators in the edge runtime, which has no parser for schema text.
#include "structured/base/error.h"
#include "structured/dispatch/signature.h"

namespace structured {

OperatorSignature signature_of(const OperatorHandle& op) {
  STRUCTURED_CHECK(op.parameters.first != nullptr || op.schema() == op.name, "`", op.name,
                   "`: the edge runtime needs libraries of the flavour `edge` or `static`, found one with schema text");
  return detail::signature_from(op.parameters);
}

}  // namespace structured
