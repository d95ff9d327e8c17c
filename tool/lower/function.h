// Emitted functions as data: the steps of wrappers, which targets print.
//
// A Body refers to parameters by position and to the functions that it calls by their role (meta, impl, ...), so that
// wrappers which differ only in names and callees have equal bodies.
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/operator.h"

namespace structured::gen {

/// Parameters of the function, by position.
using Positions = std::vector<std::size_t>;

/// An argument that a step passes on.
struct Value {
  enum class Kind {
    parameter,    ///< parameter `index` of the function
    adaptor,      ///< the adaptor, as the operator's base class
    output,       ///< output `index` of the adaptor
    precomputed,  ///< the value that meta returned
  };
  Kind kind = Kind::parameter;
  std::size_t index = 0;
  bool as_reference = false;  ///< a parameter that is an optional, for a callee that takes a reference to its value
  friend bool operator==(const Value&, const Value&) = default;
};

/// Throws unless all tensors are on one device.
struct CheckDevices {
  Positions tensors;
  friend bool operator==(const CheckDevices&, const CheckDevices&) = default;
};

/// Throws unless a tensor has the properties that the author's functions require by its type (model/refinement.h).
struct CheckRefined {
  std::size_t tensor = 0;
  std::string type;      ///< C++ type
  std::string argument;  ///< its name
  friend bool operator==(const CheckRefined&, const CheckRefined&) = default;
};

/// Makes the device of the arguments current until the function returns.
struct GuardDevice {
  Positions arguments;
  friend bool operator==(const GuardDevice&, const GuardDevice&) = default;
};

/// Constructs the body's adaptor over the tensors that it writes; none for a functional variant.
struct MakeAdaptor {
  Positions outputs;
  friend bool operator==(const MakeAdaptor&, const MakeAdaptor&) = default;
};

/// Throws if an output shares memory with an input. `reusable` may be the output itself: the kernel reads each of its
/// elements before it writes that element.
struct CheckOverlap {
  std::optional<std::size_t> reusable;
  Positions inputs;
  friend bool operator==(const CheckOverlap&, const CheckOverlap&) = default;
};

/// Throws if a kernel of the author's cannot write the outputs: one overlaps itself, another output, or a part of an
/// input. An output may be the input `reusable`, and also one of `inputs` in a composite: the operators that it calls
/// check that.
struct CheckOutputs {
  Positions outputs;
  std::optional<std::size_t> reusable;
  Positions inputs;
  bool is_composite = false;
  friend bool operator==(const CheckOutputs&, const CheckOutputs&) = default;
};

/// Use of the result of a call.
enum class Result { ignored, kept, returned };

struct CallMeta {
  std::vector<Value> arguments;
  Result result = Result::ignored;
  friend bool operator==(const CallMeta&, const CallMeta&) = default;
};

struct CallImpl {
  std::vector<Value> arguments;
  friend bool operator==(const CallImpl&, const CallImpl&) = default;
};

/// Calls the kernel that the author wrote for this variant.
struct CallKernel {
  std::vector<Value> arguments;
  Result result = Result::ignored;
  friend bool operator==(const CallKernel&, const CallKernel&) = default;
};

/// Dispatches to the out= variant of the operator with the adaptor's outputs, past all layers.
struct CallOutVariant {
  Positions inputs;
  std::size_t outputs = 1;
  friend bool operator==(const CallOutVariant&, const CallOutVariant&) = default;
};

struct BumpVersions {
  Positions tensors;
  friend bool operator==(const BumpVersions&, const BumpVersions&) = default;
};

/// Copies proxies back to the outputs and bumps their versions.
struct Finish {
  friend bool operator==(const Finish&, const Finish&) = default;
};

/// Moves the outputs out of a functional adaptor.
struct ReturnOutputs {
  std::size_t count = 1;
  friend bool operator==(const ReturnOutputs&, const ReturnOutputs&) = default;
};

struct ReturnParameters {
  Positions parameters;
  friend bool operator==(const ReturnParameters&, const ReturnParameters&) = default;
};

/// Returns the result that CallKernel kept.
struct ReturnKept {
  friend bool operator==(const ReturnKept&, const ReturnKept&) = default;
};

using Step =
    std::variant<CheckDevices, CheckRefined, GuardDevice, MakeAdaptor, CheckOverlap, CheckOutputs, CallMeta, CallImpl,
                 CallKernel, CallOutVariant, BumpVersions, Finish, ReturnOutputs, ReturnParameters, ReturnKept>;

/// Returns the name of the step's kind in text: `check_devices`.
const char* step_name(const Step& step);

/// Kinds of steps, such as those that a target can print.
class StepSet {
 public:
  template <class... Steps>
  static StepSet of() {
    StepSet set;
    (set.kinds_.set(Step(Steps()).index()), ...);
    return set;
  }
  static StepSet all() {
    StepSet set;
    set.kinds_.set();
    return set;
  }
  bool contains(const Step& step) const { return kinds_.test(step.index()); }

 private:
  std::bitset<std::variant_size_v<Step>> kinds_;
};

/// A function type in the target's C++.
struct FunctionType {
  std::string result;
  std::vector<std::string> parameters;
  friend bool operator==(const FunctionType&, const FunctionType&) = default;
};

/// The class that runs an operator's meta and impl: a functional, in-place or out adaptor over the operator's base.
struct AdaptorClass {
  Variant::Kind kind = Variant::Kind::functional;
  std::string base;  ///< C++ type
  std::size_t outputs = 1;
  friend bool operator==(const AdaptorClass&, const AdaptorClass&) = default;
};

/// The functions that are emitted for one variant on one backend.
enum class WrapperPart {
  call,      ///< the function that the dispatcher calls
  via_out,   ///< the same for backends that implement only the out= variant
  prepared,  ///< a prepared out= call: checks and meta run once, impl at each run
};

struct Body {
  WrapperPart part = WrapperPart::call;
  FunctionType type;               ///< as the dispatcher calls it
  bool returns_reference = false;  ///< whether the result is a reference to an argument
  std::size_t tensors = 0;         ///< number of parameters of the schema's type `Tensor`
  std::optional<AdaptorClass> adaptor;
  std::string precomputed;           ///< C++ type of the value that meta passes to impl; empty: none
  std::optional<FunctionType> meta;  ///< types of the callees in the steps
  std::optional<FunctionType> impl;
  std::optional<FunctionType> out_variant;
  std::vector<Step> steps;      ///< in `prepared`: the steps that run once
  std::vector<Step> run_steps;  ///< in `prepared`: the steps of each run
  /// In `prepared`, if the runtime calls impl directly (scalar functions): only that call.
  std::vector<Step> compute_steps;
  friend bool operator==(const Body&, const Body&) = default;

  /// Whether errors of a step name the operator.
  bool names_operator() const {
    for (const Step& step : steps) {
      if (std::holds_alternative<CheckDevices>(step) || std::holds_alternative<CheckRefined>(step)) {
        return true;
      }
    }
    return false;
  }
};

/// The functions that a body calls, as C++ expressions, and the operator's name for errors.
struct Callees {
  std::string meta;
  std::string impl;
  std::string kernel;
  std::string out_variant;      ///< its dispatch table
  std::string operator_name;    ///< for errors: `add.Tensor`
  bool meta_is_member = false;  ///< whether meta is a member of the operator's base
};

struct LoweredFunction {
  std::string name;
  std::string comment;
  std::vector<std::string> parameters;  ///< their names
  Body body;
  Callees callees;
  bool can_share = false;  ///< whether the callees could be passed as pointers
  std::string shared;      ///< name of the shared body that it calls; empty: none
};

}  // namespace structured::gen
