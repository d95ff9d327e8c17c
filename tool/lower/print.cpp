#include "lower/print.h"

#include <optional>
#include <variant>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

namespace structured::gen {
namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words) { return llvm::join(words, ", "); }

std::string counted(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Words at(const Words& names, const Positions& positions) {
  Words result;
  for (const std::size_t position : positions) result.push_back(names[position]);
  return result;
}

const char* kind_name(Variant::Kind kind) {
  switch (kind) {
    case Variant::Kind::functional:
      return "functional";
    case Variant::Kind::inplace:
      return "inplace";
    case Variant::Kind::out:
      return "out";
  }
  llvm_unreachable("all kinds are named");
}

const char* result_name(Result result) {
  switch (result) {
    case Result::ignored:
      return "";
    case Result::kept:
      return ", keep";
    case Result::returned:
      return ", return";
  }
  llvm_unreachable("all results are named");
}

const char* layer_name(LoweredVariant::Layer layer) {
  switch (layer) {
    case LoweredVariant::Layer::records:
      return "records";
    case LoweredVariant::Layer::records_inplace:
      return "records in place";
    case LoweredVariant::Layer::never_records:
      return "never records";
    case LoweredVariant::Layer::without_derivative:
      return "without derivative";
    case LoweredVariant::Layer::batches:
      return "batches";
    case LoweredVariant::Layer::functionalizes:
      return "functionalizes";
  }
  llvm_unreachable("all layers are named");
}

// The operands of steps of wrappers.
class StepText {
 public:
  StepText(const Body& body, const Words& parameters) : body_(body), parameters_(parameters) {}

  std::string operator()(const CheckDevices& step) const { return names(step.tensors); }
  std::string operator()(const CheckRefined& step) const { return parameters_[step.tensor] + " of type " + step.type; }
  std::string operator()(const GuardDevice& step) const { return names(step.arguments); }
  std::string operator()(const MakeAdaptor& step) const {
    return std::string(kind_name(body_.adaptor->kind)) + " " + body_.adaptor->base + ", " +
           counted(body_.adaptor->outputs, "output") + (step.outputs.empty() ? "" : ": " + names(step.outputs));
  }
  std::string operator()(const CheckOverlap& step) const { return overlap(step.reusable, step.inputs, "inputs"); }
  std::string operator()(const CheckOutputs& step) const {
    return names(step.outputs) + "; " +
           overlap(step.reusable, step.inputs, step.is_composite ? "reusable by its operators" : "inputs");
  }
  std::string operator()(const CallMeta& step) const { return values(step.arguments) + result_name(step.result); }
  std::string operator()(const CallImpl& step) const { return values(step.arguments); }
  std::string operator()(const CallKernel& step) const { return values(step.arguments) + result_name(step.result); }
  std::string operator()(const CallOutVariant& step) const {
    return names(step.inputs) + ", " + counted(step.outputs, "output");
  }
  std::string operator()(const BumpVersions& step) const { return names(step.tensors); }
  std::string operator()(const Finish&) const { return ""; }
  std::string operator()(const ReturnOutputs& step) const { return std::to_string(step.count); }
  std::string operator()(const ReturnParameters& step) const { return names(step.parameters); }
  std::string operator()(const ReturnKept&) const { return ""; }

 private:
  std::string names(const Positions& positions) const { return joined(at(parameters_, positions)); }
  std::string overlap(const std::optional<std::size_t>& reusable, const Positions& inputs, const char* noun) const {
    Words parts;
    if (reusable) parts.push_back("reusable: " + parameters_[*reusable]);
    if (!inputs.empty()) parts.push_back(std::string(noun) + ": " + names(inputs));
    return llvm::join(parts, "; ");
  }
  std::string values(const std::vector<Value>& values) const {
    Words words;
    for (const Value& value : values) {
      switch (value.kind) {
        case Value::Kind::parameter:
          words.push_back((value.as_reference ? "reference to " : "") + parameters_[value.index]);
          break;
        case Value::Kind::adaptor:
          words.emplace_back("op");
          break;
        case Value::Kind::output:
          words.push_back("output " + std::to_string(value.index));
          break;
        case Value::Kind::precomputed:
          words.emplace_back("precomputed");
          break;
      }
    }
    return joined(words);
  }

  const Body& body_;
  const Words& parameters_;
};

// The steps of recorded calls.
class RecordingText {
 public:
  RecordingText(const LoweredNode& node, const Words& parameters) : node_(node), parameters_(parameters) {}

  std::string operator()(const CheckOverwritten& step) const { return "check_overwritten " + names(step.parameters); }
  std::string operator()(const CallBackend& step) const {
    return std::string("call_backend") + (step.result == Result::kept ? " keep" : "");
  }
  std::string operator()(const ReturnUnrecorded& step) const {
    return "unless one requires gradients: " + names(step.inputs) + ": " +
           (step.result == Result::kept ? "return" : "call_backend return");
  }
  std::string operator()(const CheckInplace& step) const { return "check_inplace " + parameters_[step.parameter]; }
  std::string operator()(const MakeNode& step) const {
    if (!step.counts) return "make_node";
    const NodeCounts& counts = *step.counts;
    return "make_node " + counted(counts.inputs, "input") +
           (counts.list ? " and those of " + parameters_[*counts.list] : "") + ", " +
           (counts.has_list_result ? "results of the list" : counted(counts.results, "result"));
  }
  std::string operator()(const ConnectInput& step) const {
    return "connect " + std::to_string(step.input) + " " + parameters_[step.parameter] +
           (step.result ? " for " + text(*step.result) : "");
  }
  std::string operator()(const SaveValue& step) const {
    return "save " + node_.saved[step.saved].name + " from " + text(step.value);
  }
  std::string operator()(const SetHistory& step) const {
    return std::string(step.is_view ? "set_view_history " : "set_history ") + text(step.value) +
           (step.is_last ? ", last" : "");
  }
  std::string operator()(const RebaseHistory& step) const { return "rebase_history " + parameters_[step.parameter]; }
  std::string operator()(const FailInBackward& step) const {
    return "fail_in_backward " + names(step.inputs) + " through " + names(step.overwritten);
  }
  std::string operator()(const ReturnRecorded& step) const { return "return " + text(step.value); }

 private:
  std::string names(const Positions& positions) const { return joined(at(parameters_, positions)); }
  std::string text(const RecordedValue& value) const {
    switch (value.kind) {
      case RecordedValue::Kind::parameter:
        return parameters_[value.index];
      case RecordedValue::Kind::copy:
        return "a copy of " + parameters_[value.index];
      case RecordedValue::Kind::result:
        return "result";
      case RecordedValue::Kind::element:
        return "result " + std::to_string(value.index);
    }
    llvm_unreachable("all kinds are named");
  }

  const LoweredNode& node_;
  const Words& parameters_;
};

std::string argument_text(const LoweredNode& node, const GradientArgument& argument) {
  const std::string index = std::to_string(argument.index);
  switch (argument.kind) {
    case GradientArgument::Kind::gradient:
      return "gradient " + index;
    case GradientArgument::Kind::optional_gradient:
      return "optional gradient " + index;
    case GradientArgument::Kind::gradients:
      return "gradients";
    case GradientArgument::Kind::optional_gradients:
      return "optional gradients";
    case GradientArgument::Kind::saved:
      return node.saved[argument.index].name;
    case GradientArgument::Kind::saved_unless_modified:
      return node.saved[argument.index].name + " unless modified";
    case GradientArgument::Kind::needs_flags:
      return "needs";
    case GradientArgument::Kind::conjugate:
      return "conjugate of gradient";
    case GradientArgument::Kind::weighted:
      return "conjugate of gradient times " + node.saved[argument.index].name;
  }
  llvm_unreachable("all kinds are named");
}

class TextPrinter {
 public:
  TextPrinter(llvm::raw_ostream& out, const LoweredLibrary& lowered) : out_(out), lowered_(lowered) {}

  void print(const LoweredVariant& variant) {
    line(0, variant.full_name);
    if (!variant.tags.empty()) line(1, "tags: " + joined(variant.tags));
    if (!variant.functional.empty()) line(1, "functional variant: " + variant.functional);
    for (const std::size_t index : variant.wrappers) print(lowered_.wrappers[index]);
    if (!variant.backends_via_out.empty()) line(1, "via out=: " + joined(variant.backends_via_out));
    print_autograd(variant);
    Words layers;
    for (const LoweredVariant::Layer layer : variant.layers) layers.emplace_back(layer_name(layer));
    if (!layers.empty()) line(1, "layers: " + joined(layers));
    if (variant.autograd == LoweredVariant::Autograd::records) {
      for (const GradientCall& call : lowered_.nodes[variant.node].calls) {
        if (!call.schema.empty()) line(1, "gradient operator: " + call.schema);
      }
    }
    if (!variant.autocast.empty()) line(1, "autocast: " + variant.autocast);
    if (variant.sharding) line(1, "sharding: " + to_string(*variant.sharding));
    if (variant.pointwise) print(*variant.pointwise);
    if (!variant.opaque.empty()) line(1, "compilers see into it; kernels and layers: " + variant.opaque);
    if (variant.decomposition) print(*variant.decomposition);
  }

  void print(const SharedBody& shared) {
    Words parameters;
    for (std::size_t i = 0; i < shared.body.type.parameters.size(); ++i) {
      parameters.push_back("argument " + std::to_string(i + 1));
    }
    line(0, "body " + shared.name);
    print(shared.body, parameters, 1);
  }

 private:
  void line(unsigned depth, const llvm::Twine& text) { out_.indent(2 * depth) << text << "\n"; }

  static std::string entry_text(const LoweredWrapper& wrapper) {
    switch (wrapper.entry) {
      case LoweredWrapper::Entry::wrapper:
        return wrapper.name;
      case LoweredWrapper::Entry::kernel:
        return "kernel " + wrapper.name;
      case LoweredWrapper::Entry::derived:
        return "derived";
    }
    llvm_unreachable("all entries are named");
  }

  void print(const LoweredWrapper& wrapper) {
    const LoweredVariant& variant = lowered_.variant_of(wrapper);
    std::string entry = entry_text(wrapper);
    if (variant.base) entry += " from " + lowered_.variants[*variant.base].full_name;
    line(1, (wrapper.backend ? wrapper.backend->cpp_namespace : std::string("composite")) + ": " + entry +
                (lowered_.checks(wrapper) ? ", checked" : ""));
    for (const LoweredFunction& function : wrapper.functions) {
      switch (function.body.part) {
        case WrapperPart::call:
          break;
        case WrapperPart::via_out:
          line(2, "via out= of " + function.callees.out_variant + ": " + function.name);
          break;
        case WrapperPart::prepared:
          line(2, "prepared: " + function.name);
          break;
      }
      const unsigned depth = function.body.part == WrapperPart::call ? 2 : 3;
      if (function.shared.empty()) {
        print(function.body, function.parameters, depth);
      } else {
        line(depth, "body " + function.shared);
      }
    }
  }

  void print(const Body& body, const Words& parameters, unsigned depth) {
    print_steps(body, body.steps, parameters, depth);
    if (!body.run_steps.empty()) {
      line(depth, "at each run");
      print_steps(body, body.run_steps, parameters, depth + 1);
    }
    if (!body.compute_steps.empty()) {
      line(depth, "in the runtime's loop");
      print_steps(body, body.compute_steps, parameters, depth + 1);
    }
  }

  void print_steps(const Body& body, const std::vector<Step>& steps, const Words& parameters, unsigned depth) {
    for (const Step& step : steps) {
      const std::string operands = std::visit(StepText(body, parameters), step);
      line(depth, llvm::Twine(step_name(step)) + (operands.empty() ? "" : " ") + operands);
    }
  }

  void print_autograd(const LoweredVariant& variant) {
    switch (variant.autograd) {
      case LoweredVariant::Autograd::generic:
        break;
      case LoweredVariant::Autograd::composite:
        line(1, "autograd: records the operators that it calls");
        break;
      case LoweredVariant::Autograd::none:
        line(1, "autograd: results require no gradients");
        break;
      case LoweredVariant::Autograd::records:
        print(lowered_.nodes[variant.node], variant.dispatched.names());
        print_recording(variant);
        break;
    }
  }

  void print_recording(const LoweredVariant& variant) {
    if (variant.recording_steps.empty()) return;
    line(1, "recording: " + variant.recording);
    const Words parameters = variant.dispatched.names();
    for (const RecordingStep& step : variant.recording_steps) {
      line(2, std::visit(RecordingText(lowered_.nodes[variant.node], parameters), step));
    }
  }

  void print(const LoweredNode& node, const Words& parameters) {
    line(1, "node: " + node.name);
    for (const auto& [index, input] : llvm::enumerate(node.inputs)) {
      line(2,
           "input " + llvm::Twine(index) + ": " + (input.is_list ? "tensors of " : "") + parameters[input.parameter]);
    }
    if (!node.constant_results.empty()) line(2, "constant results: " + numbers(node.constant_results));
    if (!node.constant_arguments.empty()) {
      line(2, "constant arguments: " + joined(at(parameters, node.constant_arguments)));
    }
    for (const SavedValue& value : node.saved) {
      const std::string users = value.users.empty() ? "" : " for the gradients of " + numbers(value.users);
      switch (value.kind) {
        case SavedValue::Kind::input:
          line(2, "save " + value.name + ": " + (value.may_be_modified ? "modifiable " : "") + parameters[value.index] +
                      users);
          break;
        case SavedValue::Kind::property:
          line(2, "save " + value.name + ": a property of " + parameters[value.index] + users);
          break;
        case SavedValue::Kind::output:
          line(2, "save " + value.name + ": result " + llvm::Twine(value.index) + users);
          break;
      }
    }
    for (const GradientCall& call : node.calls) print(node, call);
  }

  void print(const LoweredNode& node, const GradientCall& call) {
    Words arguments;
    for (const GradientArgument& argument : call.arguments) arguments.push_back(argument_text(node, argument));
    const std::string callee = call.function != nullptr ? call.function->name
                               : call.op                ? "operator " + lowered_.variants[call.variant].full_name
                                                        : call.emitted_name;
    line(2, "gradient of " + numbers(call.inputs) + (call.is_unconditional ? "" : " if needed") + ": " +
                (call.conjugates_result ? "conjugate of " : "") + callee + "(" + joined(arguments) + ")");
    if (!call.emitted) return;
    line(3, std::string(call.emitted->derived_for ? "derivative" : "value") + " of " + call.emitted->scalar_function +
                " for each element of " + joined(call.emitted->elements));
    print_parameters(call.emitted->parameters, call.emitted->type_parameter);
  }

  void print(const PointwiseFunctions& functions) {
    const PointwiseMeta& meta = functions.meta;
    Words operands = meta.tensors;
    for (const PointwiseMeta::Scalar& scalar : meta.promoting_scalars) {
      operands.push_back((scalar.is_optional ? "optional scalar " : "scalar ") + scalar.name);
    }
    line(1, "iterator: " + (meta.builder.empty() ? std::string("general") : meta.builder) + " of " + joined(operands) +
                (meta.is_boolean ? ", boolean result" : "") + (meta.is_floating ? ", integers as floating point" : ""));
    if (!meta.boolean_tensors.empty()) line(2, "boolean: " + joined(meta.boolean_tensors));
    if (!meta.dtypes.empty()) line(2, "dtypes: " + dtypes(meta.dtypes));
    if (!meta.checked_scalars.empty()) line(2, "checked scalars: " + joined(meta.checked_scalars));
    for (const PointwiseKernel& kernel : functions.kernels) print(kernel);
  }

  void print(const PointwiseKernel& kernel) {
    line(1, "loop on " + kernel.backend + ": " + kernel.function + (kernel.is_device_code ? ", device code" : "") +
                (kernel.is_vectorized ? "" : ", not vectorized") + (kernel.uses_opmath ? "" : ", without opmath"));
    line(2, "calls " + kernel.scalar_function + "<" + kernel.type_parameter + ">, dtypes: " + dtypes(kernel.dtypes));
    print_parameters(kernel.parameters, kernel.type_parameter);
    if (kernel.derivative) {
      line(2,
           "derivative by " + joined(kernel.derivative->by) + (kernel.derivative->takes_weight ? ", with weight" : ""));
    }
  }

  void print(const Decomposition& decomposition) {
    for (const Decomposition::Body& body : decomposition.bodies) {
      line(1, "operations for " + dtypes(body.dtypes));
      for (const auto& [index, operation] : llvm::enumerate(body.operations)) {
        line(2, "%" + llvm::Twine(index) + " = " + operation_text(operation));
      }
    }
  }

  static std::string operation_text(const Decomposition::Operation& operation) {
    const std::string type = operation.type ? " as " + name_of(*operation.type).str() : "";
    if (operation.op == ScalarOp::constant) return to_text(operation.number) + type;
    if (operation.op == ScalarOp::input) {
      return (operation.is_presence ? "whether there is argument " : "argument ") +
             std::to_string(operation.operands.front()) + type;
    }
    Words operands;
    for (const int64_t operand : operation.operands) operands.push_back("%" + std::to_string(operand));
    return facts_of(operation.op).name.str() + "(" + joined(operands) + ")" + type;
  }

  void print_parameters(const std::vector<PointwiseKernel::Parameter>& parameters, const std::string& type) {
    using Conversion = PointwiseKernel::Conversion;
    for (const PointwiseKernel::Parameter& parameter : parameters) {
      const std::string kind = parameter.is_gradient  ? "gradient"
                               : parameter.is_boolean ? "boolean element"
                               : parameter.is_element ? "element"
                               : parameter.is_text    ? "text"
                                                      : "value";
      const std::string conversion = parameter.conversion == Conversion::none        ? ""
                                     : parameter.conversion == Conversion::promoting ? ", promoted to " + type
                                                                                     : ", converted to " + type;
      line(3, parameter.name + ": " + (parameter.is_optional ? "optional " : "") + kind + conversion);
    }
  }

  static std::string numbers(const Positions& positions) {
    Words words;
    for (const std::size_t position : positions) words.push_back(std::to_string(position));
    return joined(words);
  }

  static std::string dtypes(llvm::ArrayRef<const DtypeName*> dtypes) {
    Words words;
    for (const DtypeName* dtype : dtypes) words.push_back(dtype->name.str());
    return joined(words);
  }

  llvm::raw_ostream& out_;
  const LoweredLibrary& lowered_;
};

}  // namespace

std::string to_text(const LoweredLibrary& lowered, const LoweredVariant& variant) {
  std::string text;
  llvm::raw_string_ostream out(text);
  TextPrinter(out, lowered).print(variant);
  return text;
}

std::string to_text(const LoweredLibrary& lowered) {
  std::string text;
  llvm::raw_string_ostream out(text);
  TextPrinter printer(out, lowered);
  for (const LoweredVariant& variant : lowered.variants) printer.print(variant);
  for (const SharedBody& shared : lowered.shared_bodies) printer.print(shared);
  return text;
}

}  // namespace structured::gen
