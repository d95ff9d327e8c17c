#include "emit/python/layer_text.h"

#include "emit/python/string_literal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace structured::gen {
namespace {

std::string tuple(const std::vector<std::string>& elements) {
  return "(" + llvm::join(elements, ", ") + (elements.size() == 1 ? ",)" : ")");
}

/// The function of structured/torch/recording.py that reads what a node keeps.
std::string reader_of(const SavedValue& saved) {
  switch (saved.kind) {
    case SavedValue::Kind::input:
      return "saved";
    case SavedValue::Kind::output:
      return "result";
    case SavedValue::Kind::property:
      switch (saved.property) {
        case TensorProperty::sizes:
          return "sizes";
        case TensorProperty::strides:
          return "strides";
        case TensorProperty::storage_offset:
          return "storage_offset";
      }
  }
  llvm_unreachable("all kinds have a reader");
}

std::string argument_text(const LoweredNode& node, const GradientArgument& argument) {
  using Kind = GradientArgument::Kind;
  std::string reader;
  std::size_t index = argument.index;
  switch (argument.kind) {
    case Kind::gradient:
    case Kind::gradients:
      reader = "needed";
      break;
    case Kind::optional_gradient:
    case Kind::optional_gradients:
      reader = "optional";
      break;
    case Kind::saved:
    case Kind::saved_unless_modified:
      reader = argument.kind == Kind::saved ? reader_of(node.saved[index]) : "unless_modified";
      index = node.saved[index].index;
      break;
    case Kind::conjugate:
      reader = "conjugate";
      break;
    case Kind::weighted:
      reader = "weighted";
      index = node.saved[index].index;
      break;
    default:
      llvm_unreachable("the target rejects other arguments");
  }
  return "(recording." + reader + ", " + std::to_string(index) + ")";
}

std::string numbers(const Positions& positions) {
  std::vector<std::string> texts;
  for (const std::size_t position : positions) texts.push_back(std::to_string(position));
  return tuple(texts);
}

std::string node_text(const LoweredNode& node) {
  std::vector<std::string> inputs;
  for (const NodeInput& input : node.inputs) inputs.push_back(std::to_string(input.parameter));
  std::string text = "recording.Derivative(" + tuple(inputs) + ", [\n";
  for (const GradientCall& call : node.calls) {
    std::vector<std::string> arguments;
    for (const GradientArgument& argument : call.arguments) arguments.push_back(argument_text(node, argument));
    text += "        (" + (call.full_name.empty() ? "None" : python_string(call.full_name)) + ", " + tuple(arguments) +
            ", " + numbers(call.inputs) + ", " + (call.conjugates_result ? "True" : "False") + "),\n";
  }
  return text + "    ], " + numbers(node.constant_results) + ")";
}

}  // namespace

std::string torch_layers(const LoweredLibrary& lowered) {
  std::string derivatives, inplace, mutating, batched, elementwise, autocast, unrecorded;
  for (const LoweredVariant& variant : lowered.own_variants()) {
    const std::string functional =
        "    " + python_string(variant.full_name) + ": " + python_string(variant.functional) + ",\n";
    if (!variant.functional.empty()) mutating += functional;
    if (llvm::is_contained(variant.layers, LoweredVariant::Layer::batches)) {
      (variant.op->pointwise ? elementwise : batched) += "    " + python_string(variant.full_name) + ",\n";
    }
    if (!variant.unrecorded.empty()) {
      unrecorded += "    " + python_string(variant.full_name) + ": " + python_string(variant.unrecorded) + ",\n";
    }
    if (!variant.autocast.empty()) {
      autocast += "    " + python_string(variant.full_name) + ": functions." + variant.autocast + ",\n";
    }
    if (variant.autograd != LoweredVariant::Autograd::records) continue;
    if (variant.functional.empty()) {
      derivatives += "    " + python_string(variant.full_name) + ": " + node_text(lowered.nodes[variant.node]) + ",\n";
    } else {
      inplace += functional;
    }
  }
  return "# Emitted by structured-gen. Do not edit.\n"
         "\"\"\"Derivatives, functional variants and batching rules of operators.\"\"\"\n"
         "import functools\n\n"
         "from . import _layer_functions as functions, _recording_functions as recording\n\n"
         "derivatives = {\n" +
         derivatives + "}\ninplace = {\n" + inplace + "}\nmutating = {\n" + mutating + "}\nbatched = [\n" + batched +
         "]\nelementwise = [\n" + elementwise + "]\nautocast = {\n" + autocast + "}\nunrecorded = {\n" + unrecorded +
         "}\n\n\n@functools.cache  # a package may be loaded again\ndef register():\n    "
         "functions.register(derivatives, inplace, mutating, batched, elementwise, autocast, unrecorded)\n\n\n"
         "def function_of(operator):\n    return functions.function_of(operator)\n";
}

}  // namespace structured::gen
