// Recorded calls as data: the steps of the function that calls a variant's kernel and records a node for the call.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "lower/function.h"
#include "lower/nodes.h"
#include "model/operator.h"

namespace structured::gen {

/// A value in a recorded call.
struct RecordedValue {
  enum class Kind {
    parameter,  ///< parameter `index`
    copy,       ///< a copy of parameter `index`, which the call is about to overwrite
    result,     ///< the result of the call
    element,    ///< element `index` of the result, a tuple
  };
  Kind kind = Kind::parameter;
  std::size_t index = 0;
  friend bool operator==(const RecordedValue&, const RecordedValue&) = default;
};

/// Throws if an argument that the call overwrites, and that the derivative does not cover, requires gradients.
struct CheckOverwritten {
  Positions parameters;
  friend bool operator==(const CheckOverwritten&, const CheckOverwritten&) = default;
};

/// Calls the variant's kernel for the backend of the arguments.
struct CallBackend {
  Result result = Result::ignored;
  friend bool operator==(const CallBackend&, const CallBackend&) = default;
};

/// Returns unless one of the parameters requires gradients.
struct ReturnUnrecorded {
  Positions inputs;
  Result result = Result::kept;  ///< `kept`: returns the kept result; `returned`: calls the kernel and returns
  friend bool operator==(const ReturnUnrecorded&, const ReturnUnrecorded&) = default;
};

/// Throws if autograd cannot overwrite the argument.
struct CheckInplace {
  std::size_t parameter = 0;
  friend bool operator==(const CheckInplace&, const CheckInplace&) = default;
};

/// Numbers of inputs and results, for a node whose class does not state them.
struct NodeCounts {
  std::size_t inputs = 0;           ///< without the tensors of `list`
  std::optional<std::size_t> list;  ///< parameter whose tensors are inputs, too
  std::size_t results = 0;
  bool has_list_result = false;  ///< the tensors of the result are the node's results
  friend bool operator==(const NodeCounts&, const NodeCounts&) = default;
};

/// Makes the node.
struct MakeNode {
  std::optional<NodeCounts> counts;
  friend bool operator==(const MakeNode&, const MakeNode&) = default;
};

/// Connects the node's input to the node that computed the parameter.
struct ConnectInput {
  std::size_t input = 0;
  std::size_t parameter = 0;
  std::optional<RecordedValue> result;  ///< the tensor for which the gradient arrives, if it is one
  friend bool operator==(const ConnectInput&, const ConnectInput&) = default;
};

/// Stores a value for the derivatives.
struct SaveValue {
  std::size_t saved = 0;  ///< in LoweredNode::saved
  RecordedValue value;
  std::optional<std::size_t> result;  ///< for a result of the node: its index
  friend bool operator==(const SaveValue&, const SaveValue&) = default;
};

/// Makes the node the one that computed a result.
struct SetHistory {
  RecordedValue value;
  std::size_t result = 0;  ///< index of the node's result
  bool is_view = false;    ///< the result shares memory with an argument
  bool is_last = false;    ///< no later step uses the node
  friend bool operator==(const SetHistory&, const SetHistory&) = default;
};

/// Makes the node the one that computed an overwritten argument.
struct RebaseHistory {
  std::size_t parameter = 0;
  friend bool operator==(const RebaseHistory&, const RebaseHistory&) = default;
};

/// Makes backward passes fail that need gradients through overwritten arguments, for a call with these inputs.
struct FailInBackward {
  Positions inputs;
  Positions overwritten;
  friend bool operator==(const FailInBackward&, const FailInBackward&) = default;
};

/// Returns the result that CallBackend kept, or a parameter.
struct ReturnRecorded {
  RecordedValue value;
  friend bool operator==(const ReturnRecorded&, const ReturnRecorded&) = default;
};

using RecordingStep = std::variant<CheckOverwritten, CallBackend, ReturnUnrecorded, CheckInplace, MakeNode,
                                   ConnectInput, SaveValue, SetHistory, RebaseHistory, FailInBackward, ReturnRecorded>;

/// Returns the steps of the function that records calls of a functional or in-place variant.
std::vector<RecordingStep> lower_recording(const LoweredNode& node, const Variant& variant);

}  // namespace structured::gen
