// Host part of calls with CUDA tensors. On the emulator no kernel runs: the function below takes the place of the CUDA
// runtime's, and a launch costs 1 to 3 microseconds more. On a GPU the times include launches.
#include <benchmark/benchmark.h>
#include <structured/operators.h>
#include <structured/structured.h>

#if defined(STRUCTURED_CUDA_EMULATOR)
#include <cuda_runtime_api.h>

extern "C" cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) {
  return cudaSuccess;
}
#endif

namespace {

using namespace structured;

Tensor vector_on_device() { return empty({1000}, kCUDA); }

void add_new(benchmark::State& state) {
  const Tensor a = vector_on_device(), b = vector_on_device();
  for (auto _ : state) benchmark::DoNotOptimize(add(a, b));
}
BENCHMARK(add_new);

void add_new_on_cpu(benchmark::State& state) {
  const Tensor a = empty({1}), b = empty({1});
  for (auto _ : state) benchmark::DoNotOptimize(add(a, b));
}
BENCHMARK(add_new_on_cpu);

void add_to_output(benchmark::State& state) {
  const Tensor a = vector_on_device(), b = vector_on_device();
  Tensor out = vector_on_device();
  for (auto _ : state) benchmark::DoNotOptimize(add_out(out, a, b));
}
BENCHMARK(add_to_output);

void relu_in_place(benchmark::State& state) {
  Tensor a = vector_on_device();
  for (auto _ : state) benchmark::DoNotOptimize(relu_(a));
}
BENCHMARK(relu_in_place);

void add_broadcast(benchmark::State& state) {
  const Tensor a = empty({40, 25}, kCUDA), b = empty({25}, kCUDA);
  Tensor out = empty({40, 25}, kCUDA);
  for (auto _ : state) benchmark::DoNotOptimize(add_out(out, a, b));
}
BENCHMARK(add_broadcast);

void allocate(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(vector_on_device());
}
BENCHMARK(allocate);

}  // namespace
