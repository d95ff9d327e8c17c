#include "emit/native/recordings.h"

#include <optional>
#include <variant>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/native/public_functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

const std::string autograd_namespace = "::structured::autograd::";

// `needs(0) || needs(2)`
std::string condition(llvm::StringRef object, const Positions& inputs) {
  std::vector<std::string> tests;
  for (const std::size_t input : inputs) {
    tests.push_back((object + "needs(" + llvm::Twine(input) + ")").str());
  }
  return llvm::join(tests, " || ");
}

std::string member(const SavedValue& value) { return "saved_" + value.name; }

std::string member_type(const SavedValue& value) {
  switch (value.kind) {
    case SavedValue::Kind::input:
      if (value.may_be_modified) return autograd_namespace + "SavedUnlessModified";
      return autograd_namespace + "SavedInput<" + value.type + ">";
    case SavedValue::Kind::property:
      return autograd_namespace + class_of_saved(value.property).str() + "<" + value.type + ">";
    case SavedValue::Kind::output:
      return autograd_namespace + "SavedTensor";
  }
  llvm_unreachable("all kinds are handled");
}

std::string argument_text(const LoweredNode& node, const GradientCall& call, const GradientArgument& argument) {
  switch (argument.kind) {
    case GradientArgument::Kind::gradient:
      return "results[" + std::to_string(argument.index) + "]";
    case GradientArgument::Kind::optional_gradient: {
      const std::string gradient = "results[" + std::to_string(argument.index) + "]";
      return gradient + ".defined() ? std::optional<::structured::Tensor>(" + gradient + ") : std::nullopt";
    }
    case GradientArgument::Kind::gradients:
      return "{results.data(), results.size()}";
    case GradientArgument::Kind::saved:
      return member(node.saved[argument.index]) + ".get(*this)";
    case GradientArgument::Kind::saved_unless_modified:
      return member(node.saved[argument.index]) + ".get_unless_modified(*this)";
    case GradientArgument::Kind::needs_flags: {
      std::vector<std::string> flags;
      for (const std::size_t input : call.inputs) {
        flags.push_back("needs(" + std::to_string(input) + ")");
      }
      return "{" + llvm::join(flags, ", ") + "}";
    }
    case GradientArgument::Kind::optional_gradients:
    case GradientArgument::Kind::conjugate:
    case GradientArgument::Kind::weighted:
      llvm_unreachable("the printer does not list these arguments");
  }
  llvm_unreachable("all kinds are handled");
}

void write_call(Writer& writer, const LoweredNode& node, const GradientCall& call) {
  std::vector<std::string> positions;
  for (const std::size_t input : call.inputs) {
    positions.push_back(std::to_string(input));
  }
  std::vector<std::string> arguments;
  for (const GradientArgument& argument : call.arguments) {
    arguments.push_back(argument_text(node, call, argument));
  }
  std::optional<Writer::Scope> guarded;
  if (!call.is_unconditional) {
    guarded.emplace(writer.block("if (" + condition("", call.inputs) + ") {"));
  }
  const std::string callee = call.emitted ? call.emitted_name : "::" + call.function->name;
  writer.list(autograd_namespace + "set_gradients<" + llvm::join(positions, ", ") + ">(inputs, " + callee + "(",
              arguments, "));");
}

// `alpha = ::structured::autograd::constant<T>(alpha)`
std::string converted_capture(const PointwiseKernel::Parameter& parameter, const std::string& type) {
  using Conversion = PointwiseKernel::Conversion;
  if (parameter.conversion == Conversion::none) return parameter.name;
  const std::string function = parameter.conversion == Conversion::promoting ? "converted_constant" : "constant";
  return parameter.name + " = " + autograd_namespace + function + "<" + type + ">(" + parameter.name + ")";
}

// Text is copied, since the gradient may outlive the call.
std::string owned_capture(const PointwiseKernel::Parameter& parameter) {
  return parameter.is_text ? parameter.name + " = std::string(" + parameter.name + ")" : parameter.name;
}

void write_elementwise_gradient(Writer& writer, const GradientCall& call, const LoweredNode& node) {
  const ElementwiseGradient& gradient = *call.emitted;
  const std::string& type = gradient.type_parameter;
  CppSignature names = gradient.signature;
  std::vector<std::string> owned;
  std::vector<std::string> captures;
  std::vector<std::string> elements;
  std::vector<std::string> arguments;
  for (const PointwiseKernel::Parameter& parameter : gradient.parameters) {
    if (parameter.is_element) {
      // Elements need names that differ from those of their tensors.
      const std::string element = unused_name("x", names);
      names.parameters.push_back({type, element, ""});
      elements.push_back((llvm::Twine(type) + " " + element).str());
      arguments.push_back(element);
    } else {
      owned.push_back(owned_capture(parameter));
      captures.push_back(converted_capture(parameter, type));
      arguments.push_back(parameter.name);
    }
  }
  writer.blank();
  writer.comment("//", "Gradient for `" + gradient.input + "` of " + node.comment + ".");
  const Writer::Scope body =
      writer.block(gradient.signature.result + " " + call.emitted_name + "(", gradient.signature.declared(), ") {");
  const std::string scalar = unused_name("scalar", names);
  {
    const Writer::Scope make =
        writer.block("const auto " + scalar + " = [" + llvm::join(owned, ", ") + "]<class " + type + ">() {", "};");
    const Writer::Scope function = writer.block(
        "return [" + llvm::join(captures, ", ") + "](" + llvm::join(elements, ", ") + ") -> " + type + " {", "};");
    writer.list("return " + gradient.scalar_function + "<" + type + ">(", arguments, ");");
  }
  std::vector<std::string> tensors{string_literal(gradient.operator_name), scalar};
  const bool is_derived = gradient.derived_for.has_value();
  if (is_derived) tensors.emplace_back(gradient.signature.parameters.front().name);
  llvm::append_range(tensors, gradient.elements);
  const std::string function =
      is_derived ? "derived_gradient<" + std::to_string(*gradient.derived_for) + ">" : "written_gradient";
  writer.list("return " + autograd_namespace + function + "(", tensors, ");");
}

