// A small convolutional network for images of 8x8 pixels.
#pragma once

#include <structured/format/npy.h>
#include <structured/structured.h>

#include <cstdint>
#include <vector>

class DigitsNetwork {
 public:
  /// Weights are uniform within 1 / sqrt(inputs of a unit).
  explicit DigitsNetwork(uint64_t seed);

  /// Scores of the ten digits [batch, 10] for images [batch, 1, 8, 8].
  structured::Tensor forward(const structured::Tensor& images) const;

  /// All weights with their names, for optimisers and files.
  const structured::NamedTensors& parameters() const { return parameters_; }
  std::vector<structured::Tensor> tensors() const;
  /// Copies the weights of these names.
  void load(const structured::NamedTensors& parameters);

 private:
  void add_layer(const char* name, structured::IntArrayRef weight_sizes, uint64_t seed);

  structured::NamedTensors parameters_;  // weight and bias of each layer
};
