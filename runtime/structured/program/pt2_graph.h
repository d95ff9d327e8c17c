#pragma once
// Nodes and signature of a `.pt2` program. Only sources of this folder include this.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "structured/dispatch/signature.h"
#include "structured/program/graph.h"
#include "structured/program/json.h"
#include "structured/program/operator_lookup.h"
#include "structured/program/pt2_weights.h"

namespace structured::program {

/// Turns the JSON of one program into a Graph.
class Pt2GraphReader {
 public:
  /// All arguments outlive the object.
  Pt2GraphReader(const JsonValue& program, Pt2Weights& weights, const OperatorLookups& libraries)
      : program_(program), weights_(weights), libraries_(libraries) {}

  Graph read();

 private:
  /// Values by name. Names of one graph are distinct; graphs of branches have scopes of their own.
  using Scope = std::unordered_map<std::string_view, Operand>;
  using Instructions = std::vector<Instruction>;

  struct Callee {
    const OperatorHandle* op;
    OperatorSignature signature;
    OperatorLookup library;
  };

  void read_inputs(const JsonValue& graph, Scope& scope);
  void read_user_input(const JsonValue& graph, const JsonValue& argument, Scope& scope);
  void read_state(ProgramState::Kind kind, const JsonValue& spec, const char* name_member, Scope& scope);
  std::vector<ProgramDim> read_sizes(const JsonValue& sizes) const;
  void read_outputs(const Scope& scope);
  Slot slot_of_state(const JsonValue& name) const;
  Slot slot_of_input(const JsonValue& name) const;

  void read_nodes(const JsonValue& nodes, Scope& scope, Instructions& to);
  void read_call(const JsonValue& node, std::string target, Scope& scope, Instructions& to);
  void read_primitive(const JsonValue& node, const Primitive& primitive, Scope& scope, Instructions& to);
  void read_higher_order(const JsonValue& node, std::string_view target, Scope& scope, Instructions& to);
  void read_cond(const JsonValue& node, Scope& scope, Instructions& to);
  void inline_graph(const JsonValue& node, std::size_t graph_position, Scope& scope, Instructions& to);
  /// Reads the graph of an argument, whose inputs are the elements of `arguments`; returns its outputs.
  std::vector<Operand> read_subgraph(const JsonValue& argument, const std::vector<Operand>& arguments,
                                     Instructions& to);
  const Callee* find_operator(const std::string& target);

  void bind_results(const JsonValue& node, Scope& scope, Instruction& instruction);
  std::vector<std::string_view> result_names(const JsonValue& outputs) const;

  /// Value of a constant member of a union (`as_int`, `as_float`, ...), if it is one.
  static std::optional<Value> constant(std::string_view kind, const JsonValue& value);
  /// `expected` is the kind of the parameter's values, `none` if any is accepted.
  Operand read_argument(const JsonValue& argument, const Scope& scope, Value::Kind expected, Instructions& to);
  Operand read_number_list(std::string_view kind, const JsonValue& list, const Scope& scope) const;
  Operand read_tensor_list(const JsonValue& list, const Scope& scope, bool is_optional) const;
  static const Operand& find(const Scope& scope, const JsonValue& name);

  const JsonValue program_;
  Pt2Weights& weights_;
  const OperatorLookups& libraries_;
  Graph graph_;
  std::unordered_map<std::string, Callee> callees_;
  std::map<std::string, std::size_t> missing_;  // operators without a kernel, with the number of their nodes
};

}  // namespace structured::program
