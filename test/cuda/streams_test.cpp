// Random programs of operators on two streams whose work is done as late as possible: with an event for every
// dependency they give the CPU's results, and without events they do not.
#include <gtest/gtest.h>
#include <structured/cuda/memory.h>
#include <structured/cuda/stream.h>
#include <structured/operators.h>
#include <structured/structured.h>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "emulator.h"

namespace {

using namespace structured;

constexpr int64_t kSide = 12;
constexpr int kTensors = 6;
constexpr int kSteps = 40;

// A step of a program: writes tensor `to` from two others.
struct Step {
  int kind;
  int stream;
  int to;
  int a;
  int b;
};

Tensor run_step(const Step& step, const Tensor& a, const Tensor& b) {
  switch (step.kind) {
    case 0:
      return sub(a, b);
    case 1:
      return matmul(tanh(a), tanh(b));
    case 2:
      return cumsum(tanh(a), 1);
    case 3:
      return add(mean(a, 0, true), transpose(b, 0, 1));
    case 4:
      return softmax(a, 0);
    case 5:
      return flip(a, 1);
    default:
      return std::get<0>(sort(b, 1));
  }
}

std::vector<Step> make_program(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  std::vector<Step> steps;
  for (int i = 0; i < kSteps; ++i)
    steps.push_back({below(7), below(2), below(kTensors), below(kTensors), below(kTensors)});
  return steps;
}

Tensor start_value(int number) {
  return reshape(sin(arange(number, kSide * kSide + number, TensorOptions(kFloat))), IntArrayRef{kSide, kSide});
}

std::vector<Tensor> run_on_cpu(const std::vector<Step>& steps) {
  std::vector<Tensor> tensors;
  for (int i = 0; i < kTensors; ++i) tensors.push_back(start_value(i));
  for (const Step& step : steps) {
    const auto at = [&](int number) { return tensors[static_cast<std::size_t>(number)]; };
    tensors[static_cast<std::size_t>(step.to)] = run_step(step, at(step.a), at(step.b));
  }
  return tensors;
}

struct Variable {
  Tensor tensor;
  std::unique_ptr<cuda::Event> written = std::make_unique<cuda::Event>();
};

std::vector<Tensor> run_on_device(const std::vector<Step>& steps, unsigned seed, bool has_events) {
  const Device device(kCUDA, 0);
  std::vector<Variable> variables(kTensors);
  for (int i = 0; i < kTensors; ++i) {
    Variable& each = variables[static_cast<std::size_t>(i)];
    each.tensor = empty({kSide, kSide}, TensorOptions(kFloat, device));
    copy_into(each.tensor, start_value(i));
  }
  cuda::synchronize();
  emulator::set_late_streams(true, seed);
  const Stream streams[] = {cuda::new_stream(0), cuda::new_stream(0)};
  for (const Step& step : steps) {
    const Stream stream = streams[step.stream];
    const cuda::StreamGuard guard(stream);
    for (const int input : {step.a, step.b}) {
      const Variable& read = variables[static_cast<std::size_t>(input)];
      if (has_events) read.written->block(stream);
      cuda::record_stream(read.tensor, stream);
    }
    Variable result{run_step(step, variables[static_cast<std::size_t>(step.a)].tensor,
                             variables[static_cast<std::size_t>(step.b)].tensor)};
    result.written->record(stream);
    variables[static_cast<std::size_t>(step.to)] = std::move(result);
  }
  cuda::synchronize();
  emulator::set_late_streams(false);
  std::vector<Tensor> results;
  for (const Variable& each : variables) {
    results.push_back(empty({kSide, kSide}));
    copy_into(results.back(), each.tensor);
  }
  return results;
}

int count_wrong(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected) {
  int wrong = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) wrong += !allclose(actual[i], expected[i], 1e-3, 1e-4);
  return wrong;
}

TEST(CudaStreams, GiveTheResultsOfTheCpuWithEvents) {
  int wrong_without_events = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const std::vector<Step> steps = make_program(seed);
    const std::vector<Tensor> expected = run_on_cpu(steps);
    EXPECT_EQ(count_wrong(run_on_device(steps, seed, true), expected), 0) << "program " << seed;
    wrong_without_events += count_wrong(run_on_device(steps, seed, false), expected);
    ASSERT_EQ(emulator::fault(), "");
  }
  if (emulator::is_used()) {
    EXPECT_GT(wrong_without_events, 0) << "the test cannot fail";
  }
}

}  // namespace
