#pragma once
// Elementwise CPU operators. The scalar function of an operator is compiled for dense rows only, once per SIMD level.
// Shared code reduces all other cases (strides, broadcasting, conversion of dtypes, threads) to such rows, in blocks
// that fit into the L1 cache.
//
// Emitted code and hand-written kernels call it like this:
//
//     pointwise_kernel<kRealTypes>("mul", op, [&]<class T>() {
//       return [](T self, T other) -> T { return self * other; };
//     });
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "structured/base/export.h"
#include "structured/core/tensor_impl.h"
#include "structured/device/simd_level.h"
#include "structured/iterator/loops.h"
#include "structured/iterator/parallel.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/number/bfloat16.h"
#include "structured/number/complex.h"
#include "structured/number/half.h"
#include "structured/number/scalar_type.h"
#include "structured/number/visit.h"

// Results must not depend on the machine, so contraction is off (-ffp-contract=off, see StructuredCodegen.cmake).
// Functions that need a fused multiply-add call std::fma.
#if defined(__x86_64__)
#define STRUCTURED_TARGET_AVX2 __attribute__((target("avx2,fma,f16c,bmi,bmi2")))
#if defined(__clang__)
#define STRUCTURED_TARGET_AVX512 \
  __attribute__((target("avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl"), min_vector_width(512)))
