#pragma once
// Discrete Fourier transforms by cuFFT, which is opened at the first transform.
#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>

namespace structured::kernels {

/// Enqueues the transform of `self` along `dim`, without a factor, in the current stream of the current device: complex
/// to complex; real to complex, with the last of `dim` onesided; or onesided complex to real, backwards. `out` has the
/// sizes of the result. Returns false, with `out` unchanged, if there is no cuFFT, if it has no plan for the sizes, and
/// for tensors or lists without dimensions. Plans are kept for each shape and device, and shared by all threads.
bool transform_by_cufft(const Tensor& self, IntArrayRef dim, bool forward, const Tensor& out);

}  // namespace structured::kernels
