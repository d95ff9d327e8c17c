// One body for wrappers that are alike.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lower/plan.h"
#include "emit/native/wrapper_body.h"
#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Wrappers that differ in nothing but the functions they call have one body, which takes pointers to these: compilers
/// spend most of their time on bodies. What is left of each is a call. Scalar functions are exempt, since they are
/// inlined into their wrappers.
///
/// A body stands in the source whose wrappers share it; one for wrappers of several sources in a source of its own.
class SharedBodies {
 public:
  SharedBodies() = default;  ///< nothing is shared
  explicit SharedBodies(const Plan& plan);

  /// What the wrappers of `source` call: definitions, or declarations of what stands in the source of its own.
  void write(Writer& writer, const Plan& plan, llvm::StringRef source) const;
  /// That source: the bodies for several sources.
  std::string source_for_many(const Plan& plan) const;

  /// The function to call instead; empty if the part has a body of its own.
  std::string find(const PlannedWrapper& wrapper, WrapperPart part) const;
  /// Whether the part's body stands in the wrapper's source.
  bool has_body_here(const PlannedWrapper& wrapper, WrapperPart part) const;

 private:
  struct Body {
    std::string name;  // made of its text, so that it stays when others come and go
    const PlannedWrapper* first;
    WrapperPart part;
    std::set<std::string> sources;  // of the wrappers

    bool is_for_many() const { return sources.size() > 1; }
  };
  const Body* find_body(const PlannedWrapper& wrapper, WrapperPart part) const;

  std::vector<Body> bodies_;
  std::map<std::pair<const PlannedWrapper*, WrapperPart>, std::size_t> places_;  // in bodies_
};

}  // namespace structured::gen
