#include "emit/torch/decompositions.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/torch/function_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MD5.h"
#include "model/scalar_evaluation.h"

namespace structured::gen {
namespace {

llvm::StringRef dtype_of(ScalarType type) {
  switch (type) {
    case ScalarType::boolean:
      return "::at::kBool";
    case ScalarType::int8:
      return "::at::kChar";
    case ScalarType::uint8:
      return "::at::kByte";
    case ScalarType::int16:
      return "::at::kShort";
    case ScalarType::int32:
      return "::at::kInt";
    case ScalarType::int64:
      return "::at::kLong";
    case ScalarType::float32:
      return "::at::kFloat";
    case ScalarType::float64:
      return "::at::kDouble";
    case ScalarType::uint16:
    case ScalarType::uint32:
    case ScalarType::uint64:
      break;
  }
  llvm_unreachable("decompositions have no other types");
}

std::string number_text(const ScalarValue& value) {
  const std::string text = to_text(value);
  if (value.type == ScalarType::int64) {
    // The smallest number is not a literal.
    return number_of<int64_t>(value) == std::numeric_limits<int64_t>::min() ? "INT64_MIN" : text;
  }
  if (value.type == ScalarType::boolean) return text;
  const double number = number_of<double>(value);
  const std::string limits = "std::numeric_limits<double>::";
  if (std::isnan(number)) return limits + "quiet_NaN()";
  if (std::isinf(number)) return std::string(number < 0 ? "-" : "") + limits + "infinity()";
  return text + (llvm::StringRef(text).find_first_of(".e") == llvm::StringRef::npos ? ".0" : "");
}

std::string operation_text(const Decomposition::Operation& operation) {
  const std::string type = operation.type ? dtype_of(*operation.type).str() : torch_scope + "kComputed";
  if (operation.op == ScalarOp::constant) {
    const char* maker = operation.number.type == ScalarType::float64 ? "floating_constant(" : "constant(";
    return torch_scope + maker + type + ", " + number_text(operation.number) + "),";
  }
  std::vector<std::string> operands;
  for (const int64_t operand : operation.operands) operands.push_back(std::to_string(operand));
  if (operation.is_presence) operands.emplace_back("1");
  return "{" + torch_scope + "ScalarOp::" + facts_of(operation.op).name.str() + ", " + type + ", {" +
         llvm::join(operands, ", ") + "}},";
}

llvm::StringRef role_name(Pointwise::Role role) {
  switch (role) {
    case Pointwise::Role::element:
      return "tensor";
    case Pointwise::Role::boolean_element:
      return "mask";
    case Pointwise::Role::promoting_scalar:
      return "promoting";
    case Pointwise::Role::scalar:
      return "scalar";
    case Pointwise::Role::converted_scalar:
    case Pointwise::Role::value:
      return "number";
  }
  llvm_unreachable("all roles are named");
}

/// How a call is made where arguments require gradients: a function of DecomposedOperator.
std::string record_function(const LoweredLibrary& lowered, const LoweredVariant& variant) {
  switch (variant.autograd) {
    case LoweredVariant::Autograd::records:
      return "record<" + lowered.nodes[variant.node].name + ">";
    case LoweredVariant::Autograd::none:
      return "without_gradients";
    case LoweredVariant::Autograd::generic:
    case LoweredVariant::Autograd::composite:
      return "without_derivative";
  }
  llvm_unreachable("all kinds are handled");
}

const LoweredVariant& functional_of(const LoweredLibrary& lowered, const LoweredVariant& variant) {
  const auto found = llvm::find_if(lowered.own_variants(),
                                   [&](const LoweredVariant& other) { return other.full_name == variant.functional; });
  return *found;
}

void write_decomposition(Writer& writer, const LoweredVariant& variant) {
  const Decomposition& decomposition = *variant.decomposition;
  const std::string& name = decomposition.name;
  writer.blank();
  writer.comment("//", "What " + variant.full_name + " computes, for compilers.");
  std::vector<std::string> roles;
  for (const Pointwise::Role role : decomposition.roles) {
    roles.push_back(torch_scope + "Decomposition::Role::" + role_name(role).str());
  }
  writer.list("static constexpr " + torch_scope + "Decomposition::Role " + name + "_roles[] = {", roles, "};");
  std::vector<std::string> bodies;
  for (const auto& [index, body] : llvm::enumerate(decomposition.bodies)) {
    const std::string operations = name + "_operations_" + std::to_string(index);
    const Writer::Scope scope =
        writer.block("static constexpr " + torch_scope + "Operation " + operations + "[] = {", "};");
    for (const Decomposition::Operation& operation : body.operations) writer.line(operation_text(operation));
    bodies.push_back("{" + torch_dtype_set(body.dtypes) + ", " + operations + "}");
  }
  writer.list("static constexpr " + torch_scope + "Decomposition::Body " + name + "_bodies[] = {", bodies, "};");
  writer.list("static constexpr " + torch_scope + "Decomposition " + name + "{",
              {name + "_roles", name + "_bodies", decomposition.is_boolean ? "true" : "false",
               decomposition.is_floating ? "true" : "false"},
              "};");
}

}  // namespace

void write_decompositions(Writer& writer, const LoweredLibrary& lowered) {
  for (const LoweredVariant& variant : lowered.own_variants()) {
    if (variant.decomposition) write_decomposition(writer, variant);
  }
}

void write_decompositions_digest(Writer& writer, const LoweredLibrary& lowered) {
  Writer all;
  write_decompositions(all, lowered);
  const llvm::MD5::MD5Result digest = llvm::MD5::hash(llvm::arrayRefFromStringRef(all.text()));
  writer.blank();
  const Writer::Scope body =
      writer.block("extern \"C\" [[gnu::visibility(\"default\")]] const char* structured_decompositions() {");
  writer.line("return " + string_literal(digest.digest()) + ";");
}

void write_composite(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant) {
  std::string kernel;
  std::vector<std::string> arguments{string_literal(variant.opaque)};
  switch (variant.derived->kind) {
    case Variant::Kind::functional:
      kernel = "DecomposedOperator<" + variant.signature + ">";
      arguments.push_back(variant.decomposition->name);
      arguments.push_back("&" + torch_scope + kernel + "::" + record_function(lowered, variant));
      break;
    case Variant::Kind::inplace:
      kernel = "DecomposedInplace<" + variant.signature + ">";
      arguments.push_back(string_literal(variant.functional));
      break;
    case Variant::Kind::out:
      kernel = "DecomposedOut<" + functional_of(lowered, variant).signature + ">";
      arguments.push_back(string_literal(variant.functional));
      break;
  }
  writer.list("m.impl_composite<" + torch_scope + kernel + ">(", arguments, ");");
  if (!variant.functional.empty()) writer.line("m.functionalize<" + string_literal(variant.functional) + ">();");
}

}  // namespace structured::gen
