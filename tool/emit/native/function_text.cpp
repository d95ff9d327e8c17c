#include "emit/native/function_text.h"

#include <utility>
#include <variant>

#include "emit/cpp/step_writer.h"
#include "llvm/ADT/STLExtras.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

constexpr StepSpelling spelling{"::structured::", "::structured::DeviceGuard"};

// `begin`, `run` and, for the runtime's own loops, `compute`. They have the same parameters.
void write_prepared(Writer& writer, const StepWriter& steps, const Body& body, const std::string& name,
                    const CppSignature& callees) {
  std::vector<std::string> parameters{"Adaptor& " + steps.local("op")};
  for (const CppSignature* more : {&callees, &steps.signature()}) {
    for (const std::string& parameter : more->declared()) {
      parameters.push_back("[[maybe_unused]] " + parameter);
    }
  }
  const Writer::Scope scope = writer.block("struct " + name + " {", "};");
  writer.line("using Adaptor = " + adaptor_type(spelling, *body.adaptor) + ";");
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
  CppSignature callee_parameters;
};

SharedParts shared_parts(const Body& body, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < body.type.parameters.size(); ++i) {
    names.push_back("argument_" + std::to_string(i + 1));
  }
  SharedParts parts{signature_of(body, names), {"meta", "impl", "", "out_variant", "operator_name"}, {}};
  std::vector<CppParameter>& callees = parts.callee_parameters.parameters;
  callees.push_back({name + "_meta*", parts.callees.meta, ""});
  if (body.out_variant) {
    callees.push_back({"::structured::Operator<" + name + "_out>&", parts.callees.out_variant, ""});
  }
  if (body.impl) {
    callees.push_back({name + "_impl*", parts.callees.impl, ""});
  }
  if (body.names_operator()) {
    callees.push_back({"const char*", parts.callees.operator_name, ""});
  }
  return parts;
}

std::vector<std::string> all_parameters(const SharedParts& parts) {
  std::vector<std::string> parameters = parts.signature.declared();
  llvm::append_range(parameters, parts.callee_parameters.declared());
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

}  // namespace

void write_function(Writer& writer, const LoweredFunction& function) {
  const Body& body = function.body;
  const StepWriter steps(writer, spelling, body, signature_of(function), with_name_literal(function.callees));
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
    if (!body.returns_reference) {
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
    writer.one_call_function(head, parameters, steps.kernel_call(*call), steps.values(call->arguments));
    return;
  }
  const Writer::Scope scope = writer.block(head, parameters, ") {");
  steps.write(body.steps);
}

void write_shared_body(Writer& writer, const Body& body, const std::string& name) {
  const SharedParts parts = shared_parts(body, name);
  const StepWriter steps(writer, spelling, body, parts.signature, parts.callees);
  writer.blank();
  write_callee_types(writer, body, name);
  const std::string head = "[[gnu::noinline]] " + shared_result(body) + " " + name + "(";
  if (body.part == WrapperPart::prepared) {
    write_prepared(writer, steps, body, name + "_parts", parts.callee_parameters);
    std::vector<std::string> arguments = parts.callee_parameters.names();
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
