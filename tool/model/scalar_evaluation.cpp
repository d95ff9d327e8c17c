#include "model/scalar_evaluation.h"

#include <cmath>
#include <limits>

#include "llvm/Support/ErrorHandling.h"

namespace structured::gen {
namespace {

/// Calls `function.operator()<T>()` for the C++ type.
template <class Function>
ScalarValue visit(ScalarType type, Function function) {
  switch (type) {
    case ScalarType::boolean:
      return function.template operator()<bool>();
    case ScalarType::int8:
      return function.template operator()<int8_t>();
    case ScalarType::uint8:
      return function.template operator()<uint8_t>();
    case ScalarType::int16:
      return function.template operator()<int16_t>();
    case ScalarType::uint16:
      return function.template operator()<uint16_t>();
    case ScalarType::int32:
      return function.template operator()<int32_t>();
    case ScalarType::uint32:
      return function.template operator()<uint32_t>();
    case ScalarType::int64:
      return function.template operator()<int64_t>();
    case ScalarType::uint64:
      return function.template operator()<uint64_t>();
    case ScalarType::float32:
      return function.template operator()<float>();
    case ScalarType::float64:
      return function.template operator()<double>();
  }
  llvm_unreachable("all types are visited");
}

/// static_cast with a defined result: numbers out of range become the nearest one, NaN becomes 0.
template <class To, class From>
To convert(From number) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
    using Limits = std::numeric_limits<To>;
    if (number != number) return To{0};
    if (number <= static_cast<From>(Limits::min())) return Limits::min();
    if (number >= static_cast<From>(Limits::max())) return Limits::max();
  }
  return static_cast<To>(number);
}

template <class T>
bool compare(ScalarOp op, T a, T b) {
  switch (op) {
    case ScalarOp::eq:
      return a == b;
    case ScalarOp::ne:
      return a != b;
    case ScalarOp::lt:
      return a < b;
    case ScalarOp::le:
      return a <= b;
    case ScalarOp::gt:
      return a > b;
    case ScalarOp::ge:
      return a >= b;
    default:
      llvm_unreachable("not a comparison");
  }
}

template <class T>
T of_booleans(ScalarOp op, T a, T b) {
  switch (op) {
    case ScalarOp::bit_and:
      return a && b;
    case ScalarOp::bit_or:
      return a || b;
    case ScalarOp::bit_xor:
      return a != b;
    case ScalarOp::bit_not:
      return !a;
    default:
      llvm_unreachable("not an operation on booleans");
  }
}

template <class T>
T of_integers(ScalarOp op, T a, T b) {
  // Unsigned arithmetic of 64 bits wraps around, and contains that of narrower types.
  const auto left = static_cast<uint64_t>(a);
  const auto right = static_cast<uint64_t>(b);
  const bool overflows = std::is_signed_v<T> && b == static_cast<T>(-1);
  const bool shifts = right < 8 * sizeof(T);
  switch (op) {
    case ScalarOp::add:
      return static_cast<T>(left + right);
    case ScalarOp::sub:
      return static_cast<T>(left - right);
    case ScalarOp::mul:
      return static_cast<T>(left * right);
    case ScalarOp::div:
      return b == 0 ? T{0} : overflows ? static_cast<T>(0 - left) : static_cast<T>(a / b);
    case ScalarOp::rem:
      return b == 0 || overflows ? T{0} : static_cast<T>(a % b);
    case ScalarOp::neg:
      return static_cast<T>(0 - left);
    case ScalarOp::bit_and:
      return static_cast<T>(left & right);
    case ScalarOp::bit_or:
      return static_cast<T>(left | right);
    case ScalarOp::bit_xor:
      return static_cast<T>(left ^ right);
    case ScalarOp::bit_not:
      return static_cast<T>(~left);
    case ScalarOp::shift_left:
      return shifts ? static_cast<T>(left << right) : T{0};
    case ScalarOp::shift_right:
      return shifts ? static_cast<T>(a >> right) : T{0};
    default:
      llvm_unreachable("not an operation on integers");
  }
}

