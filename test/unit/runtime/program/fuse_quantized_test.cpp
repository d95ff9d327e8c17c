// Layers of quantized programs on integers, compared with runs of the operators in the file.
#include <structured/core/factory.h>
#include <structured/find_operator.h>
#include <structured/operators.h>
#include <structured/program/save_program.h>
#include <structured/program/saved_program.h>
#include <structured/quantized/find_operator.h>
#include <structured/quantized_decomposed/find_operator.h>
#include <structured/quantized_decomposed/operators.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "../../expect_error.h"
#include "archive.h"

namespace structured::test::fuse_quantized_test {
namespace {

using Operators = std::map<std::string, std::size_t>;

struct Integers {
  double scale;
  int64_t zero_point;
  int64_t low;
  int64_t high;
  ScalarType dtype;
};
constexpr Integers kBytes{0.04, 110, 0, 255, kByte};
constexpr Integers kChars{0.05, -3, -128, 127, kChar};

Tensor quantize(const Tensor& x, const Integers& p) {
  return quantized_decomposed::quantize_per_tensor(x, p.scale, p.zero_point, p.low, p.high, p.dtype);
}
Tensor dequantize(const Tensor& q, const Integers& p) {
  return quantized_decomposed::dequantize_per_tensor(q, p.scale, p.zero_point, p.low, p.high, p.dtype);
}
/// Rounds `x` to the numbers that integers stand for.
Tensor rounded(const Tensor& x, const Integers& p) { return dequantize(quantize(x, p), p); }

/// Numbers from -3 to 3 in a fixed order.
Tensor numbers(IntArrayRef sizes, double step) {
  return structured::mul(
      structured::sin(
          structured::mul(structured::view(structured::arange(structured::zeros(sizes).numel(), kFloat), sizes), step)),
      3);
}

/// A weight of dtype Char, dequantized by rows.
struct Weight {
  Weight(IntArrayRef sizes, double step) : integers(structured::to(structured::mul(numbers(sizes, step), 40), kChar)) {
    scales = structured::add(structured::mul(structured::arange(sizes[0], kFloat), 0.001), 0.004);
    zero_points = structured::zeros({sizes[0]}, kLong);
  }
  Tensor real() const {
    return quantized_decomposed::dequantize_per_channel(integers, scales, zero_points, 0, -127, 127, kChar);
  }

  Tensor integers;
  Tensor scales;
  Tensor zero_points;
};

struct Results {
  Tensor fused;
  Tensor plain;
  Operators operators;

