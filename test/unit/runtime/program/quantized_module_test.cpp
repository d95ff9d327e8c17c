// Modules with quantized layers, and programs with the operators that exported quantized models call.
#include <structured/core/factory.h>
#include <structured/find_operator.h>
#include <structured/ops/_int_mm.h>
#include <structured/ops/mul.h>
#include <structured/program/save_program.h>
#include <structured/program/saved_program.h>
#include <structured/program/script_module.h>
#include <structured/quantized/find_operator.h>
#include <structured/quantized_decomposed/find_operator.h>
#include <structured/quantized_decomposed/operators.h>

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "../../expect_error.h"
#include "read_file.h"

namespace structured::test::quantized_module_test {
namespace {

// Two encodings of the second module in data/README.md.
const std::string kFiles[] = {std::string(SAMPLES) + "/quantized.ptl", std::string(SAMPLES) + "/quantized.fb.ptl"};
const OperatorLookups kLibraries = {&find_operator, &quantized::find_operator};

std::vector<float> elements(const program::DynamicValue& value) { return to_vector<float>(value.to_tensor()); }

TEST(QuantizedModule, EqualsPyTorch) {
  for (const std::string& path : kFiles) {
    ScriptModule module = ScriptModule::load(path, kLibraries);
    for (int run = 0; run < 2; ++run) {
      const program::DynamicValue result = module.call("forward", {module.attribute("x")});
      const std::vector<program::DynamicValue>& parts = result.to_tuple().elements;
      ASSERT_EQ(parts.size(), 2U);
      EXPECT_EQ(elements(parts[0]), elements(module.attribute("y")));
      EXPECT_EQ(elements(parts[1]), elements(module.attribute("channels")));
    }
  }
}

TEST(QuantizedModule, NeedsTheLibraryOfQuantizedOperators) {
  for (const std::string& path : kFiles) {
    expect_error([&] { ScriptModule::load(path, {&find_operator}); },
                 "missing are `quantized::conv2d.new`, `quantized::conv2d_prepack`, `quantized::conv2d_relu.new`, "
                 "`quantized::linear`");
  }
}

// The restored packed parameters need an operator that the code of the module does not name.
const OperatorHandle* find_all_but_prepack(std::string_view name) {
  return name == "quantized::linear_prepack" ? nullptr : quantized::find_operator(name);
}
TEST(QuantizedModule, NamesAMissingOperatorForPackedParameters) {
  for (const std::string& path : kFiles) {
    expect_error([&] { ScriptModule::load(path, {&find_operator, &find_all_but_prepack}); },
                 "object of class `__torch__.torch.classes.quantized.LinearPackedParamsBase`: expected the operator "
                 "`quantized::linear_prepack`, which no library has");
  }
}

// Every seventh byte in turn becomes another one: an error or a module, and nothing else.
TEST(QuantizedModule, SurvivesDamagedBytes) {
  for (const std::string& path : kFiles) {
    const std::string bytes = read_file(path);
    for (std::size_t at = 0; at < bytes.size(); at += 7) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
      try {
        ScriptModule::load_bytes(damaged, kLibraries);
      } catch (const InternalError& error) {
        ADD_FAILURE() << path << ": byte " << at << ": " << error.what();
      } catch (const Error&) {
      }
    }
  }
}

// A layer as exported programs compute it: quantized input, parameters of channels, dynamic quantization.
std::vector<Tensor> run_layer(const Tensor& x, const Tensor& weight) {
  using namespace structured::quantized_decomposed;  // NOLINT
  const Tensor q = quantize_per_tensor(x, 0.5, -3, -128, 127, kChar);
  const Tensor real = dequantize_per_tensor(q, 0.5, -3, -128, 127, kChar);
  const Tensor scales = tensor({0.25f, 0.5f}), zero_points = tensor<int64_t>({1, 0});
  const Tensor weights = dequantize_per_channel(weight, scales, zero_points, 0, -128, 127, kChar);
  const auto [scale, zero_point] = choose_qparams(x, 0, 255, 1e-5, kByte);
  const Tensor dynamic = quantize_per_tensor(x, scale, zero_point, 0, 255, kByte);
  return {structured::mul(real, weights), structured::_int_mm(q, weight),
          dequantize_per_tensor(dynamic, scale, zero_point, 0, 255, kByte)};
}

TEST(QuantizedProgram, RunsDecomposedOperators) {
  const Tensor weight = tensor<int8_t>({{1, -2}, {100, 7}}), x = tensor({{0.5f, -7.0f}, {30.0f, 1.3f}});
  Program recorded;
  std::vector<Tensor> results;
  {
    const Tracer tracer(recorded);
    results = run_layer(x, weight);
  }
  const std::string path = testing::TempDir() + "quantized_program_test." + std::to_string(getpid()) + ".pt2";
  save_program(path, recorded, {{"x", x}}, results);
  expect_error([&] { SavedProgram::load(path, {&find_operator}); }, "`quantized_decomposed::choose_qparams.tensor`");
  SavedProgram program = SavedProgram::load(path, {&find_operator, &quantized_decomposed::find_operator});
  std::remove(path.c_str());
  for (const Tensor& input : {x, tensor({{-0.25f, 70.0f}, {0.0f, 2.0f}})}) {
    const std::vector<Value> outputs = program.run({input});
    const std::vector<Tensor> expected = run_layer(input, weight);
    ASSERT_EQ(outputs.size(), expected.size());
    EXPECT_EQ(to_vector<float>(outputs[0].to_tensor()), to_vector<float>(expected[0]));
    EXPECT_EQ(to_vector<int32_t>(outputs[1].to_tensor()), to_vector<int32_t>(expected[1]));
    EXPECT_EQ(to_vector<float>(outputs[2].to_tensor()), to_vector<float>(expected[2]));
  }
}

}  // namespace
}  // namespace structured::test::quantized_module_test
