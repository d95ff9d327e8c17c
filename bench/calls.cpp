// Overhead of a call beyond its arithmetic, with tensors so small that the loop takes almost no time: the functional
// variant, which allocates; the out variant; the out variant without the dispatcher; and only the loop, as a reference.
#include <benchmark/benchmark.h>
#include <structured/ops/add.h>
#include <structured/structured.h>

#include <vector>

namespace {

using structured::Tensor;

Tensor ones(int64_t size) {
  return structured::tensor<float>(structured::ArrayRef<float>(std::vector<float>(size, 1.0F)));
}

void add_functional(benchmark::State& state) {
  const Tensor a = ones(state.range());
  const Tensor b = ones(state.range());
  for (auto _ : state) {
    benchmark::DoNotOptimize(structured::add(a, b));
  }
}
BENCHMARK(add_functional)->Arg(1)->Arg(64)->Arg(4096);

void add_out(benchmark::State& state) {
  const Tensor a = ones(state.range());
  const Tensor b = ones(state.range());
  Tensor out = ones(state.range());
  for (auto _ : state) {
    benchmark::DoNotOptimize(structured::add_out(out, a, b));
  }
}
BENCHMARK(add_out)->Arg(1)->Arg(64)->Arg(4096);

void add_out_on_one_backend(benchmark::State& state) {
  const Tensor a = ones(state.range());
  const Tensor b = ones(state.range());
  Tensor out = ones(state.range());
  for (auto _ : state) {
    benchmark::DoNotOptimize(structured::cpu::add_out(out, a, b));
  }
}
BENCHMARK(add_out_on_one_backend)->Arg(1)->Arg(64)->Arg(4096);

void plain_loop(benchmark::State& state) {
  const std::vector<float> a(state.range(), 1.0F);
  const std::vector<float> b(state.range(), 1.0F);
  std::vector<float> out(state.range());
  for (auto _ : state) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = a[i] + b[i];
    }
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(plain_loop)->Arg(1)->Arg(64)->Arg(4096);

}  // namespace
