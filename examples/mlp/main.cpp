// Evaluates a two-layer perceptron that computes XOR. Then traces a larger perceptron on tensors of the Meta backend,
// which have shapes and no data, and prints the program. `mlp FILE` also writes a profile to FILE, for Chrome's
// tracing page or https://ui.perfetto.dev. `mlp --device=cuda` evaluates the perceptron on a CUDA device, and prints
// how far the results of a perceptron with random weights are from the CPU's.
#include <structured/ops/abs.h>
#include <structured/ops/linear.h>
#include <structured/ops/max.h>
#include <structured/ops/randn.h>
#include <structured/ops/relu.h>
#include <structured/ops/sub.h>
#include <structured/structured.h>

#include <fstream>
#include <iostream>
#include <string_view>

using structured::Tensor;

namespace {

Tensor copy_to(structured::Device device, const Tensor& tensor) {
  const Tensor result = structured::empty(tensor.sizes(), tensor.options().device(device));
  structured::copy_into(result, tensor);
  return result;
}

struct Perceptron {
  Tensor weight1;  // [hidden, in]
  Tensor bias1;    // [hidden]
  Tensor weight2;  // [out, hidden]
  Tensor bias2;    // [out]

  // input [batch, in] -> [batch, out]
  Tensor forward(const Tensor& input) const {
    const Tensor hidden = structured::relu(structured::linear(input, weight1, bias1));
    return structured::linear(hidden, weight2, bias2);
  }

  Perceptron on(structured::Device device) const {
    return {.weight1 = copy_to(device, weight1),
            .bias1 = copy_to(device, bias1),
            .weight2 = copy_to(device, weight2),
            .bias2 = copy_to(device, bias2)};
  }
};

// With these weights the perceptron computes x1 + x2 - 2 * relu(x1 + x2 - 1).
Perceptron exclusive_or() {
  using structured::tensor;
  return {.weight1 = tensor<float>({1, 1, 1, 1}, {2, 2}),
          .bias1 = tensor<float>({0, -1}),
          .weight2 = tensor<float>({1, -2}, {1, 2}),
          .bias2 = tensor<float>({0})};
}

// Largest difference between the results on `device` and on the CPU, for weights and inputs from the normal
// distribution.
float error_against_cpu(structured::Device device) {
  structured::manual_seed(0);
  const Perceptron network = {.weight1 = structured::randn({64, 32}),
                              .bias1 = structured::randn({64}),
                              .weight2 = structured::randn({10, 64}),
                              .bias2 = structured::randn({10})};
  const Tensor input = structured::randn({16, 32});
  const Tensor expected = network.forward(input);
  const Tensor actual = copy_to(structured::kCPU, network.on(device).forward(copy_to(device, input)));
  return structured::max(structured::abs(structured::sub(actual, expected))).item<float>();
}

Perceptron shapes_only(int64_t in, int64_t hidden, int64_t out) {
  const auto meta = [](structured::IntArrayRef sizes) { return structured::empty(sizes, structured::kMeta); };
  return {.weight1 = meta({hidden, in}), .bias1 = meta({hidden}), .weight2 = meta({out, hidden}), .bias2 = meta({out})};
}

void trace_shapes() {
  const Perceptron network = shapes_only(4096, 16384, 1000);
  const Tensor batch = structured::empty({65536, 4096}, structured::kMeta);
  structured::Program program;
  program.set_name(batch, "batch");
  program.set_name(network.weight1, "weight1");
  program.set_name(network.bias1, "bias1");
  program.set_name(network.weight2, "weight2");
  program.set_name(network.bias2, "bias2");
  {
    const structured::Tracer tracer(program);
    network.forward(batch);
  }
  std::cout << program << "\n";
}

void write_profile(const char* path, const Tensor& input) {
  structured::Profile profile;
  {
    const structured::Profiler profiler(profile);
    for (int i = 0; i < 3; ++i) {
      const structured::ProfiledRange range("forward");
      exclusive_or().forward(input);
    }
  }
  std::ofstream out(path);
  profile.write_chrome_trace(out);
}

}  // namespace

int main(int argc, char** argv) {
  structured::Device device = structured::kCPU;
  if (argc > 1 && std::string_view(argv[1]).starts_with("--device=")) {
    device = structured::Device(argv[1] + std::string_view("--device=").size());
    --argc;
    ++argv;
  }
  const Tensor input = structured::tensor<float>({0, 0, 0, 1, 1, 0, 1, 1}, {4, 2});
  const Tensor output = copy_to(structured::kCPU, exclusive_or().on(device).forward(copy_to(device, input)));
  std::cout << "input:\n" << input << "\n\nxor by a two-layer perceptron:\n" << output << "\n\n";

  const Tensor batch = structured::empty({65536, 4096}, structured::kMeta);
  const Tensor result = shapes_only(4096, 16384, 1000).forward(batch);
  std::cout << "without data: " << batch.sizes() << " -> " << result.sizes() << " on " << result.device() << "\n\n";
  trace_shapes();
  if (argc > 1) {
    write_profile(argv[1], input);
  }

  if (device != structured::kCPU) {
    const float error = error_against_cpu(device);
    std::cout << "largest error against the CPU: " << error << "\n";
    if (!(error < 1e-4f)) return 1;
  }
  const std::vector<float> expected{0, 1, 1, 0};
  return structured::to_vector<float>(output) == expected ? 0 : 1;
}
