// Parameters of derivatives that stand for a property of a tensor: `self_sizes`, `self_strides`, `self_storage_offset`.
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// A property that is saved in place of the tensor.
enum class TensorProperty { sizes, strides, storage_offset };

/// The name of a property of a tensor, in two parts.
struct TensorPropertyName {
  llvm::StringRef tensor;
  TensorProperty property;
};

/// Splits `self_strides` into `self` and the property. std::nullopt for names without the suffix of a property.
std::optional<TensorPropertyName> split_property_name(llvm::StringRef name);

}  // namespace structured::gen
