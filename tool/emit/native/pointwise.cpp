#include "emit/native/pointwise.h"

#include <optional>
#include <vector>

#include "emit/cpp/scalar_kernels.h"
#include "emit/cpp/source_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "lower/pointwise.h"

namespace structured::gen {
namespace {

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
  llvm::append_range(arguments, std::vector<std::string>{braced(meta.tensors), braced(scalars),
                                                         flag_argument("is_boolean", meta.is_boolean),
                                                         flag_argument("is_floating", meta.is_floating)});
  writer.list(op + ".build_elementwise_op(", arguments, ");");
}

void write_meta(Writer& writer, const PointwiseFunctions& functions) {
  const PointwiseMeta& meta = functions.meta;
  const std::string op = unused_name("op", meta.signature);
  const std::string name = string_literal(functions.operator_name);
  const Writer::Scope body = writer.block("void " + meta.function + "(",
                                          meta_parameters(meta, "::structured::TensorIteratorBase& " + op), ") {");
  for (const std::string& mask : meta.boolean_tensors) {
    writer.list("::structured::check_boolean(", {name, string_literal(mask), mask}, ");");
  }
  write_build(writer, meta, op);
  if (!meta.dtypes.empty()) {
    writer.list("::structured::check_dtype(", {name, op + ".common_dtype()", type_set(meta.dtypes)}, ");");
  }
  for (const std::string& scalar : meta.checked_scalars) {
    writer.list("::structured::check_scalar(", {name, string_literal(scalar), op + ".common_dtype()", scalar}, ");");
  }
}

// `alpha.template to<T>()`; nullopt for a value that is passed unchanged.
std::optional<std::string> converted(const PointwiseKernel::Parameter& parameter, const std::string& type) {
  using Conversion = PointwiseKernel::Conversion;
  if (parameter.conversion == Conversion::none) return std::nullopt;
  const std::string& name = parameter.name;
  const std::string call = (parameter.conversion == Conversion::promoting ? "converted<" : "to<") + type + ">()";
  if (!parameter.is_optional) return name + ".template " + call;
  return name + " ? std::optional<" + type + ">(" + name + "->template " + call + ") : std::nullopt";
}

// Prints the head of the kernel and its set of dtypes, and begins the call of its loop.
struct KernelNames {
  explicit KernelNames(const PointwiseKernel& kernel)
      : op(unused_name("op", kernel.signature)), types(unused_name("types", kernel.signature)) {}
  std::string op;
  std::string types;
};

Writer::Scope write_head(Writer& writer, const PointwiseKernel& kernel, const KernelNames& names) {
  Writer::Scope body = writer.block("void " + kernel.function + "(",
                                    kernel_parameters(kernel, "::structured::TensorIteratorBase& " + names.op), ") {");
  writer.line("constexpr ::structured::ScalarTypeSet " + names.types + " = " + type_set(kernel.dtypes) + ";");
  return body;
}

std::string loop_name(const PointwiseKernel& kernel) {
  return kernel.uses_opmath ? "pointwise_kernel" : "pointwise_kernel_as_is";
}

void write_kernel(Writer& writer, const PointwiseFunctions& functions, const PointwiseKernel& kernel) {
  const KernelNames names(kernel);
  const std::string& type = kernel.type_parameter;
  const Writer::Scope body = write_head(writer, kernel, names);
  const Writer::Scope make =
      writer.block("::structured::" + loop_name(kernel) + "<" + names.types + ">(" +
                       string_literal(functions.operator_name) + ", " + names.op + ", [&]<class " + type + ">() {",
                   "});");
  std::vector<std::string> captures;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    if (parameter.is_element) continue;
    const std::optional<std::string> value = converted(parameter, type);
    captures.push_back(value ? parameter.name + " = " + *value : parameter.name);
  }
  const std::string head = "return [" + llvm::join(captures, ", ") + "](" +
                           llvm::join(declared_elements(kernel), ", ") + ") -> " + element_result(kernel);
  const Writer::Scope scalar = writer.block(head + " {", "};");
  write_scalar_call(writer, kernel);
}

// Prints the host's side of a kernel whose loops are compiled by another compiler: it converts scalars.
void write_launch(Writer& writer, const PointwiseFunctions& functions, const PointwiseKernel& kernel) {
  const KernelNames names(kernel);
  const std::string& type = kernel.type_parameter;
  const std::string runtime = "::structured::" + kernel.cpp_namespace + "::";
  writer.line("extern const " + runtime + "PointwiseTable " + table_name(kernel) + ";");
  writer.blank();
  const Writer::Scope body = write_head(writer, kernel, names);
  const Writer::Scope make = writer.block(
      runtime + loop_name(kernel) + "<" + names.types + ">(",
      {string_literal(functions.operator_name), names.op, table_name(kernel), "[&]<class " + type + ">() {"}, "",
      "});");
  const std::string captured = unused_name("Captured", kernel.signature);
  const std::vector<std::string> members = captured_members(kernel);
  if (members.empty()) {
    writer.line("struct " + captured + " {};");
  } else {
    const Writer::Scope structure = writer.block("struct " + captured + " {", "};");
    for (const std::string& member : members) writer.line(member);
  }
  std::vector<std::string> values;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    if (!parameter.is_element) values.push_back(converted(parameter, type).value_or(parameter.name));
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

std::vector<std::string> declared_elements(const PointwiseKernel& kernel) {
  std::vector<std::string> elements;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) {
    if (parameter.is_element) {
      elements.push_back((parameter.is_boolean ? "bool" : kernel.type_parameter) + " " + parameter.name);
    }
  }
  return elements;
}

void write_scalar_call(Writer& writer, const PointwiseKernel& kernel) {
  std::vector<std::string> arguments;
  for (const PointwiseKernel::Parameter& parameter : kernel.parameters) arguments.push_back(parameter.name);
  writer.list("return " + kernel.scalar_function + "<" + kernel.type_parameter + ">(", arguments, ");");
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

void write_pointwise_functions(Writer& writer, const LoweredVariant& variant) {
  const PointwiseFunctions& functions = *variant.pointwise;
  writer.blank();
  writer.comment("//", variant.schema);
  if (variant.imported == nullptr) {
    write_meta(writer, functions);
  }
  for (const PointwiseKernel& kernel : functions.kernels) {
    writer.blank();
    if (kernel.is_device_code) {
      write_launch(writer, functions, kernel);
    } else {
      write_kernel(writer, functions, kernel);
    }
  }
}

void add_pointwise_headers(const LoweredLibrary& lowered, const Operator& op, std::set<std::string>& spellings) {
  const Pointwise& pointwise = *op.pointwise;
  spellings.insert("<structured/iterator/pointwise.h>");
  spellings.insert("<structured/iterator/pointwise_checks.h>");
  spellings.insert("<structured/iterator/tensor_iterator.h>");
  for (const std::string& name : pointwise.backends) {
    const std::optional<CppBackend> backend = lowered.cpp_types->backend(name);
    if (backend && backend->has_devices) spellings.insert("<structured/" + backend->cpp_namespace + "/pointwise.h>");
  }
  spellings.insert(include_spelling(pointwise.function.range.file));
}

}  // namespace structured::gen
