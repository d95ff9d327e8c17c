#include "emit/native/pointwise.h"

#include <algorithm>
#include <vector>

#include "lower/calling_convention.h"
#include "emit/native/source_text.h"
#include "lower/pointwise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {
namespace {

using Role = Pointwise::Role;

bool is_tensor(Role role) { return role == Role::element || role == Role::boolean_element; }
bool is_boolean(const Pointwise& pointwise) { return pointwise.returns_bool || pointwise.promotion == "bool"; }
bool is_floating(const Pointwise& pointwise) { return pointwise.promotion == "int_to_float"; }

bool is_set(llvm::StringRef dtype) { return llvm::is_contained({"all", "floating", "integral", "complex"}, dtype); }

std::vector<std::string> dtypes_of(const Pointwise& pointwise) {
  if (!pointwise.dtypes.empty()) {
    std::vector<std::string> dtypes = pointwise.dtypes;
    std::stable_partition(dtypes.begin(), dtypes.end(), is_set);  // single ones are added to sets
    return dtypes;
  }
  return is_floating(pointwise) ? std::vector<std::string>{"floating", "complex"} : std::vector<std::string>{"all"};
}

// `::structured::kIntegralTypes | ::structured::kBool`
std::string type_set(const Pointwise& pointwise) {
  const std::vector<std::string> dtypes = dtypes_of(pointwise);
  std::string result;
  for (const std::string& dtype : dtypes) {
    const std::string constant = "::structured::" + dtype_constant(dtype).str();
    result += result.empty() ? "" : " | ";
    result += dtypes.size() == 1 && !is_set(dtype) ? "::structured::set_of(" + constant + ")" : constant;
  }
  return result;
}

// Parameters by what they are. They are named as the operator's arguments.
std::vector<std::string> names_of(const Pointwise& pointwise, const CppSignature& signature,
                                  llvm::function_ref<bool(Role)> is_wanted) {
  std::vector<std::string> names;
  for (const auto& [role, parameter] : llvm::zip(pointwise.roles, signature.parameters)) {
    if (is_wanted(role)) {
      names.push_back(parameter.name);
    }
  }
  return names;
}

bool is_optional(const CppParameter& parameter) { return llvm::StringRef(parameter.type).contains("std::optional<"); }

// The builder whose rule is the operator's; the one that knows all rules where there is none of its own.
void write_build(Writer& writer, const Pointwise& pointwise, const CppSignature& signature, const std::string& op) {
  const std::vector<std::string> tensors = names_of(pointwise, signature, is_tensor);
  std::vector<std::string> numbers;
  bool is_simple = !llvm::is_contained(pointwise.roles, Role::boolean_element);
  for (const auto& [role, parameter] : llvm::zip(pointwise.roles, signature.parameters)) {
    if (role == Role::promoting_scalar) {
      numbers.push_back(is_optional(parameter) ? parameter.name + " ? &*" + parameter.name + " : nullptr"
                                               : "&" + parameter.name);
      is_simple = is_simple && !is_optional(parameter);
    }
  }
  const std::string out = op + ".maybe_get_output()";
  const std::size_t operands = tensors.size() + numbers.size();
  std::string builder;
  if (is_simple && numbers.size() <= 1 && !(tensors.size() == 3 && !numbers.empty())) {
    if (is_boolean(pointwise)) {
      builder = operands == 1 ? "build_unary_force_boolean_op" : operands == 2 ? "build_comparison_op" : "";
    } else if (is_floating(pointwise)) {
      builder = operands == 1                      ? "build_unary_float_op"
                : operands == 2 && numbers.empty() ? "build_binary_float_op"
                                                   : "";
    } else {
      builder = operands == 1                      ? "build_unary_op"
                : operands == 2                    ? "build_binary_op"
                : operands == 3 && numbers.empty() ? "build_ternary_op"
                                                   : "";
    }
  }
  if (!builder.empty()) {
    std::vector<std::string> arguments{out};
    llvm::append_range(arguments, tensors);
    if (!numbers.empty()) {
      arguments.push_back(numbers.front().substr(1));
    }
    writer.list(op + "." + builder + "(", arguments, ");");
    return;
  }
  const auto braced = [](const std::vector<std::string>& items) {
    std::string text = "{";
    for (const std::string& item : items) {
      text += (text.size() == 1 ? "" : ", ") + item;
    }
    return text + "}";
  };
  writer.list(op + ".build_elementwise_op(",
              {out, braced(tensors), braced(numbers),
               std::string("/*is_boolean=*/") + (is_boolean(pointwise) ? "true" : "false"),
               std::string("/*is_floating=*/") + (is_floating(pointwise) ? "true" : "false")},
              ");");
}

std::string quoted(const std::string& text) { return string_literal(text, std::string::npos).front(); }

void write_meta(Writer& writer, const Plan& plan, const PlannedVariant& planned) {
  const Pointwise& pointwise = *planned.op->pointwise;
  const CppSignature signature = meta_signature(*plan.cpp_types, *planned.op);
  const std::string op = unused_name("op", signature);
  const std::string name = quoted(planned.variant->schema.name.base);
  std::vector<std::string> parameters = signature.declared();
  for (const auto& [role, parameter] : llvm::zip(pointwise.roles, parameters)) {
    if (role == Role::value || role == Role::converted_scalar) {
      parameter = "[[maybe_unused]] " + parameter;
    }
  }
  parameters.insert(parameters.begin(), "::structured::TensorIteratorBase& " + op);
  const llvm::StringRef function = llvm::StringRef(planned.op->structured->meta.name).rsplit("::").second;
  const Writer::Scope body = writer.block("void " + function + "(", parameters, ") {");
  for (const std::string& mask :
       names_of(pointwise, signature, [](Role role) { return role == Role::boolean_element; })) {
    writer.list("::structured::check_boolean(", {name, quoted(mask), mask}, ");");
  }
  write_build(writer, pointwise, signature, op);
  if (!llvm::is_contained(dtypes_of(pointwise), "all")) {
    writer.list("::structured::check_dtype(", {name, op + ".common_dtype()", type_set(pointwise)}, ");");
  }
  for (const std::string& scalar : names_of(pointwise, signature, [](Role role) { return role == Role::scalar; })) {
    writer.list("::structured::check_scalar(", {name, quoted(scalar), op + ".common_dtype()", scalar}, ");");
  }
}

// `alpha = alpha.to<T>()`
std::string capture(Role role, const CppParameter& parameter, const std::string& type) {
  const std::string& name = parameter.name;
  if (role == Role::value) {
    return name;
  }
  // What takes part in type promotion fits, or is converted as an element would be.
  const std::string converted = (role == Role::promoting_scalar ? "converted<" : "to<") + type + ">()";
  if (is_optional(parameter)) {
    return name + " = " + name + " ? std::optional<" + type + ">(" + name + "->template " + converted +
           ") : std::nullopt";
  }
  return name + " = " + name + ".template " + converted;
}

void write_cpu_kernel(Writer& writer, const Plan& plan, const PlannedVariant& planned) {
  const Pointwise& pointwise = *planned.op->pointwise;
  const CppSignature signature = impl_signature(*plan.cpp_types, *planned.op);
  const std::string op = unused_name("op", signature);
  const std::string type = unused_name(pointwise.type_parameter, signature);
  std::vector<std::string> parameters{"::structured::TensorIteratorBase& " + op};
  std::vector<std::string> captures;
  std::vector<std::string> elements;
  for (const auto& [index, parameter] : llvm::enumerate(signature.parameters)) {
    const bool is_input = index < pointwise.roles.size();
    const bool is_used = is_input && !is_tensor(pointwise.roles[index]);
    parameters.push_back((is_used ? "" : "[[maybe_unused]] ") + parameter.type + " " + parameter.name);
    if (is_used) {
      captures.push_back(capture(pointwise.roles[index], parameter, type));
    } else if (is_input) {
      elements.push_back((pointwise.roles[index] == Role::element ? type : "bool") + " " + parameter.name);
    }
  }
  std::vector<std::string> arguments = signature.names();
  arguments.resize(pointwise.roles.size());
  const llvm::StringRef function =
      llvm::StringRef(planned.op->structured->impls.front().function.name).rsplit("::").second;
  const Writer::Scope body = writer.block("void " + function + "(", parameters, ") {");
  const std::string loop = pointwise.promotion == "no_opmath" ? "pointwise_kernel_as_is" : "pointwise_kernel";
  writer.line("constexpr ::structured::ScalarTypeSet " + unused_name("types", signature) + " = " + type_set(pointwise) +
              ";");
  const Writer::Scope make =
      writer.block("::structured::" + loop + "<" + unused_name("types", signature) + ">(" +
                       quoted(planned.variant->schema.name.base) + ", " + op + ", [&]<class " + type + ">() {",
                   "});");
  const std::string result = is_boolean(pointwise) ? "bool" : type;
  std::string head = "return [" + llvm::join(captures, ", ") + "](" + llvm::join(elements, ", ") + ") -> " + result;
  const Writer::Scope scalar = writer.block(head + " {", "};");
  writer.list("return ::" + pointwise.function.name + "<" + type + ">(", arguments, ");");
}

}  // namespace

void write_pointwise_functions(Writer& writer, const Plan& plan, const PlannedVariant& planned) {
  writer.blank();
  writer.comment("//", planned.schema);
  write_meta(writer, plan, planned);
  writer.blank();
  write_cpu_kernel(writer, plan, planned);
}

void add_pointwise_headers(const Operator& op, std::set<std::string>& spellings) {
  const Pointwise& pointwise = *op.pointwise;
  spellings.insert("<structured/iterator/pointwise.h>");
  spellings.insert("<structured/iterator/pointwise_checks.h>");
  spellings.insert("<structured/iterator/tensor_iterator.h>");
  spellings.insert(include_spelling(pointwise.function.range.file));
}

}  // namespace structured::gen
