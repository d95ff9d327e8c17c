// Reductions on the CPU.
#include <structured/core/convert.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/reduce.h>
#include <structured/iterator/reduce_with_index.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/copy.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace structured::kernels {
namespace {

// What sums and products of T are computed in. Integers are computed modulo 2^64, of which their own wrapping result is
// a part.
template <class T>
struct TotalAccumulator {
  using type = std::conditional_t<std::is_integral_v<T>, uint64_t, std::conditional_t<sizeof(T) < 4, float, T>>;
};
template <>
struct TotalAccumulator<Complex<Half>> {
  using type = Complex<float>;
};

template <class T>
struct Sum {
  using Element = T;
  using Accumulator = typename TotalAccumulator<T>::type;
  static Accumulator identity() { return Accumulator(0); }
  static Accumulator lift(T value) { return static_cast<Accumulator>(value); }
  static Accumulator combine(Accumulator a, Accumulator b) { return a + b; }
  static T project(Accumulator sum) { return convert<T>(sum); }
};

template <class T>
struct SumOfNumbers : Sum<T> {
  using Accumulator = typename Sum<T>::Accumulator;
  static Accumulator lift(T value) { return value == value ? static_cast<Accumulator>(value) : Accumulator(0); }
};

template <class T>
struct Product {
  using Element = T;
  using Accumulator = typename TotalAccumulator<T>::type;
  static Accumulator identity() { return Accumulator(1); }
  static Accumulator lift(T value) { return static_cast<Accumulator>(value); }
  static Accumulator combine(Accumulator a, Accumulator b) { return a * b; }
  static T project(Accumulator product) { return convert<T>(product); }
};

// A std::vector of bool has no elements.
template <class T>
using Kept = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

// NaN, if there is one.
template <class T>
struct Largest {
  using Element = T;
  using Accumulator = Kept<T>;
  static Accumulator identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  static Accumulator lift(T value) { return value; }
  static Accumulator combine(Accumulator a, Accumulator b) { return a != a || a > b ? a : b; }
  static T project(Accumulator value) { return static_cast<T>(value); }
};

template <class T>
struct Smallest : Largest<T> {
  using Accumulator = Kept<T>;
  static Accumulator identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  static Accumulator combine(Accumulator a, Accumulator b) { return a != a || a < b ? a : b; }
};

// Elements are converted to Bool first: all but 0 are true.
struct Any {
  using Element = bool;
  using Accumulator = uint8_t;
  static uint8_t identity() { return 0; }
  static uint8_t lift(bool value) { return value; }
  static uint8_t combine(uint8_t a, uint8_t b) { return a | b; }
  static bool project(uint8_t value) { return value != 0; }
};

struct All : Any {
  static uint8_t identity() { return 1; }
  static uint8_t combine(uint8_t a, uint8_t b) { return a & b; }
};

// Squared distances from the mean, by B. P. Welford's updates as T. F. Chan, G. H. Golub and R. J. LeVeque combine them
// (Updating formulae and a pairwise algorithm for computing sample variances, 1979).
template <class T>
struct Deviation {
  using Element = T;
  struct Accumulator {
    double mean = 0;
    double squares = 0;
    double count = 0;
  };
  static Accumulator identity() { return {}; }
  static Accumulator lift(T value) { return {static_cast<double>(value), 0, 1}; }
  static Accumulator combine(const Accumulator& a, const Accumulator& b) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const double count = a.count + b.count;
    const double distance = b.mean - a.mean;
    return {a.mean + distance * (b.count / count),
            a.squares + b.squares + distance * distance * (a.count * b.count / count), count};
  }
  static T project(const Accumulator& sum) { return static_cast<T>(sum.squares); }
};

template <class T>
struct SumOfMagnitudes : Sum<T> {
  static T lift(T value) { return std::fabs(value); }
};

template <class T>
struct SumOfSquares : Sum<T> {
  static T lift(T value) { return value * value; }
};

template <class T>
struct LargestMagnitude : Largest<T> {
  static T identity() { return 0; }
  static T lift(T value) { return std::fabs(value); }
};

template <class T>
struct SmallestMagnitude : Smallest<T> {
  static T lift(T value) { return std::fabs(value); }
};

template <class T>
struct NonZeros : Sum<T> {
  static T lift(T value) { return value != 0; }
};

// Runs `reduce` into `out`, or, where that is of a type of 16 bits, into a tensor of float that stands in for it, and
// applies `function` to each result.
template <ScalarTypeSet Types, class Reduce, class Function>
void reduce_and_apply(const char* name, const Tensor& out, Reduce reduce, Function function) {
  visit<Types>(name, out.scalar_type(), [&]<class T>() {
    constexpr bool is_small = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
    using C = std::conditional_t<is_small, float, T>;
    const Tensor result = is_small ? detail::empty(out.sizes(), out.options().dtype(kFloat)) : out;
    reduce.template operator()<C>(result);
    cpu_kernel(TensorIterator::unary_op(result, result), [function](C x) -> C { return function(x); });
    if (is_small) detail::copy_into(out, result);
  });
}

