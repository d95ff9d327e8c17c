// Minimum, maximum and their indices, variances and vector norms on CUDA.
#include <structured/core/wrap_dim.h>
#include <structured/number/scalar.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/select.h>
#include <structured/ops/sqrt.h>
#include <structured/ops/view_as_real.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "cuda/reduce.cuh"
#include "math/accumulate_type.h"

namespace structured::kernels {
namespace {

/// Type in which elements of T are compared.
template <class T>
using Compared = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

/// First maximum, or minimum, and its index. NaN is better than every number.
template <class T, bool kIsMaximum>
struct Extreme {
  using Element = T;
  struct Accumulator {
    Compared<T> value;
    uint32_t index;
  };
  static constexpr uint32_t kNone = 0xffffffff;

  __device__ Accumulator identity() const { return {Compared<T>(), kNone}; }
  __device__ Accumulator lift(T value, uint32_t index) const {
    return {cuda::detail::converted<Compared<T>>(value), index};
  }
  __device__ Accumulator combine(Accumulator a, Accumulator b) const {
    if (a.index == kNone || b.index == kNone) return a.index == kNone ? b : a;
    const bool is_nan_a = a.value != a.value;
    const bool is_nan_b = b.value != b.value;
    const bool is_tie = is_nan_a == is_nan_b && (is_nan_a || a.value == b.value);
    const bool is_better = is_nan_a != is_nan_b ? is_nan_b : kIsMaximum ? b.value > a.value : b.value < a.value;
    return (is_tie ? b.index < a.index : is_better) ? b : a;
  }
  __device__ void store(Accumulator best, char* value, char* index) const {
    if (has_value) *reinterpret_cast<T*>(value) = cuda::detail::converted<T>(best.value);
    if (has_index) *reinterpret_cast<int64_t*>(index) = best.index;
  }

  bool has_value;
  bool has_index;
};

template <bool kIsMaximum>
void reduce_extreme(const char* name, const Tensor& self, DimMask mask, const Tensor& values, const Tensor* indices) {
  visit<kRealTypes | kBool>(name, self.scalar_type(), [&]<class T>() {
    reduce(Extreme<T, kIsMaximum>{true, indices != nullptr}, self, mask, values, indices);
  });
}

template <bool kIsMaximum>
void choose_position(const char* name, const Tensor& self, std::optional<int64_t> dim, const Tensor& out) {
  const DimMask mask = reduced_dims(name, dim ? OptionalIntArrayRef(*dim) : std::nullopt, self.dim());
  visit<kRealTypes>(name, self.scalar_type(),
                    [&]<class T>() { reduce(Extreme<T, kIsMaximum>{false, true}, self, mask, out, &out); });
}

/// Sum of squared deviations by B. P. Welford's updates, combined as by T. F. Chan, G. H. Golub and R. J. LeVeque
/// (Updating formulae and a pairwise algorithm for computing sample variances, 1979).
template <class T>
struct Deviation {
  using Element = T;
  using Number = AccumulateType<T>;
  struct Accumulator {
    Number mean;
    Number squares;
    Number count;
  };
  Number divisor;
  bool is_root;

  __device__ Accumulator identity() const { return {0, 0, 0}; }
  // The deviation of an infinite element from its own mean is NaN, as it is of a NaN.
  __device__ Accumulator lift(T value, uint32_t) const {
    const auto number = cuda::detail::converted<Number>(value);
    return {number, number - number, 1};
  }
  __device__ Accumulator combine(const Accumulator& a, const Accumulator& b) const {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const Number count = a.count + b.count;
    const Number distance = b.mean - a.mean;
    const Number share = b.count / count;
    return {a.mean + distance * share, a.squares + b.squares + distance * distance * (a.count * share), count};
  }
  __device__ void store(const Accumulator& sum, char* to, char*) const {
    const Number variance = sum.squares / divisor;
    *reinterpret_cast<T*>(to) = cuda::detail::converted<T>(is_root ? ::sqrt(variance) : variance);
  }
};

void variance_of_real(const char* name, bool is_root, const Tensor& self, OptionalIntArrayRef dim,
                      const std::optional<Scalar>& correction, const Tensor& out) {
  const DimMask mask = reduced_dims(name, dim, self.dim());
  const int64_t count = count_reduced(self, mask);
  const double left = static_cast<double>(count) - correction.value_or(1).to<double>();
  const double divisor = count > 0 && left > 0 ? left : 0;
  visit<kAllFloatingTypes>(name, out.scalar_type(), [&]<class T>() {
    reduce(Deviation<T>{static_cast<AccumulateType<T>>(divisor), is_root}, self, mask, out);
  });
}

// The variance of complex numbers is the sum of the variances of both parts.
void variance_of_complex(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                         const Tensor& out) {
  DimVector dims;
  if (!dim || dim->empty()) {  // but not the dimension of the parts
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  } else {
    for (const int64_t d : *dim) dims.push_back(wrap_dim(d, self.dim()));
  }
  const Tensor parts = structured::view_as_real(self);
  const Tensor imaginary = empty(out.sizes(), out.options());
  variance_of_real("var", false, structured::select(parts, -1, 0), dims, correction, out);
  variance_of_real("var", false, structured::select(parts, -1, 1), dims, correction, imaginary);
  Tensor sum = out;
  structured::add_(sum, imaginary);
}

/// Sum, maximum, minimum or number of magnitudes.
template <class T>
struct PlainNorm {
  using Element = T;
  using Accumulator = AccumulateType<T>;
  Accumulator order;  ///< 0, 1 or infinite

