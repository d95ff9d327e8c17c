#include "emit/python/decomposition_text.h"

#include <cmath>
#include <optional>
#include <vector>

#include "emit/python/string_literal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "model/scalar_evaluation.h"

namespace structured::gen {
namespace {

std::string number_text(const ScalarValue& value) {
  if (value.type == ScalarType::boolean) return number_of<int64_t>(value) != 0 ? "True" : "False";
  const std::string text = to_text(value);
  if (value.type == ScalarType::int64) return text;
  const double number = number_of<double>(value);
  return std::isfinite(number) ? text : "float(" + python_string(text) + ")";
}

std::string dtype_text(const std::optional<ScalarType>& type) {
  if (!type) return "None";
  return "torch." + (type == ScalarType::boolean ? "bool" : name_of(*type).str());
}

std::string operation_text(const Decomposition::Operation& operation) {
  const bool is_input = operation.op == ScalarOp::input;
  const llvm::StringRef name = is_input && operation.is_presence ? "presence" : facts_of(operation.op).name;
  std::string text = "(" + python_string(name) + ", " + dtype_text(operation.type);
  if (operation.op == ScalarOp::constant) return text + ", " + number_text(operation.number) + ")";
  for (const int64_t operand : operation.operands) text += ", " + std::to_string(operand);
  return text + ")";
}

llvm::StringRef role_name(Pointwise::Role role) {
  switch (role) {
    case Pointwise::Role::element:
      return "tensor";
    case Pointwise::Role::boolean_element:
      return "mask";
    case Pointwise::Role::scalar:
      return "scalar";
    case Pointwise::Role::promoting_scalar:
    case Pointwise::Role::converted_scalar:
    case Pointwise::Role::value:
      return "number";
  }
  llvm_unreachable("all roles are named");
}

std::string decomposition_text(const LoweredVariant& variant) {
  std::vector<std::string> roles;
  for (const Pointwise::Role role : variant.decomposition->roles) roles.push_back(python_string(role_name(role)));
  std::string text = "functions.Decomposition([" + llvm::join(roles, ", ") + "], [\n";
  for (const Decomposition::Body& body : variant.decomposition->bodies) {
    text += "        (" + torch_dtypes(body.dtypes) + ", [\n";
    for (const Decomposition::Operation& operation : body.operations) {
      text += "            " + operation_text(operation) + ",\n";
    }
    text += "        ]),\n";
  }
  return text + "    ], " + python_bool(variant.decomposition->is_boolean) + ", " +
         python_bool(variant.decomposition->is_floating) + ")";
}

}  // namespace

std::string torch_decompositions(const LoweredLibrary& lowered) {
  std::string table;
  for (const LoweredVariant& variant : lowered.own_variants()) {
    if (!variant.decomposition) continue;
    table += "    " + python_string(variant.full_name) + ": " + decomposition_text(variant) + ",\n";
  }
  return "# Emitted by structured-gen. Do not edit.\n"
         "\"\"\"Bodies of scalar functions, which compilers see.\"\"\"\n"
         "import functools\n\n"
         "import torch\n\n"
         "from . import _decomposition_functions as functions\n\n"
         "decompositions = {\n" +
         table +
         "}\n\n\n@functools.cache  # a package may be loaded again\ndef register():\n    "
         "functions.register(decompositions)\n";
}

}  // namespace structured::gen
