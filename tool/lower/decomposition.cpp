#include "lower/decomposition.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "lower/pointwise.h"
#include "model/scalar_evaluation.h"
#include "structured/schema/dtype.h"

namespace structured::gen {
namespace {

/// A compiler turns the operations into one loop. Above this number, Inductor's loop is slower than the function's own,
/// and takes minutes to compile.
constexpr std::size_t max_operations = 64;

/// Operations that no operator of PyTorch computes with the same results. Its fmod gives NaN for large quotients.
constexpr ScalarOp missing_operations[] = {ScalarOp::fma,  ScalarOp::fmod,   ScalarOp::remainder,
                                           ScalarOp::cbrt, ScalarOp::tgamma, ScalarOp::j0,
                                           ScalarOp::j1,   ScalarOp::y0,     ScalarOp::y1};

bool is_wide_unsigned(ScalarType type) { return is_integer(type) && !is_signed(type) && size_of(type) > 1; }

/// Returns why the graph cannot be operators of PyTorch; empty if it can.
std::string refusal_of(const ScalarGraph& graph) {
  if (graph.masked_iterations > 0) return "has a loop that some elements leave earlier than others";
  if (const std::size_t count = graph.operation_count(); count > max_operations) {
    return "has " + std::to_string(count) + " operations; a compiler's loop is slower than the function's";
  }
  for (const ScalarNode& node : graph.nodes) {
    if (llvm::is_contained(missing_operations, node.op)) {
      return "computes `" + facts_of(node.op).meaning.str() +
             "`, for which PyTorch has no operator with the same results";
    }
    if (is_wide_unsigned(node.type)) {
      return "computes with the type `" + name_of(node.type).str() + "`, for which PyTorch has no arithmetic";
    }
  }
  return "";
}

ScalarValue widened(const ScalarValue& value) {
  const ScalarType widest = is_floating(value.type)  ? ScalarType::float64
                            : is_integer(value.type) ? ScalarType::int64
                                                     : ScalarType::boolean;
  return evaluate(ScalarOp::cast, widest, {value});
}

/// Returns the argument of the operator for each input of the graph. Inputs are in the order of the parameters.
std::vector<int64_t> input_positions(const ScalarGraph& graph, bool is_derived) {
  std::vector<int64_t> arguments;
  int64_t next = is_derived ? 1 : 0;
  for (const ScalarInput& input : graph.inputs) {
    if (is_derived && &input == &graph.inputs.back()) {
      arguments.push_back(0);  // the gradient of the result
    } else {
      arguments.push_back(input.is_presence ? next : next++);  // the presence of an argument precedes its value
    }
  }
  return arguments;
}

std::vector<Decomposition::Operation> operations_of(const ScalarGraph& graph, ScalarType element, bool is_derived) {
  const std::vector<int64_t> arguments = input_positions(graph, is_derived);
  std::vector<Decomposition::Operation> operations;
  for (const ScalarNode& node : graph.nodes) {
    Decomposition::Operation& operation = operations.emplace_back();
    operation.op = node.op;
    if (node.type != element) operation.type = node.type;
    operation.operands = node.operands;
    if (node.op == ScalarOp::constant) operation.number = widened({node.type, node.bits});
    if (node.op != ScalarOp::input) continue;
    const auto input = static_cast<std::size_t>(node.operands.front());
    operation.operands = {arguments[input]};
    operation.is_presence = graph.inputs[input].is_presence;
  }
  return operations;
}

/// Returns the dtypes whose elements are computed by the body for `dtype`: with `float` also those of 16 bits that have
/// no body of their own.
std::vector<const DtypeName*> computed_dtypes(const Pointwise& pointwise, const schema::Dtype& dtype) {
  std::vector<const DtypeName*> names{find_dtype(dtype.word)};
  if (computed_type(dtype) != ScalarType::float32 || pointwise.promotion == "no_opmath") return names;
  schema::DtypeSet supported = 0;
  for (const DtypeName* name : dtypes_of(pointwise)) supported |= name->dtypes;
  for (const schema::Dtype& other : schema::kDtypes) {
    const bool is_supported =
        (supported >> other.number & 1) != 0 &&
        llvm::none_of(pointwise.bodies, [&](const auto& body) { return body.dtype == other.word; });
    if (other.is_floating() && other.size() == 2 && is_supported) names.push_back(find_dtype(other.word));
  }
  return names;
}

void add_refusal(DecompositionResult& result, const ScalarBody& body, std::string reason, const SourceRange& range) {
  for (DecompositionRefusal& refusal : result.refusals) {
    if (refusal.reason == reason && refusal.range == range) return refusal.dtypes.push_back(body.dtype);
  }
  result.refusals.push_back({{body.dtype}, std::move(reason), range});
}

void add_body(Decomposition& decomposition, std::vector<const DtypeName*> dtypes,
              std::vector<Decomposition::Operation> operations) {
  for (Decomposition::Body& body : decomposition.bodies) {
    if (body.operations != operations) continue;
    llvm::append_range(body.dtypes, dtypes);
    return;
  }
  decomposition.bodies.push_back({std::move(dtypes), std::move(operations)});
}

}  // namespace

DecompositionResult decompose(const Pointwise& pointwise, llvm::StringRef derivative) {
  DecompositionResult result;
  if (pointwise.is_opaque) return result;
  Decomposition decomposition;
  decomposition.roles = pointwise.roles;
  decomposition.is_boolean = has_boolean_result(pointwise);
  decomposition.is_floating = computes_floating(pointwise);
  for (const ScalarBody& body : pointwise.bodies) {
    if (body.derivative != derivative) continue;
    if (!body.graph) {
      add_refusal(result, body, body.refusal, body.range);
    } else if (std::string reason = refusal_of(*body.graph); !reason.empty()) {
      add_refusal(result, body, std::move(reason), pointwise.function.range);
    } else {
      const schema::Dtype& dtype = *schema::dtype_with_word(llvm::StringRef(body.dtype));
      add_body(
          decomposition, computed_dtypes(pointwise, dtype),
          operations_of(*body.graph, computed_type(dtype).value_or(ScalarType::float32), !body.derivative.empty()));
    }
  }
  if (!decomposition.bodies.empty()) result.decomposition = std::move(decomposition);
  return result;
}

}  // namespace structured::gen