  __device__ Accumulator identity() const { return order < 0 ? -order : Accumulator(0); }
  __device__ Accumulator lift(T value, uint32_t) const {
    const Accumulator size = ::fabs(cuda::detail::converted<Accumulator>(value));
    return order == 0 ? Accumulator(size != 0) : size;
  }
  __device__ Accumulator combine(Accumulator a, Accumulator b) const {
    if (!isinf(order)) return a + b;
    if (a != a || b != b) return a != a ? a : b;
    return order > 0 ? (a < b ? b : a) : (b < a ? b : a);
  }
  __device__ void store(Accumulator norm, char* to, char*) const {
    *reinterpret_cast<T*>(to) = cuda::detail::converted<T>(norm);
  }
};

/// Root of the sum of squares. Magnitudes whose squares could overflow or vanish are scaled and have sums of their own:
/// J. L. Blue, A portable Fortran program to find the Euclidean norm of a vector, 1978, with the constants of LAPACK.
template <class T>
struct EuclideanNorm {
  using Element = T;
  using Number = AccumulateType<T>;
  struct Accumulator {
    Number small;
    Number ordinary;
    Number large;
  };
  static constexpr bool kIsDouble = sizeof(Number) == sizeof(double);
  static constexpr Number kLeast = kIsDouble ? Number(0x1p-511) : Number(0x1p-63);  ///< least ordinary magnitude
  static constexpr Number kGreatest = kIsDouble ? Number(0x1p486) : Number(0x1p52);
  static constexpr Number kOfSmall = kIsDouble ? Number(0x1p537) : Number(0x1p75);  ///< factor of small magnitudes
  static constexpr Number kOfLarge = kIsDouble ? Number(0x1p-538) : Number(0x1p-76);

  __device__ Accumulator identity() const { return {0, 0, 0}; }
  __device__ Accumulator lift(T value, uint32_t) const {
    const Number size = ::fabs(cuda::detail::converted<Number>(value));
    const bool is_small = size < kLeast;
    const bool is_large = size > kGreatest;
    const Number scaled = is_small ? size * kOfSmall : is_large ? size * kOfLarge : size;
    const Number square = scaled * scaled;
    return {is_small ? square : 0, is_small || is_large ? 0 : square, is_large ? square : 0};
  }
  __device__ Accumulator combine(const Accumulator& a, const Accumulator& b) const {
    return {a.small + b.small, a.ordinary + b.ordinary, a.large + b.large};
  }
  __device__ Number root(const Accumulator& sums) const {
    if (sums.large > 0) return ::sqrt(sums.large + sums.ordinary * kOfLarge * kOfLarge) / kOfLarge;
    const Number ordinary = ::sqrt(sums.ordinary);
    if (sums.small == 0 || ordinary != ordinary) return ordinary;
    const Number small = ::sqrt(sums.small) / kOfSmall;
    if (ordinary == 0) return small;
    const Number greater = small < ordinary ? ordinary : small;
    const Number ratio = (small < ordinary ? small : ordinary) / greater;
    return greater * ::sqrt(1 + ratio * ratio);
  }
  __device__ void store(const Accumulator& sums, char* to, char*) const {
    *reinterpret_cast<T*>(to) = cuda::detail::converted<T>(root(sums));
  }
};

/// Root of the sum of powers. A sum of magnitudes that are divided by a power of two, near the one that counts most:
/// the largest, or the smallest for a negative order.
template <class T>
struct PowerNorm {
  using Element = T;
  using Number = AccumulateType<T>;
  struct Accumulator {
    Number sum;
    int32_t exponent;
  };
  static constexpr int32_t kBeyond = 1 << 20;  ///< exponent of infinite powers and NaN
  Number order;

