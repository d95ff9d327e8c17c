#include "network.h"

#include <structured/ops/adaptive_avg_pool2d.h>
#include <structured/ops/add.h>
#include <structured/ops/batch_norm.h>
#include <structured/ops/conv2d.h>
#include <structured/ops/linear.h>
#include <structured/ops/max_pool2d.h>
#include <structured/ops/normal.h>
#include <structured/ops/relu.h>
#include <structured/ops/uniform.h>
#include <structured/ops/view.h>

#include <cmath>
#include <optional>

using structured::IntArrayRef;
using structured::Tensor;

class ResNet18::Random {
 public:
  explicit Random(uint64_t seed) : generator_(structured::kCPU, seed) {}

  Tensor normal(IntArrayRef sizes, double deviation) const {
    Tensor result = structured::empty(sizes);
    return structured::normal_(result, 0, deviation, generator_);
  }
  Tensor uniform(IntArrayRef sizes, double from, double to) const {
    Tensor result = structured::empty(sizes);
    return structured::uniform_(result, from, to, generator_);
  }

 private:
  structured::Generator generator_;
};

Tensor ResNet18::add(std::string name, Tensor parameter) {
  parameters_.emplace_back(std::move(name), parameter);
  return parameter;
}

ResNet18::Convolution ResNet18::make_convolution(const std::string& prefix, const std::string& name,
                                                 const std::string& norm, int64_t in, int64_t out, int64_t kernel,
                                                 int64_t stride, const Random& random) {
  const double deviation = std::sqrt(2.0 / static_cast<double>(in * kernel * kernel));
  Convolution result{};
  result.weight = add(prefix + name + ".weight", random.normal({out, in, kernel, kernel}, deviation));
  result.norm = {.weight = add(prefix + norm + ".weight", random.uniform({out}, 0.5, 1)),
                 .bias = add(prefix + norm + ".bias", random.normal({out}, 0.1)),
                 .mean = add(prefix + norm + ".running_mean", random.normal({out}, 0.1)),
                 .var = add(prefix + norm + ".running_var", random.uniform({out}, 0.5, 1.5))};
  result.stride = stride;
  result.padding = kernel / 2;
  return result;
}

ResNet18::ResNet18(uint64_t seed, int64_t classes) {
  const Random random(seed);
  stem_ = make_convolution("", "conv1", "bn1", 3, 64, 7, 2, random);
  int64_t in = 64;
  for (int layer = 1; layer <= 4; ++layer) {
    const int64_t out = int64_t{32} << layer;
    for (int number = 0; number < 2; ++number) {
      const std::string prefix = "layer" + std::to_string(layer) + "." + std::to_string(number) + ".";
      const int64_t stride = layer > 1 && number == 0 ? 2 : 1;
      Block block;
      block.path.push_back(make_convolution(prefix, "conv1", "bn1", in, out, 3, stride, random));
      block.path.push_back(make_convolution(prefix, "conv2", "bn2", out, out, 3, 1, random));
      if (stride != 1) {
        block.shortcut.push_back(make_convolution(prefix, "downsample.0", "downsample.1", in, out, 1, stride, random));
      }
      blocks_.push_back(std::move(block));
      in = out;
    }
  }
  weight_ = add("fc.weight", random.normal({classes, in}, 1 / std::sqrt(static_cast<double>(in))));
  bias_ = add("fc.bias", random.normal({classes}, 0.1));
}

Tensor ResNet18::Convolution::operator()(const Tensor& input) const {
  const Tensor output = structured::conv2d(input, weight, std::nullopt, stride, padding);
  return structured::batch_norm(output, norm.weight, norm.bias, norm.mean, norm.var, false, 0.1, 1e-5, false);
}

Tensor ResNet18::Block::operator()(const Tensor& input) const {
  Tensor hidden = path[0](input);
  structured::relu_(hidden);
  Tensor output = path[1](hidden);
  structured::add_(output, shortcut.empty() ? input : shortcut[0](input));
  return structured::relu_(output);
}

Tensor ResNet18::forward(const Tensor& images) const {
  Tensor hidden = stem_(images);
  structured::relu_(hidden);
  hidden = structured::max_pool2d(hidden, 3, 2, 1);
  for (const Block& block : blocks_) hidden = block(hidden);
  const Tensor pooled = structured::adaptive_avg_pool2d(hidden, {1, 1});
  return structured::linear(structured::view(pooled, {images.size(0), weight_.size(1)}), weight_, bias_);
}
