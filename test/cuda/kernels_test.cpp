// Our scalar functions on CUDA: dense and strided kernels of every operator and dtype give the CPU's results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/cuda/library.h>
#include <structured/find_operator.h>
#include <structured/structured.h>

#include <cmath>
#include <complex>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "data_file.h"
#include "emulator.h"

namespace {

using namespace structured;

const Device kDevice(kCUDA, 0);
constexpr ScalarType kEvery[] = {kByte,   kChar,        kShort,        kInt,           kLong, kHalf,    kFloat,
                                 kDouble, kComplexHalf, kComplexFloat, kComplexDouble, kBool, kBFloat16};

std::vector<std::string> operators_of_scalar_functions() {
  std::vector<std::string> names;
  const auto library = nlohmann::json::parse(std::ifstream(test::data_file(STRUCTURED_CUDA_OPERATORS)));
  for (const auto& imported : library.at("imported")) {
    if (!imported.at("operator").contains("pointwise")) continue;
    const std::string schema = imported.at("operator").at("variants").at(0).at("schema");
    names.push_back(schema.substr(0, schema.find('(')));
  }
  return names;
}

Tensor on(Device device, const Tensor& source) {
  const Tensor result = empty(source.sizes(), source.options().device(device));
  copy_into(result, source);
  return result;
}

// Every other element of a tensor on the device, which dense kernels cannot read.
Tensor strided_on_device(const Tensor& source) {
  const Tensor result =
      as_strided(empty({2 * source.numel()}, source.options().device(kDevice)), source.sizes(), {2}, 1);
  copy_into(result, source);
  return result;
}

class Sampler {
 public:
  /// Numbers between 0.25 and 3 where many functions are defined, small integers, and both booleans.
  Tensor tensor(ScalarType dtype) {
    const Tensor numbers = empty({70}, TensorOptions(kComplexDouble, kCPU));
    for (Complex<double>& each : span<Complex<double>>(numbers)) {
      const bool is_integral = structured::is_integral(dtype, true);
      const double real = is_integral ? integers_(random_) : reals_(random_);
      each = Complex<double>(dtype == kBool ? real > 2 : real, reals_(random_));
    }
    const Tensor result = empty({70}, TensorOptions(dtype, kCPU));
    copy_into(result, numbers);
    return result;
  }

 private:
  std::mt19937 random_{7};
  std::uniform_int_distribution<> integers_{1, 4};
  std::uniform_real_distribution<> reals_{0.25, 3};
};

// The arguments of a call, with all tensors of one dtype; the mask of a selection has its own. Required numbers are 2.
Stack arguments_for(const SchemaText& schema, ScalarType dtype, bool has_mask) {
  Sampler sampler;
  Stack arguments;
  for (const SchemaArgument& argument : schema.arguments) {
    if (argument.is_keyword_only) break;
    if (argument.type.starts_with("Tensor")) {
      const bool is_mask = has_mask && (argument.name == "condition" || argument.name == "mask");
      arguments.emplace_back(sampler.tensor(is_mask ? kBool : dtype));
    } else if (!argument.default_value.empty() && argument.default_value != "None") {
      break;
    } else if (argument.type.starts_with("Scalar")) {
      arguments.emplace_back(Scalar(2));
    } else if (argument.type.starts_with("int")) {
      arguments.emplace_back(int64_t{1});
    } else if (argument.type.starts_with("float")) {
      arguments.emplace_back(0.5);
    } else {
      arguments.emplace_back(Value());
    }
  }
  return arguments;
}

std::vector<Complex<double>> numbers_of(const Tensor& tensor) {
  const Tensor wide = empty(tensor.sizes(), TensorOptions(kComplexDouble, kCPU));
  copy_into(wide, on(kCPU, tensor));
  return to_vector<Complex<double>>(wide);
}

// Relative to the larger magnitude: most functions differ by a few units in the last place, and results in half
// precision by one.
double tolerance(ScalarType computed, ScalarType stored) {
  const ScalarType narrow = to_real(stored);
  if (narrow == kHalf) return 2e-3;
  if (narrow == kBFloat16) return 1.6e-2;
  return computed == kDouble || computed == kComplexDouble ? 1e-10 : 1e-4;
}

// An empty string, or how the results differ.
std::string difference(const Tensor& actual, const Tensor& expected, double tolerance) {
  if (actual.device() != kDevice || actual.scalar_type() != expected.scalar_type()) return "dtype or device";
  const auto a = numbers_of(actual), b = numbers_of(expected);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::complex<double> x(a[i].real(), a[i].imag()), y(b[i].real(), b[i].imag());
    if ((std::isnan(x.real()) && std::isnan(y.real())) || (std::isnan(x.imag()) && std::isnan(y.imag())) || x == y)
      continue;
    if (!(std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y)))) {
      return "element " + std::to_string(i) + ": " + std::to_string(x.real()) + "+" + std::to_string(x.imag()) +
             "i for " + std::to_string(y.real()) + "+" + std::to_string(y.imag()) + "i";
    }
  }
  return "";
}

TEST(CudaKernels, ComputeTheResultsOfTheCpu) {
  const std::vector<std::string> names = operators_of_scalar_functions();
  EXPECT_GT(names.size(), 130u);
  std::size_t computed = 0;
  const uint64_t fallbacks = cuda::fallback_count();
  for (const std::string& name : names) {
    const OperatorHandle* const op = find_operator(name);
    ASSERT_NE(op, nullptr) << name;
    const SchemaText schema = read_schema(op->schema());
    for (const ScalarType dtype : kEvery) {
      for (const bool has_mask : {false, true}) {
        Stack arguments = arguments_for(schema, dtype, has_mask);
        const auto moved = [&](Tensor (*move)(const Tensor&)) {
          Stack result;
          for (const Value& each : arguments) {
            result.push_back(each.is(Value::Kind::tensor) ? Value(move(each.to_tensor())) : each);
          }
          return result;
        };
        Stack on_device = moved([](const Tensor& tensor) { return on(kDevice, tensor); });
        Stack strided = moved(&strided_on_device);
        Tensor expected;
        try {
          expected = call_operator(*op, arguments).at(0).to_tensor();
        } catch (const Error&) {
          EXPECT_THROW(call_operator(*op, on_device), Error) << name << " of " << dtype;
          continue;
        }
        for (Stack* const each : {&on_device, &strided}) {
          const Tensor actual = call_operator(*op, *each).at(0).to_tensor();
          EXPECT_EQ(difference(actual, expected, tolerance(expected.scalar_type(), expected.scalar_type())), "")
              << name << " of " << dtype << (each == &strided ? ", strided" : "");
          ASSERT_EQ(emulator::fault(), "") << name << " of " << dtype;
        }
        ++computed;
        break;
      }
    }
  }
  EXPECT_GT(computed, 900u);
  EXPECT_EQ(cuda::fallback_count(), fallbacks) << "an operator ran on the CPU";
}

}  // namespace