  bool has(const std::string& name) const { return operators.contains(name); }
};

/// Runs `layers` as a saved program twice: on integers, and by the operators that it calls. The second input differs
/// from the recorded one.
Results run(const Tensor& x, const std::function<Tensor(const Tensor&)>& layers) {
  Program recorded;
  Tensor result;
  {
    const Tracer tracer(recorded);
    result = layers(x);
  }
  const std::string path = testing::TempDir() + "fuse_quantized_test." + std::to_string(getpid()) + ".pt2";
  save_program(path, recorded, {{"x", x}}, {result});
  SavedProgram fused =
      SavedProgram::load(path, {&find_operator, &quantized::find_operator, &quantized_decomposed::find_operator});
  SavedProgram plain = SavedProgram::load(path, {&find_operator, &quantized_decomposed::find_operator});
  std::remove(path.c_str());
  Results results;
  for (const auto& [name, count] : fused.operators()) results.operators[name] = count;
  const Tensor input = structured::flip(x, {-1});
  for (int i = 0; i < 3; ++i) {  // the last one in memory that is planned
    results.fused = fused.run({input}).at(0).to_tensor();
    results.plain = plain.run({input}).at(0).to_tensor();
  }
  return results;
}

/// Equal dtypes, sizes and strides, and integers that differ by `most` at most, which are not all equal.
void expect_near(const Results& results, double most) {
  ASSERT_EQ(results.fused.dtype(), results.plain.dtype());
  ASSERT_EQ(results.fused.sizes(), results.plain.sizes());
  EXPECT_EQ(results.fused.strides(), results.plain.strides());
  const std::vector<float> a = to_vector<float>(structured::to(results.fused, kFloat));
  const std::vector<float> b = to_vector<float>(structured::to(results.plain, kFloat));
  float difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference = std::max(difference, std::abs(a[i] - b[i]));
  EXPECT_LE(difference, most);
  EXPECT_NE(*std::min_element(b.begin(), b.end()), *std::max_element(b.begin(), b.end()));
}

TEST(FuseQuantized, RunsLinearLayersOnIntegers) {
  const Weight weight({5, 7}, 0.7);
  const Tensor bias = numbers({5}, 1.3);
  for (const Integers& in : {kBytes, kChars}) {
    for (const Integers& out : {kBytes, kChars}) {
      const Results plain = run(numbers({3, 7}, 0.37), [&](const Tensor& x) {
        return quantize(structured::linear(rounded(x, in), weight.real(), bias), out);
      });
      expect_near(plain, 1);
      EXPECT_TRUE(plain.has("quantized::integer_linear")) << in.zero_point << ' ' << out.zero_point;
      EXPECT_FALSE(plain.has("aten::linear") || plain.has("aten::addmm"));
    }
    const Results real = run(numbers({2, 3, 7}, 0.37),
                             [&](const Tensor& x) { return structured::linear(rounded(x, in), weight.real()); });
    expect_near(real, 1e-5);
    EXPECT_TRUE(real.has("quantized::integer_linear"));
  }
}

TEST(FuseQuantized, LeavesWrittenOperandsAlone) {
  const Weight weight({5, 7}, 0.7);
  // A view of the dequantized input is changed before the layer.
  const Results input = run(numbers({3, 7}, 0.37), [&](const Tensor& x) {
    Tensor real = rounded(x, kBytes);
    Tensor column = structured::select(real, 1, 2);
    structured::mul_(column, -2);
    return structured::linear(real, weight.real());
  });
  expect_near(input, 1e-5);
  EXPECT_FALSE(input.has("quantized::integer_linear"));
  const Results shifted = run(numbers({3, 7}, 0.37), [&](const Tensor& x) {
    Tensor real = weight.real();
    Tensor rows = structured::view(real, {7, 5});
    structured::add_(rows, 1);
    return structured::linear(rounded(x, kBytes), real);
  });
  expect_near(shifted, 1e-5);
  EXPECT_FALSE(shifted.has("quantized::integer_linear"));
  // The integers themselves are changed through a view.
  const Results integers = run(numbers({3, 7}, 0.37), [&](const Tensor& x) {
    const Tensor quantized = quantize(x, kBytes);
    const Tensor real = dequantize(quantized, kBytes);
    Tensor row = structured::select(quantized, 0, 1);
    structured::fill_(row, 3);
    return structured::add(structured::linear(real, weight.real()), structured::sum(structured::to(quantized, kFloat)));
  });
  expect_near(integers, 1e-4);
  EXPECT_FALSE(integers.has("quantized::integer_linear"));
}

TEST(FuseQuantized, IncludesRelu) {
  const Weight weight({5, 7}, 0.7);
  for (const Integers& out : {kBytes, kChars}) {
    const Results results = run(numbers({3, 7}, 0.37), [&](const Tensor& x) {
      return quantize(structured::relu(structured::linear(rounded(x, kBytes), weight.real())), out);
    });
    expect_near(results, 1);
    EXPECT_TRUE(results.has("quantized::integer_linear"));
    EXPECT_FALSE(results.has("aten::relu"));
    EXPECT_EQ(structured::min(structured::to(results.fused, kInt)).item<int32_t>(), out.zero_point);
  }
}

TEST(FuseQuantized, IncludesHardtanh) {
  const Weight weight({5, 7}, 0.7);
  for (const Integers& out : {kBytes, kChars}) {
    const Results results = run(numbers({3, 7}, 0.37), [&](const Tensor& x) {
      return quantize(structured::hardtanh(structured::linear(rounded(x, kBytes), weight.real()), 0, 2), out);
    });
    expect_near(results, 1);
    EXPECT_TRUE(results.has("quantized::integer_linear"));
    EXPECT_FALSE(results.has("aten::hardtanh"));
    const Tensor integers = structured::to(results.fused, kInt);
    EXPECT_EQ(structured::min(integers).item<int32_t>(), out.zero_point);
    EXPECT_EQ(structured::max(integers).item<int32_t>(), out.zero_point + std::lround(2 / out.scale));
  }
}

TEST(FuseQuantized, RunsConvolutionsOnIntegers) {
  for (const int64_t groups : {1, 2, 4}) {
    const Weight weight({8, 4 / groups, 3, 2}, 0.7);
    const Tensor bias = numbers({8}, 1.3);
    for (const Integers& p : {kBytes, kChars}) {
      const Results results = run(numbers({2, 4, 6, 7}, 0.37), [&](const Tensor& x) {
        return quantize(
            structured::relu(structured::conv2d(rounded(x, p), weight.real(), bias, {2, 1}, {1, 0}, {1, 2}, groups)),
            p);
      });
      expect_near(results, 1);
      EXPECT_TRUE(results.has("quantized::integer_conv2d"));
      EXPECT_FALSE(results.has("aten::conv2d") || results.has("aten::convolution") || results.has("aten::relu"));
    }
  }
}

TEST(FuseQuantized, RunsDepthwiseConvolutionsOnIntegers) {
  const Weight weight({6, 1, 3, 3}, 0.7);
  const Results results = run(numbers({1, 6, 5, 5}, 0.37), [&](const Tensor& x) {
    return quantize(structured::conv2d(rounded(x, kChars), weight.real(), std::nullopt, {1, 1}, {1, 1}, {1, 1}, 6),
                    kChars);
  });
  expect_near(results, 1);
  EXPECT_TRUE(results.has("quantized::integer_conv2d"));
}

// A block of a residual network. Its convolutions pass channels-last integers on; the result is contiguous.
TEST(FuseQuantized, RunsResidualBlocksOnIntegers) {
  const Weight first({4, 4, 3, 3}, 0.7), second({4, 4, 1, 1}, 0.9);
  const Results results = run(numbers({2, 4, 6, 6}, 0.37), [&](const Tensor& x) {
    const Tensor a = rounded(x, kChars);
    const Tensor b =
        rounded(structured::relu(structured::conv2d(a, first.real(), std::nullopt, {1, 1}, {1, 1})), kChars);
    const Tensor c = rounded(structured::conv2d(b, second.real()), kChars);
    const Tensor sum = rounded(structured::relu(structured::add(c, b)), kChars);
    return quantize(structured::max_pool2d(sum, {2, 2}, {2, 2}), kChars);
  });
  expect_near(results, 3);  // differences of layers add up
  EXPECT_EQ(results.operators.at("quantized::integer_conv2d"), 2U);
  EXPECT_EQ(results.operators.at("quantized::integer_add"), 1U);
  EXPECT_EQ(results.operators.at("aten::contiguous"), 1U);
  for (const char* name : {"aten::add.Tensor", "aten::relu", "quantized_decomposed::dequantize_per_tensor"}) {
    EXPECT_FALSE(results.has(name)) << name;
  }
}

TEST(FuseQuantized, MovesIntegers) {
  const Results results = run(numbers({2, 3, 4, 4}, 0.37), [&](const Tensor& x) {
    const Tensor clamped = rounded(structured::relu(rounded(x, kBytes)), kBytes);
    return quantize(structured::flatten(rounded(structured::max_pool2d(clamped, {2, 2}), kBytes), 1), kBytes);
  });
  expect_near(results, 0);
  EXPECT_EQ(results.operators.at("quantized_decomposed::quantize_per_tensor"), 1U);
  EXPECT_FALSE(results.has("quantized_decomposed::dequantize_per_tensor"));
}

/// A file with a linear layer between quantized tensors.
class LinearWriter : public ProgramWriter {
 public:
  LinearWriter() {
    state("parameter", "w", "w", full({3, 2}, 2, kChar));
    input("x", kByte, {1, 2});
    call("quantized_decomposed.dequantize_per_tensor.default", "x", kInput, "real");
    call("quantized_decomposed.dequantize_per_tensor.default", "w", {0.5, 0, -127, 127, kChar}, "weight");
    call("aten.linear.default", {{"input", as_tensor("real")}, {"weight", as_tensor("weight")}}, {as_tensor("sums")});
  }

