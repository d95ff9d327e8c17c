// Fourier transforms on CUDA by cuFFT. Kernels of our own take its place where it is missing. They transform one
// dimension after another by T. G. Stockham's algorithm (High-speed convolution and correlation, 1966): one pass over
// the elements for each factor of the size. A pass with factor p costs p steps for each element, so that sizes with
// large prime factors take long.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>
#include <structured/number/complex.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/mul.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "cuda/cufft.h"
#include "cuda/element_loop.cuh"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

/// A contiguous tensor as lines along one dimension: [outer, length, inner].
struct Lines {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;

  Lines(const Tensor& tensor, int64_t dim) {
    for (int64_t d = 0; d < tensor.dim(); ++d) (d < dim ? outer : d == dim ? length : inner) *= tensor.size(d);
  }
};

/// One pass. `done` is the product of the factors of earlier passes.
template <class T>
struct Pass {
  const Complex<T>* from;
  Complex<T>* to;
  int64_t length;
  int64_t inner;
  int64_t done;
  int64_t factor;
  T sign;
  __device__ void operator()(int64_t i) const {
    const int64_t place = i / inner % length;
    const Complex<T>* const line = from + i / inner / length * length * inner + i % inner;
    const int64_t left = length / done;  // size of the transforms that are still to be done
    const int64_t step = left / factor;
    const int64_t low = place % done;
    const int64_t q = place / done % factor;
    const int64_t a = place / done / factor;
    Complex<T> sum(0);
    for (int64_t t = 0; t < factor; ++t) {
      int64_t turn = q * (a + step * t) % left;
      if (2 * turn > left) turn -= left;
      T sine;
      T cosine;
      const T angle = static_cast<T>(2 * turn) / static_cast<T>(left);
      if constexpr (std::is_same_v<T, double>) {
        ::sincospi(angle, &sine, &cosine);
      } else {
        ::sincospif(angle, &sine, &cosine);
      }
      sum += line[(low + done * (a + step * t)) * inner] * Complex<T>(cosine, sign * sine);
    }
    to[i] = sum;
  }
};

/// Completes the elements of lines from their first half: the others are complex conjugates.
template <class T>
struct Complete {
  const Complex<T>* from;
  Complex<T>* to;
  int64_t from_length;
  int64_t length;
  int64_t inner;
  __device__ void operator()(int64_t i) const {
    const int64_t place = i / inner % length;
    const Complex<T>* const line = from + i / inner / length * from_length * inner + i % inner;
    if (place == 0) {
      to[i] = Complex<T>(line[0].real(), T(0));
    } else if (2 * place < length) {
      to[i] = line[place * inner];
    } else {
      const Complex<T> value = line[(length - place) * inner];
      to[i] = Complex<T>(value.real(), -value.imag());
    }
  }
};

// Transforms the contiguous `tensor` along `dim` and returns the result; `spare` has the same sizes. Either may be the
// result.
Tensor transform_dim(const Tensor& tensor, const Tensor& spare, int64_t dim, bool forward) {
  const Lines lines(tensor, dim);
  Tensor from = tensor;
  Tensor to = spare;
  visit<kComplexTypes>("fft", tensor.scalar_type(), [&]<class Number>() {
    using T = typename Number::value_type;
    int64_t done = 1;
    const auto run = [&](int64_t factor) {
      for_each_element(tensor.numel(), Pass<T>{from.data_ptr<Number>(), to.data_ptr<Number>(), lines.length,
                                               lines.inner, done, factor, forward ? T(-1) : T(1)});
      done *= factor;
      std::swap(from, to);
    };
    int64_t rest = lines.length;
    for (int64_t factor : {8, 4, 2}) {
      for (; rest % factor == 0 && rest != 1; rest /= factor) run(factor);
    }
    for (int64_t factor = 3; rest != 1; factor += 2) {
      if (factor * factor > rest) factor = rest;
      for (; rest % factor == 0 && rest != 1; rest /= factor) run(factor);
    }
  });
  return from;
}

// Transforms the contiguous `tensor`, which may be overwritten, along dimensions.
Tensor transform(Tensor tensor, IntArrayRef dims, bool forward) {
  Tensor spare = empty(tensor.sizes(), tensor.options());
  for (const int64_t d : dims) {
    if (tensor.dim() == 0) break;
    const Tensor result = transform_dim(tensor, spare, wrap_dim(d, tensor.dim()), forward);
    if (!result.is_same(tensor)) std::swap(tensor, spare);
  }
  return tensor;
}

// Multiplies by the factor of a normalization mode: 0 (none), 1 (by the square root of the size) or 2 (by the size).
void scale(Tensor tensor, int64_t normalization, const Tensor& signal, IntArrayRef dims) {
  double count = 1;
  for (const int64_t d : dims) count *= signal.dim() == 0 ? 1 : static_cast<double>(signal.size(d));
  if (normalization != 0) structured::mul_(tensor, Scalar(normalization == 1 ? 1 / std::sqrt(count) : 1 / count));
}

Tensor copy_of(const Tensor& tensor, ScalarType dtype) {
  const Tensor result = empty(tensor.sizes(), tensor.options().dtype(dtype));
  copy_into(result, tensor);
  return result;
}

// Returns the first elements along `dim`.
Tensor first_of(const Tensor& tensor, IntArrayRef sizes) {
  return as_strided(tensor, sizes, tensor.strides(), tensor.storage_offset());
}

}  // namespace

[[structured::impl("_fft_c2c.out", "CUDA")]]
void fft_c2c_cuda(const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward, const Tensor& out) {
  if (out.numel() == 0) return;
  if (transform_by_cufft(self, dim, forward, out)) return scale(out, normalization, self, dim);
  const Tensor result = transform(copy_of(self, self.scalar_type()), dim, forward);
  scale(result, normalization, self, dim);
  copy_into(out, result);
}

[[structured::impl("_fft_r2c.out", "CUDA")]]
void fft_r2c_cuda(const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided, const Tensor& out) {
  if (out.numel() == 0) return;
  if (onesided && transform_by_cufft(self, dim, true, out)) return scale(out, normalization, self, dim);
  const Tensor complex = copy_of(self, to_complex(self.scalar_type()));
  if (!onesided && transform_by_cufft(complex, dim, true, out)) return scale(out, normalization, self, dim);
  const Tensor result = transform(complex, dim, true);
  scale(result, normalization, self, dim);
  copy_into(out, first_of(result, out.sizes()));
}

[[structured::impl("_fft_c2r.out", "CUDA")]]
void fft_c2r_cuda(const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size,
                  const Tensor& out) {
  if (out.numel() == 0) return;
  if (transform_by_cufft(self, dim, false, out)) return scale(out, normalization, out, dim);
  const Tensor half = transform(copy_of(self, self.scalar_type()), dim.slice(0, dim.size() - 1), false);
  const int64_t last = wrap_dim(dim[dim.size() - 1], self.dim());
  const Tensor whole = empty(out.sizes(), self.options());
  const Lines lines(whole, last);
  visit<kComplexTypes>("_fft_c2r", self.scalar_type(), [&]<class Number>() {
    for_each_element(whole.numel(),
                     Complete<typename Number::value_type>{half.data_ptr<Number>(), whole.data_ptr<Number>(),
                                                           half.size(last), last_dim_size, lines.inner});
  });
  const Tensor result = transform(whole, dim.slice(dim.size() - 1, 1), false);
  scale(result, normalization, out, dim);
  copy_into(out, result);
}

}  // namespace structured::kernels
