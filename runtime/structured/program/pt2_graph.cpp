#include "structured/program/pt2_graph.h"

#include <algorithm>
#include <utility>

#include "structured/base/error.h"

namespace structured::program {
namespace {

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

}  // namespace structured::program
