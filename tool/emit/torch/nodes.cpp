#include "emit/torch/nodes.h"

#include <optional>
#include <string>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/torch/function_text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace structured::gen {
namespace {

std::string member_of(const SavedValue& value) { return "saved_" + value.name; }

// Prints one class. A value of another type than the schema's, such as a symbolic integer, is saved as it is.
class TorchNodeWriter {
 public:
  TorchNodeWriter(Writer& writer, const LoweredLibrary& lowered, const LoweredNode& node, const CppSignature& signature)
      : writer_(writer), lowered_(lowered), node_(node), signature_(signature) {}

  void write() const {
    writer_.blank();
    writer_.comment("//", "Recorded calls of " + node_.comment + ".");
    const Writer::Scope body =
        writer_.block("struct " + node_.name + " final : " + torch_scope + "BackwardNode {", "};");
    std::vector<std::string> positions;
    for (const NodeInput& input : node_.inputs) positions.push_back(std::to_string(input.parameter));
    writer_.line("using Differentiable = std::index_sequence<" + llvm::join(positions, ", ") + ">;");
    write_positions("ConstantResults", node_.constant_results);
    write_positions("ConstantArguments", node_.constant_arguments);
    writer_.blank();
    writer_.line("std::string name() const override { return \"" + node_.name + "\"; }");
    write_compute();
    write_save("save", signature_.declared(), /*outputs=*/false);
    write_save("save_results", {signature_.result + "& " + result()}, /*outputs=*/true);
    write_release();
    if (!node_.saved.empty()) writer_.blank();
    for (const SavedValue& value : node_.saved) writer_.line(type_of(value) + " " + member_of(value) + ";");
  }

 private:
  void write_positions(llvm::StringRef name, const Positions& positions) const {
    if (positions.empty()) return;
    std::vector<std::string> numbers;
    for (const std::size_t position : positions) numbers.push_back(std::to_string(position));
    writer_.line(("using " + name + " = std::index_sequence<" + llvm::join(numbers, ", ") + ">;").str());
  }

  std::string result() const { return unused_name("result", signature_); }

  std::string type_of(const SavedValue& value) const {
    switch (value.kind) {
      case SavedValue::Kind::input:
        if (value.may_be_modified) return torch_scope + "SavedUnlessModified";
        return torch_scope + "SavedInput<" + signature_.parameters[value.index].type + ">";
      case SavedValue::Kind::property:
        return torch_scope + class_of_saved(value.property).str() + "<" + signature_.parameters[value.index].type + ">";
      case SavedValue::Kind::output:
        return torch_scope + "SavedResult";
    }
    llvm_unreachable("all kinds are handled");
  }

  static std::string condition(const Positions& inputs, llvm::StringRef function) {
    std::vector<std::string> tests;
    for (const std::size_t input : inputs) tests.push_back((function + "(" + llvm::Twine(input) + ")").str());
    return llvm::join(tests, " || ");
  }

  std::string argument(const GradientCall& call, const GradientArgument& argument) const {
    switch (argument.kind) {
      case GradientArgument::Kind::gradient: {
        const std::string index = std::to_string(argument.index);
        return node_.results == 1 ? "results[" + index + "]" : "gradient(results, " + index + ")";
      }
      case GradientArgument::Kind::optional_gradient:
        return torch_scope + "optional_gradient(results[" + std::to_string(argument.index) + "])";
      case GradientArgument::Kind::gradients:
        return "gradients(results)";
      case GradientArgument::Kind::optional_gradients:
        return torch_scope + "OptionalGradients(results)";
      case GradientArgument::Kind::saved:
        return member_of(node_.saved[argument.index]) + ".get(*this)";
      case GradientArgument::Kind::saved_unless_modified:
        return member_of(node_.saved[argument.index]) + ".get_unless_modified(*this)";
      case GradientArgument::Kind::needs_flags: {
        std::vector<std::string> flags;
        for (const std::size_t input : call.inputs) flags.push_back("needs(" + std::to_string(input) + ")");
        return "{" + llvm::join(flags, ", ") + "}";
      }
      case GradientArgument::Kind::conjugate:
        return "results[0].conj()";
      case GradientArgument::Kind::weighted:
        return "results[0].conj().mul(" + member_of(node_.saved[argument.index]) + ".get(*this))";
    }
    llvm_unreachable("all kinds are handled");
  }

  void write_call(const GradientCall& call) const {
    std::vector<std::string> arguments;
    for (const GradientArgument& each : call.arguments) arguments.push_back(argument(call, each));
    if (call.op) {
      const LoweredVariant& variant = lowered_.variants[call.variant];
      const std::string name = string_literal(variant.full_name);
      writer_.list("inputs[" + std::to_string(call.inputs.front()) + "] = " + torch_scope + "call_operator<" +
                       variant.signature + ", " + name + ">(",
                   arguments, call.conjugates_result ? ").conj();" : ");");
      return;
    }
    std::vector<std::string> positions;
    for (const std::size_t input : call.inputs) positions.push_back(std::to_string(input));
    writer_.list("set_gradients<" + llvm::join(positions, ", ") + ">(inputs, ::" + call.function->name + "(", arguments,
                 "));");
  }

  void write_compute() const {
    const std::string gradients = torch_scope + "Gradients";
    const Writer::Scope body = writer_.block(
        "void compute(", {"[[maybe_unused]] const " + gradients + "& results", gradients + "& inputs"}, ") override {");
    for (const GradientCall& call : node_.calls) {
      std::optional<Writer::Scope> guarded;
      if (!call.is_unconditional) guarded.emplace(writer_.block("if (" + condition(call.inputs, "needs") + ") {"));
      write_call(call);
    }
  }

  void write_save(const std::string& name, const std::vector<std::string>& parameters, bool outputs) const {
    std::vector<std::string> declared;
    for (const std::string& parameter : parameters) declared.push_back("[[maybe_unused]] " + parameter);
    const Writer::Scope body = writer_.block("void " + name + "(", declared, ") {");
    for (const SavedValue& value : node_.saved) {
      if ((value.kind == SavedValue::Kind::output) != outputs) continue;
      std::string saved = outputs ? result() : signature_.parameters[value.index].name;
      if (outputs && node_.results > 1) saved = "std::get<" + std::to_string(value.index) + ">(" + saved + ")";
      std::optional<Writer::Scope> guarded;
      if (!value.users.empty()) guarded.emplace(writer_.block("if (" + condition(value.users, "may_need") + ") {"));
      writer_.line(member_of(value) + ".save(" + saved + ");");
    }
  }

  void write_release() const {
    if (node_.saved.empty()) return;
    std::vector<std::string> members;
    for (const SavedValue& value : node_.saved) members.push_back(member_of(value));
    const Writer::Scope body = writer_.block("void release_variables() override {");
    writer_.line("const std::lock_guard<std::mutex> lock(mutex_);");
    writer_.list(torch_scope + "release(", members, ");");
  }

  Writer& writer_;
  const LoweredLibrary& lowered_;
  const LoweredNode& node_;
  const CppSignature& signature_;
};

}  // namespace

void write_torch_node(Writer& writer, const LoweredLibrary& lowered, const LoweredNode& node,
                      const CppSignature& signature) {
  TorchNodeWriter(writer, lowered, node, signature).write();
}

}  // namespace structured::gen
