// run_model MODEL.pt2 EXPECTED.safetensors: runs a model twice, and compares its outputs with expected ones.
#include <own/find_operator.h>
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/find_operator.h>
#include <structured/program/safetensors.h>
#include <structured/program/saved_program.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "own_relu.h"

using namespace structured;

namespace {

/// The largest difference, as a part of the largest expected element.
double difference(const Tensor& found, const Tensor& expected) {
  double most = 0, largest = 0;
  for (int64_t i = 0; i < expected.numel(); ++i) {
    const double wanted = expected.data_ptr<float>()[i];
    most = std::max(most, std::fabs(found.data_ptr<float>()[i] - wanted));
    largest = std::max(largest, std::fabs(wanted));
  }
  return most / largest;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::fprintf(stderr, "usage: run_model MODEL.pt2 EXPECTED.safetensors\n");
    return 2;
  }
  SavedProgram program = SavedProgram::load(argv[1], {&own::find_operator, &structured::find_operator});
  std::vector<Value> inputs;
  Tensor expected;
  for (const auto& [name, tensor] : load_safetensors(argv[2])) {
    if (name == "input.0") inputs.emplace_back(tensor);
    if (name == "output.0") expected = tensor;
  }
  for (int run = 0; run < 2; ++run) {
    const Tensor output = program.run(inputs)[0].to_tensor();
    const double found = difference(output, expected);
    std::printf("run %d: %s\n", run + 1, found < 1e-4 ? "as expected" : "differs");
    if (!(found < 1e-4)) return 1;
  }
  std::printf("calls of our own relu: %d\n", relu_calls);
} catch (const std::exception& error) {
  std::fprintf(stderr, "run_model: error: %s\n", error.what());
  return 1;
}
