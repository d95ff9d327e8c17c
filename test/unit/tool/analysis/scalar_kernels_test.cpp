// Graphs of this project's scalar functions, compared with the compiled functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

#include "analysis/scalar_bodies.h"
#include "model/annotation.h"
#include "model/scalar_evaluation.h"
#include "model/scalar_graph_text.h"
#include "pointwise/activation.h"
#include "pointwise/angle.h"
#include "pointwise/arithmetic.h"
#include "pointwise/bessel_functions.h"
#include "pointwise/bitwise.h"
#include "pointwise/comparison.h"
#include "pointwise/division.h"
#include "pointwise/exponential.h"
#include "pointwise/extrema.h"
#include "pointwise/hyperbolic.h"
#include "pointwise/integer.h"
#include "pointwise/normal_distribution.h"
#include "pointwise/probability.h"
#include "pointwise/rounding.h"
#include "pointwise/selection.h"
#include "pointwise/special.h"
#include "pointwise/trigonometric.h"
#include "scan/scanner.h"

namespace structured::gen {
namespace {

using Bodies = std::map<std::string, std::vector<ScalarBody>>;

struct Functions {
  Bodies pointwise;
  Bodies backward;
};

/// Scans every header of scalar functions once.
const Functions& functions() {
  static const Functions result = [] {
    ScanOptions options;
    options.source_root = STRUCTURED_SOURCE_ROOT;
    options.resource_dir = STRUCTURED_CLANG_RESOURCE_DIR;
    options.emitted_prefixes = emitted_prefixes("structured");
    options.analyze_body = evaluate_scalar_bodies;
    options.first_include = dual_numbers_header;
    Functions all;
    llvm::Expected<Scanner> scanner = Scanner::create(std::move(options));
    if (!scanner) {
      ADD_FAILURE() << llvm::toString(scanner.takeError());
      return all;
    }
    const std::string root = STRUCTURED_SOURCE_ROOT;
    for (const char* name : {"activation",
                             "angle",
                             "arithmetic",
                             "bessel_functions",
                             "bitwise",
                             "comparison",
                             "conjugate",
                             "division",
                             "exponential",
                             "extrema",
                             "gamma",
                             "hyperbolic",
                             "incomplete_gamma",
                             "integer",
                             "normal_distribution",
                             "orthogonal_polynomials",
                             "probability",
                             "rounding",
                             "selection",
                             "special",
                             "trigonometric"}) {
      SourceCommand command;
      command.source = root + "/kernels/pointwise/" + name + ".h";
      for (const char* folder : {"/kernels", "/runtime", "/schema"}) command.flags.push_back("-I" + root + folder);
      ScanResult scanned = scanner->scan(command);
      EXPECT_TRUE(scanned.fragment) << scanned.messages;
      if (!scanned.fragment) continue;
      for (Declaration& declaration : scanned.fragment->declarations) {
        const bool is_pointwise = has_attribute(declaration.attributes, "pointwise");
        (is_pointwise ? all.pointwise : all.backward)[declaration.name] = std::move(declaration.scalar_bodies);
      }
    }
    return all;
  }();
  return result;
}

const ScalarGraph* graph_of(const Bodies& bodies, const std::string& name, llvm::StringRef dtype) {
  const auto found = bodies.find("structured::kernels::" + name);
  if (found == bodies.end()) return nullptr;
  for (const ScalarBody& body : found->second) {
    if (body.dtype == dtype && body.derivative.empty() && body.graph) return &*body.graph;
  }
  return nullptr;
}

template <class T>
std::vector<T> interesting() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_floating_point_v<T>) {
    return {T(0),
            -T(0),
            T(1),
            T(-1),
            T(0.5),
            T(-0.75),
            T(2),
            T(-3),
            T(10),
            T(1e-3),
            Limits::max(),
            Limits::lowest(),
            Limits::min(),
            Limits::denorm_min(),
            -Limits::denorm_min(),
            Limits::infinity(),
            -Limits::infinity(),
            Limits::quiet_NaN()};
  } else {
    return {T(0), T(1), T(2), T(3), T(7), T(-1), T(-2), Limits::max(), Limits::min(), T(Limits::max() - 1)};
  }
}

