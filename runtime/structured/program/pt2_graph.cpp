#include "structured/program/pt2_graph.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "structured/core/error.h"
#include "structured/core/factory.h"
#include "structured/program/primitive.h"
#include "structured/program/replaced_operators.h"

namespace structured::program {
namespace {

constexpr std::string_view kOperatorPrefix = "torch.ops.";
constexpr std::string_view kHigherOrderPrefix = "torch.ops.higher_order.";

/// `aten.add.Tensor` as `aten::add.Tensor`, and `aten.relu.default` as `aten::relu`.
std::string operator_name(std::string_view dotted) {
  constexpr std::string_view no_overload = ".default";
  if (dotted.ends_with(no_overload)) dotted.remove_suffix(no_overload.size());
  const std::size_t dot = dotted.find('.');
  if (dot == std::string_view::npos) return std::string(dotted);
  const std::string name = std::string(dotted.substr(0, dot)) + "::" + std::string(dotted.substr(dot + 1));
  const auto* const renamed = std::find_if(std::begin(kRenamedOperators), std::end(kRenamedOperators),
                                           [&](const RenamedOperator& entry) { return entry.from == name; });
  return renamed == std::end(kRenamedOperators) ? name : std::string(renamed->to);
}

/// Name of the symbol that an expression in sympy's notation is: `s0`, `Symbol('s0', integer=True)`. Empty for others.
std::string_view symbol_of(std::string_view text) {
  constexpr std::string_view prefix = "Symbol('";
  if (text.starts_with(prefix) && text.find(')') == text.size() - 1) {
    text.remove_prefix(prefix.size());
    text = text.substr(0, text.find('\''));
  }
  const bool is_name = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  return is_name ? text : std::string_view();
}

bool is_number(const Value& value) {
  return value.is(Value::Kind::integer) || value.is(Value::Kind::floating) || value.is(Value::Kind::boolean) ||
         value.is(Value::Kind::scalar);
}

bool is_random(const OperatorHandle& op, const OperatorSignature& signature) {
  constexpr std::string_view prefixes[] = {"aten::bernoulli",      "aten::dropout", "aten::multinomial",
                                           "aten::native_dropout", "aten::normal",  "aten::rand"};
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return op.name.starts_with(prefix); }) ||
         std::any_of(signature.arguments.begin(), signature.arguments.end(),
                     [](const Parameter& parameter) { return parameter.kind == Value::Kind::generator; });
}

/// The value of a list whose elements are all constant.
Value constant_list(Value::Kind type, const std::vector<Operand>& elements) {
  switch (type) {
    case Value::Kind::int_list: {
      std::vector<std::int64_t> list;
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

/// Value of a constant member of a union (`as_int`, `as_float`, ...), if it is one.
std::optional<Value> constant(std::string_view kind, const JsonValue& value) {
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

}  // namespace

Graph Pt2GraphReader::read() {
  const JsonValue graph = program_["graph_module"]["graph"];
  Scope scope;
  read_inputs(graph, scope);
  read_nodes(graph["nodes"], scope, graph_.instructions);
  read_outputs(scope);
  if (!missing_.empty()) {
    std::string list;
    for (const auto& [name, count] : missing_) {
      list += (list.empty() ? "`" : ", `") + name + "` (" + std::to_string(count) + (count == 1 ? " node)" : " nodes)");
    }
    graph.fail_here("expected operators that the libraries have; missing are ", list);
  }
  return std::move(graph_);
}

// ------------------------------------------------------------------------------------------------- inputs and outputs

void Pt2GraphReader::read_inputs(const JsonValue& graph, Scope& scope) {
  const JsonValue specs = program_["graph_module"]["signature"]["input_specs"];
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto [kind, spec] = specs[i].only_member();
    if (kind == "user_input") {
      read_user_input(graph, spec["arg"], scope);
    } else if (kind == "parameter") {
      read_state(ProgramState::Kind::parameter, spec, "parameter_name", scope);
    } else if (kind == "buffer") {
      read_state(ProgramState::Kind::buffer, spec, "buffer_name", scope);
    } else if (kind == "tensor_constant") {
      read_state(ProgramState::Kind::constant, spec, "tensor_constant_name", scope);
    } else if (kind == "constant_input") {
      const auto [type, value] = spec["value"].only_member();
      const std::optional<Value> found = constant(type, value);
      if (!found) spec.fail_here("expected a constant, found `", type, "`");
      scope[spec["name"].string()] = Operand::of(*found);
    } else {
      specs[i].fail_here("expected an input that is a tensor, a number or a constant, found `", kind, "`");
    }
  }
}

void Pt2GraphReader::read_user_input(const JsonValue& graph, const JsonValue& argument, Scope& scope) {
  const auto [kind, value] = argument.only_member();
  ProgramInput input;
  const Slot slot = graph_.new_slot();
  std::string_view name;
  if (kind == "as_tensor") {
    name = value["name"].string();
    const JsonValue meta = graph["tensor_values"][name];
    pt2_layout(meta["layout"]);
    input.dtype = pt2_dtype(meta["dtype"]);
    input.sizes = read_sizes(meta["sizes"]);
  } else if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool") {
    name = value["as_name"].string();
    input.kind = kind == "as_sym_int"     ? Value::Kind::integer
                 : kind == "as_sym_float" ? Value::Kind::floating
                                          : Value::Kind::boolean;
  } else {
    argument.fail_here("expected a tensor or a number as input, found `", kind, "`");
  }
  input.name = name;
  scope[name] = Operand::of_slot(slot);
  graph_.input_slots.push_back(slot);
  graph_.inputs.push_back(std::move(input));
}

std::vector<ProgramDim> Pt2GraphReader::read_sizes(const JsonValue& sizes) const {
  const JsonValue constraints = program_["range_constraints"];
  std::vector<ProgramDim> result;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    ProgramDim dim;
    const auto [kind, value] = sizes[i].only_member();
    if (kind == "as_int") {
      dim.size = value.integer();
    } else {
      // Sizes that are expressions of symbols follow from inputs with the symbols, and are not checked.
      dim.symbol = symbol_of(value["expr_str"].string());
      if (constraints.has(dim.symbol)) {
        const JsonValue range = constraints[dim.symbol];
        if (!range["min_val"].is_null()) dim.min = range["min_val"].integer();
        if (!range["max_val"].is_null()) dim.max = range["max_val"].integer();
      }
    }
    result.push_back(std::move(dim));
  }
  return result;
}

