// Uses of operators and dtypes in one file.
#pragma once

#include <map>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "selection/selection.h"

namespace structured::gen {

/// Uses of one operator or dtype: the first user and the number of users.
class Use {
 public:
  void note(llvm::StringRef user) {
    if (count_++ == 0) first_ = user.str();
  }
  /// `model.pt2: node `relu` and 2 others`, where `what` is `node`.
  std::string reason(llvm::StringRef file, llvm::StringRef what) const {
    const std::string others = std::to_string(count_ - 1);
    return (file + ": " + what + " `" + first_ + "`" +
            (count_ == 1 ? "" : " and " + others + (count_ == 2 ? " other" : " others")))
        .str();
  }

 private:
  std::string first_;
  unsigned count_ = 0;
};
using Uses = std::map<std::string, Use>;

inline void add_reasons(Reasons& reasons, const Uses& uses, llvm::StringRef file, llvm::StringRef what) {
  for (const auto& [name, use] : uses) reasons[name].insert(use.reason(file, what));
}

/// Adds the dtypes that operators use inside: whatever the dtypes of a program, and those in which kernels compute its
/// values (AccumulateType in the operator library) or to which they split complex numbers.
inline void add_inner_dtypes(Selection& selection) {
  struct Inner {
    llvm::StringLiteral used;
    llvm::StringLiteral inner;
    llvm::StringLiteral reason;
  };
  constexpr llvm::StringLiteral computed = "numbers in which kernels compute those of dtype ";
  constexpr llvm::StringLiteral parts = "parts of numbers of dtype ";
  constexpr Inner inner_dtypes[] = {
      {"ComplexHalf", "ComplexFloat", computed}, {"ComplexHalf", "Half", parts}, {"ComplexFloat", "Float", parts},
      {"ComplexDouble", "Double", parts},        {"Half", "Float", computed},    {"BFloat16", "Float", computed}};
  Reasons& dtypes = *selection.dtypes;
  for (const Inner& each : inner_dtypes) {
    if (dtypes.count(each.used.str()) != 0) dtypes[each.inner.str()].insert((each.reason + each.used).str());
  }
  dtypes["Long"].insert("indices that operators compute");
  dtypes["Bool"].insert("masks that operators compute");
}

}  // namespace structured::gen
