// Fourier transforms on CPU, one dimension after another.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>
#include <structured/number/complex.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "fourier_plan.h"
#include "meta/dim_order.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

// A contiguous tensor as lines along one dimension: [outer, length, inner].
struct Lines {
  int64_t outer;
  int64_t length;
  int64_t inner;

  Lines(const Tensor& tensor, int64_t dim) : outer(1), length(1), inner(1) {
    for (int64_t d = 0; d < tensor.dim(); ++d) (d < dim ? outer : d == dim ? length : inner) *= tensor.size(d);
  }
  int64_t first(int64_t line) const { return line / inner * length * inner + line % inner; }
};

// Calls `body(i, k)` for element k of each line i; contiguous lines are processed in blocks of eight elements.
template <class Body>
void for_each_element(int64_t lines, int64_t size, bool is_in_one_piece, const Body& body) {
  constexpr int64_t block = 8;
  if (!is_in_one_piece) {
    for (int64_t k = 0; k < size; ++k) {
      for (int64_t i = 0; i < lines; ++i) body(i, k);
    }
    return;
  }
  for (int64_t first = 0; first < size; first += block) {
    const int64_t end = std::min(first + block, size);
    for (int64_t i = 0; i < lines; ++i) {
      for (int64_t k = first; k < end; ++k) body(i, k);
    }
  }
}

// Transforms between 2 n real and n + 1 complex elements are computed as complex ones of length n by FourierPlan::split
// and join.
enum class Half { no, real_elements, real_results };

// Transforms lines of `size` elements. `load(place, k)` returns element k of the line of `from` that starts at `place`;
// `store(place, k, re, im)` stores element k of the line of `to` that starts at `place`.
template <class T, class Load, class Store>
void transform_lines(const Lines& from, const Lines& to, int64_t size, bool forward, Half half, const Load& load,
                     const Store& store) {
  constexpr int64_t at_once = 64 / sizeof(T);
  const std::shared_ptr<const FourierPlan<T>> plan = FourierPlan<T>::of(size);
  const int64_t lines = from.outer * from.inner;
  const int64_t together = std::min(at_once, lines);
  const int64_t chunks = (lines + together - 1) / together;
  parallel_for(0, chunks, std::max<int64_t>(1, kGrainSize / (size * together)), [&](int64_t begin, int64_t end) {
    ScratchVector<T> buffer(static_cast<size_t>((2 * (size + 1) + plan->scratch()) * together));
    T* const re = buffer.data();
    T* const im = re + (size + 1) * together;
    T* const scratch = im + (size + 1) * together;
    for (int64_t chunk = begin; chunk < end; ++chunk) {
      const int64_t first = chunk * together;
      const int64_t count = std::min(together, lines - first);
      int64_t sources[at_once];
      int64_t targets[at_once];
      for (int64_t i = 0; i < count; ++i) {
        sources[i] = from.first(first + i);
        targets[i] = to.first(first + i);
      }
      for_each_element(count, size + (half == Half::real_results ? 1 : 0), from.inner == 1, [&](int64_t i, int64_t k) {
        const Complex<T> value = load(sources[i], k);
        re[k * count + i] = value.real();
        im[k * count + i] = value.imag();
      });
      if (half == Half::real_results) plan->join(re, im, count);
      if (forward) {
        plan->run(re, im, count, scratch);
      } else {
        plan->run(im, re, count, scratch);
      }
      if (half == Half::real_elements) plan->split(re, im, count);
      for_each_element(count, size + (half == Half::real_elements ? 1 : 0), to.inner == 1,
                       [&](int64_t i, int64_t k) { store(targets[i], k, re[k * count + i], im[k * count + i]); });
    }
  });
}

// Transforms along `dim`, in place.
template <class T>
void transform_dim(const Tensor& tensor, int64_t dim, bool forward) {
  const Lines lines(tensor, dim);
  auto* const data = tensor.data_ptr<Complex<T>>();
  const int64_t step = lines.inner;
  transform_lines<T>(
      lines, lines, lines.length, forward, Half::no, [=](int64_t place, int64_t k) { return data[place + k * step]; },
      [=](int64_t place, int64_t k, T re, T im) { data[place + k * step] = Complex<T>(re, im); });
}

// Returns the factor for a normalization mode: 0 (none), 1 (by the square root of the size) or 2 (by the size).
double scale_of(int64_t normalization, const Tensor& signal, IntArrayRef dim) {
  double count = 1;
  for (const int64_t d : dim) count *= signal.dim() == 0 ? 1 : static_cast<double>(signal.size(d));
  return normalization == 0 ? 1 : normalization == 1 ? 1 / std::sqrt(count) : 1 / count;
}

template <class T>
void scale(T* data, int64_t size, double factor) {
  if (factor == 1) return;
  for (int64_t i = 0; i < size; ++i) data[i] *= static_cast<T>(factor);
}

// The arguments of a transform with dimensions in the order of the strides of `out`, which makes `out` contiguous.
struct Ordered {
  Tensor self;
  DimVector dim;
  Tensor out;

  Ordered(const Tensor& given, IntArrayRef dims, const Tensor& result) : self(given), dim(dims), out(result) {
    const auto rank = static_cast<int64_t>(result.sizes().size());
    DimVector order;
    for (int64_t d = 0; d < rank; ++d) order.push_back(d);
    sort_dims(order.begin(), order.end(), [&](int64_t a, int64_t b) { return out.stride(a) > out.stride(b); });
    self = permuted(self, order);
    out = permuted(out, order);
    for (int64_t& d : dim) {
      if (rank != 0) d = std::find(order.begin(), order.end(), wrap_dim(d, rank)) - order.begin();
    }
  }

