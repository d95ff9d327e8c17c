#include "emit/torch/functions_header.h"

#include <map>
#include <set>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/writer.h"

namespace structured::gen {
namespace {

// Returns `blend_Tensor` for `blend.Tensor`. Overloads have different names, since defaults could make calls of equally
// named functions ambiguous.
std::string function_name(const OperatorName& name) {
  return name.overload.empty() ? name.base : name.base + "_" + name.overload;
}

// Returns the signature of the variant's kernels, with the schema's defaults where C++ allows them: all later
// parameters have defaults, too.
CppSignature function_signature(const LoweredLibrary& lowered, const LoweredVariant& variant) {
  CppSignature signature = variant.called;
  const CppSignature with_defaults = public_signature(*lowered.cpp_types, *variant.op, *variant.derived);
  std::map<std::string, std::string> defaults;
  for (const CppParameter& parameter : with_defaults.parameters) defaults[parameter.name] = parameter.default_value;
  for (auto parameter = signature.parameters.rbegin(); parameter != signature.parameters.rend(); ++parameter) {
    parameter->default_value = defaults[parameter->name];
    if (parameter->default_value.empty()) break;
  }
  return signature;
}

}  // namespace

std::string torch_functions_header(const LoweredLibrary& lowered) {
  std::map<std::string, std::vector<const LoweredVariant*>> by_namespace;
  std::set<std::string> headers{"<structured/torch/call_operator.h>"};
  for (const LoweredVariant& variant : lowered.own_variants()) {
    by_namespace[variant.cpp_namespace].push_back(&variant);
    add_headers(*lowered.cpp_types, *variant.op, *variant.derived, headers);
  }
  Writer writer;
  write_banner(writer, "");
  writer.comment(
      "//",
      "Functions that call the library's operators through PyTorch's dispatcher, so that autograd, "
      "torch.compile and torch.vmap see the calls. `ops::blend_Tensor` calls `blend.Tensor`. Out arguments come "
      "last.");
  writer.line("#pragma once");
  write_includes(writer, headers);
  for (const auto& [name, variants] : by_namespace) {
    const Writer::Scope scope = writer.in_namespace(name + "::ops");
    std::set<std::string> taken;
    for (const LoweredVariant* variant : variants) {
      std::string function = function_name(variant->derived->schema.name);
      while (!taken.insert(function).second) function += '_';
      const CppSignature signature = function_signature(lowered, *variant);
      writer.blank();
      writer.comment("///", "`" + variant->schema + "`");
      const Writer::Scope body = writer.block("inline " + signature.result + " " + function + "(",
                                              signature.declared(/*with_defaults=*/true), ") {");
      std::string type = signature.result + "(";
      for (const std::string& parameter : signature.types()) type += (type.back() == '(' ? "" : ", ") + parameter;
      writer.list(
          "return ::structured::torch::call_operator<" + type + "), " + string_literal(variant->full_name) + ">(",
          signature.names(), ");");
    }
  }
  return writer.text();
}

}  // namespace structured::gen