int64_t count_reduced(const Tensor& self, DimMask mask) {
  int64_t count = 1;
  for (int64_t d = 0; d < self.dim(); ++d) count *= (mask >> d & 1) != 0 ? self.size(d) : 1;
  return count;
}

template <class Apply>
void variance(const char* name, const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction,
              const Tensor& out, Apply apply) {
  const DimMask mask = reduced_dims(name, dim, self.dim());
  const double left = static_cast<double>(count_reduced(self, mask) - correction.value_or(1));
  const double divisor = left > 0 ? left : 0;
  reduce_and_apply<kAllFloatingTypes>(
      name, out, [&]<class T>(const Tensor& result) { reduce<Deviation<T>>(result, self, mask); },
      [divisor, apply](auto x) { return apply(static_cast<decltype(x)>(static_cast<double>(x) / divisor)); });
}

template <class Op>
void reduce_truth(const Tensor& self, DimMask mask, const Tensor& out) {
  if (out.scalar_type() == kBool) {
    reduce<Op>(out, self, mask);
    return;
  }
  const Tensor truth = detail::empty(out.sizes(), out.options().dtype(kBool));
  reduce<Op>(truth, self, mask);
  detail::copy_into(out, truth);
}

template <class Op>
void reduce_truth_of_list(const char* name, const Tensor& self, OptionalIntArrayRef dim, const Tensor& out) {
  if (!dim || !dim->empty()) return reduce_truth<Op>(self, reduced_dims(name, dim, self.dim()), out);
  const Tensor truth = out.scalar_type() == kBool ? out : detail::empty(out.sizes(), out.options().dtype(kBool));
  detail::copy_into(truth, self);
  if (!truth.is_same(out)) detail::copy_into(out, truth);
}

// The first NaN wins, then the first of the smallest.
template <class T>
struct IsSmaller {
  static bool is_better(T candidate, T best) {
    if constexpr (std::is_integral_v<T>) {
      return candidate < best;
    } else {
      return candidate < best || (candidate != candidate && best == best);
    }
  }
};

template <template <class> class Order>
void choose_position(const char* name, const Tensor& self, std::optional<int64_t> dim, const Tensor& out) {
  if (dim && self.dim() != 0 && self.size(wrap_dim(*dim, self.dim())) == 1) {  // of any dtype
    detail::copy_into(out, detail::as_strided_view(detail::scalar_tensor(0, out.options()), out.sizes(),
                                                   DimVector(out.sizes().size(), 0), 0));
    return;
  }
  Tensor in = self;
  if (!dim) {
    const Tensor dense = detail::empty(self.sizes(), self.options());
    detail::copy_into(dense, self);
    in = detail::as_strided_view(dense, {self.numel()}, {1}, 0);
  }
  const int64_t wrapped = wrap_dim(dim.value_or(0), in.dim());
  const Tensor positions = dim ? out : detail::as_strided_view(out, {}, {}, out.storage_offset());
  const Tensor values = detail::empty(positions.sizes(), self.options());
  visit<kRealTypes>(name, self.scalar_type(),
                    [&]<class T>() { reduce_with_index<T, Order<T>>(values, positions, in, wrapped); });
}

// The first NaN wins, then the first of the largest.
template <class T>
struct IsLarger {
  static bool is_better(T candidate, T best) {
    if constexpr (std::is_integral_v<T>) {
      return candidate > best;
    } else {
      return candidate > best || (candidate != candidate && best == best);
    }
  }
};

}  // namespace

[[structured::impl("sum.IntList_out", "CPU")]]
void sum_cpu(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim,
             [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("sum", dim, self.dim());
  visit<kAllTypes>("sum", out.scalar_type(), [&]<class T>() { reduce<Sum<T>>(out, self, mask); });
}

[[structured::impl("max.dim_max", "CPU")]]
void max_dim_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& max,
                 const Tensor& max_values) {
  const int64_t wrapped = wrap_dim(dim, self.dim());
  visit<kRealTypes | kBool>("max", self.scalar_type(),
                            [&]<class T>() { reduce_with_index<T, IsLarger<T>>(max, max_values, self, wrapped); });
}

