#pragma once
#include <structured/structured.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// The residual network of 18 layers (K. He, X. Zhang, S. Ren and J. Sun: Deep residual learning for image recognition,
/// 2016), for inference.
class ResNet18 {
 public:
  /// Creates random parameters, which depend on the seed only.
  explicit ResNet18(uint64_t seed, int64_t classes = 1000);

  /// images [N, 3, H, W] -> scores [N, classes]
  structured::Tensor forward(const structured::Tensor& images) const;

  /// The parameters by name: "conv1.weight", "layer1.0.bn1.running_mean", ...
  const std::vector<std::pair<std::string, structured::Tensor>>& parameters() const { return parameters_; }

 private:
  struct Norm {
    structured::Tensor weight;
    structured::Tensor bias;
    structured::Tensor mean;
    structured::Tensor var;
  };
  struct Convolution {
    structured::Tensor weight;
    Norm norm;
    int64_t stride;
    int64_t padding;

    structured::Tensor operator()(const structured::Tensor& input) const;
  };
  struct Block {
    std::vector<Convolution> path;
    std::vector<Convolution> shortcut;  // empty if the input is added unchanged

    structured::Tensor operator()(const structured::Tensor& input) const;
  };
  class Random;

  structured::Tensor add(std::string name, structured::Tensor parameter);
  Convolution make_convolution(const std::string& prefix, const std::string& name, const std::string& norm, int64_t in,
                               int64_t out, int64_t kernel, int64_t stride, const Random& random);

  std::vector<std::pair<std::string, structured::Tensor>> parameters_;
  Convolution stem_;
  std::vector<Block> blocks_;
  structured::Tensor weight_;
  structured::Tensor bias_;
};
