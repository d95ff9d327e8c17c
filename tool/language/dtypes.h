// Dtypes, sets of them and promotion rules, from structured/schema/dtypes.def.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "structured/schema/dtype.h"

namespace structured::gen {

/// A name that `dtypes` accepts.
struct DtypeName {
  llvm::StringRef name;      ///< `floating`, `uint8`, `byte`
  llvm::StringRef constant;  ///< in the native runtime: `kAllFloatingTypes`, `kByte`
  llvm::StringRef type;      ///< canonical C++ type of the elements of a plain dtype: `unsigned char`
  bool is_set;
  schema::DtypeSet dtypes;

  /// Whether scalar functions may apply: elements have a C++ type.
  constexpr bool is_plain() const { return (dtypes & ~schema::kAllTypes) == 0; }
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
