#pragma once
// Classes of storages, by which PyTorch's pickles name dtypes: `FloatStorage`.
#include <string>
#include <string_view>

#include "structured/number/scalar_type.h"

namespace structured::program {

inline constexpr std::string_view kStorageSuffix = "Storage";

/// Returns the dtype of a class of storages; Undefined for other classes.
inline ScalarType dtype_of_storage(std::string_view class_name) {
  if (!class_name.ends_with(kStorageSuffix)) return ScalarType::Undefined;
  class_name.remove_suffix(kStorageSuffix.size());
  return scalar_type_of_row(schema::find_dtype(
      [=](const schema::Dtype& dtype) { return dtype.has_storage_class && dtype.name == class_name; }));
}

/// Returns the class of storages of a dtype; empty if there is none.
inline std::string storage_class_of(ScalarType type) {
  const schema::Dtype* const dtype = dtype_row(type);
  return dtype != nullptr && dtype->has_storage_class ? dtype->name + std::string(kStorageSuffix) : "";
}

}  // namespace structured::program