  __device__ Accumulator identity() const { return {0, 0}; }
  __device__ Accumulator lift(T value, uint32_t) const {
    const Number size = ::fabs(cuda::detail::converted<Number>(value));
    if (size != size || size == 0 || isinf(size)) return {::pow(size, order), order > 0 ? kBeyond : -kBeyond};
    int exponent;
    const Number fraction = ::frexp(size, &exponent);
    return {::pow(2 * fraction, order), exponent - 1};
  }
  __device__ Accumulator combine(const Accumulator& a, const Accumulator& b) const {
    if (a.sum == 0) return b;
    if (b.sum == 0) return a;
    const bool is_first = order > 0 ? a.exponent >= b.exponent : a.exponent <= b.exponent;
    const Number most = is_first ? a.sum : b.sum;
    const Number other = is_first ? b.sum : a.sum;
    const int32_t distance = is_first ? b.exponent - a.exponent : a.exponent - b.exponent;
    return {most + other * ::exp2(static_cast<Number>(distance) * order), is_first ? a.exponent : b.exponent};
  }
  __device__ void store(const Accumulator& total, char* to, char*) const {
    const Number root = ::ldexp(::pow(total.sum, 1 / order), total.exponent);
    *reinterpret_cast<T*>(to) = cuda::detail::converted<T>(root);
  }
};

}  // namespace

[[structured::impl("amax.out", "CUDA")]]
void amax_cuda(const Tensor& self, IntArrayRef dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_extreme<true>("amax", self, reduced_dims("amax", dim, self.dim()), out, nullptr);
}

[[structured::impl("amin.out", "CUDA")]]
void amin_cuda(const Tensor& self, IntArrayRef dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_extreme<false>("amin", self, reduced_dims("amin", dim, self.dim()), out, nullptr);
}

[[structured::impl("max.dim_max", "CUDA")]]
void max_dim_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& max,
                  const Tensor& max_values) {
  reduce_extreme<true>("max", self, reduced_dims("max", dim, self.dim()), max, &max_values);
}

[[structured::impl("min.dim_min", "CUDA")]]
void min_dim_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& min,
                  const Tensor& min_indices) {
  reduce_extreme<false>("min", self, reduced_dims("min", dim, self.dim()), min, &min_indices);
}

[[structured::impl("argmax.out", "CUDA")]]
void argmax_cuda(const Tensor& self, std::optional<int64_t> dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  choose_position<true>("argmax", self, dim, out);
}

[[structured::impl("argmin.out", "CUDA")]]
void argmin_cuda(const Tensor& self, std::optional<int64_t> dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  choose_position<false>("argmin", self, dim, out);
}

[[structured::impl("aminmax.out", "CUDA")]]
void aminmax_cuda(const Tensor& self, std::optional<int64_t> dim, [[maybe_unused]] bool keepdim, const Tensor& min,
                  const Tensor& max) {
  const DimMask mask = reduced_dims("aminmax", dim ? OptionalIntArrayRef(*dim) : std::nullopt, self.dim());
  reduce_extreme<false>("aminmax", self, mask, min, nullptr);
  reduce_extreme<true>("aminmax", self, mask, max, nullptr);
}

[[structured::impl("var.correction_out", "CUDA")]]
void var_cuda(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
              [[maybe_unused]] bool keepdim, const Tensor& out) {
  if (self.is_complex()) return variance_of_complex(self, dim, correction, out);
  variance_of_real("var", false, self, dim, correction, out);
}

[[structured::impl("std.correction_out", "CUDA")]]
void std_cuda(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
              [[maybe_unused]] bool keepdim, const Tensor& out) {
  if (!self.is_complex()) return variance_of_real("std", true, self, dim, correction, out);
  variance_of_complex(self, dim, correction, out);
  Tensor root = out;
  structured::sqrt_(root);
}

[[structured::impl("linalg_vector_norm.out", "CUDA")]]
void linalg_vector_norm_cuda(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim,
                             [[maybe_unused]] bool keepdim, [[maybe_unused]] std::optional<ScalarType> dtype,
                             const Tensor& out) {
  const DimMask mask = reduced_dims("linalg_vector_norm", dim, self.dim());
  const auto order = ord.to<double>();
  const Tensor numbers = self.is_complex() ? structured::abs(self) : self;
  visit<kAllFloatingTypes>("linalg_vector_norm", out.scalar_type(), [&]<class T>() {
    const auto rounded = static_cast<AccumulateType<T>>(order);
    if (order == 2) return reduce(EuclideanNorm<T>(), numbers, mask, out);
    if (order == 1 || order == 0 || std::isinf(order)) return reduce(PlainNorm<T>{rounded}, numbers, mask, out);
    reduce(PowerNorm<T>{rounded}, numbers, mask, out);
  });
}

}  // namespace structured::kernels
