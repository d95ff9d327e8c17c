#include "emit/torch/pointwise.h"

#include <optional>
#include <vector>

#include "emit/cpp/scalar_kernels.h"
#include "emit/cpp/source_text.h"
#include "emit/torch/function_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "lower/pointwise.h"

namespace structured::gen {
namespace {

/// Names that the functions of one operator use.
struct LoopSpelling {
  std::string scope;
  std::string iterator;  ///< type of their first parameter: `::at::TensorIteratorBase&`

  LoopSpelling(const TorchSupport& support, const LoweredVariant& variant)
      : scope(support.steps.scope), iterator("::" + variant.op->structured->base.name + "&") {}
};

void write_torch_meta(Writer& writer, const LoopSpelling& spelling, const PointwiseFunctions& functions) {
  const PointwiseMeta& meta = functions.meta;
  const std::string op = unused_name("op", meta.signature);
  const std::string name = string_literal(functions.operator_name);
  const Writer::Scope body =
      writer.block("void " + meta.function + "(", meta_parameters(meta, spelling.iterator + " " + op), ") {");
  for (const std::string& mask : meta.boolean_tensors) {
    writer.list(spelling.scope + "check_boolean(", {name, string_literal(mask), mask}, ");");
  }
  std::vector<std::string> tensors;
  for (const std::string& tensor : meta.tensors) tensors.push_back("&" + tensor);
  std::vector<std::string> scalars;
  for (const PointwiseMeta::Scalar& scalar : meta.promoting_scalars) {
    scalars.push_back(spelling.scope + "pointer_to(" + scalar.name + ")");
  }
  std::vector<std::string> operands{op, braced(tensors)};
  if (!scalars.empty()) operands.push_back(braced(scalars));
  operands.push_back(flag_argument("is_boolean", meta.is_boolean));
  operands.push_back(flag_argument("is_floating", meta.is_floating));
  writer.list(spelling.scope + "build_pointwise(", operands, ");");
  if (!meta.dtypes.empty()) {
    writer.list(spelling.scope + "check_dtype(",
                {name, op + ".common_dtype()", torch_dtype_set(meta.dtypes, spelling.scope)}, ");");
  }
  for (const std::string& scalar : meta.checked_scalars) {
    writer.list(spelling.scope + "check_scalar(", {name, string_literal(scalar), op + ".common_dtype()", scalar}, ");");
  }
}

// `to<T>(alpha)`; nullopt for a value that is passed unchanged.
std::optional<std::string> captured_value(const LoopSpelling& spelling, const PointwiseKernel::Parameter& parameter,
                                          const std::string& type) {
  using Conversion = PointwiseKernel::Conversion;
  const std::string& name = parameter.name;
  if (parameter.conversion == Conversion::none) return std::nullopt;
  const std::string function =
      spelling.scope + (parameter.conversion == Conversion::promoting ? "converted<" : "to<") + type + ">(";
  if (!parameter.is_optional) return function + name + ")";
  return name + ".has_value() ? std::optional<" + type + ">(" + function + "*" + name + ")) : std::nullopt";
}

// The arguments of the scalar function for a derivative, which takes numbers of the type `dual`.
std::vector<std::string> dual_arguments(const LoopSpelling& spelling, const PointwiseKernel& kernel,
                                        const std::string& dual) {
  const PointwiseDerivative& derivative = *kernel.derivative;
  const auto constant = [constant_of = spelling.scope + "constant<" + dual + ">("](const std::string& value) {
    return constant_of + value + ")";
  };
  std::vector<std::string> arguments;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    const std::string& name = parameter.name;
    if (parameter.is_boolean) {
      arguments.push_back(name + " != " + kernel.type_parameter + "(0)");
    } else if (parameter.is_gradient) {
      if (derivative.takes_weight) arguments.push_back(constant(kernel.type_parameter + "(1)"));
    } else if (parameter.is_element) {
      std::vector<std::string> types{dual};
      for (const bool is_variable : parameter.is_variable) types.emplace_back(is_variable ? "true" : "false");
      arguments.push_back(
          (llvm::Twine(spelling.scope) + "variable<" + llvm::join(types, ", ") + ">(" + name + ")").str());
    } else if (parameter.conversion != PointwiseKernel::Conversion::none) {
      arguments.push_back(constant(name));
    } else {
      arguments.push_back(name);
    }
  }
  return arguments;
}

void write_derivative(Writer& writer, const LoopSpelling& spelling, const PointwiseKernel& kernel) {
  const std::string dual = unused_name("D", kernel.signature);
  std::string type = kernel.type_parameter;
  for (std::size_t i = 0; i < kernel.derivative->by.size(); ++i) type.insert(0, "::structured::Dual<").append(">");
  writer.line("using " + dual + " = " + type + ";");
  const std::string result = unused_name("result", kernel.signature);
  writer.list("const " + dual + " " + result + " = " + kernel.scalar_function + "<" + dual + ">(",
              dual_arguments(spelling, kernel, dual), ");");
  writer.line("return " + spelling.scope + "gradient(" + result + ", grad);");
}

std::vector<std::string> typed_elements(const PointwiseKernel& kernel) {
  std::vector<std::string> elements;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    if (parameter.is_element) elements.push_back(kernel.type_parameter + " " + parameter.name);
  }
  return elements;
}