void Pt2GraphReader::read_state(ProgramState::Kind kind, const JsonValue& spec, const char* name_member, Scope& scope) {
  ProgramState state;
  state.name = spec[name_member].string();
  state.kind = kind;
  state.tensor = weights_.read(state.name);
  const Slot slot = graph_.new_slot();
  scope[spec["arg"]["name"].string()] = Operand::of_slot(slot);
  graph_.state_slots.push_back(slot);
  graph_.states.push_back(std::move(state));
}

void Pt2GraphReader::read_outputs(const Scope& scope) {
  const JsonValue specs = program_["graph_module"]["signature"]["output_specs"];
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto [kind, spec] = specs[i].only_member();
    if (kind == "user_output") {
      graph_.outputs.push_back(read_argument(spec["arg"], scope, Value::Kind::none, graph_.instructions));
    } else if (kind == "loss_output") {
      graph_.outputs.push_back(find(scope, spec["arg"]["name"]));
    } else if (kind == "buffer_mutation") {
      graph_.mutations.push_back({slot_of_state(spec["buffer_name"]), find(scope, spec["arg"]["name"])});
    } else if (kind == "parameter_mutation") {
      graph_.mutations.push_back({slot_of_state(spec["parameter_name"]), find(scope, spec["arg"]["name"])});
    } else if (kind == "user_input_mutation") {
      graph_.mutations.push_back({slot_of_input(spec["user_input_name"]), find(scope, spec["arg"]["name"])});
    } else {
      specs[i].fail_here("expected an output or a mutation of a program for inference, found `", kind, "`");
    }
  }
}

Slot Pt2GraphReader::slot_of_state(const JsonValue& name) const {
  const std::string_view text = name.string();
  for (std::size_t i = 0; i < graph_.states.size(); ++i) {
    if (graph_.states[i].name == text) return graph_.state_slots[i];
  }
  name.fail_here("expected the name of a parameter or buffer, found `", text, "`");
}

Slot Pt2GraphReader::slot_of_input(const JsonValue& name) const {
  const std::string_view text = name.string();
  for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
    if (graph_.inputs[i].name == text) return graph_.input_slots[i];
  }
  name.fail_here("expected the name of an input, found `", text, "`");
}

// --------------------------------------------------------------------------------------------------------------- nodes

