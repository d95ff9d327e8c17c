#include "lower/lowering.h"

#include <map>

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// Returns the backends whose only kernel is for the out= variant.
std::vector<std::string> backends_via_out(const Lowering& lowering, const LoweredVariant& entry) {
  const auto backend_of = [&](std::size_t index) {
    const std::optional<CppBackend>& backend = lowering.lowered.wrappers[index].backend;
    return backend ? backend->enumerator : std::string();
  };
  std::vector<std::string> backends;
  for (const std::size_t out : lowering.lowered.variants[entry.out_variant].wrappers) {
    const LoweredWrapper& wrapper = lowering.lowered.wrappers[out];
    if (!wrapper.backend || wrapper.kernel == nullptr) continue;
    const bool is_served = llvm::any_of(
        entry.wrappers, [&](std::size_t index) { return backend_of(index) == wrapper.backend->enumerator; });
    if (!is_served) backends.push_back(wrapper.backend->enumerator);
  }
  return backends;
}

}  // namespace

void name_wrappers_via_out(Lowering& lowering) {
  if (!lowering.traits.has_tables || !lowering.flavour.has_tables || !lowering.has_backend("Meta")) {
    return;
  }
  std::map<const Operator*, std::size_t> out_variants;
  for (std::size_t i = 0; i < lowering.lowered.own_count; ++i) {
    const LoweredVariant& entry = lowering.lowered.variants[i];
    if (entry.op->structured && entry.derived->kind == Variant::Kind::out) {
      out_variants[entry.op] = i;
    }
  }
  std::map<const Operator*, std::string> names;
  for (std::size_t i = 0; i < lowering.lowered.own_count; ++i) {
    LoweredVariant& entry = lowering.lowered.variants[i];
    const auto out = out_variants.find(entry.op);
    if (out == out_variants.end()) {
      continue;
    }
    std::string& name = names[entry.op];
    if (name.empty()) {
      name = lowering.names.claim("variants_" + identifier(entry.op->variants.front().schema.name));
    }
    entry.variants = name;
    entry.out_variant = out->second;
    const bool has_meta_class = llvm::any_of(
        entry.wrappers, [&](std::size_t index) { return lowering.lowered.wrappers[index].runs_only_meta(); });
    if (has_meta_class && entry.derived->kind != Variant::Kind::out) {
      entry.via_out = lowering.names.claim("wrapper_via_out_" + identifier(entry.derived->schema.name));
      entry.backends_via_out = backends_via_out(lowering, entry);
    }
  }
}

llvm::Error find_bases(Lowering& lowering) {
  for (std::size_t i = 0; i < lowering.lowered.own_count; ++i) {
    LoweredVariant& entry = lowering.lowered.variants[i];
    const std::string& base_name = entry.derived->derived_from;
    if (base_name.empty()) {
      continue;
    }
    if (!lowering.traits.has_tables) {
      return error_for(entry, "is a variant that `variants` derives; libraries for PyTorch need a kernel for it");
    }
    const auto is_base = [&](const LoweredVariant& other) {
      return to_string(other.derived->schema.name) == base_name;
    };
    const auto base = llvm::find_if(lowering.lowered.own_variants(), is_base);
    if (base == lowering.lowered.own_variants().end()) {
      return error_for(entry, "is derived from unknown operator `" + base_name + "`");
    }
    entry.base = static_cast<std::size_t>(base - lowering.lowered.own_variants().begin());
  }
  return llvm::Error::success();
}

}  // namespace structured::gen
