#include "emit/native/pointwise.h"

#include <vector>

#include "emit/native/source_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "lower/pointwise.h"

namespace structured::gen {
namespace {

std::string quoted(const std::string& text) { return string_literal(text, std::string::npos).front(); }

std::string braced(llvm::ArrayRef<std::string> items) { return "{" + llvm::join(items, ", ") + "}"; }

void write_build(Writer& writer, const PointwiseMeta& meta, const std::string& op) {
  std::vector<std::string> arguments{op + ".maybe_get_output()"};
  if (!meta.builder.empty()) {
    llvm::append_range(arguments, meta.tensors);
    for (const PointwiseMeta::Scalar& scalar : meta.promoting_scalars) {
      arguments.push_back(scalar.name);
    }
    writer.list(op + "." + meta.builder + "(", arguments, ");");
    return;
  }
  std::vector<std::string> scalars;
  for (const PointwiseMeta::Scalar& scalar : meta.promoting_scalars) {
    scalars.push_back(scalar.is_optional ? scalar.name + " ? &*" + scalar.name + " : nullptr" : "&" + scalar.name);
  }
  llvm::append_range(arguments,
                     std::vector<std::string>{braced(meta.tensors), braced(scalars),
                                              std::string("/*is_boolean=*/") + (meta.is_boolean ? "true" : "false"),
                                              std::string("/*is_floating=*/") + (meta.is_floating ? "true" : "false")});
  writer.list(op + ".build_elementwise_op(", arguments, ");");
}

void write_meta(Writer& writer, const PointwiseFunctions& functions) {
  const PointwiseMeta& meta = functions.meta;
  const std::string op = unused_name("op", meta.signature);
  const std::string name = quoted(functions.operator_name);
  std::vector<std::string> parameters{"::structured::TensorIteratorBase& " + op};
  for (const auto& [is_used, parameter] : llvm::zip(meta.is_used, meta.signature.declared())) {
    parameters.push_back((is_used ? "" : "[[maybe_unused]] ") + parameter);
  }
  const Writer::Scope body = writer.block("void " + meta.function + "(", parameters, ") {");
  for (const std::string& mask : meta.boolean_tensors) {
    writer.list("::structured::check_boolean(", {name, quoted(mask), mask}, ");");
  }
  write_build(writer, meta, op);
  if (!meta.dtypes.empty()) {
    writer.list("::structured::check_dtype(", {name, op + ".common_dtype()", type_set(meta.dtypes)}, ");");
  }
  for (const std::string& scalar : meta.checked_scalars) {
    writer.list("::structured::check_scalar(", {name, quoted(scalar), op + ".common_dtype()", scalar}, ");");
  }
}

// `alpha = alpha.template to<T>()`
std::string capture(const PointwiseKernel::Parameter& parameter, const std::string& type) {
  using Conversion = PointwiseKernel::Conversion;
  const std::string& name = parameter.name;
  if (parameter.conversion == Conversion::none) {
    return name;
  }
  const std::string converted = (parameter.conversion == Conversion::promoting ? "converted<" : "to<") + type + ">()";
  if (parameter.is_optional) {
    return name + " = " + name + " ? std::optional<" + type + ">(" + name + "->template " + converted +
           ") : std::nullopt";
  }
  return name + " = " + name + ".template " + converted;
}

CppSignature signature_of(const PointwiseKernel& kernel) {
  CppSignature signature{"void", {}};
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    signature.parameters.push_back({parameter.type, parameter.name, ""});
  }
  signature.parameters.push_back({"const ::structured::Tensor&", kernel.output, ""});
  return signature;
}

void write_kernel(Writer& writer, const PointwiseFunctions& functions, const PointwiseKernel& kernel) {
  const CppSignature signature = signature_of(kernel);
  const std::string op = unused_name("op", signature);
  const std::string types = unused_name("types", signature);
  const std::string& type = kernel.type_parameter;
  std::vector<std::string> parameters{"::structured::TensorIteratorBase& " + op};
  std::vector<std::string> captures;
  std::vector<std::string> elements;
  std::vector<std::string> arguments;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    // Elements have the names of their tensors, which the function does not use.
    parameters.push_back(parameter.type +
                         (parameter.is_element ? " /*" + parameter.name + "*/" : " " + parameter.name));
    arguments.push_back(parameter.name);
    if (parameter.is_element) {
      elements.push_back((parameter.is_boolean ? "bool" : type) + " " + parameter.name);
    } else {
      captures.push_back(capture(parameter, type));
    }
  }
  parameters.push_back("[[maybe_unused]] " + signature.declared().back());
  const Writer::Scope body = writer.block("void " + kernel.function + "(", parameters, ") {");
  writer.line("constexpr ::structured::ScalarTypeSet " + types + " = " + type_set(kernel.dtypes) + ";");
  const std::string loop = kernel.uses_opmath ? "pointwise_kernel" : "pointwise_kernel_as_is";
  const Writer::Scope make =
      writer.block("::structured::" + loop + "<" + types + ">(" + quoted(functions.operator_name) + ", " + op +
                       ", [&]<class " + type + ">() {",
                   "});");
  const std::string head = "return [" + llvm::join(captures, ", ") + "](" + llvm::join(elements, ", ") + ") -> " +
                           (kernel.is_boolean ? "bool" : type);
  const Writer::Scope scalar = writer.block(head + " {", "};");
  writer.list("return " + kernel.scalar_function + "<" + type + ">(", arguments, ");");
}