// The scalar function's call, from elements and captured values of its parameters' names.
void write_call(Writer& writer, const LoopSpelling& spelling, const PointwiseKernel& kernel) {
  if (kernel.derivative) return write_derivative(writer, spelling, kernel);
  const std::string& type = kernel.type_parameter;
  std::vector<std::string> arguments;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    // The iterator converts all inputs to the common dtype.
    arguments.push_back(parameter.is_boolean ? parameter.name + " != " + type + "(0)" : parameter.name);
  }
  writer.list("return " + kernel.scalar_function + "<" + type + ">(", arguments, ");");
}

// Writes the kernel, which calls `loop`. `write_function` writes what returns the scalar function's call as an object.
void write_kernel(Writer& writer, const LoopSpelling& spelling, const PointwiseFunctions& functions,
                  const PointwiseKernel& kernel, const std::string& loop, llvm::function_ref<void()> write_function) {
  const std::string op = unused_name("op", kernel.signature);
  const std::string types = unused_name("types", kernel.signature);
  const Writer::Scope body =
      writer.block("void " + kernel.function + "(", kernel_parameters(kernel, spelling.iterator + " " + op), ") {");
  const std::string set = "constexpr " + spelling.scope + "DtypeSet " + types + " =";
  const std::string value = torch_dtype_set(kernel.dtypes, spelling.scope) + ";";
  if (set.size() + value.size() < 115) {
    writer.line(set + " " + value);
  } else {
    writer.line(set);
    writer.line("    " + value);
  }
  const Writer::Scope make =
      writer.block(spelling.scope + loop + "<" + types + ">(" + string_literal(functions.operator_name) + ", " + op +
                       ", [&]<class " + kernel.type_parameter + ">() {",
                   "});");
  write_function();
}

void write_cpu_kernel(Writer& writer, const LoopSpelling& spelling, const PointwiseFunctions& functions,
                      const PointwiseKernel& kernel) {
  const std::string loop = !kernel.is_vectorized ? "small_pointwise_kernel"
                           : kernel.uses_opmath  ? "pointwise_kernel"
                                                 : "pointwise_kernel_as_is";
  write_kernel(writer, spelling, functions, kernel, loop, [&] {
    std::vector<std::string> captures;
    for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
      if (parameter.is_element) continue;
      const std::optional<std::string> value = captured_value(spelling, parameter, kernel.type_parameter);
      captures.push_back(value ? parameter.name + " = " + *value : parameter.name);
    }
    const Writer::Scope scalar =
        writer.block("return [" + llvm::join(captures, ", ") + "](" + llvm::join(typed_elements(kernel), ", ") +
                         ") -> " + element_result(kernel) + " {",
                     "};");
    write_call(writer, spelling, kernel);
  });
}

