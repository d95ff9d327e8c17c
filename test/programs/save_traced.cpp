// save_traced FILE.pt2: records a small convolutional network and saves it, for load_saved.py.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/dispatch/tracer.h>
#include <structured/ops/adaptive_avg_pool2d.h>
#include <structured/ops/cat.h>
#include <structured/ops/chunk.h>
#include <structured/ops/conv2d.h>
#include <structured/ops/flatten.h>
#include <structured/ops/linear.h>
#include <structured/ops/max_pool2d.h>
#include <structured/ops/relu.h>
#include <structured/ops/softmax.h>
#include <structured/program/save_program.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

using namespace structured;

namespace {

Tensor weights(IntArrayRef sizes, double phase) {
  const Tensor result = empty(sizes);
  for (int64_t i = 0; i < result.numel(); ++i) {
    result.data_ptr<float>()[i] = static_cast<float>(std::sin(phase + 0.37 * static_cast<double>(i)) / 4);
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: save_traced FILE.pt2\n");
    return 2;
  }
  const Tensor x = zeros({2, 3, 16, 16});
  const Tensor w1 = weights({8, 3, 3, 3}, 0), b1 = weights({8}, 1), w2 = weights({10, 8}, 2), b2 = weights({10}, 3);
  Program recorded;
  Tensor y, z;
  {
    const Tracer tracer(recorded);
    Tensor hidden = conv2d(x, w1, b1, {1, 1}, {1, 1});
    relu_(hidden);
    const std::vector<Tensor> parts = chunk(max_pool2d(hidden, {2, 2}), 2, 1);
    const Tensor pooled = adaptive_avg_pool2d(cat({parts[1], parts[0]}, 1), {1, 1});
    z = linear(flatten(pooled, 1, -1), w2, b2);
    y = softmax(z, -1);
  }
  save_program(argv[1], recorded, {{"x", x}}, {y, z});
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "save_traced: %s\n", error.what());
  return 1;
}
