#include "model/scalar_graph_text.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/range_text.h"

namespace structured::gen {
namespace {

constexpr std::size_t longest_operand = 60;

/// Type of the elements, in which a function computes.
std::optional<ScalarType> element_type(llvm::StringRef dtype) {
  const schema::Dtype* found = schema::dtype_with_word(dtype);
  return found == nullptr ? std::nullopt : computed_type(*found);
}

std::string signature(const ScalarGraph& graph, std::optional<ScalarType> element) {
  const auto type_text = [&](ScalarType type) { return type == element ? "T" : name_of(type).str(); };
  std::vector<std::string> parameters;
  for (const ScalarInput& input : graph.inputs) {
    parameters.push_back(input.is_presence ? "has " + input.name : input.name + ": " + type_text(input.type));
  }
  return "(" + llvm::join(parameters, ", ") + ") -> " + type_text(graph.type());
}

std::string count_text(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Lines of a body, without its dtype.
struct Entry {
  std::vector<std::string> dtypes;
  std::string title;
  std::vector<std::string> lines;
};

Entry entry_of(const ScalarBody& body) {
  Entry entry{{body.dtype}, body.derivative.empty() ? "" : ", derivative by " + body.derivative, {}};
  if (!body.graph) {
    entry.title += ": no graph";
    entry.lines = {body.refusal + " at " + range_text(body.range, "")};
    return entry;
  }
  entry.title += ": " + signature(*body.graph, element_type(body.dtype)) + ", " +
                 count_text(body.graph->operation_count(), "operation");
  if (body.graph->masked_iterations > 0) {
    entry.title += ", " + count_text(static_cast<std::size_t>(body.graph->masked_iterations), "masked iteration");
  }
  entry.lines = statements_of(*body.graph);
  return entry;
}

}  // namespace

std::vector<std::string> statements_of(const ScalarGraph& graph) {
  std::vector<unsigned> uses(graph.nodes.size());
  for (const ScalarNode& node : graph.nodes) {
    if (node.op == ScalarOp::input) continue;
    for (int64_t operand : node.operands) ++uses[static_cast<std::size_t>(operand)];
  }
  std::vector<std::string> lines;
  std::vector<std::string> texts;
  for (const ScalarNode& node : graph.nodes) {
    if (node.op == ScalarOp::input) {
      const ScalarInput& input = graph.inputs[static_cast<std::size_t>(node.operands.front())];
      texts.push_back(input.is_presence ? "has(" + input.name + ")" : input.name);
    } else if (node.op == ScalarOp::constant) {
      texts.push_back(to_text(ScalarValue{node.type, node.bits}));
    } else {
      std::vector<std::string> operands;
      for (int64_t operand : node.operands) operands.push_back(texts[static_cast<std::size_t>(operand)]);
      const bool converts = facts_of(node.op).rule == ScalarRule::conversion;
      std::string text = facts_of(node.op).name.str() + (converts ? "<" + name_of(node.type).str() + ">" : "") + "(" +
                         llvm::join(operands, ", ") + ")";
      const bool is_last = texts.size() + 1 == graph.nodes.size();
      if (!is_last && (uses[texts.size()] > 1 || text.size() > longest_operand)) {
        std::string name = "t" + std::to_string(lines.size());
        lines.push_back(name + " = " + text);
        text = std::move(name);
      }
      texts.push_back(std::move(text));
    }
  }
  lines.push_back("return " + texts.back());
  return lines;
}

std::vector<std::string> text_of(const std::vector<ScalarBody>& bodies) {
  std::vector<Entry> entries;
  for (const ScalarBody& body : bodies) {
    Entry entry = entry_of(body);
    const auto same = llvm::find_if(
        entries, [&](const Entry& other) { return other.title == entry.title && other.lines == entry.lines; });
    if (same != entries.end()) {
      same->dtypes.push_back(body.dtype);
    } else {
      entries.push_back(std::move(entry));
    }
  }
  std::vector<std::string> lines;
  for (const Entry& entry : entries) {
    lines.push_back(llvm::join(entry.dtypes, ", ") + entry.title);
    for (const std::string& line : entry.lines) lines.push_back("  " + line);
  }
  return lines;
}

}  // namespace structured::gen
