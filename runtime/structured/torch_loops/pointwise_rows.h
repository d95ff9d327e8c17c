#pragma once
// Loops of operators that one scalar function defines, for any class with the loops of at::TensorIteratorBase.
//
// The scalar function is compiled for dense rows only, once per instruction set. Strides, broadcasting, and
// half-precision dtypes, which are computed in float, are reduced to such rows in blocks that fit into the L1 cache.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "structured/torch_loops/convert_rows.h"
#include "structured/torch_loops/dense_rows.h"
#include "structured/torch_loops/dtype_set.h"
#include "structured/torch_loops/element_types.h"

namespace structured::torch_loops {

namespace detail {

/// Reads `size` elements of type S with the given stride as elements of type C.
template <class S, class C>
void load(C* to, const char* from, int64_t stride, int64_t size) {
  if (stride == 0) {
    std::fill_n(to, size, static_cast<C>(*reinterpret_cast<const S*>(from)));
  } else if (stride == sizeof(S)) {
    convert_row(reinterpret_cast<const S*>(from), to, size);
  } else {
    for (int64_t i = 0; i < size; ++i) to[i] = static_cast<C>(*reinterpret_cast<const S*>(from + i * stride));
  }
}

template <class S, class C>
void store(char* to, const C* from, int64_t stride, int64_t size) {
  if (stride == sizeof(S)) {
    convert_row(from, reinterpret_cast<S*>(to), size);
  } else {
    for (int64_t i = 0; i < size; ++i) *reinterpret_cast<S*>(to + i * stride) = static_cast<S>(from[i]);
  }
}

/// Runs a loop over dense rows of `inputs` elements of type C, with results of type R, on the iterator's operands:
/// inputs of type S and an output of type Out.
template <class S, class C, class Out, class R, std::size_t inputs, class Iterator>
void run_rows(Iterator& op, DenseRow row, const void* function) {
  constexpr int64_t block = 512;
  op.for_each([=](char** data, const int64_t* strides, int64_t size) {
    const bool writes_directly = std::is_same_v<Out, R> && strides[0] == sizeof(R);
    std::array<bool, inputs> reads_directly;
    bool is_dense = writes_directly;
    for (std::size_t i = 0; i < inputs; ++i) {
      reads_directly[i] = std::is_same_v<S, C> && strides[i + 1] == sizeof(C);
      is_dense = is_dense && reads_directly[i];
    }
    std::array<const void*, inputs> rows;
    if (is_dense) {
      for (std::size_t i = 0; i < inputs; ++i) rows[i] = data[i + 1];
      row(function, data[0], rows.data(), size);
      return;
    }
    alignas(64) C input_buffers[inputs][block];
    alignas(64) R output_buffer[block];
    for (int64_t start = 0; start < size; start += block) {
      const int64_t count = std::min(block, size - start);
      for (std::size_t i = 0; i < inputs; ++i) {
        const char* first = data[i + 1] + start * strides[i + 1];
        const bool is_filled = strides[i + 1] == 0 && start > 0;
        if (!reads_directly[i] && !is_filled) load<S, C>(input_buffers[i], first, strides[i + 1], count);
        rows[i] = reads_directly[i] ? static_cast<const void*>(first) : input_buffers[i];
      }
      char* out = data[0] + start * strides[0];
      row(function, writes_directly ? static_cast<void*>(out) : output_buffer, rows.data(), count);
      if (!writes_directly) store<Out, R>(out, output_buffer, strides[0], count);
    }
  });
  op.cast_outputs();
}

/// Elements of type S are computed in type C, by a loop for the processor or, to save code, for any processor.
template <class S, class C, bool is_vectorized, class Iterator, class F>
void run_pointwise(Iterator& op, const F& function) {
  using Function = PointwiseFunction<F>;
  const DenseRow row = is_vectorized ? Function::row() : Function::baseline_row();
  using R = typename Function::Result;
  constexpr std::size_t inputs = Function::inputs;
  if constexpr (std::is_same_v<R, bool> && !std::is_same_v<S, bool>) {
    if (op.dtype(0) == c10::ScalarType::Bool) return run_rows<S, C, bool, R, inputs>(op, row, &function);
  }
  run_rows<S, C, S, R, inputs>(op, row, &function);
}

}  // namespace detail

/// How the function of a loop is compiled.
enum class LoopKind {
  vectorized,  ///< once per instruction set
  small,       ///< once, for functions that are rarely called
  as_is,       ///< like `vectorized`, with the type of the dtype itself in place of float for Half and BFloat16
};

/// Sets each element of the iterator's output to a function of the elements of its inputs, whose common dtype is one of
/// `types`. `make.operator()<T>()` returns the function for elements of type T.
template <DtypeSet types, LoopKind kind, class Iterator, class Make>
void run_pointwise_kernel(Iterator& op, const Make& make) {
  visit<types>(op.common_dtype(), [&]<class S>() {
    using C = std::conditional_t<kind == LoopKind::as_is, S, typename Computed<S>::Type>;
    detail::run_pointwise<S, C, kind != LoopKind::small>(op, make.template operator()<C>());
  });
}

}  // namespace structured::torch_loops