std::string element_structure(const PointwiseKernel& kernel) { return kernel.function + "_element"; }

void write_cuda_kernel(Writer& writer, const LoopSpelling& spelling, const PointwiseFunctions& functions,
                       const PointwiseKernel& kernel) {
  writer.blank();
  write_element_structure(writer, kernel, element_structure(kernel), typed_elements(kernel),
                          [&] { write_call(writer, spelling, kernel); });
  writer.blank();
  const std::string loop = !kernel.is_vectorized ? "small_gpu_pointwise_kernel"
                           : kernel.uses_opmath  ? "gpu_pointwise_kernel"
                                                 : "gpu_pointwise_kernel_as_is";
  write_kernel(writer, spelling, functions, kernel, loop, [&] {
    std::vector<std::string> values;
    for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
      if (parameter.is_element) continue;
      values.push_back(captured_value(spelling, parameter, kernel.type_parameter).value_or(parameter.name));
    }
    writer.list("return " + element_structure(kernel) + "<" + kernel.type_parameter + ">{", values, "};");
  });
}

// Declares a kernel that the CUDA source defines.
void declare_kernel(Writer& writer, const LoopSpelling& spelling, const PointwiseKernel& kernel) {
  std::vector<std::string> types{spelling.iterator};
  for (const CppParameter& parameter : kernel.signature.parameters) types.push_back(parameter.type);
  writer.list("void " + kernel.function + "(", types, ");");
}

bool is_device_code(const PointwiseKernel& kernel) { return kernel.is_device_code; }

void add_pointwise_headers(const LoweredVariant& variant, std::set<std::string>& headers) {
  headers.insert(include_spelling(variant.op->pointwise->function.range.file, torch_folders));
  if (!variant.pointwise) return;
  const bool has_derivative = llvm::any_of(variant.pointwise->kernels,
                                           [](const PointwiseKernel& kernel) { return kernel.derivative.has_value(); });
  if (has_derivative) headers.insert("<structured/torch_loops/derivative.h>");
}

}  // namespace

void write_torch_pointwise(Writer& writer, const TorchSupport& support, const LoweredVariant& variant) {
  const PointwiseFunctions& functions = *variant.pointwise;
  const LoopSpelling spelling(support, variant);
  writer.blank();
  writer.comment("//", variant.schema);
  write_torch_meta(writer, spelling, functions);
  for (const PointwiseKernel& kernel : functions.kernels) {
    writer.blank();
    if (kernel.is_device_code) {
      declare_kernel(writer, spelling, kernel);
    } else {
      write_cpu_kernel(writer, spelling, functions, kernel);
    }
  }
}

void add_torch_pointwise_headers(const TorchSupport& support, const LoweredVariant& variant,
                                 std::set<std::string>& headers) {
  headers.insert(support.pointwise_header.str());
  add_pointwise_headers(variant, headers);
}

std::string torch_cuda_source(const LoweredLibrary& lowered, llvm::StringRef source, const LoweredSource& contents) {
  std::vector<const LoweredVariant*> variants;
  std::set<std::string> headers{"<optional>", "<structured/torch/gpu_pointwise.cuh>"};
  for (const std::size_t index : contents.variants) {
    const LoweredVariant& variant = lowered.variants[index];
    if (!variant.pointwise || llvm::none_of(variant.pointwise->kernels, is_device_code)) continue;
    variants.push_back(&variant);
    add_pointwise_headers(variant, headers);
  }
  if (variants.empty()) return nothing_from(source, "scalar functions for CUDA");
  Writer writer;
  write_banner(writer, source);
  write_includes(writer, headers);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    for (const LoweredVariant* variant : variants) {
      writer.blank();
      writer.comment("//", variant->schema);
      const LoopSpelling spelling(torch_support, *variant);
      for (const PointwiseKernel& kernel : variant->pointwise->kernels) {
        if (kernel.is_device_code) write_cuda_kernel(writer, spelling, *variant->pointwise, kernel);
      }
    }
  }
  return writer.text();
}

}  // namespace structured::gen
