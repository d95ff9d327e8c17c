#include "model/tensor_property.h"

#include <utility>

namespace structured::gen {

std::optional<TensorPropertyName> split_property_name(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, TensorProperty> suffixes[] = {
      {"_sizes", TensorProperty::sizes},
      {"_strides", TensorProperty::strides},
      {"_storage_offset", TensorProperty::storage_offset},
  };
  for (const auto& [suffix, property] : suffixes) {
    if (name.ends_with(suffix)) return TensorPropertyName{name.drop_back(suffix.size()), property};
  }
  return std::nullopt;
}

}  // namespace structured::gen
