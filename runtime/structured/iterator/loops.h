#pragma once
// Pointwise CPU kernels: one scalar function, applied to all elements of an iteration.
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "structured/base/error.h"
#include "structured/iterator/convert_row.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/number/scalar_type.h"

// Declares the iterations of the following loop independent: an output element is either the input element that the
// same iteration reads, or memory that no input reads. Without it, compilers compare addresses at run time. Clang warns
// where it cannot use the hint.
#if defined(__GNUC__) && !defined(__clang__)
#define STRUCTURED_INDEPENDENT_LOOP _Pragma("GCC ivdep")
#else
#define STRUCTURED_INDEPENDENT_LOOP
#endif

namespace structured {
namespace detail {

/// Whether the compiler vectorises loops: not with -Os, where one loop over strides serves all rows.
#if defined(__OPTIMIZE_SIZE__)
constexpr bool kVectorizesRows = false;
#else
constexpr bool kVectorizesRows = true;
#endif

template <class F>
struct PointwiseTraits : PointwiseTraits<decltype(&F::operator())> {};

/// Row loops for a scalar function that takes `Args` and returns `R`. Operand 0 is the output.
template <class R, class... Args>
struct PointwiseRows {
  static constexpr std::size_t kInputs = sizeof...(Args);
  static constexpr std::size_t kOperands = kInputs + 1;
  using Inputs = std::make_index_sequence<kInputs>;

  static void check_dtypes(const TensorIteratorBase& iterator) {
    constexpr ScalarType expected[] = {scalar_type_of<R>, scalar_type_of<Args>...};
    bool agree = iterator.ntensors() == kOperands;
    for (std::size_t i = 0; i < kOperands && agree; ++i) agree = iterator.dtype(i) == expected[i];
    STRUCTURED_INTERNAL_ASSERT(agree, "a loop's types differ from its operands' dtypes");
  }

  // Runs the most common case and returns true: at most `grain` elements, all dense and of one dtype.
  template <class F>
  static bool run_dense(const F& function, const TensorIteratorBase& iterator, int64_t grain) {
    if constexpr ((std::is_same_v<R, Args> && ...)) {
      const int64_t size = iterator.numel();
      if (iterator.is_dense() && iterator.common_dtype() == scalar_type_of<R> && iterator.ntensors() == kOperands &&
          size <= grain) [[likely]] {
        if (size != 0) dense_row(function, iterator, size, std::make_index_sequence<kOperands>());
        return true;
      }
    }
    return false;
  }

  // Runs a few dense elements whose dtypes promote to those of the function.
  template <class F>
  static bool run_mixed(const F& function, const TensorIteratorBase& iterator) {
    if constexpr (kInputs == 2 && (std::is_same_v<R, Args> && ...)) {
      const int64_t size = iterator.numel();
      if (!iterator.is_dense_with_casts() || iterator.common_dtype() != scalar_type_of<R> || size > kShortRow ||
          iterator.ntensors() != kOperands) {
        return false;
      }
      if (size == 0) return true;
      alignas(R) char buffers[2][kShortRow * sizeof(R)];
      char* const data[] = {static_cast<char*>(iterator.tensor(0).data()),
                            elements_as(scalar_type_of<R>, iterator.tensor(1), buffers[0], size),
                            elements_as(scalar_type_of<R>, iterator.tensor(2), buffers[1], size)};
      dense_row(function, data, size, Inputs());
      return true;
    }
    return false;
  }

  // Not inlined: several callers share the instantiation for a function.
  template <class F>
  __attribute__((noinline)) static void run(const F& function, char* const* data, const int64_t* strides, int64_t inner,
                                            int64_t outer) {
    if constexpr (!kVectorizesRows) return plain_block(function, data, strides, inner, outer, Inputs());
    const int kind = kind_of(strides, Inputs());
    if (kind == kStrided || inner < kShortRow) {
      plain_block(function, data, strides, inner, outer, Inputs());
      return;
    }
    for (int64_t k = 0; k < outer; ++k) {
      char* row[kOperands];
      for (std::size_t i = 0; i < kOperands; ++i) row[i] = data[i] + k * strides[kOperands + i];
      if (kind == kDense) {
        dense_row(function, row, inner, Inputs());
      } else {
        repeated_row(function, row, inner, kind, Inputs());
      }
    }
  }

 private:
  static constexpr int kDense = -1;
  static constexpr int kStrided = -2;
  static constexpr int64_t kShortRow = 16;  // below the set-up cost of a vectorized loop