void Pt2GraphReader::read_nodes(const JsonValue& nodes, Scope& scope, Instructions& to) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const JsonValue node = nodes[i];
    const std::string_view target = node["target"].string();
    if (target.starts_with(kHigherOrderPrefix)) {
      read_higher_order(node, target.substr(kHigherOrderPrefix.size()), scope, to);
      continue;
    }
    const std::string name = target.starts_with(kOperatorPrefix) ? operator_name(target.substr(kOperatorPrefix.size()))
                                                                 : std::string(target);
    if (const Primitive* const primitive = find_primitive(name)) {
      read_primitive(node, *primitive, scope, to);
    } else if (std::find(std::begin(kIdentityOperators), std::end(kIdentityOperators), name) !=
               std::end(kIdentityOperators)) {
      const Operand self = read_argument(node["inputs"][0]["arg"], scope, Value::Kind::tensor, to);
      for (const std::string_view result : result_names(node["outputs"])) scope[result] = self;
    } else {
      read_call(node, name, scope, to);
    }
  }
}

const Pt2GraphReader::Callee* Pt2GraphReader::find_operator(const std::string& target) {
  const auto known = callees_.find(target);
  if (known != callees_.end()) return &known->second;
  for (const OperatorLookup library : libraries_) {
    if (const OperatorHandle* const op = library(target)) {
      return &callees_.emplace(target, Callee{op, signature_of(*op)}).first->second;
    }
  }
  return nullptr;
}

void Pt2GraphReader::read_call(const JsonValue& node, std::string target, Scope& scope, Instructions& to) {
  Instruction instruction;
  instruction.target = std::move(target);
  const Callee* const callee = find_operator(instruction.target);
  if (callee == nullptr) {
    // Reading goes on, so that the error names all missing operators.
    ++missing_[instruction.target];
    bind_results(node, scope, instruction);
    return;
  }
  const std::vector<Parameter>& parameters = callee->signature.arguments;
  const std::vector<Parameter>& results = callee->signature.results;
  instruction.op = callee->op;
  instruction.is_random = is_random(*callee->op, callee->signature);
  instruction.operands.resize(parameters.size());
  std::vector<bool> is_given(parameters.size());
  const JsonValue inputs = node["inputs"];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string_view name = inputs[i]["name"].string();
    const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const Parameter& candidate) { return candidate.name == name; });
    if (parameter == parameters.end()) {
      inputs[i].fail_here("expected an argument of `", callee->op->schema(), "`, found `", name, "`");
    }
    const auto position = static_cast<std::size_t>(parameter - parameters.begin());
    instruction.operands[position] = read_argument(inputs[i]["arg"], scope, parameter->kind, to);
    is_given[position] = true;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    instruction.has_effect |= parameter.is_mutable;
    if (is_given[i]) continue;
    if (!parameter.default_value) {
      inputs.fail_here("expected the argument `", parameter.name, "` of `", callee->op->schema(), "`");
    }
    instruction.operands[i] = Operand::of(*parameter.default_value);
  }
  instruction.unpacks_list = results.size() == 1 && results[0].kind == Value::Kind::tensor_list;
  bind_results(node, scope, instruction);
  if (!instruction.unpacks_list && !instruction.results.empty() && instruction.results.size() != results.size()) {
    node["outputs"].fail_here("expected ", results.size(), " results of `", callee->op->schema(), "`, found ",
                              instruction.results.size());
  }
  to.push_back(std::move(instruction));
}

void Pt2GraphReader::read_primitive(const JsonValue& node, const Primitive& primitive, Scope& scope, Instructions& to) {
  Instruction instruction;
  instruction.target = primitive.name;
  instruction.primitive = &primitive;
  instruction.has_effect = primitive.has_effect;
  instruction.operands.resize(primitive.argument_count);
  const JsonValue inputs = node["inputs"];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::size_t position = i;
    if (!primitive.parameters.empty()) {
      const std::size_t at = primitive.parameters.find(inputs[i]["name"].string());
      if (at == std::string_view::npos) inputs[i].fail_here("expected one of `", primitive.parameters, "`");
      position =
          static_cast<std::size_t>(std::count(primitive.parameters.begin(), primitive.parameters.begin() + at, ' '));
    }
    if (position >= primitive.argument_count) {
      inputs.fail_here("expected ", primitive.argument_count, " arguments of `", primitive.name, "`, found ",
                       inputs.size());
    }
    instruction.operands[position] = read_argument(inputs[i]["arg"], scope, Value::Kind::none, to);
  }
  bind_results(node, scope, instruction);
  if (instruction.results.size() > 1) node["outputs"].fail_here("expected one result of `", primitive.name, "`");
  to.push_back(std::move(instruction));
}

