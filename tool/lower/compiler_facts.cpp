#include "lower/compiler_facts.h"

#include "llvm/ADT/StringExtras.h"
#include "lower/decomposition.h"
#include "model/range_text.h"
#include "model/scalar_function.h"

namespace structured::gen {
namespace {

void add_refusals(std::vector<std::string>& lines, const DecompositionResult& result, const std::string& what) {
  for (const DecompositionRefusal& refusal : result.refusals) {
    lines.push_back("call " + what + " as a whole for " + llvm::join(refusal.dtypes, ", ") + ": " + refusal.reason +
                    " at " + range_text(refusal.range, ""));
  }
}

}  // namespace

std::vector<std::string> compiler_facts(const Operator& op) {
  if (op.shape && op.shape->functions.empty()) {
    return {"fix symbolic sizes: the meta function " + op.shape->refusal + " at " + range_text(op.shape->range, "")};
  }
  if (op.shape)
    return {op.shape->has_dynamic_sizes ? "know sizes that depend on data as symbols" : "keep symbolic sizes"};
  const Pointwise* function = element_function(op);
  if (!function) return {};
  if (function->is_opaque) return {"call it as a whole: it is marked `opaque`"};
  if (function->bodies.empty()) {
    return {"call it as a whole: it has no bodies for real numbers, or was scanned without `--scalar-graphs`"};
  }
  std::vector<std::string> lines;
  const DecompositionResult result = decompose(*function);
  if (result.decomposition) {
    std::vector<std::string> dtypes;
    for (const Decomposition::Body& body : result.decomposition->bodies) {
      for (const DtypeName* dtype : body.dtypes) dtypes.push_back(dtype->name.str());
    }
    lines.push_back("see what it computes for " + llvm::join(dtypes, ", "));
  }
  add_refusals(lines, result, "it");
  for (const Backward& backward : derivatives_of(op)) {
    Pointwise derivative = *function;
    derivative.bodies = backward.bodies;
    const bool is_derived = backward.kind == Backward::Kind::derived;
    add_refusals(lines, decompose(derivative, is_derived ? backward.inputs.front() : ""),
                 "its derivative by " + llvm::join(backward.inputs, ", "));
  }
  return lines;
}

}  // namespace structured::gen
