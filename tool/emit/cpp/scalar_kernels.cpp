#include "emit/cpp/scalar_kernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace structured::gen {

std::string braced(llvm::ArrayRef<std::string> items) { return "{" + llvm::join(items, ", ") + "}"; }

std::string flag_argument(llvm::StringRef name, bool value) {
  return ("/*" + name + "=*/" + (value ? "true" : "false")).str();
}

std::vector<std::string> meta_parameters(const PointwiseMeta& meta, const std::string& iterator) {
  std::vector<std::string> parameters{iterator};
  for (const auto& [is_used, parameter] : llvm::zip(meta.is_used, meta.signature.declared())) {
    parameters.push_back((is_used ? "" : "[[maybe_unused]] ") + parameter);
  }
  return parameters;
}

std::vector<std::string> kernel_parameters(const PointwiseKernel& kernel, const std::string& iterator) {
  std::vector<std::string> parameters{iterator};
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    // Elements have the names of their tensors, which the function does not use.
    parameters.push_back(parameter.type +
                         (parameter.is_element ? " /*" + parameter.name + "*/" : " " + parameter.name));
  }
  parameters.push_back("[[maybe_unused]] " + kernel.signature.declared().back());
  return parameters;
}

std::string element_result(const PointwiseKernel& kernel) { return kernel.is_boolean ? "bool" : kernel.type_parameter; }

std::vector<std::string> captured_members(const PointwiseKernel& kernel) {
  std::vector<std::string> members;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    if (parameter.is_element) continue;
    std::string type = parameter.type;
    if (parameter.conversion != PointwiseKernel::Conversion::none) {
      type = parameter.is_optional ? "std::optional<" + kernel.type_parameter + ">" : kernel.type_parameter;
    }
    members.push_back(type + " " + parameter.name + ";");
  }
  return members;
}

void write_element_structure(Writer& writer, const PointwiseKernel& kernel, const std::string& name,
                             llvm::ArrayRef<std::string> elements, llvm::function_ref<void()> write_call) {
  const Writer::Scope scope = writer.in_namespace("");
  writer.line("template <class " + kernel.type_parameter + ">");
  const Writer::Scope structure = writer.block("struct " + name + " {", "};");
  for (const std::string& member : captured_members(kernel)) writer.line(member);
  writer.blank();
  const Writer::Scope body =
      writer.block("__device__ " + element_result(kernel) + " operator()(", elements, ") const {");
  write_call();
}

}  // namespace structured::gen
