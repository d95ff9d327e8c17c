#include "lower/pointwise.h"

#include <algorithm>
#include <utility>

#include "language/dtypes.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

using Role = Pointwise::Role;

bool is_tensor(Role role) { return role == Role::element || role == Role::boolean_element; }

std::string unqualified(llvm::StringRef name) { return name.rsplit("::").second.str(); }

// Returns the iterator's function for these operands and this type promotion; empty if only the general one applies.
std::string builder_for(const Pointwise& pointwise, const PointwiseMeta& meta) {
  const std::size_t scalars = meta.promoting_scalars.size();
  const std::size_t operands = meta.tensors.size() + scalars;
  const bool has_optional = llvm::any_of(meta.promoting_scalars, [](const auto& scalar) { return scalar.is_optional; });
  if (llvm::is_contained(pointwise.roles, Role::boolean_element) || has_optional || scalars > 1) {
    return "";
  }
  if (meta.is_boolean) {
    return operands == 1 ? "build_unary_force_boolean_op" : operands == 2 ? "build_comparison_op" : "";
  }
  if (meta.is_floating) {
    return operands == 1 ? "build_unary_float_op" : operands == 2 && scalars == 0 ? "build_binary_float_op" : "";
  }
  return operands == 1                   ? "build_unary_op"
         : operands == 2                 ? "build_binary_op"
         : operands == 3 && scalars == 0 ? "build_ternary_op"
                                         : "";
}

PointwiseMeta lower_meta(const CppTypes& cpp_types, const Operator& op) {
  const Pointwise& pointwise = *op.pointwise;
  PointwiseMeta meta;
  meta.function = unqualified(op.structured->meta.name);
  meta.signature = meta_signature(cpp_types, op);
  meta.is_boolean = has_boolean_result(pointwise);
  meta.is_floating = computes_floating(pointwise);
  const std::vector<const Argument*> inputs = inputs_of(op.variants.front().schema);
  for (const auto& [role, parameter, input] : llvm::zip(pointwise.roles, meta.signature.parameters, inputs)) {
    meta.is_used.push_back(role != Role::value && role != Role::converted_scalar);
    if (role == Role::boolean_element) {
      meta.boolean_tensors.push_back(parameter.name);
    }
    if (is_tensor(role)) {
      meta.tensors.push_back(parameter.name);
    } else if (role == Role::promoting_scalar) {
      meta.promoting_scalars.push_back({parameter.name, input->type.is_optional()});
    } else if (role == Role::scalar) {
      meta.checked_scalars.push_back(parameter.name);
    }
  }
  meta.builder = builder_for(pointwise, meta);
  const std::vector<const DtypeName*> dtypes = dtypes_of(pointwise);
  if (!llvm::is_contained(dtypes, find_dtype("all"))) {
    meta.dtypes = dtypes;
  }
  return meta;
}

PointwiseKernel lower_kernel(const CppTypes& cpp_types, const Operator& op, const Kernel& impl) {
  const Pointwise& pointwise = *op.pointwise;
  const std::optional<CppBackend> backend = cpp_types.backend(impl.backend);
  PointwiseKernel kernel;
  kernel.backend = impl.backend;
  kernel.cpp_namespace = backend ? backend->cpp_namespace : "";
  kernel.is_device_code = backend && backend->has_devices;
  kernel.function = unqualified(impl.function.name);
  kernel.signature = impl_signature(cpp_types, op);
  const std::vector<const Argument*> inputs = inputs_of(op.variants.front().schema);
  for (const auto& [role, parameter, input] : llvm::zip(pointwise.roles, kernel.signature.parameters, inputs)) {
    kernel.parameters.push_back({parameter.name, parameter.type, is_tensor(role), role == Role::boolean_element,
                                 input->type.is_optional(), conversion_for(role), input->type.is(Type::Base::Str)});
  }
  kernel.type_parameter = unused_name(pointwise.type_parameter, kernel.signature);
  kernel.dtypes = dtypes_of(pointwise);
  kernel.is_boolean = has_boolean_result(pointwise);
  kernel.uses_opmath = pointwise.promotion != "no_opmath";
  kernel.scalar_function = "::" + pointwise.function.name;
  return kernel;
}

