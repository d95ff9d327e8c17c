// Reductions on the CPU.
#include <structured/core/convert.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/reduce.h>
#include <structured/iterator/reduce_with_index.h>
#include <structured/iterator/reduced_dims.h>

#include <cstdint>
#include <optional>
#include <type_traits>

namespace structured::kernels {
namespace {

// What sums of T are computed in. Integers are summed modulo 2^64, of which their own wrapping result is a part.
template <class T>
struct SumAccumulator {
  using type = std::conditional_t<std::is_integral_v<T>, uint64_t, std::conditional_t<sizeof(T) < 4, float, T>>;
};
template <>
struct SumAccumulator<Complex<Half>> {
  using type = Complex<float>;
};

template <class T>
struct Sum {
  using Element = T;
  using Accumulator = typename SumAccumulator<T>::type;
  static Accumulator identity() { return Accumulator(0); }
  static Accumulator lift(T value) { return static_cast<Accumulator>(value); }
  static Accumulator combine(Accumulator a, Accumulator b) { return a + b; }
  static T project(Accumulator sum) { return convert<T>(sum); }
};

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

}  // namespace structured::kernels
