// Uses of operators and dtypes in one file.
#pragma once

#include <map>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "selection/selection.h"
#include "structured/schema/promotion.h"

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
  Reasons& dtypes = *selection.dtypes;
  const schema::Dtype& single = *schema::dtype_named("Float");
  // Kernels compute numbers with parts smaller than Float as Float.
  const auto add_computed = [&](const schema::Dtype& dtype, const schema::Dtype& computed) {
    if (schema::real_of(dtype)->size_log2 >= single.size_log2) return;
    dtypes[computed.name].insert(std::string("numbers in which kernels compute those of dtype ") + dtype.name);
  };
  for (const schema::Dtype& dtype : schema::kDtypes) {
    if (!dtype.is_complex() || dtypes.count(dtype.name) == 0) continue;
    add_computed(dtype, *schema::complex_of(single));
    dtypes[dtype.parts].insert(std::string("parts of numbers of dtype ") + dtype.name);
  }
  for (const schema::Dtype& dtype : schema::kDtypes) {
    if (dtype.is_floating() && dtypes.count(dtype.name) != 0) add_computed(dtype, single);
  }
  dtypes["Long"].insert("indices that operators compute");
  dtypes["Bool"].insert("masks that operators compute");
}

}  // namespace structured::gen