  // Classifies strides: kDense; the number of the only broadcast input if all others are dense; else kStrided.
  template <std::size_t... I>
  static int kind_of(const int64_t* strides, std::index_sequence<I...>) {
    if (strides[0] != sizeof(R)) return kStrided;
    constexpr int64_t sizes[] = {sizeof(Args)..., 0};
    int kind = kDense;
    for (std::size_t i = 0; i < kInputs; ++i) {
      if (strides[i + 1] == sizes[i]) continue;
      if (strides[i + 1] != 0 || kind != kDense) return kStrided;
      kind = static_cast<int>(i);
    }
    return kind;
  }

  template <class F, std::size_t... I>
  static void dense_row(const F& function, const TensorIteratorBase& iterator, int64_t size,
                        std::index_sequence<I...>) {
    char* const data[] = {reinterpret_cast<char*>(iterator.tensor(I).impl()->template elements<R>())...};
    dense_row(function, data, size, Inputs());
  }

  // Takes `function` by value: otherwise the compiler would reload its members after each store through `out`.
  template <class F, std::size_t... I>
  static void dense_row(F function, char* const* data, int64_t size, std::index_sequence<I...>) {
    R* const out = reinterpret_cast<R*>(data[0]);
    [&](const Args* const... in) {
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < size; ++i) out[i] = function(in[i]...);
    }(reinterpret_cast<const Args*>(data[I + 1])...);
  }

  template <class F, std::size_t... I>
  static void repeated_row(const F& function, [[maybe_unused]] char* const* data, [[maybe_unused]] int64_t size,
                           [[maybe_unused]] int which, std::index_sequence<I...>) {
    (void)((static_cast<int>(I) == which && (repeated_row<I>(function, data, size, Inputs()), true)) || ...);
  }

  template <std::size_t Which, class F, std::size_t... I>
  static void repeated_row(F function, char* const* data, int64_t size, std::index_sequence<I...>) {
    R* const out = reinterpret_cast<R*>(data[0]);
    const auto value = *reinterpret_cast<const std::tuple_element_t<Which, std::tuple<Args...>>*>(data[Which + 1]);
    [&](const Args* const... in) {
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < size; ++i) out[i] = function(pick<(I == Which)>(in, i, value)...);
    }(reinterpret_cast<const Args*>(data[I + 1])...);
  }

  template <bool Repeated, class Arg, class Value>
  static Arg pick(const Arg* in, int64_t i, const Value& value) {
    if constexpr (Repeated) {
      return value;
    } else {
      return in[i];
    }
  }

  template <class F, std::size_t... I>
  static void plain_block(F function, char* const* data, const int64_t* strides, int64_t inner, int64_t outer,
                          std::index_sequence<I...>) {
    const int64_t steps[] = {strides[0], strides[I + 1]...};
    for (int64_t k = 0; k < outer; ++k) {
      char* at[] = {data[0] + k * strides[kOperands], data[I + 1] + k * strides[kOperands + I + 1]...};
      for (int64_t i = 0; i < inner; ++i) {
        *reinterpret_cast<R*>(at[0]) = function(*reinterpret_cast<const Args*>(at[I + 1])...);
        at[0] += steps[0];
        ((at[I + 1] += steps[I + 1]), ...);
      }
    }
  }
};

template <class F, class R, class... Args>
struct PointwiseTraits<R (F::*)(Args...) const> {
  using Rows = PointwiseRows<R, std::remove_cvref_t<Args>...>;
};

}  // namespace detail

/// Sets each element of the iterator's output to `function` of the elements of its inputs:
///
///     cpu_kernel(iter, [](float a, float b) -> float { return a * b; });
///
/// The types of the function are the dtypes that the iterator shows to loops. It runs on several threads at the same
/// time if there are more than `grain` elements. Dense operands run in a vectorized loop; one of them may be a
/// broadcast scalar.
template <class F>
void cpu_kernel(const TensorIteratorBase& iterator, const F& function, int64_t grain = kGrainSize) {
  using Rows = typename detail::PointwiseTraits<F>::Rows;
  if constexpr (detail::kVectorizesRows) {
    if (Rows::run_dense(function, iterator, grain) || Rows::run_mixed(function, iterator)) return;
  }
  Rows::check_dtypes(iterator);
  if (iterator.numel() <= grain && iterator.ndim() <= 2 && !iterator.needs_cast()) [[likely]] {
    if (iterator.numel() != 0) {
      const int64_t inner = iterator.ndim() == 0 ? 1 : iterator.shape()[0];
      const int64_t outer = iterator.ndim() <= 1 ? 1 : iterator.shape()[1];
      Rows::run(function, iterator.data(), iterator.strides(), inner, outer);
    }
    return;
  }
  iterator.for_each(Loop2d([&function](char* const* data, const int64_t* strides, int64_t inner, int64_t outer) {
                      Rows::run(function, data, strides, inner, outer);
                    }),
                    grain);
}

}  // namespace structured
