// Minimum, maximum and their indices on CPU.
#include "cpu/reduction.h"

#include <structured/core/wrap_dim.h>
#include <structured/iterator/reduce_with_index.h>

#include <optional>

#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Selects the first NaN, otherwise the first minimum.
template <class T>
struct IsSmaller {
  static bool is_better(T candidate, T best) { return candidate < best || (is_nan(candidate) && !is_nan(best)); }
};

// Selects the first NaN, otherwise the first maximum.
template <class T>
struct IsLarger {
  static bool is_better(T candidate, T best) { return candidate > best || (is_nan(candidate) && !is_nan(best)); }
};

template <template <class> class Order>
void choose_position(const char* name, const Tensor& self, std::optional<int64_t> dim, const Tensor& out) {
  Tensor in = self;
  if (!dim) {
    const Tensor dense = empty(self.sizes(), self.options());
    copy_into(dense, self);
    in = as_strided(dense, {self.numel()}, {1}, 0);
  }
  const int64_t wrapped = wrap_dim(dim.value_or(0), in.dim());
  const Tensor positions = dim ? out : as_strided(out, {}, {}, out.storage_offset());
  const Tensor values = empty(positions.sizes(), self.options());
  visit<kRealTypes>(name, self.scalar_type(),
                    [&]<class T>() { reduce_with_index<T, Order<T>>(values, positions, in, wrapped); });
}

}  // namespace

[[structured::impl("amax.out", "CPU")]]
void amax_cpu(const Tensor& self, IntArrayRef dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  const DimMask mask = reduced_dims("amax", dim, self.dim());
  visit<kRealTypes | kBool>("amax", out.scalar_type(), [&]<class T>() { reduce<Largest<T>>(out, self, mask); });
}

[[structured::impl("amin.out", "CPU")]]
void amin_cpu(const Tensor& self, IntArrayRef dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  const DimMask mask = reduced_dims("amin", dim, self.dim());
  visit<kRealTypes | kBool>("amin", out.scalar_type(), [&]<class T>() { reduce<Smallest<T>>(out, self, mask); });
}

[[structured::impl("max.dim_max", "CPU")]]
void max_dim_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& max,
                 const Tensor& max_values) {
  const int64_t wrapped = wrap_dim(dim, self.dim());
  visit<kRealTypes | kBool>("max", self.scalar_type(),
                            [&]<class T>() { reduce_with_index<T, IsLarger<T>>(max, max_values, self, wrapped); });
}

[[structured::impl("min.dim_min", "CPU")]]
void min_dim_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& min,
                 const Tensor& min_indices) {
  const int64_t wrapped = wrap_dim(dim, self.dim());
  visit<kRealTypes | kBool>("min", self.scalar_type(),
                            [&]<class T>() { reduce_with_index<T, IsSmaller<T>>(min, min_indices, self, wrapped); });
}

[[structured::impl("argmax.out", "CPU")]]
void argmax_cpu(const Tensor& self, std::optional<int64_t> dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  choose_position<IsLarger>("argmax", self, dim, out);
}

[[structured::impl("argmin.out", "CPU")]]
void argmin_cpu(const Tensor& self, std::optional<int64_t> dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  choose_position<IsSmaller>("argmin", self, dim, out);
}

}  // namespace structured::kernels
