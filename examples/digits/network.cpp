#include "network.h"

#include <structured/autograd/grad_mode.h>
#include <structured/ops/conv2d.h>
#include <structured/ops/copy.h>
#include <structured/ops/flatten.h>
#include <structured/ops/linear.h>
#include <structured/ops/max_pool2d.h>
#include <structured/ops/relu.h>

#include <cmath>
#include <random>
#include <string>

using structured::Tensor;

namespace {

// Gives equal numbers on every machine: std::mt19937_64 is specified, the distributions of <random> are not.
Tensor uniform(structured::IntArrayRef sizes, double limit, std::mt19937_64& engine) {
  Tensor result = structured::empty(sizes, structured::kFloat);
  for (int64_t i = 0; i < result.numel(); ++i) {
    const double unit = static_cast<double>(engine() >> 11) * 0x1p-53;
    result.data_ptr<float>()[i] = static_cast<float>((2 * unit - 1) * limit);
  }
  return result;
}

}  // namespace

DigitsNetwork::DigitsNetwork(uint64_t seed) {
  add_layer("conv1", {16, 1, 3, 3}, seed);
  add_layer("conv2", {32, 16, 3, 3}, seed + 1);
  add_layer("linear1", {64, 128}, seed + 2);
  add_layer("linear2", {10, 64}, seed + 3);
}

void DigitsNetwork::add_layer(const char* name, structured::IntArrayRef weight_sizes, uint64_t seed) {
  std::mt19937_64 engine(seed);
  int64_t inputs = 1;
  for (const int64_t size : weight_sizes.drop_front()) inputs *= size;
  const double limit = 1 / std::sqrt(static_cast<double>(inputs));
  parameters_.emplace_back(name + std::string(".weight"), uniform(weight_sizes, limit, engine).requires_grad_());
  parameters_.emplace_back(name + std::string(".bias"), uniform({weight_sizes[0]}, limit, engine).requires_grad_());
}

Tensor DigitsNetwork::forward(const Tensor& images) const {
  const auto parameter = [this](std::size_t i) -> const Tensor& { return parameters_[i].second; };
  Tensor x = structured::relu(structured::conv2d(images, parameter(0), parameter(1), {1, 1}, {1, 1}));
  x = structured::max_pool2d(x, {2, 2}, {2, 2});  // [batch, 16, 4, 4]
  x = structured::relu(structured::conv2d(x, parameter(2), parameter(3), {1, 1}, {1, 1}));
  x = structured::max_pool2d(x, {2, 2}, {2, 2});  // [batch, 32, 2, 2]
  x = structured::relu(structured::linear(structured::flatten(x, 1), parameter(4), parameter(5)));
  return structured::linear(x, parameter(6), parameter(7));
}

std::vector<Tensor> DigitsNetwork::tensors() const {
  std::vector<Tensor> result;
  for (const auto& [name, tensor] : parameters_) result.push_back(tensor);
  return result;
}

void DigitsNetwork::load(const structured::NamedTensors& parameters) {
  const structured::NoGradGuard guard;
  for (auto& [name, tensor] : parameters_) {
    for (const auto& [loaded_name, loaded] : parameters) {
      if (loaded_name == name) structured::copy_(tensor, loaded);
    }
  }
}