// Prints the function that records calls of one variant.
class RecordingWriter {
 public:
  RecordingWriter(Writer& writer, const LoweredNode& node, const LoweredVariant& variant)
      : writer_(writer), node_(node), variant_(variant), signature_(variant.dispatched) {}

  void write() const {
    writer_.blank();
    writer_.comment("//", "Records calls of " + variant_.full_name + ".");
    const Writer::Scope body =
        writer_.block(signature_.result + " " + variant_.recording + "(", signature_.declared(), ") {");
    for (const RecordingStep& step : variant_.recording_steps) {
      std::visit([this](const auto& each) { write_step(each); }, step);
    }
  }

 private:
  void write_step(const CheckOverwritten& step) const {
    writer_.line(autograd_namespace + "check_overwritten(" + string_literal(variant_.full_name) + ", " +
                 tensors_of(step.parameters) + ");");
  }
  void write_step(const CallBackend& step) const {
    const std::string kept = step.result == Result::kept ? "auto " + local("result") + " = " : "";
    writer_.list(kept + autograd_namespace + "call_backend(", call_arguments(), ");");
  }
  void write_step(const ReturnUnrecorded& step) const {
    const Writer::Scope unrecorded =
        writer_.block("if (!" + autograd_namespace + "records(" + llvm::join(names(step.inputs), ", ") + ")) {");
    if (step.result == Result::kept) {
      writer_.line("return " + local("result") + ";");
    } else {
      writer_.list("return " + autograd_namespace + "call_backend(", call_arguments(), ");");
    }
  }
  void write_step(const CheckInplace& step) const {
    writer_.line(autograd_namespace + "check_inplace(" + name(step.parameter) + ");");
  }
  void write_step(const MakeNode& step) const {
    std::string counts;
    if (step.counts) {
      counts = "(" + std::to_string(step.counts->inputs) +
               (step.counts->list ? " + " + name(*step.counts->list) + ".size()" : "") + ", " +
               (step.counts->has_list_result ? local("result") + ".size()" : std::to_string(step.counts->results)) +
               ")";
    }
    writer_.line("auto* const " + local("node") + " = new " + node_.name + counts + ";");
    writer_.line(autograd_namespace + "NodePtr " + local("owner") + " = " + autograd_namespace + "NodePtr::adopt(" +
                 local("node") + ");");
  }
  void write_step(const ConnectInput& step) const {
    writer_.line(autograd_namespace + "connect(*" + local("node") + ", " + std::to_string(step.input) + ", " +
                 name(step.parameter) + (step.result ? ", " + text(*step.result) : "") + ");");
  }
  void write_step(const SaveValue& step) const {
    const SavedValue& value = node_.saved[step.saved];
    std::optional<Writer::Scope> guarded;
    if (!value.users.empty()) {
      guarded.emplace(writer_.block("if (" + condition(local("node") + "->", value.users) + ") {"));
    }
    writer_.line(local("node") + "->" + member(value) + (step.result ? ".save_result(" : ".save(") + text(step.value) +
                 index_argument(step.result.value_or(0)) + ");");
  }
  void write_step(const SetHistory& step) const {
    const std::string owner = step.is_last ? "std::move(" + local("owner") + ")" : local("owner");
    writer_.line(autograd_namespace + (step.is_view ? "set_view_history" : "set_history") + "(" + text(step.value) +
                 ", " + owner + index_argument(step.result) + ");");
  }
  void write_step(const RebaseHistory& step) const {
    writer_.line(autograd_namespace + "rebase_history(" + name(step.parameter) + ", " + local("owner") + ");");
  }
  void write_step(const FailInBackward& step) const {
    writer_.list(autograd_namespace + "fail_in_backward(",
                 {string_literal(variant_.full_name), tensors_of(step.inputs), tensors_of(step.overwritten)}, ");");
  }
  void write_step(const ReturnRecorded& step) const { writer_.line("return " + text(step.value) + ";"); }