[[structured::impl("sum.out", "CPU")]]
void sum_all_cpu(const Tensor& self, [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  sum_cpu(self, std::nullopt, false, std::nullopt, out);
}

[[structured::impl("nansum.out", "CPU")]]
void nansum_cpu(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
                const Tensor& out) {
  if (!structured::is_floating(out.scalar_type())) return sum_cpu(self, dim, keepdim, dtype, out);
  const DimMask mask = reduced_dims("nansum", dim, self.dim());
  visit<kAllFloatingTypes>("nansum", out.scalar_type(), [&]<class T>() { reduce<SumOfNumbers<T>>(out, self, mask); });
}

[[structured::impl("prod.int_out", "CPU")]]
void prod_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim,
              [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("prod", dim, self.dim());
  visit<kAllTypes>("prod", out.scalar_type(), [&]<class T>() { reduce<Product<T>>(out, self, mask); });
}

[[structured::impl("prod.out", "CPU")]]
void prod_all_cpu(const Tensor& self, [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("prod", std::nullopt, self.dim());
  visit<kAllTypes>("prod", out.scalar_type(), [&]<class T>() { reduce<Product<T>>(out, self, mask); });
}

[[structured::impl("mean.out", "CPU")]]
void mean_cpu(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim,
              [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  const DimMask mask = reduced_dims("mean", dim, self.dim());
  const double count = static_cast<double>(count_reduced(self, mask));
  reduce_and_apply<kAllFloatingTypes | kAllComplexTypes>(
      "mean", out, [&]<class T>(const Tensor& result) { reduce<Sum<T>>(result, self, mask); },
      [count]<class T>(T x) { return x / convert<T>(count); });
}

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

[[structured::impl("any.all_out", "CPU")]]
void any_all_cpu(const Tensor& self, const Tensor& out) {
  reduce_truth<Any>(self, reduced_dims("any", std::nullopt, self.dim()), out);
}
[[structured::impl("any.out", "CPU")]]
void any_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth<Any>(self, reduced_dims("any", dim, self.dim()), out);
}
[[structured::impl("any.dims_out", "CPU")]]
void any_dims_cpu(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth_of_list<Any>("any", self, dim, out);
}

[[structured::impl("all.all_out", "CPU")]]
void all_all_cpu(const Tensor& self, const Tensor& out) {
  reduce_truth<All>(self, reduced_dims("all", std::nullopt, self.dim()), out);
}
[[structured::impl("all.out", "CPU")]]
void all_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth<All>(self, reduced_dims("all", dim, self.dim()), out);
}
[[structured::impl("all.dims_out", "CPU")]]
void all_dims_cpu(const Tensor& self, OptionalIntArrayRef dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  reduce_truth_of_list<All>("all", self, dim, out);
}

[[structured::impl("count_nonzero.dim_IntList_out", "CPU")]]
void count_nonzero_cpu(const Tensor& self, IntArrayRef dim, const Tensor& out) {
  const Tensor truth = detail::empty(self.sizes(), self.options().dtype(kBool));
  detail::copy_into(truth, self);
  reduce<Sum<int64_t>>(out, truth, reduced_dims("count_nonzero", dim, self.dim()));
}

[[structured::impl("var.correction_out", "CPU")]]
void var_cpu(const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction,
             [[maybe_unused]] bool keepdim, const Tensor& out) {
  variance("var", self, dim, correction, out, [](auto x) { return x; });
}

[[structured::impl("std.correction_out", "CPU")]]
void std_cpu(const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction,
             [[maybe_unused]] bool keepdim, const Tensor& out) {
  variance("std", self, dim, correction, out, [](auto x) { return std::sqrt(x); });
}

[[structured::impl("argmax.out", "CPU")]]
void argmax_cpu(const Tensor& self, std::optional<int64_t> dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  choose_position<IsLarger>("argmax", self, dim, out);
}

[[structured::impl("argmin.out", "CPU")]]
void argmin_cpu(const Tensor& self, std::optional<int64_t> dim, [[maybe_unused]] bool keepdim, const Tensor& out) {
  choose_position<IsSmaller>("argmin", self, dim, out);
}

[[structured::impl("min.dim_min", "CPU")]]
void min_dim_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& min,
                 const Tensor& min_indices) {
  const int64_t wrapped = wrap_dim(dim, self.dim());
  visit<kRealTypes | kBool>("min", self.scalar_type(),
                            [&]<class T>() { reduce_with_index<T, IsSmaller<T>>(min, min_indices, self, wrapped); });
}

[[structured::impl("linalg_vector_norm.out", "CPU")]]
void linalg_vector_norm_cpu(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim,
                            [[maybe_unused]] bool keepdim, [[maybe_unused]] std::optional<ScalarType> dtype,
                            const Tensor& out) {
  const DimMask mask = reduced_dims("linalg_vector_norm", dim, self.dim());
  const double order = ord.to<double>();
  const auto compute = [&]<class T>(const Tensor& result) {
    if (order == 2) return reduce<SumOfSquares<T>>(result, self, mask);
    if (order == 1) return reduce<SumOfMagnitudes<T>>(result, self, mask);
    if (order == 0) return reduce<NonZeros<T>>(result, self, mask);
    if (std::isinf(order)) {
      return order > 0 ? reduce<LargestMagnitude<T>>(result, self, mask)
                       : reduce<SmallestMagnitude<T>>(result, self, mask);
    }
    const Tensor powers = detail::empty(self.sizes(), result.options());
    detail::copy_into(powers, self);
    cpu_kernel(TensorIterator::unary_op(powers, powers),
               [order](T x) -> T { return std::pow(std::fabs(x), static_cast<T>(order)); });
    reduce<Sum<T>>(result, powers, mask);
  };
  const bool is_plain = order == 1 || order == 0 || std::isinf(order);
  reduce_and_apply<kAllFloatingTypes>("linalg_vector_norm", out, compute, [order, is_plain](auto x) {
    return is_plain ? x : order == 2 ? std::sqrt(x) : std::pow(x, static_cast<decltype(x)>(1 / order));
  });
}

}  // namespace structured::kernels