#else
#define STRUCTURED_TARGET_AVX512 \
  __attribute__((target("avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
#endif

namespace structured {

/// Largest number of input tensors of an elementwise function.
inline constexpr std::size_t kMaxPointwiseInputs = 3;

namespace detail {

/// Sets `size` dense elements of `out` to the function of those of a, b and c; unused inputs are null.
using DenseLoop = void (*)(const void* function, void* out, const void* a, const void* b, const void* c, int64_t size);

/// DenseLoop for a few elements with any strides, which are laid out as for a Loop2d.
using FewLoop = void (*)(const void* function, char* const* data, const int64_t* strides, int64_t inner, int64_t outer);

/// Compiled loops of one function. Operand 0 is the output.
struct PointwiseLoop {
  ScalarType types[kMaxPointwiseInputs + 1];
  uint8_t sizes[kMaxPointwiseInputs + 1];
  uint32_t operands;
  uint32_t function_size;  // 0 if not trivially copyable or too large for ReadyLoop
  DenseLoop dense[kSimdLevels];
  FewLoop few;  // requires the first SIMD level above the baseline; null for functions of several dtypes

  STRUCTURED_ALWAYS_INLINE DenseLoop chosen() const { return dense[static_cast<std::size_t>(simd_level())]; }
};

/// Loop over a few dense elements with all its arguments: prepared operators run it repeatedly.
struct ReadyLoop {
  static constexpr std::size_t kMaxFunctionSize = 32;

  DenseLoop loop = nullptr;  ///< null if the iteration is not dense
  int64_t size;
  void* data[kMaxPointwiseInputs + 1];
  alignas(16) char function[kMaxFunctionSize];
  Storage written;  ///< storage of the output

  /// Runs the loop. Bumps the version of the output first, so that the loop is a tail call: with the load and store of
  /// the counter after it, consecutive runs take 1.6 times as long.
  void operator()() const {
    written.bump_version();
    loop(function, data[0], data[1], data[2], data[3], size);
  }
};

/// Runs the loop over operands of any strides and dtypes.
STRUCTURED_API void run_pointwise(const TensorIteratorBase& iterator, const PointwiseLoop& loop, const void* function,
                                  int64_t grain);

/// Type that elements of type T are computed in.
template <class T>
struct Computed {
  using Type = T;
};
template <class T>
  requires is_small_float_v<T>
struct Computed<T> {
  using Type = float;
};
template <class T>
  requires is_small_float_v<T>
struct Computed<Complex<T>> {
  using Type = Complex<float>;
};

template <class F>
struct PointwiseFunction : PointwiseFunction<decltype(&F::operator())> {};

template <class F, class R, class... Args>
struct PointwiseFunction<R (F::*)(Args...) const> {
  static_assert(sizeof...(Args) <= kMaxPointwiseInputs, "an elementwise function takes at most three tensors");
  static constexpr std::size_t kOperands = sizeof...(Args) + 1;
  static constexpr bool kIsUniform = (std::is_same_v<R, Args> && ...);
  // Excluded SIMD levels: complex numbers, which compilers hardly vectorize, and 512-bit vectors of integers.
  static constexpr bool kHasAvx2 = std::is_arithmetic_v<R> && (std::is_arithmetic_v<Args> && ...);
  static constexpr bool kHasAvx512 =
      kHasAvx2 && (std::is_floating_point_v<R> || (std::is_floating_point_v<Args> || ...));
  using Result = R;
  using Inputs = std::make_index_sequence<sizeof...(Args)>;

  template <std::size_t... I>
  STRUCTURED_ALWAYS_INLINE static void run(const void* closure, void* out, const void* a, const void* b, const void* c,
                                           int64_t size, std::index_sequence<I...>) {
    const F function = *static_cast<const F*>(closure);  // a store through `out` could change the original
    const void* const in[] = {a, b, c};
    R* const result = static_cast<R*>(out);
    STRUCTURED_INDEPENDENT_LOOP
    for (int64_t i = 0; i < size; ++i) result[i] = function(static_cast<const Args*>(in[I])[i]...);
  }

  // Flattened because the loop vectorizes only if the function is inlined.
  __attribute__((flatten)) static void baseline(const void* closure, void* out, const void* a, const void* b,
                                                const void* c, int64_t size) {
    run(closure, out, a, b, c, size, Inputs());
  }
#if defined(__x86_64__)
  STRUCTURED_TARGET_AVX2 __attribute__((flatten)) static void avx2(const void* closure, void* out, const void* a,
                                                                   const void* b, const void* c, int64_t size) {
    run(closure, out, a, b, c, size, Inputs());
  }
  STRUCTURED_TARGET_AVX512 __attribute__((flatten)) static void avx512(const void* closure, void* out, const void* a,
                                                                       const void* b, const void* c, int64_t size) {
    run(closure, out, a, b, c, size, Inputs());
  }
#endif

  template <std::size_t... I>
  STRUCTURED_ALWAYS_INLINE static void run_few(const void* closure, char* const* data, const int64_t* strides,
                                               int64_t inner, int64_t outer, std::index_sequence<I...>) {
    const F& function = *static_cast<const F*>(closure);
    for (int64_t k = 0; k < outer; ++k) {
      char* out = data[0] + k * strides[kOperands];
      const char* in[] = {data[I + 1] + k * strides[kOperands + I + 1]...};
      for (int64_t i = 0; i < inner; ++i) {
        *reinterpret_cast<R*>(out) = function(*reinterpret_cast<const Args*>(in[I])...);
        out += strides[0];
        ((in[I] += strides[I + 1]), ...);
        asm volatile("");  // not vectorized: the set-up would cost more
      }
    }
  }
#if defined(__x86_64__)
  STRUCTURED_TARGET_AVX2
#endif
  __attribute__((flatten)) static void few(const void* closure, char* const* data, const int64_t* strides,
                                           int64_t inner, int64_t outer) {
    run_few(closure, data, strides, inner, outer, Inputs());
  }

  static constexpr FewLoop few_loop() {
    if constexpr (kIsUniform && kHasAvx2) return few;
    return nullptr;
  }

  static constexpr DenseLoop dense(SimdLevel level) {
#if defined(__x86_64__)
    if constexpr (kHasAvx512) {
      if (level == SimdLevel::avx512) return avx512;
    }
    if constexpr (kHasAvx2) {
      if (level != SimdLevel::baseline) return avx2;
    }
#endif
    static_cast<void>(level);
    return baseline;
  }

  static constexpr uint32_t function_size() {
    return std::is_trivially_copyable_v<F> && sizeof(F) <= ReadyLoop::kMaxFunctionSize ? sizeof(F) : 0;
  }

  static constexpr PointwiseLoop loop = {{scalar_type_of<R>, scalar_type_of<Args>...},
                                         {sizeof(R), sizeof(Args)...},
                                         kOperands,
                                         function_size(),
                                         {dense(SimdLevel::baseline), dense(SimdLevel::avx2), dense(SimdLevel::avx512)},
                                         few_loop()};
};

// The most common case is inlined: few elements, all dense and of one dtype.
template <class F>
STRUCTURED_ALWAYS_INLINE void run_pointwise(const TensorIteratorBase& iterator, const F& function) {
  using Function = PointwiseFunction<F>;
  using R = typename Function::Result;
  if constexpr (Function::kIsUniform) {
    const int64_t size = iterator.numel();
    if (iterator.is_dense() && iterator.common_dtype() == scalar_type_of<R> && size <= kGrainSize) [[likely]] {
      if (size == 0) return;
      const auto elements = [&]<std::size_t I>() -> void* {
        if constexpr (I >= Function::kOperands) {
          return nullptr;
        } else {
          return iterator.dense_tensor(I).impl()->template elements<R>();
        }
      };
      Function::loop.chosen()(&function, elements.template operator()<0>(), elements.template operator()<1>(),
                              elements.template operator()<2>(), elements.template operator()<3>(), size);
      return;
    }
  }
  run_pointwise(iterator, Function::loop, &function, kGrainSize);
}

// Several dtypes are computed in float and share this instantiation.
template <class T, class Make>
__attribute__((noinline)) void run_converted(const TensorIteratorBase& iterator, const Make& make) {
  run_pointwise(iterator, make.template operator()<T>());
}

}  // namespace detail

/// Sets each element of the iterator's output to a function of the elements of its inputs. `make.operator()<T>()`
/// returns the function for type T, in which the common dtype of the iterator is computed: float for smaller formats.
/// The function has one parameter of type T or bool for each input, and returns T or bool. Operands of other dtypes are
/// converted. Runs on several threads if there are more than kGrainSize elements; the function is copied and must own
/// its state. Throws Error, which starts with `name`, if the common dtype is not one of `Types`.
template <ScalarTypeSet Types, class Make>
STRUCTURED_ALWAYS_INLINE void pointwise_kernel(const char* name, const TensorIteratorBase& iterator, const Make& make) {
  if constexpr (Types.contains(ScalarType::Float)) {  // saves the most common dtype a switch
    if (iterator.common_dtype() == ScalarType::Float) [[likely]] {
      return detail::run_pointwise(iterator, make.template operator()<float>());
    }
  }
  visit<Types>(name, iterator.common_dtype(), [&]<class T>() {
    using C = typename detail::Computed<T>::Type;
    if constexpr (std::is_same_v<T, C>) {
      detail::run_pointwise(iterator, make.template operator()<T>());
    } else {
      detail::run_converted<C>(iterator, make);
    }
  });
}

/// pointwise_kernel with T the type of the common dtype itself, for functions that depend on the representation.
template <ScalarTypeSet Types, class Make>
void pointwise_kernel_as_is(const char* name, const TensorIteratorBase& iterator, const Make& make) {
  visit<Types>(name, iterator.common_dtype(),
               [&]<class T>() { detail::run_pointwise(iterator, make.template operator()<T>()); });
}

}  // namespace structured
