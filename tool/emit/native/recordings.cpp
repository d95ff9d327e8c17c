#include "emit/native/recordings.h"

#include <optional>
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
      llvm_unreachable("the native target has no such arguments");
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
    if (variant_.derived->kind == Variant::Kind::inplace) {
      write_inplace();
    } else {
      write_functional();
    }
  }

 private:
  void write_functional() const {
    const std::string result = local("result");
    check_overwritten();
    writer_.list("auto " + result + " = " + autograd_namespace + "call_backend(", call_arguments(), ");");
    write_unrecorded("return " + result + ";");
    make_node(node_.returns_list ? result + ".size()" : std::to_string(node_.results));
    const bool has_first = variant_.derived->schema.returns.front().type.is(Type::Base::Tensor);
    const std::string first = has_first ? result_text(0) : "";
    connect(first);
    save_inputs("");
    if (node_.returns_list) {
      if (node_.constant_results.empty()) {
        writer_.line(set_history() + "(" + result + ", " + local("owner") + ");");
      }
    } else {
      save_outputs();
      std::size_t last = node_.results;
      while (last > 0 && !has_history(last - 1)) {
        --last;
      }
      for (std::size_t i = 0; i < last; ++i) {
        if (!has_history(i)) {
          continue;
        }
        const std::string owner = i + 1 == last ? "std::move(" + local("owner") + ")" : local("owner");
        writer_.line(set_history() + "(" + result_text(i) + ", " + owner + (i == 0 ? "" : ", " + std::to_string(i)) +
                     ");");
      }
    }
    fail_overwritten();
    writer_.line("return " + result + ";");
  }

  void write_inplace() const {
    const std::string& self = signature_.parameters.front().name;
    check_overwritten();
    {
      const Writer::Scope unrecorded = writer_.block("if (!" + records() + ") {");
      writer_.list("return " + autograd_namespace + "call_backend(", call_arguments(), ");");
    }
    writer_.line(autograd_namespace + "check_inplace(" + self + ");");
    make_node("1");
    connect(self);
    save_inputs(self);
    writer_.list(autograd_namespace + "call_backend(", call_arguments(), ");");
    save_outputs();
    writer_.line(autograd_namespace + "rebase_history(" + self + ", " + local("owner") + ");");
    fail_overwritten();
    writer_.line("return " + self + ";");
  }

  bool has_history(std::size_t result) const {
    return node_.is_tensor[result] && !llvm::is_contained(node_.constant_results, result);
  }

  // The names of the arguments that the call overwrites and that the derivative does not cover. The derivative of an
  // in-place variant covers its first argument.
  std::vector<std::string> overwritten(bool with_constants) const {
    const std::vector<const Argument*> inputs = inputs_of(variant_.derived->schema);
    std::vector<std::string> names;
    for (std::size_t i = variant_.derived->kind == Variant::Kind::inplace ? 1 : 0; i < inputs.size(); ++i) {
      const bool is_constant = llvm::is_contained(node_.constant_arguments, i);
      if (inputs[i]->is_mutable() && (with_constants || !is_constant)) names.push_back(inputs[i]->name);
    }
    return names;
  }
  std::string operator_literal() const { return string_literal(variant_.full_name); }
  void check_overwritten() const {
    const std::vector<std::string> names = overwritten(/*with_constants=*/true);
    if (names.empty()) return;
    writer_.line(autograd_namespace + "check_overwritten(" + operator_literal() + ", " + autograd_namespace +
                 "tensors_of(" + llvm::join(names, ", ") + "));");
  }
  void fail_overwritten() const {
    const std::vector<std::string> names = overwritten(/*with_constants=*/false);
    if (names.empty()) return;
    std::vector<std::string> inputs;
    for (const NodeInput& input : node_.inputs) inputs.push_back(name(input));
    writer_.list(autograd_namespace + "fail_in_backward(",
                 {operator_literal(), autograd_namespace + "tensors_of(" + llvm::join(inputs, ", ") + ")",
                  autograd_namespace + "tensors_of(" + llvm::join(names, ", ") + ")"},
                 ");");
  }

  std::vector<std::string> call_arguments() const {
    std::vector<std::string> arguments{variant_.table};
    llvm::append_range(arguments, signature_.names());
    return arguments;
  }
  std::string local(llvm::StringRef wanted) const { return unused_name(wanted, signature_); }
  const std::string& name(const NodeInput& input) const { return signature_.parameters[input.parameter].name; }
  std::string result_text(std::size_t index) const {
    const std::string result = local("result");
    return node_.results == 1 ? result : "std::get<" + std::to_string(index) + ">(" + result + ")";
  }
  std::string set_history() const {
    const bool is_view = llvm::any_of(variant_.derived->schema.returns,
                                      [](const Return& result) { return result.alias && !result.alias->is_write; });
    return autograd_namespace + (is_view ? "set_view_history" : "set_history");
  }
  std::string records() const {
    std::vector<std::string> inputs;
    for (const NodeInput& input : node_.inputs) {
      inputs.push_back(name(input));
    }
    if (variant_.derived->kind == Variant::Kind::inplace && node_.inputs.front().parameter != 0) {
      inputs.insert(inputs.begin(), signature_.parameters.front().name);
    }
    return autograd_namespace + "records(" + llvm::join(inputs, ", ") + ")";
  }
  void write_unrecorded(const std::string& statement) const {
    const Writer::Scope unrecorded = writer_.block("if (!" + records() + ") {");
    writer_.line(statement);
  }

  void make_node(const std::string& results) const {
    std::string counts;
    if (node_.is_dynamic()) {
      const NodeInput& last = node_.inputs.back();
      counts = last.is_list ? std::to_string(node_.inputs.size() - 1) + " + " + name(last) + ".size()"
                            : std::to_string(node_.inputs.size());
      counts = "(" + counts + ", " + results + ")";
    }
    writer_.line("auto* const " + local("node") + " = new " + node_.name + counts + ";");
    writer_.line(autograd_namespace + "NodePtr " + local("owner") + " = " + autograd_namespace + "NodePtr::adopt(" +
                 local("node") + ");");
  }

  void connect(const std::string& result) const {
    for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
      writer_.line(autograd_namespace + "connect(*" + local("node") + ", " + std::to_string(i) + ", " +
                   name(node_.inputs[i]) + (result.empty() ? "" : ", " + result) + ");");
    }
  }

  void save(const SavedValue& value, const std::string& call) const {
    const std::string text = local("node") + "->" + member(value) + call;
    if (value.users.empty()) {
      writer_.line(text);
      return;
    }
    const Writer::Scope guarded = writer_.block("if (" + condition(local("node") + "->", value.users) + ") {");
    writer_.line(text);
  }

  // `overwritten` is the argument that an in-place variant is about to overwrite.
  void save_inputs(const std::string& overwritten) const {
    for (const SavedValue& value : node_.saved) {
      if (value.kind == SavedValue::Kind::output) {
        continue;
      }
      const std::string& argument = signature_.parameters[value.index].name;
      const bool is_copied = argument == overwritten && value.kind == SavedValue::Kind::input;
      std::string saved = argument;
      if (is_copied) {
        saved = autograd_namespace;
        saved += "copy_of(" + argument + ")";
      }
      save(value, ".save(" + saved + ");");
    }
  }
  void save_outputs() const {
    for (const SavedValue& value : node_.saved) {
      if (value.kind != SavedValue::Kind::output) {
        continue;
      }
      const bool is_inplace = variant_.derived->kind == Variant::Kind::inplace;
      const std::string output = is_inplace ? signature_.parameters.front().name : result_text(value.index);
      save(value, ".save_result(" + output + (value.index == 0 ? "" : ", " + std::to_string(value.index)) + ");");
    }
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
    const LoweredVariant& variant = lowered.variants[index];
    const auto is_mutable = [](const Argument* argument) { return argument->is_mutable(); };
    const std::size_t covered = variant.derived->kind == Variant::Kind::inplace ? 1 : 0;
    return llvm::any_of(llvm::drop_begin(inputs_of(variant.derived->schema), covered), is_mutable);
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
