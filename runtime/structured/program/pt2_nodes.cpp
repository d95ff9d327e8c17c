// Nodes of a `.pt2` program: calls of operators, computations with numbers, and graphs inside of nodes.
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "structured/base/error.h"
#include "structured/program/primitive.h"
#include "structured/program/pt2_graph.h"
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

bool is_random(const OperatorHandle& op, const OperatorSignature& signature) {
  constexpr std::string_view prefixes[] = {"aten::bernoulli",      "aten::dropout", "aten::multinomial",
                                           "aten::native_dropout", "aten::normal",  "aten::rand"};
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return op.name.starts_with(prefix); }) ||
         std::any_of(signature.arguments.begin(), signature.arguments.end(),
                     [](const Parameter& parameter) { return parameter.kind == Value::Kind::generator; });
}

}  // namespace

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
      return &callees_.emplace(target, Callee{op, signature_of(*op), library}).first->second;
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
  instruction.unpacks_list = results.size() == 1 && (results[0].kind == Value::Kind::tensor_list ||
                                                     results[0].kind == Value::Kind::optional_tensor_list);
  const ListOfViews list = list_of_views(instruction.target);
  instruction.division = list.division;
  if (instruction.unpacks_list && !list.part.empty()) instruction.part = callee->library(list.part);
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
    for (const int64_t value : list.constant.to_int_list()) arguments.push_back(Operand::of(value));
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

}  // namespace structured::program
