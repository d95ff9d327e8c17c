#pragma once
// Loops over dense rows, compiled once per instruction set of the processor and chosen when they first run.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <type_traits>
#include <utility>

#include "structured/torch_loops/element_types.h"

// Results must not depend on the machine, so contraction is off (-ffp-contract=off, see StructuredSources.cmake).
#if defined(__x86_64__)
#include <immintrin.h>
#define STRUCTURED_TORCH_AVX2 __attribute__((target("avx2,fma,f16c,bmi,bmi2")))
#if defined(__clang__)
#define STRUCTURED_TORCH_AVX512 \
  __attribute__((target("avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl"), min_vector_width(512)))
#else
#define STRUCTURED_TORCH_AVX512 \
  __attribute__((target("avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
#endif

// Inputs and outputs of elementwise loops are the same memory or disjoint.
#if defined(__clang__)
#define STRUCTURED_TORCH_INDEPENDENT_LOOP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define STRUCTURED_TORCH_INDEPENDENT_LOOP _Pragma("GCC ivdep")
#else
#define STRUCTURED_TORCH_INDEPENDENT_LOOP
#endif

namespace structured::torch_loops {

/// Type that elements of type S are computed in.
template <class S>
struct Computed {
  using Type = S;
};
template <>
struct Computed<c10::Half> {
  using Type = float;
};
template <>
struct Computed<c10::BFloat16> {
  using Type = float;
};
template <>
struct Computed<c10::complex<c10::Half>> {
  using Type = c10::complex<float>;
};

namespace detail {

enum class SimdLevel { baseline, avx2, avx512 };

/// Returns the highest instruction set of the processor. As in ATen, the environment variable ATEN_CPU_CAPABILITY
/// lowers it.
inline SimdLevel simd_level() {
  static const SimdLevel level = [] {
#if defined(__x86_64__)
    const char* limit = std::getenv("ATEN_CPU_CAPABILITY");
    const std::string_view highest = limit == nullptr ? "avx512" : limit;
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (highest == "default" || !has_avx2) return SimdLevel::baseline;
    return highest == "avx2" || !has_avx512 ? SimdLevel::avx2 : SimdLevel::avx512;
#else
    return SimdLevel::baseline;
#endif
  }();
  return level;
}

/// Sets `size` dense elements of `out` to the function of those of the inputs.
using DenseRow = void (*)(const void* function, void* out, const void* const* in, int64_t size);

template <class F>
struct PointwiseFunction : PointwiseFunction<decltype(&F::operator())> {};

template <class F, class R, class... Args>
struct PointwiseFunction<R (F::*)(Args...) const> {
  using Result = R;
  static constexpr std::size_t inputs = sizeof...(Args);
  // Excluded instruction sets: complex numbers, which compilers hardly vectorise, and 512-bit vectors of integers.
  static constexpr bool has_avx2 = std::is_arithmetic_v<R> && (std::is_arithmetic_v<Args> && ...);
  static constexpr bool has_avx512 =
      has_avx2 && (std::is_floating_point_v<R> || (std::is_floating_point_v<Args> || ...));

  static DenseRow row() {
#if defined(__x86_64__)
    if constexpr (has_avx512) {
      if (simd_level() == SimdLevel::avx512) return avx512;
    }
    if constexpr (has_avx2) {
      if (simd_level() != SimdLevel::baseline) return avx2;
    }
#endif
    return baseline;
  }
  static DenseRow baseline_row() { return baseline; }

 private:
  template <std::size_t... I>
  __attribute__((always_inline)) static inline void run(const void* closure, void* out, const void* const* in,
                                                        int64_t size, std::index_sequence<I...>) {
    const F function = *static_cast<const F*>(closure);  // a store through `out` could change the original
    R* const result = static_cast<R*>(out);
    const auto loop = [&](const Args*... row) __attribute__((always_inline)) {
      STRUCTURED_TORCH_INDEPENDENT_LOOP
      for (int64_t i = 0; i < size; ++i) result[i] = function(row[i]...);
    };
    loop(static_cast<const Args*>(in[I])...);
  }

  // Flattened because the loop vectorises only if the function is inlined.
  __attribute__((flatten)) static void baseline(const void* closure, void* out, const void* const* in, int64_t size) {
    run(closure, out, in, size, std::index_sequence_for<Args...>());
  }
#if defined(__x86_64__)
  STRUCTURED_TORCH_AVX2 __attribute__((flatten)) static void avx2(const void* closure, void* out, const void* const* in,
                                                                  int64_t size) {
    run(closure, out, in, size, std::index_sequence_for<Args...>());
  }
  STRUCTURED_TORCH_AVX512 __attribute__((flatten)) static void avx512(const void* closure, void* out,
                                                                      const void* const* in, int64_t size) {
    run(closure, out, in, size, std::index_sequence_for<Args...>());
  }
#endif
};

}  // namespace detail

}  // namespace structured::torch_loops
