#pragma once
// Cases of this benchmark, for both programs. The template parameter `L` names the library under test, ours or
// PyTorch's, as a class with a function for each operator. bench/throughput.py states the bytes and operations of
// each case.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "overhead/cases.h"

namespace throughput {

using overhead::add_timed_case;

/// A plain loop, as a reference.
inline void plain_add(float* out, const float* a, const float* b, long n) {
  for (long i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

template <class L>
void add_by_size() {
  for (const long n : {1L << 10, 1L << 16, 1L << 20, 1L << 24}) {
    const std::string size = "/" + std::to_string(n);
    add_timed_case("plain loop" + size, [n] {
      auto a = L::floats({n}), b = L::floats({n}), out = L::floats({n});
      return CALL((plain_add(L::data(out), L::data(a), L::data(b), n), L::data(out)));
    });
    add_timed_case("memcpy" + size, [n] {
      auto a = L::floats({n}), out = L::floats({n});
      return CALL(std::memcpy(L::data(out), L::data(a), sizeof(float) * static_cast<std::size_t>(n)));
    });
    add_timed_case("add" + size, [a = n] {
      auto x = L::floats({a}), y = L::floats({a});
      return CALL(L::add(x, y));
    });
    add_timed_case("add_out" + size, [n] {
      auto a = L::floats({n}), b = L::floats({n}), out = L::floats({n});
      return CALL(L::add_out(out, a, b));
    });
    add_timed_case("add_out int32 + float32" + size, [n] {
      auto a = L::ints({n}), b = L::floats({n}), out = L::floats({n});
      return CALL(L::add_out(out, a, b));
    });
    add_timed_case("copy_" + size, [n] {
      auto a = L::floats({n}), out = L::floats({n});
      return CALL(L::copy_(out, a));
    });
  }
}

template <class L>
void add_of_matrices() {
  constexpr long m = 4096;
  add_timed_case("add_out transposed", [] {
    auto a = L::transpose(L::floats({m, m})), b = L::floats({m, m}), out = L::floats({m, m});
    return CALL(L::add_out(out, a, b));
  });
  add_timed_case("add_out row", [] {
    auto a = L::floats({m, m}), b = L::floats({m}), out = L::floats({m, m});
    return CALL(L::add_out(out, a, b));
  });
  add_timed_case("add_out column", [] {
    auto a = L::floats({m, m}), b = L::floats({m, 1}), out = L::floats({m, m});
    return CALL(L::add_out(out, a, b));
  });
  add_timed_case("sum", [] {
    auto a = L::floats({m, m});
    return CALL(L::sum(a));
  });
  add_timed_case("sum dim 0", [] {
    auto a = L::floats({m, m});
    return CALL(L::sum(a, 0));
  });
  add_timed_case("sum dim 1", [] {
    auto a = L::floats({m, m});
    return CALL(L::sum(a, 1));
  });
  add_timed_case("softmax dim 1", [] {
    auto a = L::floats({m, m}), out = L::floats({m, m});
    return CALL(L::softmax_out(out, a));
  });
  for (const long dim : {0, 1}) {
    add_timed_case("index_select dim " + std::to_string(dim), [dim] {
      auto a = L::floats({m, m}), index = L::indices(m), out = L::floats({m, m});
      return CALL(L::index_select_out(out, a, dim, index));
    });
    add_timed_case("cat dim " + std::to_string(dim), [dim] {
      auto half = dim == 0 ? L::floats({m / 2, m}) : L::floats({m, m / 2}), out = L::floats({m, m});
      return CALL(L::cat_out(out, half, dim));
    });
  }
}

template <class L>
void add_functions() {
  constexpr long n = 1 << 20;
  const auto unary = [](const char* name, auto function) {
    add_timed_case(std::string(name) + "/1M", [function] {
      auto a = L::wide_floats({n}), out = L::floats({n});
      return CALL(function(out, a));
    });
  };
  unary("relu", [](auto& out, auto& a) { return L::relu_out(out, a); });
  unary("exp", [](auto& out, auto& a) { return L::exp_out(out, a); });
  unary("gelu", [](auto& out, auto& a) { return L::gelu_out(out, a); });
  unary("sigmoid", [](auto& out, auto& a) { return L::sigmoid_out(out, a); });
  unary("tanh", [](auto& out, auto& a) { return L::tanh_out(out, a); });
}

template <class L>
void add_layers() {
  add_timed_case("mm 1024", [] {
    auto a = L::floats({1024, 1024}), b = L::floats({1024, 1024}), out = L::floats({1024, 1024});
    return CALL(L::mm_out(out, a, b));
  });
  add_timed_case("conv2d 3x3, 64 on 56", [] {
    auto x = L::floats({1, 64, 56, 56}), weight = L::floats({64, 64, 3, 3}), bias = L::floats({64});
    return CALL(L::conv2d(x, weight, bias));
  });
  add_timed_case("layer_norm 4096x1024", [] {
    auto x = L::floats({4096, 1024}), weight = L::floats({1024}), bias = L::floats({1024});
    return CALL(L::layer_norm(x, weight, bias));
  });
  add_timed_case("upsample_nearest1d", [] {
    auto x = L::floats({16, 64, 4096}), out = L::floats({16, 64, 8192});
    return CALL(L::upsample_nearest1d_out(out, x));
  });
}

/// Main function of both programs: `PROGRAM [REGEX]`, with $THREADS threads (default: one).
template <class L>
int run(int argc, char** argv) {
  const char* const threads = std::getenv("THREADS");
  L::set_threads(threads == nullptr ? 1 : std::atoi(threads));
  add_by_size<L>();
  add_of_matrices<L>();
  add_functions<L>();
  add_layers<L>();
  return overhead::run_cases(argc, argv);
}

}  // namespace throughput
