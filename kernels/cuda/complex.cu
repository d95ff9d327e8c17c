// Complex numbers from real ones, and real numbers from complex ones, on CUDA.
#include <structured/core/tensor.h>
#include <structured/cuda/pointwise.h>
#include <structured/cuda/strided_walk.h>
#include <structured/iterator/tensor_iterator.h>
#include <structured/number/complex.h>
#include <structured/number/visit.h>
#include <structured/cuda/loops.cuh>

#include <cstdint>

#include "cuda/element_loop.cuh"
#include "math/accumulate_type.h"
#include "pointwise/angle.h"
#include "pointwise/arithmetic.h"

namespace structured::kernels {
namespace {

/// Elements of an iterator with operands of different dtypes, the output first.
template <int N>
struct Operands {
  cuda::StridedWalk<N> walk;
  char* data[N];
};

template <int N>
Operands<N> operands_of(const TensorIteratorBase& op) {
  Operands<N> result;
  for (std::size_t d = 0; d < op.ndim(); ++d) {
    int64_t steps[N];
    for (int i = 0; i < N; ++i) steps[i] = op.stride(static_cast<std::size_t>(i), d);
    result.walk.add_dim(op.shape()[d], steps);
  }
  for (int i = 0; i < N; ++i) result.data[i] = op.data()[i];
  return result;
}

template <class T, bool kIsPolar>
struct MakeComplex {
  Operands<3> operands;
  __device__ void operator()(int64_t i) const {
    using C = AccumulateType<T>;
    int64_t offsets[3] = {};
    operands.walk.add_offsets(static_cast<uint32_t>(i), offsets);
    const T first = *reinterpret_cast<const T*>(operands.data[1] + offsets[1]);
    const T second = *reinterpret_cast<const T*>(operands.data[2] + offsets[2]);
    auto* const to = reinterpret_cast<T*>(operands.data[0] + offsets[0]);
    if constexpr (kIsPolar) {
      const C length = cuda::detail::converted<C>(first);
      const C angle = cuda::detail::converted<C>(second);
      to[0] = cuda::detail::converted<T>(length * ::cos(angle));
      to[1] = cuda::detail::converted<T>(length * ::sin(angle));
    } else {
      to[0] = first;
      to[1] = second;
    }
  }
};

template <class T, bool kIsAngle>
struct OfComplex {
  Operands<2> operands;
  __device__ void operator()(int64_t i) const {
    using C = AccumulateType<T>;
    int64_t offsets[2] = {};
    operands.walk.add_offsets(static_cast<uint32_t>(i), offsets);
    const auto* const from = reinterpret_cast<const T*>(operands.data[1] + offsets[1]);
    const C re = cuda::detail::converted<C>(from[0]);
    const C im = cuda::detail::converted<C>(from[1]);
    const C result = !kIsAngle ? ::hypot(re, im) : re != re || im != im ? re + im : ::atan2(im, re);
    *reinterpret_cast<T*>(operands.data[0] + offsets[0]) = cuda::detail::converted<T>(result);
  }
};

template <class T>
struct Magnitude {
  __device__ T operator()(T x) const { return abs<T>(x); }
};
template <class T>
struct AngleOfReal {
  __device__ T operator()(T x) const { return angle<T>(x); }
};
const cuda::PointwiseTable magnitude_table = cuda::pointwise_table<kRealTypes, true, Magnitude>();
const cuda::PointwiseTable angle_table = cuda::pointwise_table<kAllFloatingTypes, true, AngleOfReal>();

template <bool kIsPolar>
void make_complex(const char* name, TensorIteratorBase& op, ScalarType part) {
  if (op.numel() == 0) return;
  visit<kFloatingTypes | kHalf>(
      name, part, [&]<class T>() { for_each_element(op.numel(), MakeComplex<T, kIsPolar>{operands_of<3>(op)}); });
}

template <bool kIsAngle>
void of_complex(const char* name, TensorIteratorBase& op, ScalarType dtype) {
  if (op.numel() == 0) return;
  visit<kAllComplexTypes>(name, dtype, [&]<class Number>() {
    for_each_element(op.numel(), OfComplex<typename Number::value_type, kIsAngle>{operands_of<2>(op)});
  });
}

}  // namespace

[[structured::impl("complex.out", "CUDA")]]
void complex_cuda(TensorIteratorBase& op, const Tensor& real, [[maybe_unused]] const Tensor& imag,
                  [[maybe_unused]] const Tensor& out) {
  make_complex<false>("complex", op, real.scalar_type());
}

[[structured::impl("polar.out", "CUDA")]]
void polar_cuda(TensorIteratorBase& op, const Tensor& abs, [[maybe_unused]] const Tensor& angle,
                [[maybe_unused]] const Tensor& out) {
  make_complex<true>("polar", op, abs.scalar_type());
}

[[structured::impl("abs.out", "CUDA")]]
void abs_cuda(TensorIteratorBase& op, const Tensor& self, [[maybe_unused]] const Tensor& out) {
  if (self.is_complex()) return of_complex<false>("abs", op, self.scalar_type());
  cuda::pointwise_kernel<kRealTypes>("abs", op, magnitude_table, [&]<class T>() { return Magnitude<T>(); });
}

[[structured::impl("angle.out", "CUDA")]]
void angle_cuda(TensorIteratorBase& op, const Tensor& self, [[maybe_unused]] const Tensor& out) {
  if (self.is_complex()) return of_complex<true>("angle", op, self.scalar_type());
  cuda::pointwise_kernel<kAllFloatingTypes>("angle", op, angle_table, [&]<class T>() { return AngleOfReal<T>(); });
}

}  // namespace structured::kernels
