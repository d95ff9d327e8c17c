// Arguments and results of the nodes of a `.pt2` program.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "structured/base/error.h"
#include "structured/program/primitive.h"
#include "structured/program/pt2_graph.h"

namespace structured::program {
namespace {

bool is_number(const Value& value) {
  return value.is(Value::Kind::integer) || value.is(Value::Kind::floating) || value.is(Value::Kind::boolean) ||
         value.is(Value::Kind::scalar);
}

/// The value of a list whose elements are all constant.
Value constant_list(Value::Kind type, const std::vector<Operand>& elements) {
  switch (type) {
    case Value::Kind::int_list: {
      std::vector<int64_t> list;
      for (const Operand& element : elements) list.push_back(element.constant.to_int());
      return list;
    }
    case Value::Kind::double_list: {
      std::vector<double> list;
      for (const Operand& element : elements) list.push_back(element.constant.to_double());
      return list;
    }
    case Value::Kind::bool_list: {
      const auto list = std::make_unique<bool[]>(elements.size() + 1);
      for (std::size_t i = 0; i < elements.size(); ++i) list[i] = elements[i].constant.to_bool();
      return ArrayRef<bool>(list.get(), elements.size());
    }
    default:
      return {};
  }
}

Operand list_operand(Value::Kind type, std::vector<Operand> elements) {
  const bool is_constant =
      std::all_of(elements.begin(), elements.end(), [](const Operand& element) { return element.is_constant(); });
  if (is_constant &&
      (type == Value::Kind::int_list || type == Value::Kind::double_list || type == Value::Kind::bool_list)) {
    return Operand::of(constant_list(type, elements));
  }
  return Operand::of_list(type, std::move(elements));
}

}  // namespace

std::vector<std::string_view> Pt2GraphReader::result_names(const JsonValue& outputs) const {
  std::vector<std::string_view> names;
  const auto add_optional = [&](const JsonValue& element) {
    const auto [kind, tensor] = element.only_member();
    names.push_back(kind == "as_none" ? std::string_view() : tensor["name"].string());
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto [kind, value] = outputs[i].only_member();
    if (kind == "as_optional_tensor") {
      add_optional(value);
    } else if (kind == "as_optional_tensors") {
      for (std::size_t k = 0; k < value.size(); ++k) add_optional(value[k]);
    } else if (kind == "as_tensor") {
      names.push_back(value["name"].string());
    } else if (kind == "as_tensors") {
      for (std::size_t k = 0; k < value.size(); ++k) names.push_back(value[k]["name"].string());
    } else if (kind == "as_none") {
      names.emplace_back();
    } else if (value.is_object() && value.has("as_name")) {
      names.push_back(value["as_name"].string());
    } else {
      outputs[i].fail_here("expected a tensor, a list of tensors or a number as result, found `", kind, "`");
    }
  }
  return names;
}

void Pt2GraphReader::bind_results(const JsonValue& node, Scope& scope, Instruction& instruction) {
  if (node.has("name") && !node["name"].is_null()) instruction.name = node["name"].string();
  for (const std::string_view name : result_names(node["outputs"])) {
    const Slot slot = graph_.new_slot();
    instruction.results.push_back(slot);
    if (!name.empty()) scope[name] = Operand::of_slot(slot);
    if (instruction.name.empty()) instruction.name = name;
  }
}

std::optional<Value> Pt2GraphReader::constant(std::string_view kind, const JsonValue& value) {
  if (kind == "as_none") return Value();
  if (kind == "as_int") return Value(value.integer());
  if (kind == "as_float") return Value(value.real());
  if (kind == "as_bool") return Value(value.boolean());
  if (kind == "as_string") return Value(value.string());
  if (kind == "as_scalar_type") return Value(pt2_dtype(value));
  if (kind == "as_layout") return Value(pt2_layout(value));
  if (kind == "as_memory_format") return Value(pt2_memory_format(value));
  if (kind == "as_device") return Value(pt2_device(value));
  if (kind == "as_complex") return Value(Scalar(Complex<double>(value["real"].real(), value["imag"].real())));
  if (kind == "as_strings") {
    std::vector<std::string_view> list;
    for (std::size_t i = 0; i < value.size(); ++i) list.push_back(value[i].string());
    return Value(list);
  }
  return std::nullopt;
}

const Operand& Pt2GraphReader::find(const Scope& scope, const JsonValue& name) {
  const std::string_view text = name.string();
  const auto at = scope.find(text);
  if (at == scope.end()) name.fail_here("expected the name of an earlier value, found `", text, "`");
  return at->second;
}

Operand Pt2GraphReader::read_tensor_list(const JsonValue& list, const Scope& scope, bool is_optional) const {
  std::vector<Operand> elements;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].has("name")) {
      elements.push_back(find(scope, list[i]["name"]));
      continue;
    }
    const auto [kind, value] = list[i].only_member();
    elements.push_back(kind == "as_none" ? Operand() : find(scope, value["name"]));
  }
  return Operand::of_list(is_optional ? Value::Kind::optional_tensor_list : Value::Kind::tensor_list,
                          std::move(elements));
}

