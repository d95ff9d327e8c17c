#include "emit/torch/function_text.h"

#include <utility>
#include <variant>

#include "emit/cpp/source_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace structured::gen {
namespace {

std::string torch_adaptor_type(const TorchSupport& support, const AdaptorClass& adaptor) {
  const std::string count = std::to_string(adaptor.outputs);
  switch (adaptor.kind) {
    case Variant::Kind::functional:
      return support.scope.str() + "Functional<" + adaptor.base + ", " + count + ">";
    case Variant::Kind::inplace:
      return support.scope.str() + "Inplace<" + adaptor.base + ">";
    case Variant::Kind::out:
      return support.scope.str() + "Out<" + adaptor.base + ", " + count + ">";
  }
  llvm_unreachable("all kinds are handled");
}

// Optional references, which the dispatcher does not accept as parameters of kernels.
bool is_optional_reference(llvm::StringRef type) {
  return type == "::at::OptionalTensorRef" || type.starts_with("::c10::OptionalRef<");
}

// Optional lists of integers. The dispatcher passes c10::OptionalArrayRef, which converts to no optional.
bool is_optional_integers(llvm::StringRef type) {
  return (type.consume_front("std::") || type.consume_front("::c10::")) &&
         (type == "optional<::c10::ArrayRef<long>>" || type == "optional<::c10::ArrayRef<::c10::SymInt>>");
}

class TorchStepWriter {
 public:
  TorchStepWriter(Writer& writer, const TorchSupport& support, const LoweredFunction& function)
      : writer_(writer),
        support_(support),
        scope_(support.scope),
        function_(function),
        signature_(torch_signature(function)) {}

  void write() const {
    writer_.blank();
    writer_.comment("//", function_.comment);
    const Writer::Scope scope =
        writer_.block(signature_.result + " " + function_.name + "(", signature_.declared(), ") {");
    for (const Step& step : function_.body.steps) {
      std::visit([this](const auto& s) { write_step(s); }, step);
    }
  }

 private:
  void write_step(const CheckDevices& step) const {
    std::vector<std::string> arguments{string_literal(function_.name)};
    for (const std::size_t position : step.tensors) {
      arguments.push_back(string_literal(name(position)));
      arguments.push_back(name(position));
    }
    writer_.list(scope_ + "check_same_device(", arguments, ");");
  }
  void write_step(const CheckRefined&) const { llvm_unreachable("libtorch has no refined tensors"); }
  void write_step(const GuardDevice& step) const {
    writer_.list("const " + support_.device_guard.str() + " " + local("guard") + "(" + scope_ + "device_of(",
                 names(step.arguments), "));");
  }
  void write_step(const MakeAdaptor& step) const {
    const std::string declaration = torch_adaptor_type(support_, *function_.body.adaptor) + " " + local("op");
    if (step.outputs.empty()) {
      writer_.line(declaration + ";");
    } else {
      writer_.list(declaration + "(", names(step.outputs), ");");
    }
  }
  void write_step(const CheckOverlap& step) const {
    if (step.reusable) {
      writer_.line(local("op") + ".check_self(" + name(*step.reusable) + ");");
    }
    if (!step.inputs.empty()) {
      writer_.list(local("op") + ".check_inputs(", names(step.inputs), ");");
    }
  }
  void write_step(const CallMeta& step) const {
    const std::string kept = step.result == Result::kept ? "const auto " + local("precomputed") + " = " : "";
    std::vector<std::string> arguments = values(step.arguments, *function_.body.meta);
    std::string callee = function_.callees.meta;
    if (function_.callees.meta_is_member) {
      callee = arguments.front() + ".meta";
      arguments.erase(arguments.begin());
    }
    writer_.list(kept + callee + "(", arguments, ");");
  }
  void write_step(const CallImpl& step) const {
    writer_.list(function_.callees.impl + "(", values(step.arguments, *function_.body.impl), ");");
  }
  void write_step(const CallKernel& step) const {
    const std::string before = step.result == Result::returned ? "return "
                               : step.result == Result::kept   ? "decltype(auto) " + local("result") + " = "
                                                               : "";
    writer_.list(before + function_.callees.kernel + "(", kernel_arguments(), ");");
  }
  void write_step(const Finish&) const { writer_.line(local("op") + ".finish();"); }
  void write_step(const ReturnOutputs& step) const {
    const std::string take = step.count == 1 ? "take_output" : "take_outputs";
    writer_.line("return std::move(" + local("op") + ")." + take + "();");
  }
  void write_step(const ReturnParameters& step) const {
    const std::vector<std::string> results = names(step.parameters);
    if (results.size() == 1) {
      writer_.line("return " + results.front() + ";");
    } else {
      writer_.list("return {", results, "};");
    }
  }
  void write_step(const ReturnKept&) const { writer_.line("return " + local("result") + ";"); }
  void write_step(const CallOutVariant&) const { llvm_unreachable("libtorch's dispatcher has no such calls"); }
  void write_step(const CheckOutputs&) const { llvm_unreachable("kernels for PyTorch check overlap themselves"); }
  void write_step(const BumpVersions&) const { llvm_unreachable("kernels of another key bump versions"); }

  std::string local(llvm::StringRef wanted) const { return unused_name(wanted, signature_); }
  const std::string& name(std::size_t position) const { return signature_.parameters[position].name; }
  std::vector<std::string> names(const Positions& positions) const {
    std::vector<std::string> result;
    for (const std::size_t position : positions) {
      result.push_back(name(position));
    }
    return result;
  }

  std::string converted(std::string expression, const std::string& type) const {
    const bool is_converted = is_optional_reference(type) || is_optional_integers(type);
    return is_converted ? scope_ + "reference_to(" + std::move(expression) + ")" : expression;
  }
  std::vector<std::string> values(const std::vector<Value>& values, const FunctionType& callee) const {
    std::vector<std::string> result;
    // The callee of a wrapper without a base has one parameter for each value.
    for (const auto& [value, type] : llvm::zip_equal(values, callee.parameters)) {
      switch (value.kind) {
        case Value::Kind::parameter:
          result.push_back(converted(name(value.index), type));
          break;
        case Value::Kind::adaptor:
          result.push_back(local("op"));
          break;
        case Value::Kind::output:
          result.push_back(local("op") + ".output(" + std::to_string(value.index) + ")");
          break;
        case Value::Kind::precomputed:
          result.push_back(local("precomputed"));
          break;
      }
    }
    return result;
  }
  std::vector<std::string> kernel_arguments() const {
    std::vector<std::string> result;
    for (const auto& [parameter, type] : llvm::zip_equal(signature_.parameters, function_.callees.kernel_parameters)) {
      result.push_back(converted(parameter.name, type));
    }
    return result;
  }

  Writer& writer_;
  const TorchSupport& support_;
  const std::string scope_;
  const LoweredFunction& function_;
  const CppSignature signature_;
};

}  // namespace

CppSignature torch_signature(const LoweredFunction& function) {
  CppSignature signature{function.body.type.result, {}};
  for (const auto& [type, name] : llvm::zip_equal(function.body.type.parameters, function.parameters)) {
    signature.parameters.push_back({type, name, ""});
  }
  return signature;
}

void declare_torch_function(Writer& writer, const LoweredFunction& function) {
  const CppSignature signature = torch_signature(function);
  writer.list(signature.result + " " + function.name + "(", signature.declared(), ");");
}

void write_torch_function(Writer& writer, const TorchSupport& support, const LoweredFunction& function) {
  TorchStepWriter(writer, support, function).write();
}

}  // namespace structured::gen