void set_derivative(PointwiseKernel& kernel, const PointwiseDerivative& derivative) {
  kernel.derivative = derivative;
  kernel.is_vectorized = !derivative.is_second();
  for (PointwiseKernel::Parameter& parameter : kernel.parameters) {
    parameter.is_gradient = parameter.is_element && parameter.name == "grad";
    for (const std::string& name : derivative.by) parameter.is_variable.push_back(name == parameter.name);
  }
}

}  // namespace

bool has_boolean_result(const Pointwise& pointwise) { return pointwise.returns_bool || pointwise.promotion == "bool"; }
bool computes_floating(const Pointwise& pointwise) { return pointwise.promotion == "int_to_float"; }

std::vector<const DtypeName*> dtypes_of(const Pointwise& pointwise) {
  std::vector<std::string> names = pointwise.dtypes;
  if (names.empty()) {
    names = computes_floating(pointwise) ? std::vector<std::string>{"floating", "complex"}
                                         : std::vector<std::string>{"all"};
  }
  std::vector<const DtypeName*> dtypes;
  for (const std::string& name : names) {
    dtypes.push_back(find_dtype(name));
  }
  std::stable_partition(dtypes.begin(), dtypes.end(), [](const DtypeName* dtype) { return dtype->is_set; });
  return dtypes;
}

PointwiseKernel::Conversion conversion_for(Role role) {
  switch (role) {
    case Role::element:
    case Role::boolean_element:
    case Role::value:
      return PointwiseKernel::Conversion::none;
    case Role::promoting_scalar:
      return PointwiseKernel::Conversion::promoting;
    case Role::scalar:
    case Role::converted_scalar:
      return PointwiseKernel::Conversion::exact;
  }
  llvm_unreachable("all roles are handled");
}

std::string fault_in_pointwise(const Operator& op) {
  for (const std::string& dtype : op.pointwise->dtypes) {
    const DtypeName* known = find_dtype(dtype);
    if (known == nullptr || !known->is_plain()) {
      return "has dtype `" + dtype + "`; elementwise loops do not support it";
    }
  }
  return "";
}

Operator pointwise_as_structured(const CppTypes& cpp_types, const Operator& op, const std::string& meta_name,
                                 const std::vector<std::string>& impl_names) {
  const WrapperTraits traits = cpp_types.wrapper_traits();
  Operator result = op;
  result.checks_device = false;  // done by the iterator, which exempts CPU scalars
  Function function;
  function.result = "void";
  function.source = op.pointwise->function.source;
  function.range = op.pointwise->function.range;
  function.parameters.push_back((traits.iterator + " &").str());
  llvm::append_range(function.parameters, op.variants.front().input_types);
  StructuredParts parts;
  parts.base = {traits.iterator.str(), traits.iterator_header.str()};
  parts.meta = function;
  parts.meta.name = meta_name;
  parts.output_names = {unused_name("out", dispatched_signature(cpp_types, op.variants.front().schema))};
  for (const Variant& variant : op.variants) {
    if (variant.kind == Variant::Kind::out && !variant.schema.out.empty()) {
      parts.output_names = {variant.schema.out.front().name};
    }
  }
  function.parameters.push_back(("const " + traits.tensor + " &").str());
  for (const auto& [backend, name] : llvm::zip_equal(op.pointwise->backends, impl_names)) {
    Kernel kernel;
    kernel.backend = backend;
    kernel.takes_base = true;
    kernel.function = function;
    kernel.function.name = name;
    parts.impls.push_back(std::move(kernel));
  }
  result.structured = std::move(parts);
  return result;
}

PointwiseFunctions lower_pointwise(const CppTypes& cpp_types, const Operator& op,
                                   const std::optional<PointwiseDerivative>& derivative) {
  PointwiseFunctions functions;
  functions.operator_name = op.variants.front().schema.name.base;
  functions.meta = lower_meta(cpp_types, op);
  for (const Kernel& impl : op.structured->impls) {
    PointwiseKernel& kernel = functions.kernels.emplace_back(lower_kernel(cpp_types, op, impl));
    if (derivative) set_derivative(kernel, *derivative);
  }
  return functions;
}

}  // namespace structured::gen