template <class T>
T random_number(std::mt19937_64& random) {
  if constexpr (std::is_same_v<T, bool>) {
    return random() & 1;
  } else if constexpr (std::is_floating_point_v<T>) {
    // Half of the numbers have any exponent.
    const BitsOf<T> bits = static_cast<BitsOf<T>>(random());
    return random() & 1 ? llvm::bit_cast<T>(bits) : std::uniform_real_distribution<T>(-8, 8)(random);
  } else {
    return static_cast<T>(random());
  }
}

template <class T>
void append(std::vector<ScalarValue>& values, const T& argument) {
  values.push_back(scalar_value(argument));
}
template <class T>
void append(std::vector<ScalarValue>& values, const std::optional<T>& argument) {
  values.push_back(scalar_value(argument.has_value()));
  values.push_back(scalar_value(argument.value_or(T(0))));
}

template <class T>
struct Argument {
  static std::vector<T> all() { return interesting<T>(); }
  static T any(std::mt19937_64& random) { return random_number<T>(random); }
};
template <class T>
struct Argument<std::optional<T>> {
  static std::vector<std::optional<T>> all() {
    const std::vector<T> numbers = interesting<T>();
    std::vector<std::optional<T>> result(numbers.begin(), numbers.end());
    result.push_back(std::nullopt);
    return result;
  }
  static std::optional<T> any(std::mt19937_64& random) {
    return random() & 1 ? std::optional<T>(random_number<T>(random)) : std::nullopt;
  }
};

/// Whether the results agree: bit for bit, but for the bits of NaN, if the graph is exact; otherwise as the tolerance
/// of torch.testing.assert_close says.
template <class T>
bool agree(T expected, T actual, bool is_exact) {
  if constexpr (std::is_floating_point_v<T>) {
    if (expected != expected) return actual != actual;
    if (scalar_value(expected) == scalar_value(actual)) return true;
    if (is_exact || std::isinf(expected) || std::isinf(actual)) {
      // A rounding error may decide whether a result overflows.
      return !is_exact && std::fabs(expected) >= std::numeric_limits<T>::max() / 2 &&
             std::fabs(actual) >= std::numeric_limits<T>::max() / 2;
    }
    const bool is_float = std::is_same_v<T, float>;
    return std::fabs(expected - actual) <= (is_float ? 1e-5 : 1e-7) + (is_float ? 1.3e-6 : 1e-7) * std::fabs(expected);
  } else {
    return expected == actual;
  }
}

template <class Result, class... Arguments>
void compare(const Bodies& bodies, const std::string& name, const char* dtype, Result (*function)(Arguments...)) {
  const ScalarGraph* graph = graph_of(bodies, name, dtype);
  ASSERT_NE(graph, nullptr) << name << " has no graph for " << dtype;
  const bool is_exact = graph->is_exact();
  int failures = 0;
  const auto check = [&](const std::tuple<Arguments...>& arguments) {
    std::vector<ScalarValue> values;
    std::apply([&](const Arguments&... each) { (append(values, each), ...); }, arguments);
    const Result expected = std::apply(function, arguments);
    const ScalarValue actual = evaluate(*graph, values);
    ASSERT_EQ(actual.type, scalar_type_of<Result>()) << name;
    if (agree(expected, number_of<Result>(actual), is_exact) || ++failures > 3) return;
    std::string text;
    for (const ScalarValue& value : values) text += " " + to_text(value);
    ADD_FAILURE() << name << " for " << dtype << " of" << text << ": expected " << to_text(scalar_value(expected))
                  << ", got " << to_text(actual);
  };
  const std::tuple<std::vector<Arguments>...> all{Argument<Arguments>::all()...};
  std::size_t count = 1;
  std::apply([&](const auto&... each) { ((count *= each.size()), ...); }, all);
  // All combinations, or as many of them as fit.
  const std::size_t step = std::max<std::size_t>(1, count / 4001);
  for (std::size_t i = 0; i < count; i += step) {
    std::size_t rest = i;
    const auto take = [&](const auto& numbers) {
      const auto number = numbers[rest % numbers.size()];
      rest /= numbers.size();
      return number;
    };
    std::apply([&](const auto&... each) { check(std::tuple<Arguments...>{take(each)...}); }, all);
  }
  std::mt19937_64 random(42);
  for (int i = 0; i < 1000; ++i) check(std::tuple<Arguments...>{Argument<Arguments>::any(random)...});
}