Operand Pt2GraphReader::read_number_list(std::string_view kind, const JsonValue& list, const Scope& scope) const {
  const bool is_real = kind == "as_floats" || kind == "as_sym_floats";
  const bool is_boolean = kind == "as_bools" || kind == "as_sym_bools";
  const Value::Kind type = is_real ? Value::Kind::floating : is_boolean ? Value::Kind::boolean : Value::Kind::integer;
  std::vector<Operand> elements;
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonValue element = list[i];
    if (element.is_object()) {
      const auto [member, value] = element.only_member();
      if (member == "as_name") {
        const Operand& found = find(scope, value);
        if (found.kind == Operand::Kind::list || (found.is_constant() && !found.constant.is(type))) {
          value.fail_here("expected the name of a value of type `", to_string(type), "`");
        }
        elements.push_back(found);
        continue;
      }
      element = value;
    }
    elements.push_back(Operand::of(is_real      ? Value(element.real())
                                   : is_boolean ? Value(element.boolean())
                                                : Value(element.integer())));
  }
  return list_operand(is_real      ? Value::Kind::double_list
                      : is_boolean ? Value::Kind::bool_list
                                   : Value::Kind::int_list,
                      std::move(elements));
}

Operand Pt2GraphReader::read_argument(const JsonValue& argument, const Scope& scope, Value::Kind expected,
                                      Instructions& to) {
  const auto [kind, value] = argument.only_member();
  const bool takes_optional_tensors = expected == Value::Kind::optional_tensor_list;
  Operand result;
  if (std::optional<Value> found = constant(kind, value)) {
    result = Operand::of(std::move(*found));
  } else if (kind == "as_tensor") {
    return find(scope, value["name"]);
  } else if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool") {
    const auto [member, number] = value.only_member();
    result = member == "as_name" ? find(scope, number)
                                 : Operand::of(kind == "as_sym_int"     ? Value(number.integer())
                                               : kind == "as_sym_float" ? Value(number.real())
                                                                        : Value(number.boolean()));
  } else if (kind == "as_optional_tensor") {
    const auto [member, tensor] = value.only_member();
    return member == "as_none" ? Operand() : find(scope, tensor["name"]);
  } else if (kind == "as_tensors" || kind == "as_optional_tensors") {
    return read_tensor_list(value, scope, kind == "as_optional_tensors" || takes_optional_tensors);
  } else if (kind == "as_ints" && value.size() == 0 &&
             (takes_optional_tensors || expected == Value::Kind::tensor_list)) {
    return read_tensor_list(value, scope, takes_optional_tensors);  // an empty list has the type of integers
  } else if (kind == "as_ints" || kind == "as_sym_ints" || kind == "as_floats" || kind == "as_sym_floats" ||
             kind == "as_bools" || kind == "as_sym_bools") {
    return read_number_list(kind, value, scope);
  } else {
    argument.fail_here("arguments of the kind `", kind, "` are not supported");
  }
  if (expected != Value::Kind::tensor || (result.is_constant() && !is_number(result.constant))) return result;
  // A number for a Tensor parameter.
  if (result.is_constant()) return Operand::of(kNumberToTensor.run(result.constant));
  Instruction conversion;
  conversion.target = kNumberToTensor.name;
  conversion.primitive = &kNumberToTensor;
  conversion.operands.push_back(std::move(result));
  conversion.results.push_back(graph_.new_slot());
  const Operand converted = Operand::of_slot(conversion.results[0]);
  to.push_back(std::move(conversion));
  return converted;
}

}  // namespace structured::program
