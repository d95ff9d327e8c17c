#include "selection/model_operators.h"

#include <iterator>
#include <map>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "selection/module_operators.h"
#include "selection/uses.h"
#include "structured/format/zip_directory.h"
#include "structured/schema/dtype.h"

namespace structured::gen {
namespace {

struct Renamed {
  llvm::StringLiteral from;
  llvm::StringLiteral to;
};
constexpr Renamed renamed[] = {
#define STRUCTURED_RENAMED_OPERATOR(from, to) {from, to},
#include "structured/schema/program_operators.def"
};
struct ListOfViews {
  llvm::StringLiteral op;
  llvm::StringLiteral part;
};
constexpr ListOfViews lists_of_views[] = {
#define STRUCTURED_LIST_OF_VIEWS(op, division, part) {op, part},
#include "structured/schema/program_operators.def"
};
constexpr llvm::StringLiteral without_kernel[] = {
#define STRUCTURED_IDENTITY_OPERATOR(name) name,
#define STRUCTURED_PRIMITIVE_OPERATOR(name) name,
#include "structured/schema/program_operators.def"
};

// Returns `aten::add.Tensor` for `torch.ops.aten.add.Tensor`, and `aten::relu` for `torch.ops.aten.relu.default`; empty
// for arithmetic of Python and for higher-order operators.
std::string operator_name(llvm::StringRef target) {
  if (!target.consume_front("torch.ops.") || target.starts_with("higher_order.")) return "";
  target.consume_back(".default");
  const auto [ns, rest] = target.split('.');
  std::string name = (ns + "::" + rest).str();
  const auto* found = llvm::find_if(renamed, [&](const Renamed& entry) { return entry.from == name; });
  if (found != std::end(renamed)) name = found->to.str();
  return llvm::is_contained(without_kernel, name) ? "" : name;
}

// Visits the graphs of a program, those of branches included.
class Graphs {
 public:
  void visit(const llvm::json::Object& graph) {
    if (const llvm::json::Object* values = graph.getObject("tensor_values")) {
      // Members of an object have no order.
      std::map<std::string, const llvm::json::Value*> sorted;
      for (const auto& [name, value] : *values) sorted[name.str()] = &value;
      for (const auto& [name, value] : sorted) note_dtype(*value, name);
    }
    const llvm::json::Array* nodes = graph.getArray("nodes");
    if (!nodes) return;
    for (const llvm::json::Value& value : *nodes) {
      if (const llvm::json::Object* node = value.getAsObject()) visit_node(*node);
    }
  }

  Uses operators;
  Uses used_dtypes;

 private:
  void note_dtype(const llvm::json::Value& value, llvm::StringRef name) {
    const llvm::json::Object* meta = value.getAsObject();
    const std::optional<int64_t> number = meta ? meta->getInteger("dtype") : std::nullopt;
    if (!number || *number < 0) return;
    const schema::Dtype* dtype = schema::find_dtype([&](const schema::Dtype& row) { return row.exported == *number; });
    if (dtype != nullptr) used_dtypes[dtype->name].note(name);
  }

  void visit_node(const llvm::json::Object& node) {
    const std::string op = operator_name(node.getString("target").value_or(""));
    const llvm::StringRef user = node.getString("name").value_or("?");
    if (!op.empty()) operators[op].note(user);
    for (const ListOfViews& list : lists_of_views) {
      if (list.op == op) operators[list.part.str()].note(user);
    }
    const llvm::json::Array* inputs = node.getArray("inputs");
    if (!inputs) return;
    for (const llvm::json::Value& input : *inputs) {
      const llvm::json::Object* object = input.getAsObject();
      const llvm::json::Object* argument = object ? object->getObject("arg") : nullptr;
      const llvm::json::Object* graph = argument ? argument->getObject("as_graph") : nullptr;
      if (const llvm::json::Object* inner = graph ? graph->getObject("graph") : nullptr) visit(*inner);
    }
  }
};

}  // namespace

llvm::Expected<Selection> selection_from_model(llvm::StringRef bytes, llvm::StringRef name) {
  const auto refuse = [&](const llvm::Twine& problem) { return llvm::createStringError(name + ": " + problem); };
  if (is_module(bytes)) return selection_from_module(bytes, name);
  detail::ZipDirectory archive(bytes);
  if (!archive.error().empty())
    return refuse(archive.error() + "; expected a program of torch.export.save (.pt2), or a module (.ptl)");
  Graphs graphs;
  bool has_program = false;
  for (const detail::ZipMember& entry : archive.members()) {
    const llvm::StringRef member(entry.name);
    if (!entry.is_stored || !member.contains("/models/") || !member.ends_with(".json")) continue;
    llvm::Expected<llvm::json::Value> json = llvm::json::parse(archive.data(entry));
    if (!json) return refuse(member + ": " + llvm::toString(json.takeError()));
    const llvm::json::Object* program = json->getAsObject();
    const llvm::json::Object* module = program ? program->getObject("graph_module") : nullptr;
    const llvm::json::Object* graph = module ? module->getObject("graph") : nullptr;
    if (!graph) return refuse(member + ": expected a graph");
    graphs.visit(*graph);
    has_program = true;
  }
  if (!has_program) {
    return refuse("expected a program of torch.export.save (.pt2), or a module (.ptl), found another zip archive");
  }
  Selection selection;
  add_reasons(selection.operators, graphs.operators, name, "node");
  selection.dtypes.emplace();
  add_reasons(*selection.dtypes, graphs.used_dtypes, name, "value");
  add_inner_dtypes(selection);
  return selection;
}

llvm::Expected<Selection> selection_from_trace(llvm::StringRef text, llvm::StringRef name) {
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json) return llvm::createStringError(name + ": " + llvm::toString(json.takeError()));
  const llvm::json::Object* file = json->getAsObject();
  const llvm::json::Object* calls = file ? file->getObject("operators") : nullptr;
  if (!calls || file->getString("format") != llvm::StringRef("structured record")) {
    return llvm::createStringError(name + ": expected a file of `structured-run --record`");
  }
  const std::string model = file->getString("model").value_or("?").str();
  Selection selection;
  selection.dtypes.emplace();
  for (const auto& [op, value] : *calls) {
    selection.operators[op.str()].insert("called by " + model);
    const llvm::json::Array* names = value.getAsArray();
    if (!names) return llvm::createStringError(name + ": expected a list of dtypes for `" + op.str() + "`");
    for (const llvm::json::Value& dtype : *names) {
      if (llvm::Error error =
              add_dtypes(selection, dtype.getAsString().value_or("?"), "`" + op.str() + "` in " + model)) {
        return error;
      }
    }
  }
  add_inner_dtypes(selection);
  return selection;
}

}  // namespace structured::gen
