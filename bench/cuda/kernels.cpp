// Times of kernels on a CUDA device, as a table: bench_cuda_kernels [--small]. A case runs until it has taken a fifth
// of a second. Rates are compared with those of a copy of one gibibyte in the same run. With `--small` every case runs
// once with few elements, to check that it runs.
#include <structured/cuda/device.h>
#include <structured/cuda/graph.h>
#include <structured/operators.h>
#include <structured/structured.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "../../options/command_line.h"

namespace {

using namespace structured;

bool is_small = false;

// `full` elements, or few.
int64_t sized(int64_t full, int64_t small) { return is_small ? small : full; }

Tensor random(IntArrayRef sizes, ScalarType dtype = kFloat) {
  return structured::randn(sizes, TensorOptions(dtype, kCUDA));
}

double seconds_of(const std::function<void()>& run) {
  using Clock = std::chrono::steady_clock;
  run();  // sets kernels up, and fills the cache of memory
  cuda::synchronize();
  for (int64_t calls = is_small ? 1 : 4;; calls *= 2) {
    const auto start = Clock::now();
    for (int64_t i = 0; i < calls; ++i) run();
    cuda::synchronize();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (is_small || seconds > 0.2) return seconds / static_cast<double>(calls);
  }
}

double copied_per_second = 0;

// Prints a row. `bytes` are those that the case must read and write.
void measure(const char* name, double bytes, const std::function<void()>& run) {
  const double seconds = seconds_of(run);
  const double rate = bytes / seconds;
  if (copied_per_second == 0) copied_per_second = rate;
  std::printf("| %s | %.1f | %.0f | %.0f %% |\n", name, seconds * 1e6, rate / 1e9, 100 * rate / copied_per_second);
  std::fflush(stdout);
}

void measure_operations(const char* name, double operations, const std::function<void()>& run) {
  const double seconds = seconds_of(run);
  std::printf("| %s | %.1f | %.1f TFLOP/s | |\n", name, seconds * 1e6, operations / seconds / 1e12);
  std::fflush(stdout);
}

double bytes_of(const Tensor& tensor) { return static_cast<double>(tensor.numel() * tensor.element_size()); }

void measure_elements() {
  const int64_t size = sized(1 << 28, 1 << 12);
  const Tensor a = random({size}), b = random({size});
  Tensor out = empty({size}, a.options());
  measure("copy of 256M float", 2 * bytes_of(a), [&] { copy_into(out, a); });
  measure("add of 256M float", 3 * bytes_of(a), [&] { add_out(out, a, b); });
  const Tensor c = random({sized(1 << 24, 1 << 12)});
  Tensor sum = empty(c.sizes(), c.options());
  measure("add of 16M float", 3 * bytes_of(c), [&] { add_out(sum, c, c); });
  for (const ScalarType dtype : {kFloat, kHalf, kBFloat16}) {
    const Tensor from = structured::to(a, dtype);
    Tensor to = empty(from.sizes(), from.options());
    const std::string name = std::string(" of 256M ") + to_string(dtype);
    measure(("exp" + name).c_str(), 2 * bytes_of(from), [&] { exp_out(to, from); });
    measure(("gelu" + name).c_str(), 2 * bytes_of(from), [&] { gelu_out(to, from); });
    measure(("silu" + name).c_str(), 2 * bytes_of(from), [&] { silu_out(to, from); });
  }
  const int64_t side = sized(8192, 64);
  const Tensor square = random({side, side});
  Tensor result = empty({side, side}, square.options());
  measure("add of a matrix of 8192 and a transposed one", 3 * bytes_of(square),
          [&] { add_out(result, square, t(square)); });
  measure("uniform_ of 256M float", bytes_of(out), [&] { uniform_(out); });
  measure("normal_ of 256M float", bytes_of(out), [&] { normal_(out); });
}

void measure_rows() {
  const int64_t side = sized(1 << 14, 1 << 6);
  const Tensor matrix = random({side, side});
  measure("sum of 256M float", bytes_of(matrix), [&] { sum(matrix); });
  measure("sum of 256M float, rows", bytes_of(matrix), [&] { sum(matrix, 1); });
  measure("sum of 256M float, columns", bytes_of(matrix), [&] { sum(matrix, 0); });
  const Tensor rows = random({sized(32768, 16), 1024}), weight = random({1024});
  measure("softmax of 32768 x 1024", 2 * bytes_of(rows), [&] { softmax(rows, 1); });
  measure("layer_norm of 32768 x 1024", 2 * bytes_of(rows),
          [&] { layer_norm(rows, IntArrayRef{1024}, weight, weight); });
  const Tensor line = random({sized(1 << 26, 1 << 12)});
  measure("cumsum of 64M float", 2 * bytes_of(line), [&] { cumsum(line, 0); });
  const Tensor unsorted = random({sized(1 << 24, 1 << 11)});
  measure("sort of 16M float", 3 * bytes_of(unsorted), [&] { sort(unsorted); });
  const Tensor lists = random({sized(64, 2), sized(1 << 20, 1 << 9)});
  measure("topk of 64 x 1M float, 50 each", bytes_of(lists), [&] { topk(lists, 50); });
  const Tensor table = random({sized(1 << 20, 1 << 6), 128});
  const Tensor index = randint(table.size(0), {sized(1 << 20, 1 << 6)}, TensorOptions(kLong, kCUDA));
  measure("index_select of 1M rows of 512 bytes", 2 * bytes_of(table), [&] { index_select(table, 0, index); });
}

void measure_products() {
  for (const ScalarType dtype : {kFloat, kBFloat16}) {
    const int64_t side = sized(8192, 32);
    const Tensor a = random({side, side}, dtype), b = random({side, side}, dtype);
    Tensor out = empty({side, side}, a.options());
    const auto operations = 2 * static_cast<double>(side * side * side);
    measure_operations((std::string("mm of 8192, ") + to_string(dtype)).c_str(), operations,
                       [&] { mm_out(out, a, b); });
  }
}

// Shapes of ResNet-50, channels-last, and the gradients of input and weight together.
void measure_convolutions() {
  struct Layer {
    int64_t in_channels, out_channels, size, kernel, stride;
  };
  const int64_t samples = sized(64, 1);
  for (const Layer& layer :
       {Layer{3, 64, 224, 7, 2}, Layer{64, 64, 56, 3, 1}, Layer{64, 256, 56, 1, 1}, Layer{128, 128, 28, 3, 1},
        Layer{256, 512, 56, 1, 2}, Layer{256, 256, 14, 3, 1}, Layer{512, 2048, 7, 1, 1}}) {
    const int64_t in_channels = sized(layer.in_channels, 2), out_channels = sized(layer.out_channels, 2);
    const int64_t size = sized(layer.size, 8);
    const int64_t stride[] = {layer.stride}, padding[] = {layer.kernel / 2}, one[] = {1}, none[] = {0};
    const auto channels_last = [](IntArrayRef sizes) {
      const Tensor result = empty(sizes, TensorOptions(kBFloat16, kCUDA), MemoryFormat::ChannelsLast);
      copy_into(result, random(sizes));
      return result;
    };
    const Tensor input = channels_last({samples, in_channels, size, size});
    const Tensor weight = channels_last({out_channels, in_channels, layer.kernel, layer.kernel});
    const auto run = [&] { return convolution(input, weight, {}, stride, padding, one, false, none, 1); };
    const Tensor grad = run();
    const auto operations = 2 * static_cast<double>(grad.numel() * in_channels * layer.kernel * layer.kernel);
    const std::string name = "conv2d of BFloat16, " + std::to_string(layer.in_channels) + " to " +
                             std::to_string(layer.out_channels) + " channels, " + std::to_string(layer.kernel) + "x" +
                             std::to_string(layer.kernel) + ", size " + std::to_string(layer.size);
    measure_operations(name.c_str(), operations, [&] { run(); });
    measure_operations((name + ", gradients").c_str(), 2 * operations, [&] {
      convolution_backward(grad, input, weight, std::nullopt, stride, padding, one, false, none, 1,
                           std::array<bool, 3>{true, true, false});
    });
  }
}

void measure_graph() {
  const Tensor a = random({1000}), b = random({1000});
  Tensor out = empty({1000}, a.options());
  add_out(out, a, b);
  cuda::Graph graph;
  graph.capture([&] {
    for (int i = 0; i < 100; ++i) add_out(out, a, b);
  });
  measure("add of 1000 float, 100 times in a graph", 300 * bytes_of(a), [&] { graph.launch(); });
}

}  // namespace

int main(int argc, char** argv) {
  structured::CommandLine line("bench_cuda_kernels", "usage: bench_cuda_kernels [--small]\n");
  line.flag("--small", is_small);
  if (const std::optional<int> status = line.parse(argc, argv)) return *status;
  const cuda::DeviceProperties& device = cuda::device_properties(0);
  std::printf(
      "%s, compute capability %d.%d\n\n| case | microseconds | GB/s | of the copy |\n| --- | --: | --: | --: |\n",
      device.name.c_str(), device.major, device.minor);
  measure_elements();
  measure_rows();
  measure_products();
  measure_convolutions();
  measure_graph();
}
