#include <map>
#include <optional>
#include <string>
#include <utility>

#include "lower/lowering.h"
#include "model/scalar_function.h"

namespace structured::gen {
namespace {

/// known_name() of structured/torch/text.h is the inverse.
constexpr const char* opaque_prefix = "_opaque_";

}  // namespace

void add_decompositions(Lowering& lowering) {
  if (!lowering.options.decomposes || !lowering.flavour.has_layers) return;
  std::map<const Operator*, std::optional<Decomposition>> by_operator;
  for (std::size_t i = 0; i < lowering.lowered.own_count; ++i) {
    LoweredVariant& entry = lowering.lowered.variants[i];
    const Pointwise* function = element_function(*entry.op);
    if (!function) continue;
    const auto [found, is_new] = by_operator.try_emplace(entry.op);
    if (is_new) {
      const GradientOperator* gradient = lowering.find_gradient(*entry.op);
      const bool is_derived = gradient != nullptr && gradient->derivative && !gradient->derivative->by.empty();
      const std::string derivative = is_derived ? gradient->derivative->by.front() : "";
      found->second = decompose(*function, derivative).decomposition;
    }
    if (!found->second) continue;
    if (!lowering.options.has_python_layers) {
      OperatorName name = entry.derived->schema.name;
      name.base.insert(0, opaque_prefix);
      entry.opaque = lowering.full_name(name);
      entry.opaque_base = std::move(name.base);
    }
    if (entry.derived->kind != Variant::Kind::functional) continue;
    entry.decomposition = found->second;
    entry.decomposition->name = lowering.names.claim("decomposition_" + identifier(entry.derived->schema.name));
  }
}

}  // namespace structured::gen