  static Tensor permuted(const Tensor& tensor, const DimVector& order) {
    DimVector sizes;
    DimVector strides;
    for (const int64_t d : order) {
      sizes.push_back(tensor.size(d));
      strides.push_back(tensor.stride(d));
    }
    return as_strided(tensor, sizes, strides, tensor.storage_offset());
  }
};

template <class Body>
void visit_parts(ScalarType dtype, const Body& body) {
  if (dtype == kDouble || dtype == kComplexDouble) {
    body.template operator()<double>();
  } else {
    body.template operator()<float>();
  }
}

void transform_complex(const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward, const Tensor& out) {
  if (out.numel() == 0) return;
  if (out.scalar_type() != self.scalar_type()) {
    const Tensor result = empty(out.sizes(), self.options());
    transform_complex(self, dim, normalization, forward, result);
    return copy_into(out, result);
  }
  copy_into(out, self);
  visit_parts(out.scalar_type(), [&]<class T>() {
    for (const int64_t d : dim) {
      if (out.dim() != 0) transform_dim<T>(out, wrap_dim(d, out.dim()), forward);
    }
    scale(reinterpret_cast<T*>(out.data_ptr<Complex<T>>()), 2 * out.numel(), scale_of(normalization, out, dim));
  });
}

void transform_real(const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided, const Tensor& out) {
  if (out.numel() == 0) return;
  if (out.scalar_type() != to_complex(self.scalar_type())) {
    const Tensor result = empty(out.sizes(), out.options().dtype(to_complex(self.scalar_type())));
    transform_real(self, dim, normalization, onesided, result);
    return copy_into(out, result);
  }
  if (!onesided || self.dim() == 0) {
    const Tensor numbers = dense(self, out.scalar_type());
    return transform_complex(numbers, dim, normalization, true, out);
  }
  visit_parts(self.scalar_type(), [&]<class T>() {
    const Tensor numbers = dense(self, self.scalar_type());
    const int64_t last = wrap_dim(dim[dim.size() - 1], self.dim());
    const Lines from(numbers, last);
    const Lines to(out, last);
    const T* const in = numbers.data_ptr<T>();
    auto* const results = out.data_ptr<Complex<T>>();
    const int64_t step = from.inner;
    const auto take = [=](int64_t place, int64_t k, T re, T im) {
      if (k < to.length) results[place + k * step] = Complex<T>(re, im);
    };
    if (from.length % 2 == 0) {
      transform_lines<T>(
          from, to, from.length / 2, true, Half::real_elements,
          [=](int64_t place, int64_t k) {
            return Complex<T>(in[place + 2 * k * step], in[place + (2 * k + 1) * step]);
          },
          take);
    } else {
      transform_lines<T>(
          from, to, from.length, true, Half::no,
          [=](int64_t place, int64_t k) { return Complex<T>(in[place + k * step], T(0)); }, take);
    }
    for (size_t i = 0; i + 1 < dim.size(); ++i) transform_dim<T>(out, wrap_dim(dim[i], out.dim()), true);
    scale(reinterpret_cast<T*>(results), 2 * out.numel(), scale_of(normalization, self, dim));
  });
}

void transform_to_real(const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size,
                       const Tensor& out) {
  if (out.numel() == 0) return;
  if (out.scalar_type() != to_real(self.scalar_type())) {
    const Tensor result = empty(out.sizes(), out.options().dtype(to_real(self.scalar_type())));
    transform_to_real(self, dim, normalization, last_dim_size, result);
    return copy_into(out, result);
  }
  visit_parts(self.scalar_type(), [&]<class T>() {
    const Tensor numbers = empty(self.sizes(), self.options());
    copy_into(numbers, self);
    for (size_t i = 0; i + 1 < dim.size(); ++i) transform_dim<T>(numbers, wrap_dim(dim[i], self.dim()), false);
    const int64_t last = wrap_dim(dim[dim.size() - 1], self.dim());
    const Lines from(numbers, last);
    const Lines to(out, last);
    const auto* const in = numbers.data_ptr<Complex<T>>();
    T* const results = out.data_ptr<T>();
    const int64_t step = from.inner;
    if (last_dim_size % 2 == 0) {
      transform_lines<T>(
          from, to, last_dim_size / 2, false, Half::real_results,
          [=](int64_t place, int64_t k) { return in[place + k * step]; },
          [=](int64_t place, int64_t k, T re, T im) {
            results[place + 2 * k * step] = re;
            results[place + (2 * k + 1) * step] = im;
          });
    } else {
      transform_lines<T>(
          from, to, last_dim_size, false, Half::no,
          [=](int64_t place, int64_t k) {
            if (k == 0) return Complex<T>(in[place].real(), T(0));
            if (2 * k < last_dim_size) return in[place + k * step];
            const Complex<T> value = in[place + (last_dim_size - k) * step];
            return Complex<T>(value.real(), -value.imag());
          },
          [=](int64_t place, int64_t k, T re, T) { results[place + k * step] = re; });
    }
    scale(results, out.numel(), scale_of(normalization, out, dim));
  });
}

}  // namespace

[[structured::impl("_fft_c2c.out", "CPU")]]
void fft_c2c_cpu(const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward, const Tensor& out) {
  const Ordered of(self, dim, out);
  transform_complex(of.self, of.dim, normalization, forward, of.out);
}

[[structured::impl("_fft_r2c.out", "CPU")]]
void fft_r2c_cpu(const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided, const Tensor& out) {
  const Ordered of(self, dim, out);
  transform_real(of.self, of.dim, normalization, onesided, of.out);
}

[[structured::impl("_fft_c2r.out", "CPU")]]
void fft_c2r_cpu(const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size, const Tensor& out) {
  const Ordered of(self, dim, out);
  transform_to_real(of.self, of.dim, normalization, last_dim_size, of.out);
}

}  // namespace structured::kernels
