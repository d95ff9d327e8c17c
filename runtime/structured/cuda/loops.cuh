#pragma once
// Elementwise loops on CUDA devices, for sources that nvcc compiles. A scalar function is a named structure with a
// template parameter for the type that it computes in:
//
//     template <class T>
//     struct Scale {
//       T factor;
//       __device__ T operator()(T self) const { return self * factor; }
//     };
//     extern const PointwiseTable scale_table = pointwise_table<kAllFloatingTypes, true, Scale>();
//
// A function has a dense kernel for each dtype, and a strided kernel for each type that it computes in. Strided kernels
// also convert dtypes.
#include <cuda_runtime_api.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "structured/cuda/pointwise_table.h"
#include "structured/number/bfloat16.h"
#include "structured/number/complex.h"
#include "structured/number/convert.h"
#include "structured/number/half.h"
#include "structured/number/scalar_type.h"
#include "structured/number/visit.h"

namespace structured::cuda {
namespace detail {

/// Type that elements of type M in memory are computed in.
template <class M, bool widens>
struct ComputedType {
  using Type = M;
};
template <class M>
  requires is_small_float_v<M>
struct ComputedType<M, true> {
  using Type = float;
};
template <class M>
  requires is_small_float_v<M>
struct ComputedType<Complex<M>, true> {
  using Type = Complex<float>;
};

/// Type in memory of a parameter or result of type T, where elements computed in C are in memory as M. Others are bool.
template <class T, class C, class M>
using InMemory = std::conditional_t<std::is_same_v<T, C>, M, T>;

/// Converts as structured::convert, with the hardware's conversions from and to Half and BFloat16.
template <class To, class From>
__device__ __forceinline__ To converted(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (is_complex_v<From> && is_complex_v<To>) {
    using Part = typename To::value_type;
    return To(converted<Part>(value.real()), converted<Part>(value.imag()));
  } else if constexpr (is_complex_v<To>) {
    return To(converted<typename To::value_type>(value));
  } else if constexpr (is_complex_v<From> && std::is_same_v<To, bool>) {
    return converted<bool>(value.real()) || converted<bool>(value.imag());
  } else if constexpr (is_complex_v<From>) {
    return converted<To>(value.real());
  } else if constexpr (std::is_same_v<From, Half>) {
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits()));
    return converted<To>(wide);
  } else if constexpr (std::is_same_v<From, BFloat16>) {
    return converted<To>(__uint_as_float(static_cast<unsigned>(value.bits()) << 16));
  } else if constexpr (std::is_same_v<To, Half>) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(convert<float>(value)));
    return __builtin_bit_cast(Half, bits);
  } else if constexpr (std::is_same_v<To, BFloat16>) {
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(convert<float>(value)));
    return __builtin_bit_cast(BFloat16, bits);
  } else {
    return convert<To>(value);
  }
}

// ------------------------------------------------------------------------------------------------------- dense

template <int bytes>
struct Word;
template <>
struct Word<1> {
  using Type = unsigned char;
};
template <>
struct Word<2> {
  using Type = unsigned short;
};
template <>
struct Word<4> {
  using Type = unsigned;
};
template <>
struct Word<8> {
  using Type = uint2;
};
template <>
struct Word<16> {
  using Type = uint4;
};

/// Elements of one operand for one thread: packs that are loaded and stored at once, a block's width apart.
template <class M, int kElements, int kPacks>
struct Packs {
  using WordType = typename Word<sizeof(M) * kElements>::Type;

  M elements[kPacks][kElements];

  __device__ __forceinline__ static Packs load(const void* from, int64_t base) {
    const WordType* const words = reinterpret_cast<const WordType*>(static_cast<const M*>(from) + base) + threadIdx.x;
    Packs result;
#pragma unroll
    for (int pack = 0; pack < kPacks; ++pack) {
      const WordType word = words[pack * kLoopThreads];
      __builtin_memcpy(result.elements[pack], &word, sizeof(word));
    }
    return result;
  }
  __device__ __forceinline__ void store(void* to, int64_t base) const {
    WordType* const words = reinterpret_cast<WordType*>(static_cast<M*>(to) + base) + threadIdx.x;
#pragma unroll
    for (int pack = 0; pack < kPacks; ++pack) {
      WordType word;
      __builtin_memcpy(&word, elements[pack], sizeof(word));
      words[pack * kLoopThreads] = word;
    }
  }
};

template <class... Operands>
constexpr int largest_size() {
  int result = 1;
  for (const int size : {static_cast<int>(sizeof(Operands))...}) result = size > result ? size : result;
  return result;
}

