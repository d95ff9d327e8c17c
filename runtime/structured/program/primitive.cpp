#include "structured/program/primitive.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>

#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/core/tensor.h"

namespace structured::program {
namespace {

bool is_integer(const Value& value) { return value.is(Value::Kind::integer) || value.is(Value::Kind::boolean); }

int64_t integer(const Value& value) {
  return value.is(Value::Kind::boolean) ? int64_t{value.to_bool()} : value.to_int();
}

double real(const Value& value) { return is_integer(value) ? static_cast<double>(integer(value)) : value.to_double(); }

[[noreturn]] void fail_overflow(int64_t a, int64_t b) {
  fail("expected a result that int64 holds, for operands ", a, " and ", b);
}

// Operations as Python defines them: integers stay integers, division rounds down. Each has a member for integers and
// one for real numbers.
struct Add {
  static int64_t of(int64_t a, int64_t b) {
    int64_t result;
    if (__builtin_add_overflow(a, b, &result)) fail_overflow(a, b);
    return result;
  }
  static double of(double a, double b) { return a + b; }
};
struct Subtract {
  static int64_t of(int64_t a, int64_t b) {
    int64_t result;
    if (__builtin_sub_overflow(a, b, &result)) fail_overflow(a, b);
    return result;
  }
  static double of(double a, double b) { return a - b; }
};
struct Multiply {
  static int64_t of(int64_t a, int64_t b) {
    int64_t result;
    if (__builtin_mul_overflow(a, b, &result)) fail_overflow(a, b);
    return result;
  }
  static double of(double a, double b) { return a * b; }
};
struct FloorDivide {
  static int64_t of(int64_t a, int64_t b) {
    STRUCTURED_CHECK(b != 0, "expected a divisor other than 0");
    if (b == -1) return Subtract::of(0, a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
  }
  static double of(double a, double b) { return std::floor(a / b); }
};
struct Modulo {
  static int64_t of(int64_t a, int64_t b) {
    STRUCTURED_CHECK(b != 0, "expected a divisor other than 0");
    if (b == -1) return 0;
    const int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  static double of(double a, double b) { return a - b * std::floor(a / b); }
};
struct Maximum {
  static int64_t of(int64_t a, int64_t b) { return std::max(a, b); }
  static double of(double a, double b) { return std::max(a, b); }
};
struct Minimum {
  static int64_t of(int64_t a, int64_t b) { return std::min(a, b); }
  static double of(double a, double b) { return std::min(a, b); }
};
struct Equal {
  template <class T>
  static bool of(T a, T b) {
    return a == b;
  }
};
struct NotEqual {
  template <class T>
  static bool of(T a, T b) {
    return a != b;
  }
};
struct Less {
  template <class T>
  static bool of(T a, T b) {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  static bool of(T a, T b) {
    return a <= b;
  }
};
struct Greater {
  template <class T>
  static bool of(T a, T b) {
    return a > b;
  }
};
struct GreaterEqual {
  template <class T>
  static bool of(T a, T b) {
    return a >= b;
  }
};

template <class Operation>
Value binary(ArrayRef<Value> arguments) {
  const Value &a = arguments[0], &b = arguments[1];
  return is_integer(a) && is_integer(b) ? Value(Operation::of(integer(a), integer(b)))
                                        : Value(Operation::of(real(a), real(b)));
}

Value power(ArrayRef<Value> arguments) {
  const Value &a = arguments[0], &b = arguments[1];
  if (!is_integer(a) || !is_integer(b) || integer(b) < 0) return std::pow(real(a), real(b));
  int64_t result = 1, base = integer(a), exponent = integer(b);
  while (exponent > 0) {
    if ((exponent & 1) != 0) result = Multiply::of(result, base);
    exponent >>= 1;
    if (exponent > 0) base = Multiply::of(base, base);
  }
  return result;
}

Value divide(ArrayRef<Value> arguments) {
  const double divisor = real(arguments[1]);
  STRUCTURED_CHECK(divisor != 0, "expected a divisor other than 0");
  return real(arguments[0]) / divisor;
}

Value negate(ArrayRef<Value> arguments) {
  return is_integer(arguments[0]) ? Value(Subtract::of(0, integer(arguments[0]))) : Value(-real(arguments[0]));
}

Value logical_not(ArrayRef<Value> arguments) { return !truth(arguments[0]); }

/// Bitwise for integers, and thereby logical for booleans.
template <class Operation>
Value bitwise(ArrayRef<Value> arguments) {
  const Value &a = arguments[0], &b = arguments[1];
  const int64_t result = Operation()(integer(a), integer(b));
  return a.is(Value::Kind::boolean) && b.is(Value::Kind::boolean) ? Value(result != 0) : Value(result);
}

Value shift_left(ArrayRef<Value> arguments) {
  const int64_t count = integer(arguments[1]);
  STRUCTURED_CHECK(count >= 0 && count < 63, "expected a shift from 0 to 62, got ", count);
  return Multiply::of(integer(arguments[0]), int64_t{1} << count);
}

Value shift_right(ArrayRef<Value> arguments) {
  const int64_t count = integer(arguments[1]);
  STRUCTURED_CHECK(count >= 0, "expected a shift of 0 or more, got ", count);
  return integer(arguments[0]) >> std::min<int64_t>(count, 63);
}

template <double (*round)(double)>
Value rounded(ArrayRef<Value> arguments) {
  if (is_integer(arguments[0])) return integer(arguments[0]);
  const double result = round(real(arguments[0]));
  constexpr double limit = 9223372036854775808.0;
  STRUCTURED_CHECK(result >= -limit && result < limit, "expected a number that int64 holds, got ", result);
  return static_cast<int64_t>(result);
}
double truncate(double value) { return std::trunc(value); }
double round_up(double value) { return std::ceil(value); }
double round_down(double value) { return std::floor(value); }

Value to_float(ArrayRef<Value> arguments) { return real(arguments[0]); }
Value square_root(ArrayRef<Value> arguments) { return std::sqrt(real(arguments[0])); }
Value identity(ArrayRef<Value> arguments) { return arguments[0]; }
Value choose(ArrayRef<Value> arguments) { return truth(arguments[0]) ? arguments[1] : arguments[2]; }

Value sym_size(ArrayRef<Value> arguments) { return arguments[0].to_tensor().size(arguments[1].to_int()); }
Value sym_stride(ArrayRef<Value> arguments) { return arguments[0].to_tensor().stride(arguments[1].to_int()); }
Value sym_numel(ArrayRef<Value> arguments) { return arguments[0].to_tensor().numel(); }
Value sym_storage_offset(ArrayRef<Value> arguments) { return arguments[0].to_tensor().storage_offset(); }

Value assert_true(ArrayRef<Value> arguments) {
  STRUCTURED_CHECK(truth(arguments[0]), "assertion failed: ", arguments[1].to_string_view());
  return {};
}
Value assert_range(ArrayRef<Value> arguments) {
  const int64_t size = integer(arguments[0]);
  const int64_t min = arguments[1].is(Value::Kind::none) ? std::numeric_limits<int64_t>::min() : arguments[1].to_int();
  const int64_t max = arguments[2].is(Value::Kind::none) ? std::numeric_limits<int64_t>::max() : arguments[2].to_int();
  STRUCTURED_CHECK(size >= min && size <= max, "expected a value from ", min, " to ", max, ", got ", size);
  return {};
}
Value nothing(ArrayRef<Value>) { return {}; }

Value number_to_tensor(ArrayRef<Value> arguments) {
  const Value& number = arguments[0];
  switch (number.kind()) {
    case Value::Kind::boolean:
      return wrapped_scalar_tensor(number.to_bool());
    case Value::Kind::integer:
      return wrapped_scalar_tensor(number.to_int());
    case Value::Kind::floating:
      return wrapped_scalar_tensor(number.to_double());
    default:
      return wrapped_scalar_tensor(number.to_scalar());
  }
}

/// Sorted by name.
constexpr Primitive kPrimitives[] = {
    {"_operator.add", binary<Add>, 2},
    {"_operator.and_", bitwise<std::bit_and<>>, 2},
    {"_operator.eq", binary<Equal>, 2},
    {"_operator.floordiv", binary<FloorDivide>, 2},
    {"_operator.ge", binary<GreaterEqual>, 2},
    {"_operator.gt", binary<Greater>, 2},
    {"_operator.le", binary<LessEqual>, 2},
    {"_operator.lshift", shift_left, 2},
    {"_operator.lt", binary<Less>, 2},
    {"_operator.mod", binary<Modulo>, 2},
    {"_operator.mul", binary<Multiply>, 2},
    {"_operator.ne", binary<NotEqual>, 2},
    {"_operator.neg", negate, 1},
    {"_operator.or_", bitwise<std::bit_or<>>, 2},
    {"_operator.pos", identity, 1},
    {"_operator.pow", power, 2},
    {"_operator.rshift", shift_right, 2},
    {"_operator.sub", binary<Subtract>, 2},
    {"_operator.truediv", divide, 2},
    {"aten::_assert_async.msg", assert_true, 2, true},
    {"aten::_assert_scalar", assert_true, 2, true},
    // Dtypes and devices follow from those of the inputs, which each run checks.
    {"aten::_assert_tensor_metadata", nothing, 6},
    {"aten::sym_constrain_range", assert_range, 3, true, "size min max"},
    {"aten::sym_constrain_range_for_size", assert_range, 3, true, "size min max"},
    {"aten::sym_numel", sym_numel, 1},
    {"aten::sym_size.int", sym_size, 2},
    {"aten::sym_storage_offset", sym_storage_offset, 1},
    {"aten::sym_stride.int", sym_stride, 2},
    {"math.ceil", rounded<round_up>, 1},
    {"math.floor", rounded<round_down>, 1},
    {"math.trunc", rounded<truncate>, 1},
    {"torch.sym_float", to_float, 1},
    {"torch.sym_int", rounded<truncate>, 1},
    {"torch.sym_ite", choose, 3},
    {"torch.sym_max", binary<Maximum>, 2},
    {"torch.sym_min", binary<Minimum>, 2},
    {"torch.sym_not", logical_not, 1},
    {"torch.sym_sqrt", square_root, 1},
};
static_assert(std::is_sorted(std::begin(kPrimitives), std::end(kPrimitives),
                             [](const Primitive& a, const Primitive& b) { return a.name < b.name; }));

}  // namespace

bool truth(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::floating:
      return value.to_double() != 0;
    case Value::Kind::tensor:
      return value.to_tensor().item().to<bool>();
    default:
      return integer(value) != 0;
  }
}

const Primitive kNumberToTensor{"number_to_tensor", number_to_tensor, 1};

const Primitive* find_primitive(std::string_view name) {
  const auto* const at = std::lower_bound(std::begin(kPrimitives), std::end(kPrimitives), name,
                                          [](const Primitive& p, std::string_view key) { return p.name < key; });
  return at != std::end(kPrimitives) && at->name == name ? at : nullptr;
}

}  // namespace structured::program
