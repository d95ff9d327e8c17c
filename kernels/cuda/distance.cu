// Pairwise distances on CUDA. One thread computes a distance.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/number/visit.h>
#include <structured/cuda/loops.cuh>

#include <cmath>
#include <cstdint>
#include <optional>

#include "cuda/element_loop.cuh"
#include "math/accumulate_type.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

/// Sum of powers of differences of two rows, or their maximum.
template <class T>
struct Norm {
  using C = AccumulateType<T>;
  C order;
  int64_t size;
  __device__ C distance(const T* a, const T* b) const {
    C sum(0);
    for (int64_t i = 0; i < size; ++i) {
      const C x = ::fabs(cuda::detail::converted<C>(a[i]) - cuda::detail::converted<C>(b[i]));
      if (order == 2) {
        sum += x * x;
      } else if (order == 1) {
        sum += x;
      } else if (order == 0) {
        sum += x != C(0);
      } else if (isinf(order)) {
        sum = x > sum || x != x ? x : sum;
      } else {
        sum += ::pow(x, order);
      }
    }
    if (order == 2) return ::sqrt(sum);
    return order == 1 || order == 0 || isinf(order) ? sum : ::pow(sum, 1 / order);
  }
};

/// Distances of each row of a matrix from each row of another one, for a batch.
template <class T>
struct AllPairs {
  Norm<T> norm;
  const T* a;
  const T* b;
  T* out;
  int64_t a_rows;
  int64_t b_rows;
  __device__ void operator()(int64_t i) const {
    const int64_t matrix = i / b_rows / a_rows;
    const T* const first = a + (i / b_rows) * norm.size;
    const T* const second = b + (matrix * b_rows + i % b_rows) * norm.size;
    out[i] = cuda::detail::converted<T>(norm.distance(first, second));
  }
};

/// Distances of each row from all later ones.
template <class T>
struct LaterPairs {
  Norm<T> norm;
  const T* rows;
  T* out;
  int64_t count;
  __device__ void operator()(int64_t i) const {
    // Rows before row r have r * (2 * count - r - 1) / 2 distances.
    const double twice = 2.0 * static_cast<double>(count) - 1;
    auto row = static_cast<int64_t>((twice - ::sqrt(twice * twice - 8.0 * static_cast<double>(i))) / 2);
    const auto before = [this](int64_t r) { return r * (2 * count - r - 1) / 2; };
    while (before(row) > i) --row;
    while (before(row + 1) <= i) ++row;
    const int64_t other = row + 1 + i - before(row);
    out[i] = cuda::detail::converted<T>(norm.distance(rows + row * norm.size, rows + other * norm.size));
  }
};

// Returns `tensor` [..., rows, columns], expanded to `batch` and contiguous.
Tensor matrices(const Tensor& tensor, IntArrayRef batch) {
  DimVector sizes(batch);
  DimVector strides(batch.size(), 0);
  const std::size_t own = tensor.sizes().size() - 2;
  for (std::size_t d = 0; d < own; ++d) {
    strides[batch.size() - own + d] = tensor.sizes()[d] == 1 ? 0 : tensor.strides()[d];
  }
  for (const int64_t d : {-2, -1}) {
    sizes.push_back(tensor.size(d));
    strides.push_back(tensor.stride(d));
  }
  return dense(as_strided(tensor, sizes, strides, tensor.storage_offset()), tensor.scalar_type());
}

void cdist(const char* name, const Tensor& x1, const Tensor& x2, double p, const Tensor& out) {
  if (out.numel() == 0) return;
  const IntArrayRef batch(out.sizes().data(), out.sizes().size() - 2);
  const ScalarType dtype = out.scalar_type();
  const Tensor a = dense(matrices(x1, batch), dtype);
  const Tensor b = dense(matrices(x2, batch), dtype);
  const Tensor result = writable(out, dtype);
  visit<kAllFloatingTypes>(name, dtype, [&]<class T>() {
    for_each_element(out.numel(), AllPairs<T>{{static_cast<AccumulateType<T>>(p), x1.size(-1)},
                                              a.data_ptr<T>(),
                                              b.data_ptr<T>(),
                                              result.data_ptr<T>(),
                                              x1.size(-2),
                                              x2.size(-2)});
  });
  store(out, result);
}

}  // namespace

[[structured::impl("_cdist_forward.out", "CUDA")]]
void cdist_forward_cuda(const Tensor& x1, const Tensor& x2, double p,
                        [[maybe_unused]] std::optional<int64_t> compute_mode, const Tensor& out) {
  cdist("_cdist_forward", x1, x2, p, out);
}

[[structured::impl("_euclidean_dist.out", "CUDA")]]
void euclidean_dist_cuda(const Tensor& x1, const Tensor& x2, const Tensor& out) {
  cdist("_euclidean_dist", x1, x2, 2, out);
}

[[structured::impl("_pdist_forward.out", "CUDA")]]
void pdist_forward_cuda(const Tensor& self, double p, const Tensor& out) {
  if (out.numel() == 0) return;
  const Tensor rows = dense(self, out.scalar_type());
  const Tensor result = writable(out, out.scalar_type());
  visit<kAllFloatingTypes>("_pdist_forward", out.scalar_type(), [&]<class T>() {
    for_each_element(
        out.numel(),
        LaterPairs<T>{
            {static_cast<AccumulateType<T>>(p), self.size(1)}, rows.data_ptr<T>(), result.data_ptr<T>(), self.size(0)});
  });
  store(out, result);
}

}  // namespace structured::kernels
