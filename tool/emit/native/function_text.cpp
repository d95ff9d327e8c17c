#include "emit/native/function_text.h"

#include <utility>
#include <variant>

#include "emit/cpp/source_text.h"
#include "llvm/ADT/STLExtras.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

CppSignature signature_of(const Body& body, const std::vector<std::string>& names) {
  CppSignature signature{body.type.result, {}};
  for (const auto& [type, name] : llvm::zip_equal(body.type.parameters, names)) {
    signature.parameters.push_back({type, name, ""});
  }
  return signature;
}

std::string adaptor_type(const AdaptorClass& adaptor) {
  const std::string count = std::to_string(adaptor.outputs);
  switch (adaptor.kind) {
    case Variant::Kind::functional:
      return "::structured::Functional<" + adaptor.base + ", " + count + ">";
    case Variant::Kind::inplace:
      return "::structured::Inplace<" + adaptor.base + ">";
    case Variant::Kind::out:
      return "::structured::Out<" + adaptor.base + ", " + count + ">";
  }
  llvm_unreachable("all kinds are handled");
}

// Prints the steps of one body with given names of parameters and callees.
class StepWriter {
 public:
  StepWriter(Writer& writer, const Body& body, CppSignature signature, Callees callees)
      : writer_(writer), body_(body), signature_(std::move(signature)), callees_(std::move(callees)) {}

  void write(const std::vector<Step>& steps) const {
    for (const Step& step : steps) {
      std::visit([this](const auto& s) { write_step(s); }, step);
    }
  }

  std::string local(llvm::StringRef wanted) const { return unused_name(wanted, signature_); }
  const CppSignature& signature() const { return signature_; }
  /// `return ::acme::kernels::view(`
  std::string kernel_call(const CallKernel& step) const {
    return (step.result == Result::returned ? "return " : "") + callees_.kernel + "(";
  }