#define FLOATING(name)                                    \
  compare(bodies, #name, "float", &kernels::name<float>); \
  compare(bodies, #name, "double", &kernels::name<double>);
#define INTEGRAL(name)                                           \
  compare(bodies, #name, "byte", &kernels::name<unsigned char>); \
  compare(bodies, #name, "char", &kernels::name<signed char>);   \
  compare(bodies, #name, "short", &kernels::name<int16_t>);      \
  compare(bodies, #name, "int", &kernels::name<int32_t>);        \
  compare(bodies, #name, "long", &kernels::name<int64_t>);
#define BOOLEAN(name) compare(bodies, #name, "bool", &kernels::name<bool>);

TEST(ScalarKernels, ComputeTheSameArithmetic) {
  const Bodies& bodies = functions().pointwise;
#define NUMBERS(name) INTEGRAL(name) FLOATING(name)
#define ALL(name) BOOLEAN(name) NUMBERS(name)
  ALL(add)
  ALL(mul)
  NUMBERS(neg)
  NUMBERS(addcmul)
  FLOATING(strong_zero_mul)
  FLOATING(div)
  FLOATING(reciprocal)
  FLOATING(addcdiv)
  NUMBERS(relu)
  FLOATING(leaky_relu)
  NUMBERS(replace_below)
  FLOATING(hardsigmoid)
  FLOATING(hardswish)
  FLOATING(hardshrink)
  ALL(eq)
  ALL(ne)
  ALL(lt)
  ALL(ge)
  ALL(isnan)
  ALL(isinf)
  ALL(signbit)
  ALL(sign)
  ALL(sgn)
  ALL(maximum)
  ALL(minimum)
  ALL(fmax)
  ALL(fmin)
  NUMBERS(ceil)
  NUMBERS(floor)
  NUMBERS(trunc)
  NUMBERS(round)
  FLOATING(frac)
  FLOATING(floor_divide)
  FLOATING(fmod)
  FLOATING(remainder)
  BOOLEAN(bitwise_and)
  INTEGRAL(bitwise_and)
  BOOLEAN(bitwise_xor)
  INTEGRAL(bitwise_xor)
  BOOLEAN(bitwise_not)
  INTEGRAL(bitwise_not)
  INTEGRAL(bitwise_left_shift)
  INTEGRAL(bitwise_right_shift)
  ALL(logical_and)
  ALL(logical_or)
  ALL(logical_xor)
  ALL(logical_not)
  FLOATING(copysign)
  FLOATING(nextafter)
  FLOATING(lerp)
  FLOATING(sqrt)
  FLOATING(rsqrt)
  FLOATING(deg2rad)
  FLOATING(ldexp)
}

TEST(ScalarKernels, ComputeTheSameFunctionsWithinTolerance) {
  const Bodies& bodies = functions().pointwise;
  FLOATING(exp)
  FLOATING(expm1)
  FLOATING(exp2)
  FLOATING(log)
  FLOATING(log10)
  FLOATING(log2)
  FLOATING(log1p)
  FLOATING(logaddexp)
  FLOATING(xlogy)
  FLOATING(hypot)
  FLOATING(sigmoid)
  FLOATING(silu)
  FLOATING(mish)
  FLOATING(softplus)
  FLOATING(tanh)
  FLOATING(sinh)
  FLOATING(asinh)
  FLOATING(atanh)
  FLOATING(sin)
  FLOATING(atan2)
  FLOATING(sinc)
  FLOATING(erf)
  FLOATING(erfc)
  FLOATING(lgamma)
  FLOATING(special_entr)
  FLOATING(special_xlog1py)
  FLOATING(logit)
  FLOATING(erfinv)
  FLOATING(special_ndtri)
  FLOATING(special_log_ndtr)
  FLOATING(special_erfcx)
  FLOATING(bessel_j0)
  FLOATING(bessel_y1)
  FLOATING(i0)
}

TEST(ScalarKernels, ComputeTheSameDerivatives) {
  const Bodies& bodies = functions().backward;
  FLOATING(relu_backward)
  FLOATING(silu_backward)
  FLOATING(threshold_backward)
  FLOATING(hardswish_backward)
  FLOATING(maximum_self)
  FLOATING(fmin_other)
  FLOATING(xlogy_self)
  FLOATING(logit_backward)
}

/// The derivative by the first element, as the runtime computes it.
template <class T, class... Rest>
T slope(Dual<T> (*function)(Dual<T>, Rest...), T self, T grad, Rest... rest) {
  return slope_times(function(Dual<T>(self, T(1)), rest...).derivative, grad);
}

template <class T>
void compare_slope(const std::string& name, const char* dtype, Dual<T> (*function)(Dual<T>)) {
  const auto& bodies = functions().pointwise.at("structured::kernels::" + name);
  const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const ScalarBody& candidate) {
    return candidate.dtype == dtype && candidate.derivative == "self";
  });
  ASSERT_NE(body, bodies.end());
  ASSERT_TRUE(body->graph) << name << ": " << body->refusal;
  std::mt19937_64 random(7);
  std::vector<T> numbers = interesting<T>();
  for (int i = 0; i < 300; ++i) numbers.push_back(random_number<T>(random));
  for (T number : numbers) {
    const T grad = T(1.5);
    const T expected = slope(function, number, grad);
    const T actual = number_of<T>(evaluate(*body->graph, {scalar_value(number), scalar_value(grad)}));
    EXPECT_TRUE(agree(expected, actual, body->graph->is_exact()))
        << name << " of " << number << ": expected " << expected << ", got " << actual;
  }
}

TEST(ScalarKernels, ComputeTheSameDerivedGradients){
#define SLOPE(name)                                                  \
  compare_slope<float>(#name, "float", &kernels::name<Dual<float>>); \
  compare_slope<double>(#name, "double", &kernels::name<Dual<double>>);
    SLOPE(relu) SLOPE(mish) SLOPE(hardsigmoid) SLOPE(reciprocal) SLOPE(tanh) SLOPE(sigmoid) SLOPE(exp) SLOPE(log)
        SLOPE(frac) SLOPE(erf)}

std::string names_without_graph(const Bodies& bodies, const std::set<std::string>& dtypes) {
  std::string names;
  for (const auto& [name, of_dtypes] : bodies) {
    const bool is_refused = std::any_of(of_dtypes.begin(), of_dtypes.end(), [&](const ScalarBody& body) {
      return body.derivative.empty() && !body.graph && (dtypes.empty() || dtypes.count(body.dtype) != 0);
    });
    if (is_refused) names += name.substr(name.rfind(':') + 1) + " ";
  }
  return names;
}

/// Sorts words.
std::string sorted(const std::string& text) {
  std::istringstream words(text);
  const std::set<std::string> all{std::istream_iterator<std::string>(words), {}};
  std::string result;
  for (const std::string& word : all) result += word + " ";
  return result;
}

std::string reason(const std::string& name, llvm::StringRef dtype) {
  for (const ScalarBody& body : functions().pointwise.at("structured::kernels::" + name)) {
    if (body.dtype == dtype && body.derivative.empty()) return body.refusal;
  }
  return "no body";
}

// A function that loses its graph is opaque to compilers: name it here with its reason, or repair it.
TEST(ScalarKernels, WithoutGraphAreTheseAlone) {
  const Bodies& bodies = functions().pointwise;
  const std::string recurrences =
      "chebyshev_t chebyshev_u chebyshev_v chebyshev_w hermite_h hermite_he laguerre_l legendre_p shifted_chebyshev_t "
      "shifted_chebyshev_u shifted_chebyshev_v shifted_chebyshev_w ";
  const std::string series = "digamma igamma igammac special_zeta ";
  const std::string library =
      "airy_ai modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 "
      "scaled_modified_bessel_k1 ";  // std::cyl_bessel_k
  const std::string checks = "polygamma ";
  EXPECT_EQ(names_without_graph(bodies, {"float", "double"}), sorted(recurrences + series + library + checks));
  const std::string division = "floor_divide fmod fmod_scalar remainder remainder_scalar remainder_scalar_self ";
  EXPECT_EQ(names_without_graph(bodies, {"bool", "byte", "char", "short", "int", "long"}),
            sorted("gcd lcm " + division));
  EXPECT_EQ(names_without_graph(functions().backward, {}), "");
  EXPECT_EQ(functions().backward.size(), 28);
  EXPECT_EQ(bodies.size(), 160);
}

TEST(ScalarKernels, SayWhyThereIsNoGraph) {
  EXPECT_EQ(reason("digamma", "float"), "has a loop whose number of iterations depends on elements");
  EXPECT_EQ(reason("gcd", "long"), "has a loop whose number of iterations depends on elements");
  EXPECT_EQ(reason("fmod", "int"), "may fail: calls `structured::detail::fail_check`");
  EXPECT_EQ(reason("polygamma", "double"), "may fail: calls `structured::detail::fail_check`");
}

}  // namespace
}  // namespace structured::gen