/// Number of elements that a block of a dense loop handles.
template <class... Operands>
inline constexpr int kDenseTile = kLoopThreads * kDenseBytes / largest_size<Operands...>();

template <class C, class M, class F, class R, class... Args, int... I>
__device__ __forceinline__ void dense_loop(const F& function, R (F::*)(Args...) const, const DenseOperands& operands,
                                           int64_t size, std::integer_sequence<int, I...>) {
  using Out = InMemory<R, C, M>;
  constexpr int kTile = kDenseTile<Out, InMemory<Args, C, M>...>;
  constexpr int kPacks = kDenseBytes / 16;
  constexpr int kElements = kTile / kLoopThreads / kPacks;
  const int64_t base = static_cast<int64_t>(blockIdx.x) * kTile;
  // An element of ComplexDouble is a pack. ComplexHalf is rare, and its eight copies of a complex function would be a
  // tenth of all code.
  if constexpr (sizeof(M) < 16 && !std::is_same_v<M, Complex<Half>>) {
    // A view may begin at any element.
    bool is_aligned = reinterpret_cast<std::uintptr_t>(operands.data[0]) % (sizeof(Out) * kElements) == 0;
    ((is_aligned &=
      reinterpret_cast<std::uintptr_t>(operands.data[I + 1]) % (sizeof(InMemory<Args, C, M>) * kElements) == 0),
     ...);
    if (size - base >= kTile && is_aligned) {
      const auto apply = [&](const Packs<InMemory<Args, C, M>, kElements, kPacks>&... inputs) {
        Packs<Out, kElements, kPacks> result;
#pragma unroll
        for (int pack = 0; pack < kPacks; ++pack) {
#pragma unroll
          for (int i = 0; i < kElements; ++i) {
            result.elements[pack][i] = converted<Out>(function(converted<Args>(inputs.elements[pack][i])...));
          }
        }
        result.store(operands.data[0], base);
      };
      apply(Packs<InMemory<Args, C, M>, kElements, kPacks>::load(operands.data[I + 1], base)...);
      return;
    }
  }
  const int rest = static_cast<int>(size - base < kTile ? size - base : kTile);
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < rest; i += kLoopThreads) {
    static_cast<Out*>(operands.data[0])[base + i] = converted<Out>(
        function(converted<Args>(static_cast<const InMemory<Args, C, M>*>(operands.data[I + 1])[base + i])...));
  }
}

template <class F, class C, class M, int kInputs>
__global__ __launch_bounds__(kLoopThreads) void dense_kernel(const F function, const DenseOperands operands,
                                                             const int64_t size) {
  dense_loop<C, M>(function, &F::operator(), operands, size, std::make_integer_sequence<int, kInputs>());
}

// ----------------------------------------------------------------------------------------------------- strided

/// Loads an element of any dtype as C. A function of its own, since a switch for each operand would make kernels large.
template <class C>
__device__ __noinline__ C load_any(const char* from, ScalarType type) {
  switch (type) {
#define STRUCTURED_DTYPE(enumerator, ...)
#define STRUCTURED_PLAIN_DTYPE(enumerator, element, ...)            \
  case ScalarType::enumerator:                                      \
    if constexpr (std::is_same_v<element, bool>) {                  \
      break;                                                        \
    } else {                                                        \
      return converted<C>(*reinterpret_cast<const element*>(from)); \
    }
#include "structured/schema/dtypes.def"
    default:
      break;
  }
  return converted<C>(*from != 0);
}

/// Stores a C as an element of any dtype.
template <class C>
__device__ __noinline__ void store_any(char* to, ScalarType type, C value) {
  switch (type) {
#define STRUCTURED_DTYPE(enumerator, ...)
#define STRUCTURED_PLAIN_DTYPE(enumerator, element, ...)           \
  case ScalarType::enumerator:                                     \
    if constexpr (std::is_same_v<element, bool>) {                 \
      break;                                                       \
    } else {                                                       \
      *reinterpret_cast<element*>(to) = converted<element>(value); \
      return;                                                      \
    }
#include "structured/schema/dtypes.def"
    default:
      break;
  }
  *reinterpret_cast<bool*>(to) = converted<bool>(value);
}

template <class C>
__device__ __forceinline__ C load_element(const StridedOperands& operands, int operand, int offset) {
  const char* from = operands.data[operand];
  from = from == nullptr ? operands.constants[operand] : from + offset;
  const ScalarType type = operands.types[operand];
  return type == scalar_type_of<C> ? *reinterpret_cast<const C*>(from) : load_any<C>(from, type);
}

