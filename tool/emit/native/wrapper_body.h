// What wrappers do, line by line.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lower/plan.h"
#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// What is emitted for one PlannedWrapper.
enum class WrapperPart {
  call,      ///< the function that the dispatcher calls
  common,    ///< the common one of its variant, if it is the one for Meta
  prepared,  ///< for those that Plan::is_preparable says: the two parts that a prepared operator is made of
};

/// `shared` is the function that has the body, empty if the part has one of its own.
void write_wrapper_part(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part,
                        llvm::StringRef shared);

/// What the part needs where its body stands, beside the types of the operator's arguments.
void add_body_headers(const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part,
                      std::set<std::string>& headers);

/// Whether the wrapper has the part.
bool has_part(const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part);
/// Whether the part is there, and what it calls are functions of the author, which a shared body can take.
bool can_share(const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part);

/// A function with the body of the part, which takes what it calls behind the operator's own arguments.
void write_shared_body(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part,
                       const std::string& name);
/// Its declaration, for sources that only call it.
void declare_shared_body(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part,
                         const std::string& name);
/// What is passed there.
std::vector<std::string> shared_callees(const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part);

/// The two parts of a prepared operator that has a body of its own.
std::string prepared_name(const PlannedWrapper& wrapper);

}  // namespace structured::gen
