#include "language/dtypes.h"

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// A dtype with one name occurs in both tables; a search finds the first entry.
using Elements = DtypeName::Elements;

constexpr DtypeName names[] = {
#define STRUCTURED_DTYPE_SET(name, constant, elements) {name, #constant, "", true, Elements::elements},
#include "structured/schema/dtypes.def"
#define STRUCTURED_DTYPE(enumerator, name, other_name, type, elements) \
  {other_name, "k" #enumerator, type, false, Elements::elements},
#include "structured/schema/dtypes.def"
#define STRUCTURED_DTYPE(enumerator, name, other_name, type, elements) \
  {name, "k" #enumerator, type, false, Elements::elements},
#include "structured/schema/dtypes.def"
};

constexpr llvm::StringLiteral rules[] = {
#define STRUCTURED_PROMOTION_RULE(name) name,
#include "structured/schema/dtypes.def"
};

}  // namespace

llvm::ArrayRef<DtypeName> dtype_names() { return names; }

const DtypeName* find_dtype(llvm::StringRef name) {
  const auto* found = llvm::find_if(names, [&](const DtypeName& entry) { return entry.name == name; });
  return found == std::end(names) ? nullptr : found;
}

bool includes_floating(llvm::StringRef name) {
  constexpr llvm::StringLiteral floating[] = {"kAllTypes", "kAllFloatingTypes", "kHalf", "kBFloat16", "kFloat",
                                              "kDouble"};
  const DtypeName* dtype = find_dtype(name);
  return dtype != nullptr && llvm::is_contained(floating, dtype->constant);
}

bool includes_differentiable(llvm::StringRef name) {
  const DtypeName* dtype = find_dtype(name);
  return includes_floating(name) || (dtype != nullptr && dtype->constant.contains("Complex"));
}

llvm::ArrayRef<llvm::StringLiteral> promotion_rules() { return rules; }

}  // namespace structured::gen
