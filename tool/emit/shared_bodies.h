// One body for wrappers that are alike.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emit/plan.h"
#include "emit/wrapper_body.h"
#include "emit/writer.h"
#include "llvm/ADT/ArrayRef.h"

namespace structured::gen {

/// Wrappers of one source that differ in nothing but the functions they call have one body, which takes pointers to
/// these: compilers spend most of their time on bodies. What is left of each is a call. Scalar functions are exempt,
/// since they are inlined into their wrappers.
class SharedBodies {
 public:
  SharedBodies() = default;  ///< nothing is shared
  SharedBodies(const Plan& plan, llvm::ArrayRef<std::size_t> wrappers);

  /// Their definitions, in an unnamed namespace: names are of this source only.
  void write(Writer& writer, const Plan& plan) const;
  /// The function to call instead; empty if the part has a body of its own.
  std::string find(const PlannedWrapper& wrapper, WrapperPart part) const;

 private:
  struct Body {
    std::string name;
    const PlannedWrapper* first;
    WrapperPart part;
  };
  std::vector<Body> bodies_;
  std::map<std::pair<const PlannedWrapper*, WrapperPart>, std::size_t> places_;  // in bodies_
};

}  // namespace structured::gen
