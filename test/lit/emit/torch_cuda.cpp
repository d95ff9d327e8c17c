// In a library for PyTorch whose backends include CUDA, a scalar function also becomes a structure and a kernel in a CUDA source,
// and the wrappers call that kernel. Without CUDA among the backends, no such source is emitted.
// RUN: rm -rf %t && split-file %s %t
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %t -o %t.json %t/ops.h -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=my --backends=CPU,CUDA,Meta --source-root %t --output-dir %t.gen %t.json
// RUN: FileCheck %s < %t.gen/src/ops.h.cu
// RUN: FileCheck --check-prefix=HOST %s < %t.gen/src/ops.h.cpp
// RUN: FileCheck --check-prefix=LIBRARY %s < %t.gen/library.cpp
// RUN: %structured_gen emit --namespace=my --source-root %t --output-dir %t.cpu %t.json
// RUN: not ls %t.cpu/src/ops.h.cu
// RUN: not grep -i cuda %t.cpu/library.cpp
//--- ops.h
#include "aten_mock.h"
namespace kernels {
template <typename T>
[[structured::pointwise("clip", "clip_", "clip.out"), structured::dtypes("floating")]]
T clip(T self, [[structured::scalar("promotes")]] T least, [[structured::tensor]] bool mask,
       [[structured::scalar]] T most = 1);

template <typename T>
[[structured::pointwise("bits"), structured::promote("no_opmath"), structured::not_differentiable]]
bool bits(T self, int64_t count);
}  // namespace kernels

// CHECK: // Emitted by structured-gen from ops.h. Do not edit.
// CHECK: #include <structured/torch/gpu_pointwise.cuh>
// CHECK: #include "ops.h"

// CHECK: struct cuda_of_bits_element {
// CHECK-NEXT: int64_t count;
// CHECK: __device__ bool operator()(T self) const {
// CHECK-NEXT: return ::kernels::bits<T>(self, count);
// CHECK: void cuda_of_bits(::at::TensorIteratorBase& op, const ::at::Tensor& /*self*/, int64_t count,
// CHECK: ::structured::torch::gpu_pointwise_kernel_as_is<types>("bits", op, [&]<class T>() {
// CHECK-NEXT: return cuda_of_bits_element<T>{count};

// CHECK: struct cuda_of_clip_element {
// CHECK-NEXT: T least;
// CHECK-NEXT: T most;
// CHECK: __device__ T operator()(T self, T mask) const {
// CHECK-NEXT: return ::kernels::clip<T>(self, least, mask != T(0), most);
// CHECK: void cuda_of_clip(::at::TensorIteratorBase& op, const ::at::Tensor& /*self*/, const ::c10::Scalar& least,
// CHECK: ::structured::torch::gpu_pointwise_kernel<types>("clip", op, [&]<class T>() {
// CHECK-NEXT: return cuda_of_clip_element<T>{::structured::torch::converted<T>(least), ::structured::torch::to<T>(most)};

// HOST-NOT: cuda_of_clip_element
// HOST: void cpu_of_clip(
// HOST: void cuda_of_clip(::at::TensorIteratorBase&, const ::at::Tensor&, const ::c10::Scalar&, const ::at::Tensor&,
// HOST-NEXT: const ::c10::Scalar&, const ::at::Tensor&);
// HOST: wrapper_cuda_clip(

// LIBRARY: wrapper_cuda_clip>(::c10::DispatchKey::CUDA)