template <class F, class R, class... Args, int... I>
__device__ __forceinline__ void strided_loop(const F& function, R (F::*)(Args...) const,
                                             const StridedOperands& operands, std::integer_sequence<int, I...>) {
  const int first = static_cast<int>(blockIdx.x) * (kLoopThreads * kStridedElements) + static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int k = 0; k < kStridedElements; ++k) {
    const int element = first + k * kLoopThreads;
    if (element >= operands.size) return;
    int offsets[sizeof...(Args) + 1] = {};
    auto rest = static_cast<unsigned>(element);
#pragma unroll 1
    for (int dim = 0; dim < operands.dims; ++dim) {
      const Divisor& divisor = operands.sizes[dim];
      const unsigned quotient = (__umulhi(rest, divisor.multiplier) + rest) >> divisor.shift;
      const int index = static_cast<int>(rest - quotient * divisor.value);
      rest = quotient;
      offsets[0] += index * operands.strides[dim][0];
      ((offsets[I + 1] += index * operands.strides[dim][I + 1]), ...);
    }
    const R result = function(load_element<Args>(operands, I + 1, offsets[I + 1])...);
    char* const to = operands.data[0] + offsets[0];
    if (operands.types[0] == scalar_type_of<R>) {
      *reinterpret_cast<R*>(to) = result;
    } else {
      store_any<R>(to, operands.types[0], result);
    }
  }
}

template <class F, int kInputs>
__global__ __launch_bounds__(kLoopThreads) void strided_kernel(const F function,
                                                               const __grid_constant__ StridedOperands operands) {
  strided_loop(function, &F::operator(), operands, std::make_integer_sequence<int, kInputs>());
}

// ------------------------------------------------------------------------------------------------------- table

template <class F, class R, class... Args>
constexpr int count_inputs(R (F::*)(Args...) const) {
  return sizeof...(Args);
}
template <class C, class M, class F, class R, class... Args>
constexpr int dense_tile(R (F::*)(Args...) const) {
  return kDenseTile<InMemory<R, C, M>, InMemory<Args, C, M>...>;
}
template <class F, class R, class... Args>
constexpr uint32_t booleans(R (F::*)(Args...) const) {
  uint32_t result = 0;
  uint32_t bit = 1;
  for (const bool is_boolean : {std::is_same_v<R, bool>, std::is_same_v<Args, bool>...}) {
    if (is_boolean) result |= bit;
    bit <<= 1;
  }
  return result;
}

template <class M, ScalarTypeSet types, bool widens, template <class> class Function>
void add_kernels(PointwiseTable& table) {
  if constexpr (types.contains(scalar_type_of<M>) && structured::detail::kSelectedTypes.contains(scalar_type_of<M>)) {
    using C = typename ComputedType<M, widens>::Type;
    using F = Function<C>;
    constexpr int kInputs = count_inputs(&F::operator());
    constexpr auto type = static_cast<std::size_t>(scalar_type_of<M>);
    table.inputs = kInputs;
    // The function for bool has bool operands only because that is its type.
    if constexpr (!std::is_same_v<C, bool>) table.booleans = booleans(&F::operator());
    table.dense[type] = reinterpret_cast<const void*>(&dense_kernel<F, C, M, kInputs>);
    table.strided[type] = reinterpret_cast<const void*>(&strided_kernel<F, kInputs>);
    table.dense_tile[type] = dense_tile<C, M, F>(&F::operator());
  }
}

inline int launch_kernel(const void* kernel, unsigned blocks, unsigned threads, void** arguments, void* stream) {
  return static_cast<int>(
      cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), arguments, 0, static_cast<cudaStream_t>(stream)));
}

}  // namespace detail

/// Returns the kernels of a scalar function for the dtypes `types`, in a build for selected dtypes for these only. If
/// `widens`, Half, BFloat16 and ComplexHalf are computed as float and Complex<float>.
template <ScalarTypeSet types, bool widens, template <class> class Function>
PointwiseTable pointwise_table() {
  PointwiseTable table{};
  table.launch = &detail::launch_kernel;
#define STRUCTURED_DTYPE(enumerator, ...)
#define STRUCTURED_PLAIN_DTYPE(enumerator, type, ...) detail::add_kernels<type, types, widens, Function>(table);
#include "structured/schema/dtypes.def"
  return table;
}

}  // namespace structured::cuda
