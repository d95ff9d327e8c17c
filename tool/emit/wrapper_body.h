// What wrappers do, line by line.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emit/plan.h"
#include "emit/writer.h"
#include "llvm/ADT/ArrayRef.h"

namespace structured::gen {

/// What is emitted for one PlannedWrapper.
enum class WrapperPart {
  call,      ///< the function that the dispatcher calls
  common,    ///< the common one of its variant, if it is the one for Meta
  prepared,  ///< for those that Plan::is_preparable says: the two parts that a prepared operator is made of
};

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

void write_wrapper_part(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part,
                        const SharedBodies& shared);

/// The public function that makes a prepared operator, in the namespace of the backend.
void declare_prepare_function(Writer& writer, const Plan& plan, const PlannedVariant& planned);
void define_prepare_function(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper,
                             const SharedBodies& shared);

}  // namespace structured::gen