// `alpha.template to<T>()`
std::string captured_value(const PointwiseKernel::Parameter& parameter, const std::string& type) {
  const std::string text = capture(parameter, type);
  const std::size_t equals = text.find(" = ");
  return equals == std::string::npos ? text : text.substr(equals + 3);
}

// Prints the host's side of a kernel whose loops are compiled by another compiler: it converts scalars.
void write_launch(Writer& writer, const PointwiseFunctions& functions, const PointwiseKernel& kernel,
                  llvm::StringRef cpp_namespace) {
  const CppSignature signature = signature_of(kernel);
  const std::string op = unused_name("op", signature);
  const std::string types = unused_name("types", signature);
  const std::string& type = kernel.type_parameter;
  const std::string runtime = "::structured::" + cpp_namespace.str() + "::";
  std::vector<std::string> parameters{"::structured::TensorIteratorBase& " + op};
  std::vector<std::string> values;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    parameters.push_back(parameter.type +
                         (parameter.is_element ? " /*" + parameter.name + "*/" : " " + parameter.name));
    if (!parameter.is_element) values.push_back(captured_value(parameter, type));
  }
  parameters.push_back("[[maybe_unused]] " + signature.declared().back());
  writer.line("extern const " + runtime + "PointwiseTable " + table_name(kernel) + ";");
  writer.blank();
  const Writer::Scope body = writer.block("void " + kernel.function + "(", parameters, ") {");
  writer.line("constexpr ::structured::ScalarTypeSet " + types + " = " + type_set(kernel.dtypes) + ";");
  const std::string loop = kernel.uses_opmath ? "pointwise_kernel" : "pointwise_kernel_as_is";
  const Writer::Scope make =
      writer.block(runtime + loop + "<" + types + ">(",
                   {quoted(functions.operator_name), op, table_name(kernel), "[&]<class " + type + ">() {"}, "", "});");
  const std::string captured = unused_name("Captured", signature);
  if (values.empty()) {
    writer.line("struct " + captured + " {};");
  } else {
    const Writer::Scope members = writer.block("struct " + captured + " {", "};");
    for (const std::string& member : captured_members(kernel)) {
      writer.line(member);
    }
  }
  writer.list("return " + captured + "{", values, "};");
}

}  // namespace

std::string type_set(llvm::ArrayRef<const DtypeName*> dtypes) {
  if (dtypes.size() == 1 && !dtypes.front()->is_set) {
    return "::structured::set_of(::structured::" + dtypes.front()->constant.str() + ")";
  }
  std::string result;
  for (const DtypeName* dtype : dtypes) {
    result += (result.empty() ? "::structured::" : " | ::structured::") + dtype->constant.str();
  }
  return result;
}

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

std::vector<std::size_t> pointwise_variants(const LoweredLibrary& lowered, const LoweredSource& source) {
  std::vector<std::size_t> result;
  for (const std::size_t index : source.variants) {
    if (lowered.variants[index].pointwise) {
      result.push_back(index);
    }
  }
  for (const std::size_t wrapper : source.wrappers) {  // imported operators have only wrappers here
    const std::size_t index = lowered.wrappers[wrapper].variant;
    const LoweredVariant& variant = lowered.variants[index];
    if (variant.imported != nullptr && variant.pointwise && !llvm::is_contained(result, index)) {
      result.push_back(index);
    }
  }
  return result;
}

std::string table_name(const PointwiseKernel& kernel) { return "table_of_" + kernel.function; }

void write_pointwise_functions(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant) {
  const PointwiseFunctions& functions = *variant.pointwise;
  writer.blank();
  writer.comment("//", variant.schema);
  if (variant.imported == nullptr) {
    write_meta(writer, functions);
  }
  for (const PointwiseKernel& kernel : functions.kernels) {
    writer.blank();
    const std::optional<CppBackend> backend = lowered.cpp_types->backend(kernel.backend);
    if (backend && backend->has_devices) {
      write_launch(writer, functions, kernel, backend->cpp_namespace);
    } else {
      write_kernel(writer, functions, kernel);
    }
  }
}

void add_pointwise_headers(const Operator& op, std::set<std::string>& spellings) {
  const Pointwise& pointwise = *op.pointwise;
  spellings.insert("<structured/iterator/pointwise.h>");
  spellings.insert("<structured/iterator/pointwise_checks.h>");
  spellings.insert("<structured/iterator/tensor_iterator.h>");
  if (llvm::is_contained(pointwise.backends, "CUDA")) {
    spellings.insert("<structured/cuda/pointwise.h>");
  }
  spellings.insert(include_spelling(pointwise.function.range.file));
}

}  // namespace structured::gen
