// Dtypes, sets of them and promotion rules, from schema/dtypes.def.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// A name that `dtypes` accepts.
struct DtypeName {
  enum class Elements { plain, quantized };
  llvm::StringLiteral name;      ///< `floating`, `uint8`, `byte`
  llvm::StringLiteral constant;  ///< in the native runtime: `kAllFloatingTypes`, `kByte`
  llvm::StringLiteral type;      ///< canonical C++ type of the elements of a plain dtype: `unsigned char`
  bool is_set;
  Elements elements;
};

/// Sets first. A dtype with two names has two entries.
llvm::ArrayRef<DtypeName> dtype_names();
/// Returns the entry of that name, or null.
const DtypeName* find_dtype(llvm::StringRef name);

/// Whether `name` stands for a real floating-point dtype, or for a set that contains one.
bool includes_floating(llvm::StringRef name);
/// Whether `name` stands for a dtype that has gradients, real or complex, or for a set that contains one.
bool includes_differentiable(llvm::StringRef name);

/// The rules that `promote` accepts.
llvm::ArrayRef<llvm::StringLiteral> promotion_rules();

}  // namespace structured::gen
