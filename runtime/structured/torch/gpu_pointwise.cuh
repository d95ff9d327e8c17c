#pragma once
// Kernels for CUDA of operators that one scalar function defines: ATen's loops (gpu_kernel). Emitted sources use them:
//
//     template <class T>
//     struct cuda_of_soft_clip_element {
//       T limit;
//       __device__ T operator()(T self) const { return ::my::soft_clip<T>(self, limit); }
//     };
//
//     gpu_pointwise_kernel<kAllFloatingTypes>("soft_clip", op, [&]<class T>() {
//       return cuda_of_soft_clip_element<T>{to<T>(limit)};
//     });
#include <ATen/TensorIterator.h>
#include <ATen/native/cuda/Loops.cuh>

#include <type_traits>

#include "structured/torch/pointwise.h"
#include "structured/torch_loops/dtype_set.h"

namespace structured::torch {

using namespace torch_loops;
namespace detail {

template <class S, class>
using Stored = S;

/// The function `F` of elements of type C for elements that memory holds as type S. Its result has the type R.
template <class S, class R, class F, class Call = decltype(&F::operator())>
struct OfStored;
template <class S, class R, class F, class Value, class... C>
struct OfStored<S, R, F, Value (F::*)(C...) const> {
  using Result = Value;
  F function;

  __device__ R operator()(Stored<S, C>... elements) const {
    return static_cast<R>(function(static_cast<C>(elements)...));
  }
};

template <int count>
struct GpuOperands {
  char* data[count];
  c10::ScalarType dtypes[count];
};

/// ATen's loop for any strides and dtypes. It is one kernel, where gpu_kernel compiles about ten.
template <class F>
void small_gpu_kernel(at::TensorIteratorBase& op, const F& function) {
  if (op.numel() == 0) return;
  if (!op.can_use_32bit_indexing()) {
    for (auto& part : op.with_32bit_indexing()) small_gpu_kernel(part, function);
    return;
  }
  using Traits = function_traits<F>;
  constexpr int count = Traits::arity + 1;
  GpuOperands<count> operands;
  for (int i = 0; i < count; ++i) {
    operands.data[i] = static_cast<char*>(op.data_ptr(i));
    operands.dtypes[i] = op.dtype(i);
  }
  const auto offsets = ::make_offset_calculator<count>(op);
  at::native::launch_legacy_kernel<128, 4>(op.numel(), [=] GPU_LAMBDA(int index) {
    const auto offset = offsets.get(index);
    const auto result = at::native::invoke(function, &operands.data[1], &offset[1], &operands.dtypes[1], 1);
    c10::cast_and_store<typename Traits::result_type>(operands.dtypes[0], operands.data[0] + offset[0], result);
  });
}

/// Elements of type S are computed in type C. The loop converts operands of other dtypes as it reads and writes them.
template <class S, class F>
void run_gpu_pointwise(at::TensorIteratorBase& op, const F& function) {
  using Result = typename OfStored<S, S, F>::Result;
  if constexpr (std::is_same_v<Result, bool> && !std::is_same_v<S, bool>) {
    if (op.dtype(0) == at::kBool) return at::native::gpu_kernel(op, OfStored<S, bool, F>{function});
  }
  at::native::gpu_kernel(op, OfStored<S, S, F>{function});
}

}  // namespace detail

/// pointwise_kernel for CUDA, on the current device and stream.
template <DtypeSet types, class Make>
void gpu_pointwise_kernel(const char* name, at::TensorIteratorBase& op, const Make& make) {
  visit<types>(op.common_dtype(), [&]<class S>() {
    using C = typename Computed<S>::Type;
    detail::run_gpu_pointwise<S>(op, make.template operator()<C>());
  });
  check_dtype(name, op.common_dtype(), types);
}

/// small_pointwise_kernel for CUDA, on the current device and stream.
template <DtypeSet types, class Make>
void small_gpu_pointwise_kernel(const char* name, at::TensorIteratorBase& op, const Make& make) {
  visit<types>(op.common_dtype(), [&]<class S>() {
    using C = typename Computed<S>::Type;
    const auto function = make.template operator()<C>();
    detail::small_gpu_kernel(op, detail::OfStored<S, S, std::remove_const_t<decltype(function)>>{function});
  });
  check_dtype(name, op.common_dtype(), types);
}

/// pointwise_kernel_as_is for CUDA, on the current device and stream.
template <DtypeSet types, class Make>
void gpu_pointwise_kernel_as_is(const char* name, at::TensorIteratorBase& op, const Make& make) {
  visit<types>(op.common_dtype(), [&]<class S>() { detail::run_gpu_pointwise<S>(op, make.template operator()<S>()); });
  check_dtype(name, op.common_dtype(), types);
}

}  // namespace structured::torch
