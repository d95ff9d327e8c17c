// Distances between vectors on the CPU: those of one vector from many side by side.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/iterator/parallel.h>
#include <structured/kernel/copy.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "leveled.h"

namespace structured::kernels {
namespace {

// What a norm makes of the magnitudes of elements, one after the other, and of the last result.
template <class T>
struct Count {
  static T add(T sum, T x, T) { return sum + (x != T(0) ? T(1) : T(0)); }
  static T finish(T sum, T) { return sum; }
};
template <class T>
struct Total {
  static T add(T sum, T x, T) { return sum + x; }
  static T finish(T sum, T) { return sum; }
};
template <class T>
struct Euclidean {
  static T add(T sum, T x, T) { return sum + x * x; }
  static T finish(T sum, T) { return std::sqrt(sum); }
};
template <class T>
struct Largest {
  static T add(T sum, T x, T) { return x > sum || x != x ? x : sum; }
  static T finish(T sum, T) { return sum; }
};
template <class T>
struct Power {
  static T add(T sum, T x, T p) { return sum + std::pow(x, p); }
  static T finish(T sum, T p) { return std::pow(sum, T(1) / p); }
};

// The distances of `x` [size] from `count` vectors, whose elements number i are at `others + i * step`.
template <class T, template <class> class Norm>
struct Distances {
  static constexpr int64_t kBlock = 256 / static_cast<int64_t>(sizeof(T));  // sums that stay in registers

  static void run(const T* x, const T* others, int64_t size, int64_t step, int64_t count, T p, T* out) {
    int64_t begin = 0;
    for (; begin + kBlock <= count; begin += kBlock) block(x, others + begin, size, step, kBlock, p, out + begin);
    block(x, others + begin, size, step, count - begin, p, out + begin);
  }

  STRUCTURED_ALWAYS_INLINE static void block(const T* x, const T* others, int64_t size, int64_t step, int64_t width,
                                             T p, T* out) {
    T sums[kBlock];
    for (int64_t k = 0; k < width; ++k) sums[k] = 0;
    for (int64_t i = 0; i < size; ++i) {
      const T* const row = others + i * step;
      const T element = x[i];
      for (int64_t k = 0; k < width; ++k) sums[k] = Norm<T>::add(sums[k], std::fabs(element - row[k]), p);
    }
    for (int64_t k = 0; k < width; ++k) out[k] = Norm<T>::finish(sums[k], p);
  }
};

template <class T>
void distances(double p, const T* x, const T* others, int64_t size, int64_t step, int64_t count, T* out) {
  const T power = static_cast<T>(p);
  if (p == 0) return run_leveled<Distances<T, Count>>(x, others, size, step, count, power, out);
  if (p == 1) return run_leveled<Distances<T, Total>>(x, others, size, step, count, power, out);
  if (p == 2) return run_leveled<Distances<T, Euclidean>>(x, others, size, step, count, power, out);
  if (std::isinf(p)) return run_leveled<Distances<T, Largest>>(x, others, size, step, count, power, out);
  Distances<T, Power>::run(x, others, size, step, count, power, out);
}

// [..., rows, columns] expanded by dimensions before these, and copied if it is not contiguous; with rows and columns
// exchanged if `is_transposed`.
Tensor matrices(const Tensor& tensor, IntArrayRef batch, bool is_transposed) {
  DimVector sizes(batch);
  DimVector strides(batch.size(), 0);
  const size_t own = tensor.sizes().size() - 2;
  for (size_t d = 0; d < own; ++d) {
    strides[batch.size() - own + d] = tensor.sizes()[d] == 1 ? 0 : tensor.strides()[d];
  }
  for (const int64_t d : {is_transposed ? -1 : -2, is_transposed ? -2 : -1}) {
    sizes.push_back(tensor.size(d));
    strides.push_back(tensor.stride(d));
  }
  const Tensor view = structured::detail::as_strided_view(tensor, sizes, strides, tensor.storage_offset());
  if (view.is_contiguous()) return view;
  const Tensor result = structured::detail::empty(sizes, tensor.options());
  structured::detail::copy_into(result, view);
  return result;
}

void cdist(const Tensor& x1, const Tensor& x2, double p, const Tensor& out) {
  if (out.numel() == 0) return;
  const IntArrayRef batch(out.sizes().data(), out.sizes().size() - 2);
  const Tensor left = matrices(x1, batch, false);
  const Tensor right = matrices(x2, batch, true);
  const int64_t rows = x1.size(-2);
  const int64_t columns = x2.size(-2);
  const int64_t size = x1.size(-1);
  visit<kFloatingTypes>("_cdist_forward", out.scalar_type(), [&]<class T>() {
    const T* const x = left.data_ptr<T>();
    const T* const others = right.data_ptr<T>();
    T* const to = out.data_ptr<T>();
    const int64_t grain = std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, columns * size));
    parallel_for(0, out.numel() / columns, grain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        distances(p, x + i * size, others + i / rows * size * columns, size, columns, columns, to + i * columns);
      }
    });
  });
}

}  // namespace

[[structured::impl("_cdist_forward.out", "CPU")]]
void cdist_forward_cpu(const Tensor& x1, const Tensor& x2, double p,
                       [[maybe_unused]] std::optional<int64_t> compute_mode, const Tensor& out) {
  cdist(x1, x2, p, out);
}

[[structured::impl("_euclidean_dist.out", "CPU")]]
void euclidean_dist_cpu(const Tensor& x1, const Tensor& x2, const Tensor& out) {
  cdist(x1, x2, 2, out);
}

[[structured::impl("_pdist_forward.out", "CPU")]]
void pdist_forward_cpu(const Tensor& self, double p, const Tensor& out) {
  if (out.numel() == 0) return;
  const Tensor rows = matrices(self, {}, false);
  const Tensor others = matrices(self, {}, true);
  const int64_t count = self.size(0);
  const int64_t size = self.size(1);
  visit<kFloatingTypes>("_pdist_forward", out.scalar_type(), [&]<class T>() {
    const int64_t grain = std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, count * size));
    parallel_for(0, count - 1, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        distances(p, rows.data_ptr<T>() + i * size, others.data_ptr<T>() + i + 1, size, count, count - 1 - i,
                  out.data_ptr<T>() + i * count - i * (i + 1) / 2);
      }
    });
  });
}

}  // namespace structured::kernels