  std::vector<std::string> call_arguments() const {
    std::vector<std::string> arguments{variant_.table};
    llvm::append_range(arguments, signature_.names());
    return arguments;
  }
  std::string local(llvm::StringRef wanted) const { return unused_name(wanted, signature_); }
  const std::string& name(std::size_t parameter) const { return signature_.parameters[parameter].name; }
  std::vector<std::string> names(const Positions& parameters) const {
    std::vector<std::string> result;
    for (const std::size_t parameter : parameters) result.push_back(name(parameter));
    return result;
  }
  std::string tensors_of(const Positions& parameters) const {
    return autograd_namespace + "tensors_of(" + llvm::join(names(parameters), ", ") + ")";
  }
  static std::string index_argument(std::size_t index) { return index == 0 ? "" : ", " + std::to_string(index); }
  std::string text(const RecordedValue& value) const {
    switch (value.kind) {
      case RecordedValue::Kind::parameter:
        return name(value.index);
      case RecordedValue::Kind::copy:
        return autograd_namespace + "copy_of(" + name(value.index) + ")";
      case RecordedValue::Kind::result:
        return local("result");
      case RecordedValue::Kind::element:
        return "std::get<" + std::to_string(value.index) + ">(" + local("result") + ")";
    }
    llvm_unreachable("all kinds are handled");
  }

  Writer& writer_;
  const LoweredNode& node_;
  const LoweredVariant& variant_;
  const CppSignature& signature_;
};

}  // namespace

void write_node(Writer& writer, const LoweredNode& node) {
  for (const GradientCall& call : node.calls) {
    if (call.emitted) write_elementwise_gradient(writer, call, node);
  }
  writer.blank();
  writer.comment("//", "Node of recorded calls of " + node.comment + ".");
  const std::string base =
      node.is_dynamic()   ? "DynamicNode"
      : node.results == 1 ? "NodeOf<" + std::to_string(node.inputs.size()) + ">"
                          : "NodeOf<" + std::to_string(node.inputs.size()) + ", " + std::to_string(node.results) + ">";
  const Writer::Scope body = writer.block("struct " + node.name + " final : " + autograd_namespace + base + " {", "};");
  if (node.is_dynamic()) {
    writer.line(node.name + "(std::size_t inputs, std::size_t results) : DynamicNode(inputs, results) {}");
  }
  writer.line("std::string_view name() const override { return \"" + node.name + "\"; }");
  {
    const Writer::Scope apply = writer.block(
        "void apply(",
        {"[[maybe_unused]] " + autograd_namespace + "Gradients results", autograd_namespace + "Gradients inputs"},
        ") override {");
    for (const GradientCall& call : node.calls) {
      write_call(writer, node, call);
    }
  }
  if (node.saved.empty()) {
    return;
  }
  std::vector<std::string> saved;
  for (const SavedValue& value : node.saved) {
    saved.push_back(member(value));
  }
  {
    const std::string call = autograd_namespace + "release(";
    const std::string line = "void release_saved() override { " + call + llvm::join(saved, ", ") + "); }";
    if (line.size() + Writer::body <= 120) {
      writer.line(line);
    } else {
      const Writer::Scope release = writer.block("void release_saved() override {");
      writer.list(call, saved, ");");
    }
  }
  writer.blank();
  for (const SavedValue& value : node.saved) {
    writer.line(member_type(value) + " " + member(value) + ";");
  }
}

void write_recording(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant) {
  RecordingWriter(writer, lowered.nodes[variant.node], variant).write();
}

void write_recordings(Writer& writer, const LoweredLibrary& lowered, const LoweredSource& source,
                      std::set<std::string>& declared) {
  for (const std::size_t index : source.nodes) {
    write_node(writer, lowered.nodes[index]);
  }
  for (const std::size_t index : source.recordings) {
    const LoweredVariant& variant = lowered.variants[index];
    if (declared.insert(variant.table).second) {
      writer.blank();
      write_signature(writer, variant);
      declare_table(writer, lowered, variant);
    }
    write_recording(writer, lowered, variant);
  }
}

void add_recording_headers(const LoweredLibrary& lowered, const LoweredSource& source, std::set<std::string>& headers) {
  if (source.nodes.empty()) {
    return;
  }
  const bool overwrites = llvm::any_of(source.recordings, [&](std::size_t index) {
    return llvm::any_of(lowered.variants[index].recording_steps,
                        [](const RecordingStep& step) { return std::holds_alternative<CheckOverwritten>(step); });
  });
  if (overwrites) headers.insert("<structured/autograd/overwritten.h>");
  headers.insert({"<cstddef>", "<string_view>", "<tuple>", "<structured/autograd/record.h>",
                  "<structured/autograd/saved.h>", "<structured/dispatch/operator.h>"});
  for (const std::size_t index : source.recordings) {
    headers.insert("<" + lowered.variants[index].header + ">");
  }
  for (const std::size_t index : source.nodes) {
    for (const GradientCall& call : lowered.nodes[index].calls) {
      if (!call.emitted) continue;
      headers.insert(
          {"<string>", "<structured/autograd/pointwise_gradient.h>", include_spelling(call.emitted->header)});
    }
  }
}

}  // namespace structured::gen