 private:
  void write_step(const CheckDevices& step) const {
    std::vector<std::string> arguments{callees_.operator_name};
    llvm::append_range(arguments, names(step.tensors));
    writer_.list("::structured::check_same_device(", arguments, ");");
  }
  void write_step(const CheckRefined& step) const {
    const std::string argument = string_literal(step.argument);
    writer_.list("::structured::check_refined<" + step.type + ">(",
                 {callees_.operator_name, argument, name(step.tensor)}, ");");
  }
  void write_step(const GuardDevice& step) const {
    writer_.list("const ::structured::DeviceGuard " + local("guard") + "(::structured::device_of(",
                 names(step.arguments), "));");
  }
  void write_step(const MakeAdaptor& step) const {
    const std::string declaration = adaptor_type(*body_.adaptor) + " " + local("op");
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
  void write_step(const CheckOutputs& step) const {
    const std::string checks = local("outputs");
    writer_.list("const ::structured::Outputs " + checks + "(", names(step.outputs), ");");
    if (step.reusable) {
      writer_.line(checks + ".check_reusable(" + name(*step.reusable) + ");");
    }
    if (!step.inputs.empty()) {
      writer_.list(checks + (step.is_composite ? ".check_reusable(" : ".check_inputs("), names(step.inputs), ");");
    }
  }
  void write_step(const CallMeta& step) const {
    const std::string result = step.result == Result::returned ? "return "
                               : step.result == Result::kept   ? "const auto " + local("precomputed") + " = "
                                                               : "";
    writer_.list(result + callees_.meta + "(", values(step.arguments), ");");
  }
  void write_step(const CallImpl& step) const { writer_.list(callees_.impl + "(", values(step.arguments), ");"); }
  void write_step(const CallKernel& step) const {
    const std::string kept = step.result == Result::kept ? "decltype(auto) " + local("result") + " = " : "";
    writer_.list(kept + kernel_call(step), signature_.names(), ");");
  }
  void write_step(const CallOutVariant& step) const {
    std::vector<std::string> arguments{"::structured::LayerSet()"};
    llvm::append_range(arguments, names(step.inputs));
    for (std::size_t i = 0; i < step.outputs; ++i) {
      const std::string output = local("output_" + std::to_string(i));
      writer_.line("::structured::Tensor " + output + " = " + local("op") + ".output(" + std::to_string(i) + ");");
      arguments.push_back(output);
    }
    writer_.list(callees_.out_variant + ".call(", arguments, ");");
  }
  void write_step(const BumpVersions& step) const {
    writer_.list("::structured::bump_versions(", names(step.tensors), ");");
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

  const std::string& name(std::size_t position) const { return signature_.parameters[position].name; }
  std::vector<std::string> names(const Positions& positions) const {
    std::vector<std::string> result;
    for (const std::size_t position : positions) {
      result.push_back(name(position));
    }
    return result;
  }
  std::vector<std::string> values(const std::vector<Value>& values) const {
    std::vector<std::string> result;
    for (const Value& value : values) {
      switch (value.kind) {
        case Value::Kind::parameter:
          result.push_back(name(value.index));
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

  Writer& writer_;
  const Body& body_;
  const CppSignature signature_;
  const Callees callees_;
};

// `begin`, `run` and, for the runtime's own loops, `compute`. They have the same parameters.
void write_prepared(Writer& writer, const StepWriter& steps, const Body& body, const std::string& name,
                    const std::vector<std::string>& callee_parameters) {
  std::vector<std::string> parameters{"Adaptor& " + steps.local("op")};
  for (const std::vector<std::string>& more : {callee_parameters, steps.signature().declared()}) {
    for (const std::string& parameter : more) {
      parameters.push_back("[[maybe_unused]] " + parameter);
    }
  }
  const Writer::Scope scope = writer.block("struct " + name + " {", "};");
  writer.line("using Adaptor = " + adaptor_type(*body.adaptor) + ";");
  {
    const std::string result = body.precomputed.empty() ? "void" : body.precomputed;
    const Writer::Scope begin = writer.block("static " + result + " begin(", parameters, ") {");
    steps.write(body.steps);
  }
  if (!body.precomputed.empty()) {
    parameters.push_back("const " + body.precomputed + "& " + steps.local("precomputed"));
  }
  if (!body.compute_steps.empty()) {
    const Writer::Scope compute = writer.block("static void compute(", parameters, ") {");
    steps.write(body.compute_steps);
  }
  const Writer::Scope run = writer.block("static void run(", parameters, ") {");
  steps.write(body.run_steps);
}

// Names inside a shared body: its parameters are numbered, and its callees are parameters.
struct SharedParts {
  CppSignature signature;
  Callees callees;
  std::vector<std::string> callee_parameters;
};

SharedParts shared_parts(const Body& body, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < body.type.parameters.size(); ++i) {
    names.push_back("argument_" + std::to_string(i + 1));
  }
  SharedParts parts{signature_of(body, names), {"meta", "impl", "", "out_variant", "operator_name"}, {}};
  parts.callee_parameters.push_back(name + "_meta* " + parts.callees.meta);
  if (body.out_variant) {
    parts.callee_parameters.push_back("::structured::Operator<" + name + "_out>& " + parts.callees.out_variant);
  }
  if (body.impl) {
    parts.callee_parameters.push_back(name + "_impl* " + parts.callees.impl);
  }
  if (body.names_operator()) {
    parts.callee_parameters.push_back("const char* " + parts.callees.operator_name);
  }
  return parts;
}

std::vector<std::string> all_parameters(const SharedParts& parts) {
  std::vector<std::string> parameters = parts.signature.declared();
  llvm::append_range(parameters, parts.callee_parameters);
  return parameters;
}

void write_type_alias(Writer& writer, const std::string& name, const FunctionType& type) {
  writer.list("using " + name + " = " + type.result + "(", type.parameters, ");");
}

void write_callee_types(Writer& writer, const Body& body, const std::string& name) {
  write_type_alias(writer, name + "_meta", *body.meta);
  if (body.out_variant) {
    write_type_alias(writer, name + "_out", *body.out_variant);
  }
  if (body.impl) {
    write_type_alias(writer, name + "_impl", *body.impl);
  }
}

std::string shared_result(const Body& body) {
  return body.part == WrapperPart::prepared ? "::structured::PreparedOperator" : body.type.result;
}

Callees with_name_literal(Callees callees) {
  callees.operator_name = string_literal(callees.operator_name);
  return callees;
}

}  // namespace

void write_function(Writer& writer, const LoweredFunction& function) {
  const Body& body = function.body;
  const StepWriter steps(writer, body, signature_of(body, function.parameters), with_name_literal(function.callees));
  if (body.part == WrapperPart::prepared) {
    if (function.shared.empty()) {
      writer.blank();
      writer.comment("//", function.comment);
      write_prepared(writer, steps, body, function.name, {});
    }
    return;
  }
  writer.blank();
  writer.comment("//", function.comment);
  const std::string head = body.type.result + " " + function.name + "(";
  const std::vector<std::string> parameters = steps.signature().declared();
  if (!function.shared.empty()) {
    std::vector<std::string> arguments = function.parameters;
    llvm::append_range(arguments, shared_body_arguments(function));
    if (!llvm::StringRef(body.type.result).ends_with("&")) {
      writer.one_call_function(head, parameters, "return " + function.shared + "(", arguments);
      return;
    }
    // Without a frame of the wrapper, messages could not name the operator. Objects are not returned by tail calls.
    const Writer::Scope scope = writer.block(head, parameters, ") {");
    const std::string result = unused_name("result", steps.signature());
    writer.list(body.type.result + " " + result + " = " + function.shared + "(", arguments, ");");
    writer.line("::structured::detail::keep_frame();");
    writer.line("return " + result + ";");
    return;
  }
  if (const auto* call = std::get_if<CallKernel>(&body.steps.front()); call != nullptr && body.steps.size() == 1) {
    writer.one_call_function(head, parameters, steps.kernel_call(*call), function.parameters);
    return;
  }
  const Writer::Scope scope = writer.block(head, parameters, ") {");
  steps.write(body.steps);
}

void write_shared_body(Writer& writer, const Body& body, const std::string& name) {
  const SharedParts parts = shared_parts(body, name);
  const StepWriter steps(writer, body, parts.signature, parts.callees);
  writer.blank();
  write_callee_types(writer, body, name);
  const std::string head = "[[gnu::noinline]] " + shared_result(body) + " " + name + "(";
  if (body.part == WrapperPart::prepared) {
    write_prepared(writer, steps, body, name + "_parts", parts.callee_parameters);
    std::vector<std::string> arguments;
    for (const std::string& parameter : parts.callee_parameters) {
      arguments.push_back(llvm::StringRef(parameter).rsplit(' ').second.str());
    }
    llvm::append_range(arguments, parts.signature.names());
    writer.blank();
    writer.one_call_function(head, all_parameters(parts), "return ::structured::prepare<" + name + "_parts>(",
                             arguments);
    return;
  }
  const Writer::Scope scope = writer.block(head, all_parameters(parts), ") {");
  steps.write(body.steps);
}

void declare_shared_body(Writer& writer, const Body& body, const std::string& name) {
  writer.blank();
  write_callee_types(writer, body, name);
  writer.list(shared_result(body) + " " + name + "(", all_parameters(shared_parts(body, name)), ");");
}

std::vector<std::string> shared_body_arguments(const LoweredFunction& function) {
  const Callees callees = with_name_literal(function.callees);
  std::vector<std::string> arguments{callees.meta};
  if (function.body.out_variant) {
    arguments.push_back(callees.out_variant);
  }
  if (function.body.impl) {
    arguments.push_back(callees.impl);
  }
  if (function.body.names_operator()) {
    arguments.push_back(callees.operator_name);
  }
  return arguments;
}

void add_body_headers(const Body& body, std::set<std::string>& headers) {
  if (body.adaptor) {
    headers.insert({"<structured/kernel/adaptors.h>", "<utility>"});
  }
  if (body.part == WrapperPart::prepared) {
    headers.insert(body.compute_steps.empty() ? "<structured/kernel/prepared_call.h>"
                                              : "<structured/iterator/prepared_pointwise.h>");
  }
  const Overloaded add{
      [&](const CheckDevices&) { headers.insert("<structured/kernel/guards.h>"); },
      [&](const CheckRefined&) { headers.insert("<structured/kernel/refined.h>"); },
      [&](const GuardDevice&) { headers.insert("<structured/kernel/guards.h>"); },
      [&](const CheckOutputs&) { headers.insert("<structured/kernel/outputs.h>"); },
      [&](const BumpVersions&) { headers.insert("<structured/kernel/versions.h>"); },
      [&](const CallOutVariant&) { headers.insert("<structured/dispatch/operator.h>"); },
      [](const auto&) {},
  };
  for (const std::vector<Step>* steps : {&body.steps, &body.run_steps}) {
    for (const Step& step : *steps) {
      std::visit(add, step);
    }
  }
}

}  // namespace structured::gen
