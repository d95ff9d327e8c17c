#include "scan/attribute_table.h"

namespace structured::gen {

llvm::ArrayRef<AttributeSpec> attribute_table() {
  static constexpr AttributeSpec table[] = {
      {"structured::meta", AttributeTarget::function},
      {"structured::impl", AttributeTarget::function},
      {"structured::kernel", AttributeTarget::function},
      {"structured::composite", AttributeTarget::function},
      {"structured::pointwise", AttributeTarget::function},
      {"structured::backward", AttributeTarget::function},
      {"structured::returns", AttributeTarget::function},
      {"structured::out", AttributeTarget::function},
      {"structured::method", AttributeTarget::function},
      {"structured::no_cpp_default", AttributeTarget::function},
      {"structured::dtypes", AttributeTarget::function},
      {"structured::tags", AttributeTarget::function},
      {"structured::device_check", AttributeTarget::function},
      {"structured::promote", AttributeTarget::function},
      {"structured::kwonly", AttributeTarget::parameter},
      {"structured::size", AttributeTarget::parameter},
      {"structured::symint", AttributeTarget::parameter},
      {"structured::alias", AttributeTarget::parameter},
      {"structured::schema_default", AttributeTarget::parameter},
      {"structured::scalar", AttributeTarget::parameter},
      {"structured::tensor", AttributeTarget::parameter},
  };
  return table;
}

const AttributeSpec* find_attribute(llvm::StringRef name) {
  for (const AttributeSpec& spec : attribute_table()) {
    if (spec.name() == name) return &spec;
  }
  return nullptr;
}

std::optional<llvm::StringRef> nearest_attribute(llvm::StringRef name) {
  std::optional<llvm::StringRef> nearest;
  unsigned best = static_cast<unsigned>(name.size()) / 3 + 1;  // more edits than this is another word
  for (const AttributeSpec& spec : attribute_table()) {
    unsigned distance = spec.name().edit_distance_insensitive(name, /*AllowReplacements=*/true, best);
    if (distance <= best && (!nearest || distance < best)) {
      nearest = spec.name();
      best = distance;
    }
  }
  return nearest;
}

}  // namespace structured::gen