template <class T>
T of_floating(ScalarOp op, T a, T b, T c) {
  switch (op) {
    case ScalarOp::add:
      return a + b;
    case ScalarOp::sub:
      return a - b;
    case ScalarOp::mul:
      return a * b;
    case ScalarOp::div:
      return a / b;
    case ScalarOp::neg:
      return -a;
    case ScalarOp::fma:
      return std::fma(a, b, c);
#define STRUCTURED_UNARY(name) \
  case ScalarOp::name:         \
    return std::name(a);
#define STRUCTURED_BINARY(name) \
  case ScalarOp::name:          \
    return std::name(a, b);
      STRUCTURED_BINARY(copysign)
      STRUCTURED_BINARY(fmin)
      STRUCTURED_BINARY(fmax)
      STRUCTURED_BINARY(fmod)
      STRUCTURED_BINARY(remainder)
      STRUCTURED_BINARY(nextafter)
      STRUCTURED_BINARY(hypot)
      STRUCTURED_BINARY(pow)
      STRUCTURED_BINARY(atan2)
      STRUCTURED_UNARY(fabs)
      STRUCTURED_UNARY(floor)
      STRUCTURED_UNARY(ceil)
      STRUCTURED_UNARY(trunc)
      STRUCTURED_UNARY(round)
      STRUCTURED_UNARY(nearbyint)
      STRUCTURED_UNARY(sqrt)
      STRUCTURED_UNARY(cbrt)
      STRUCTURED_UNARY(exp)
      STRUCTURED_UNARY(exp2)
      STRUCTURED_UNARY(expm1)
      STRUCTURED_UNARY(log)
      STRUCTURED_UNARY(log2)
      STRUCTURED_UNARY(log10)
      STRUCTURED_UNARY(log1p)
      STRUCTURED_UNARY(sin)
      STRUCTURED_UNARY(cos)
      STRUCTURED_UNARY(tan)
      STRUCTURED_UNARY(asin)
      STRUCTURED_UNARY(acos)
      STRUCTURED_UNARY(atan)
      STRUCTURED_UNARY(sinh)
      STRUCTURED_UNARY(cosh)
      STRUCTURED_UNARY(tanh)
      STRUCTURED_UNARY(asinh)
      STRUCTURED_UNARY(acosh)
      STRUCTURED_UNARY(atanh)
      STRUCTURED_UNARY(erf)
      STRUCTURED_UNARY(erfc)
      STRUCTURED_UNARY(lgamma)
      STRUCTURED_UNARY(tgamma)
#undef STRUCTURED_UNARY
    case ScalarOp::j0:
      return static_cast<T>(::j0(static_cast<double>(a)));
    case ScalarOp::j1:
      return static_cast<T>(::j1(static_cast<double>(a)));
    case ScalarOp::y0:
      return static_cast<T>(::y0(static_cast<double>(a)));
    case ScalarOp::y1:
      return static_cast<T>(::y1(static_cast<double>(a)));
#undef STRUCTURED_BINARY
    default:
      llvm_unreachable("not an operation on floating-point numbers");
  }
}

}  // namespace

ScalarValue evaluate(ScalarOp op, ScalarType type, llvm::ArrayRef<ScalarValue> operands) {
  const ScalarRule rule = facts_of(op).rule;
  if (rule == ScalarRule::choice) return operands[operands[0].bits != 0 ? 1 : 2];
  if (op == ScalarOp::bit_cast) return {type, operands[0].bits};
  return visit(operands[0].type, [&]<class T>() {
    const T a = number_of<T>(operands[0]);
    if (rule == ScalarRule::conversion) return visit(type, [&]<class To>() { return scalar_value(convert<To>(a)); });
    const T b = operands.size() > 1 ? number_of<T>(operands[1]) : T{};
    if (rule == ScalarRule::comparison) return scalar_value(compare(op, a, b));
    if constexpr (std::is_same_v<T, bool>)
      return scalar_value(of_booleans(op, a, b));
    else if constexpr (std::is_integral_v<T>)
      return scalar_value(of_integers(op, a, b));
    else
      return scalar_value(of_floating(op, a, b, operands.size() > 2 ? number_of<T>(operands[2]) : T{}));
  });
}

ScalarValue evaluate(const ScalarGraph& graph, llvm::ArrayRef<ScalarValue> inputs) {
  std::vector<ScalarValue> values;
  values.reserve(graph.nodes.size());
  std::vector<ScalarValue> operands;
  for (const ScalarNode& node : graph.nodes) {
    operands.clear();
    if (node.op == ScalarOp::input) {
      values.push_back(inputs[static_cast<std::size_t>(node.operands.front())]);
    } else if (node.op == ScalarOp::constant) {
      values.push_back({node.type, node.bits});
    } else {
      for (int64_t operand : node.operands) operands.push_back(values[static_cast<std::size_t>(operand)]);
      values.push_back(evaluate(node.op, node.type, operands));
    }
  }
  return values.back();
}

}  // namespace structured::gen