void Pt2GraphReader::read_higher_order(const JsonValue& node, std::string_view target, Scope& scope, Instructions& to) {
  const JsonValue inputs = node["inputs"];
  if (target == "cond") {
    read_cond(node, scope, to);
  } else if (target == "wrap_with_set_grad_enabled") {
    inline_graph(node, 1, scope, to);
  } else if (target == "wrap_with_autocast") {
    const JsonValue is_enabled = inputs[2]["arg"];
    if (!is_enabled.has("as_bool") || is_enabled["as_bool"].boolean()) {
      node.fail_here("expected a region with autocast disabled; export the model without autocast");
    }
    inline_graph(node, 4, scope, to);
  } else {
    node.fail_here("the higher-order operator `", target, "` is not supported");
  }
}

void Pt2GraphReader::inline_graph(const JsonValue& node, std::size_t graph_position, Scope& scope, Instructions& to) {
  const JsonValue inputs = node["inputs"];
  std::vector<Operand> arguments;
  for (std::size_t i = graph_position + 1; i < inputs.size(); ++i) {
    arguments.push_back(read_argument(inputs[i]["arg"], scope, Value::Kind::none, to));
  }
  const std::vector<Operand> outputs = read_subgraph(inputs[graph_position]["arg"], arguments, to);
  const std::vector<std::string_view> names = result_names(node["outputs"]);
  if (names.size() != outputs.size()) {
    node["outputs"].fail_here("expected ", outputs.size(), " results of the graph, found ", names.size());
  }
  for (std::size_t i = 0; i < names.size(); ++i) scope[names[i]] = outputs[i];
}

void Pt2GraphReader::read_cond(const JsonValue& node, Scope& scope, Instructions& to) {
  const JsonValue inputs = node["inputs"];
  if (inputs.size() != 4)
    inputs.fail_here("expected a condition, two graphs and a list, found ", inputs.size(), " arguments");
  Instruction instruction;
  instruction.target = "cond";
  instruction.has_effect = true;
  instruction.operands.push_back(read_argument(inputs[0]["arg"], scope, Value::Kind::none, to));
  std::vector<Operand> arguments;
  const Operand list = read_argument(inputs[3]["arg"], scope, Value::Kind::none, to);
  if (list.kind == Operand::Kind::list) {
    arguments = list.elements;
  } else if (list.constant.is(Value::Kind::int_list)) {
    for (const std::int64_t value : list.constant.to_int_list()) arguments.push_back(Operand::of(value));
  } else {
    inputs[3].fail_here("expected the list of arguments of both graphs");
  }
  instruction.branches = std::make_unique<Branches>();
  Branches& branches = *instruction.branches;
  branches.when_true.outputs = read_subgraph(inputs[1]["arg"], arguments, branches.when_true.instructions);
  branches.when_false.outputs = read_subgraph(inputs[2]["arg"], arguments, branches.when_false.instructions);
  bind_results(node, scope, instruction);
  for (const Branches::Branch* const branch : {&branches.when_true, &branches.when_false}) {
    if (branch->outputs.size() != instruction.results.size()) {
      node["outputs"].fail_here("expected ", branch->outputs.size(), " results of the graph, found ",
                                instruction.results.size());
    }
  }
  to.push_back(std::move(instruction));
}

std::vector<Operand> Pt2GraphReader::read_subgraph(const JsonValue& argument, const std::vector<Operand>& arguments,
                                                   Instructions& to) {
  const JsonValue graph = argument["as_graph"]["graph"];
  const JsonValue inputs = graph["inputs"];
  if (inputs.size() != arguments.size()) {
    inputs.fail_here("expected ", arguments.size(), " inputs, found ", inputs.size());
  }
  Scope scope;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto [kind, value] = inputs[i].only_member();
    if (kind == "as_tensor") {
      scope[value["name"].string()] = arguments[i];
    } else if (value.is_object() && value.has("as_name")) {
      scope[value["as_name"].string()] = arguments[i];
    }
  }
  read_nodes(graph["nodes"], scope, to);
  std::vector<Operand> results;
  const JsonValue outputs = graph["outputs"];
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Operand output = read_argument(outputs[i], scope, Value::Kind::none, to);
    if (output.kind == Operand::Kind::list) {
      results.insert(results.end(), output.elements.begin(), output.elements.end());
    } else {
      results.push_back(output);
    }
  }
  return results;
}

// ------------------------------------------------------------------------------------------------------------- results

std::vector<std::string_view> Pt2GraphReader::result_names(const JsonValue& outputs) const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto [kind, value] = outputs[i].only_member();
    if (kind == "as_tensor") {
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

// ----------------------------------------------------------------------------------------------------------- arguments

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
