#include "language/dtypes.h"

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

constexpr DtypeName entry(const char* name, llvm::StringRef constant, int number) {
  return {name, constant, schema::dtype_numbered(number)->type, false, schema::DtypeSet{1} << number};
}

// A dtype with one name occurs in both tables; a search finds the first entry.
constexpr DtypeName names[] = {
#define STRUCTURED_DTYPE_SET(name, constant, condition) {name, #constant, "", true, schema::constant},
#include "structured/schema/dtypes.def"
#define STRUCTURED_DTYPE(enumerator, number, ...) \
  entry(schema::dtype_numbered(number)->torch_name(), "k" #enumerator, number),
#include "structured/schema/dtypes.def"
#define STRUCTURED_DTYPE(enumerator, number, ...) entry(schema::dtype_numbered(number)->word, "k" #enumerator, number),
#include "structured/schema/dtypes.def"
};

constexpr llvm::StringLiteral rules[] = {
#define STRUCTURED_PROMOTION_RULE(name) name,
#include "structured/schema/dtypes.def"
};

// Whether the name stands for one of the dtypes.
bool includes(llvm::StringRef name, schema::DtypeSet dtypes) {
  const DtypeName* found = find_dtype(name);
  return found != nullptr && (found->dtypes & dtypes) != 0;
}

}  // namespace

llvm::ArrayRef<DtypeName> dtype_names() { return names; }

const DtypeName* find_dtype(llvm::StringRef name) {
  const auto* found = llvm::find_if(names, [&](const DtypeName& entry) { return entry.name == name; });
  return found == std::end(names) ? nullptr : found;
}

bool includes_floating(llvm::StringRef name) { return includes(name, schema::kAllFloatingTypes); }

bool includes_differentiable(llvm::StringRef name) {
  return includes(name, schema::kAllFloatingTypes | schema::kAllComplexTypes);
}

llvm::ArrayRef<llvm::StringLiteral> promotion_rules() { return rules; }

}  // namespace structured::gen
