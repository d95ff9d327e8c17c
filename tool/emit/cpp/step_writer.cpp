#include "emit/cpp/step_writer.h"

#include <utility>
#include <variant>

#include "emit/cpp/source_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace structured::gen {

CppSignature signature_of(const Body& body, const std::vector<std::string>& names) {
  CppSignature signature{body.type.result, {}, body.returns_reference};
  for (const auto& [type, name] : llvm::zip_equal(body.type.parameters, names)) {
    signature.parameters.push_back({type, name, ""});
  }
  return signature;
}

std::string adaptor_type(const StepSpelling& spelling, const AdaptorClass& adaptor) {
  const std::string count = std::to_string(adaptor.outputs);
  switch (adaptor.kind) {
    case Variant::Kind::functional:
      return spelling.scope.str() + "Functional<" + adaptor.base + ", " + count + ">";
    case Variant::Kind::inplace:
      return spelling.scope.str() + "Inplace<" + adaptor.base + ">";
    case Variant::Kind::out:
      return spelling.scope.str() + "Out<" + adaptor.base + ", " + count + ">";
  }
  llvm_unreachable("all kinds are handled");
}

Callees with_name_literal(Callees callees) {
  callees.operator_name = string_literal(callees.operator_name);
  return callees;
}

void StepWriter::write(const std::vector<Step>& steps) const {
  for (const Step& step : steps) {
    std::visit([this](const auto& s) { write_step(s); }, step);
  }
}

std::string StepWriter::kernel_call(const CallKernel& step) const {
  return (step.result == Result::returned ? "return " : "") + callees_.kernel + "(";
}

void StepWriter::write_step(const CheckDevices& step) const {
  std::vector<std::string> arguments{callees_.operator_name};
  for (const std::string& name : names(step.tensors)) {
    if (spelling_.labels_tensors) arguments.push_back(string_literal(name));
    arguments.push_back(name);
  }
  writer_.list(scope_ + "check_same_device(", arguments, ");");
}

void StepWriter::write_step(const CheckRefined& step) const {
  writer_.list(scope_ + "check_refined<" + step.type + ">(",
               {callees_.operator_name, string_literal(step.argument), name(step.tensor)}, ");");
}

void StepWriter::write_step(const GuardDevice& step) const {
  writer_.list("const " + spelling_.device_guard.str() + " " + local("guard") + "(" + scope_ + "device_of(",
               names(step.arguments), "));");
}

void StepWriter::write_step(const MakeAdaptor& step) const {
  const std::string declaration = adaptor_type(spelling_, *body_.adaptor) + " " + local("op");
  if (step.outputs.empty()) {
    writer_.line(declaration + ";");
  } else {
    writer_.list(declaration + "(", names(step.outputs), ");");
  }
}

void StepWriter::write_step(const CheckOverlap& step) const {
  if (step.reusable) {
    writer_.line(local("op") + ".check_self(" + name(*step.reusable) + ");");
  }
  if (!step.inputs.empty()) {
    writer_.list(local("op") + ".check_inputs(", names(step.inputs), ");");
  }
}

void StepWriter::write_step(const CheckOutputs& step) const {
  const std::string checks = local("outputs");
  writer_.list("const " + scope_ + "Outputs " + checks + "(", names(step.outputs), ");");
  if (step.reusable) {
    writer_.line(checks + ".check_reusable(" + name(*step.reusable) + ");");
  }
  if (!step.inputs.empty()) {
    writer_.list(checks + (step.is_composite ? ".check_reusable(" : ".check_inputs("), names(step.inputs), ");");
  }
}

void StepWriter::write_step(const CallMeta& step) const {
  const std::string result = step.result == Result::returned ? "return "
                             : step.result == Result::kept   ? "const auto " + local("precomputed") + " = "
                                                             : "";
  std::vector<std::string> arguments = values(step.arguments);
  std::string callee = callees_.meta;
  if (callees_.meta_is_member) {
    callee = arguments.front() + ".meta";
    arguments.erase(arguments.begin());
  }
  writer_.list(result + callee + "(", arguments, ");");
}

void StepWriter::write_step(const CallImpl& step) const {
  writer_.list(callees_.impl + "(", values(step.arguments), ");");
}

void StepWriter::write_step(const CallKernel& step) const {
  const std::string kept = step.result == Result::kept ? "decltype(auto) " + local("result") + " = " : "";
  writer_.list(kept + kernel_call(step), values(step.arguments), ");");
}

void StepWriter::write_step(const CallOutVariant& step) const {
  std::vector<std::string> arguments{scope_ + "LayerSet()"};
  llvm::append_range(arguments, names(step.inputs));
  for (std::size_t i = 0; i < step.outputs; ++i) {
    const std::string output = local("output_" + std::to_string(i));
    writer_.line(scope_ + "Tensor " + output + " = " + local("op") + ".output(" + std::to_string(i) + ");");
    arguments.push_back(output);
  }
  writer_.list(callees_.out_variant + ".call(", arguments, ");");
}

void StepWriter::write_step(const BumpVersions& step) const {
  writer_.list(scope_ + "bump_versions(", names(step.tensors), ");");
}

void StepWriter::write_step(const Finish&) const { writer_.line(local("op") + ".finish();"); }

void StepWriter::write_step(const ReturnOutputs& step) const {
  const std::string take = step.count == 1 ? "take_output" : "take_outputs";
  writer_.line("return std::move(" + local("op") + ")." + take + "();");
}

void StepWriter::write_step(const ReturnParameters& step) const {
  const std::vector<std::string> results = names(step.parameters);
  if (results.size() == 1) {
    writer_.line("return " + results.front() + ";");
  } else {
    writer_.list("return {", results, "};");
  }
}

void StepWriter::write_step(const ReturnKept&) const { writer_.line("return " + local("result") + ";"); }

std::vector<std::string> StepWriter::names(const Positions& positions) const {
  std::vector<std::string> result;
  for (const std::size_t position : positions) {
    result.push_back(name(position));
  }
  return result;
}

std::vector<std::string> StepWriter::values(const std::vector<Value>& values) const {
  std::vector<std::string> result;
  for (const Value& value : values) {
    switch (value.kind) {
      case Value::Kind::parameter:
        result.push_back(value.as_reference ? scope_ + "reference_to(" + name(value.index) + ")" : name(value.index));
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

}  // namespace structured::gen
