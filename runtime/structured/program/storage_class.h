#pragma once
// Classes of storages, by which PyTorch's pickles name dtypes.
#include <string_view>

#include "structured/core/scalar_type.h"

namespace structured::program {

struct StorageClass {
  std::string_view name;
  ScalarType dtype;
};

inline constexpr StorageClass kStorageClasses[] = {
    {"BFloat16Storage", kBFloat16},
    {"BoolStorage", kBool},
    {"ByteStorage", kByte},
    {"CharStorage", kChar},
    {"ComplexDoubleStorage", kComplexDouble},
    {"ComplexFloatStorage", kComplexFloat},
    {"DoubleStorage", kDouble},
    {"FloatStorage", kFloat},
    {"HalfStorage", kHalf},
    {"IntStorage", kInt},
    {"LongStorage", kLong},
    {"QInt32Storage", kQInt32},
    {"QInt8Storage", kQInt8},
    {"QUInt8Storage", kQUInt8},
    {"ShortStorage", kShort},
};

}  // namespace structured::program