  void call(const std::string& target, const std::vector<std::pair<std::string, Json>>& arguments,
            const std::vector<Json>& results) {
    node("torch.ops." + target, arguments, results);
  }
  void call(const std::string& target, const std::string& input, const Integers& p, const std::string& result) {
    std::vector<Json> results;
    if (!result.empty()) results.push_back(as_tensor(result));
    call(target,
         {{"input", as_tensor(input)},
          {"scale", {{"as_float", p.scale}}},
          {"zero_point", as_int(p.zero_point)},
          {"quant_min", as_int(p.low)},
          {"quant_max", as_int(p.high)},
          {"dtype", {{"as_scalar_type", number_of(p.dtype)}}}},
         results);
  }
  void quantize(const std::string& input, const Integers& p, const std::string& result) {
    call("quantized_decomposed.quantize_per_tensor.default", input, p, result);
  }
  SavedProgram load() const {
    return SavedProgram::load_bytes(bytes(),
                                    {&find_operator, &quantized::find_operator, &quantized_decomposed::find_operator});
  }
  std::vector<uint8_t> run() const {
    SavedProgram program = load();
    return to_vector<uint8_t>(program.run({tensor<uint8_t>({{111, 114}})}).at(0).to_tensor());
  }

  static constexpr Integers kInput{0.5, 110, 0, 255, kByte};
};

// Sums of (0.5 + 2) * 1, quantized with scale 0.25.
TEST(FuseQuantized, AcceptsNodesWithoutNamesOfResults) {
  const Integers out{0.25, 10, 0, 255, kByte};
  LinearWriter writer;
  writer.call("aten.linear.default", {{"input", as_tensor("real")}, {"weight", as_tensor("weight")}}, {});
  writer.call("aten.relu.default", {{"self", as_tensor("sums")}}, {as_tensor("positive")});
  writer.call("aten.relu.default", {{"self", as_tensor("positive")}}, {as_tensor("again")});
  writer.call("aten.relu.default", {{"self", as_tensor("again")}}, {});
  writer.quantize("again", out, "q");
  writer.output(as_tensor("q"));
  EXPECT_EQ(writer.run(), std::vector<uint8_t>(3, 20));
  LinearWriter unnamed;
  unnamed.call("aten.linear.default", {{"input", as_tensor("real")}, {"weight", as_tensor("weight")}},
               {as_tensor("others")});
  unnamed.call("aten.relu.default", {{"self", as_tensor("others")}}, {});
  unnamed.quantize("sums", out, "q");
  unnamed.output(as_tensor("q"));
  EXPECT_EQ(unnamed.run(), std::vector<uint8_t>(3, 20));
}

// Scales that are no positive numbers of type float, and zero points beyond the dtype.
TEST(FuseQuantized, LeavesUnusableParametersAsTheyAre) {
  for (const Integers& out : {Integers{0, 10, 0, 255, kByte}, Integers{-1, 10, 0, 255, kByte},
                              Integers{1e-300, 10, 0, 255, kByte}, Integers{1e300, 10, 0, 255, kByte},
                              Integers{0.25, INT64_MAX, 0, 255, kByte}, Integers{0.25, 10, 0, INT64_MAX, kByte}}) {
    LinearWriter writer;
    writer.call("aten.relu.default", {{"self", as_tensor("sums")}}, {as_tensor("positive")});
    writer.quantize("positive", out, "q");
    writer.output(as_tensor("q"));
    bool has_relu = false;
    for (const auto& [name, count] : writer.load().operators()) has_relu |= name == "aten::relu";
    EXPECT_TRUE(has_relu) << out.scale << ' ' << out.zero_point << ' ' << out.high;
  }
}

// Real numbers that other operators read remain.
TEST(FuseQuantized, LeavesOtherOperatorsAsTheyAre) {
  const Weight weight({5, 7}, 0.7);
  const Results twice = run(numbers({3, 7}, 0.37), [&](const Tensor& x) {
    const Tensor y = structured::linear(rounded(x, kBytes), weight.real());
    return structured::add(structured::sum(y), quantize(y, kChars));
  });
  EXPECT_TRUE(twice.has("quantized_decomposed::quantize_per_tensor"));
  const Results pool = run(numbers({2, 3, 4, 4}, 0.37), [&](const Tensor& x) {
    return quantize(structured::max_pool2d(rounded(x, kBytes), {2, 2}), kChars);
  });
  expect_near(pool, 0);
  EXPECT_TRUE(pool.has("quantized_decomposed::dequantize_per_tensor"));
  const Weight wide({1, 40000}, 0.7);  // sums may overflow 32 bits
  const Results sums = run(numbers({2, 40000}, 0.37),
                           [&](const Tensor& x) { return structured::linear(rounded(x, kBytes), wide.real()); });
  EXPECT_FALSE(sums.has("quantized::integer_linear"));
}

}  // namespace
}  // namespace structured::test::fuse_quantized_test
