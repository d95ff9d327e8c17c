// Pointwise operators of two tensors on the CPU.
#include <structured/core/scalar.h>
#include <structured/core/visit.h>
#include <structured/iterator/loops.h>

#include <type_traits>

namespace structured::kernels {
namespace {

// Integers wrap around: computed in an unsigned type that is not promoted to a signed one.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) <= sizeof(uint32_t), uint32_t, uint64_t>;

template <class T>
T add(T a, T b, T alpha) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || (alpha && b);
  } else if constexpr (std::is_integral_v<T>) {
    using U = Wrapping<T>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(alpha) * static_cast<U>(b));
  } else {
    return a + alpha * b;
  }
}

template <class T>
T mul(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a && b;
  } else if constexpr (std::is_integral_v<T>) {
    using U = Wrapping<T>;
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else if constexpr (std::is_same_v<T, Complex<Half>>) {
    return T(Complex<float>(a) * Complex<float>(b));  // products of Half leave its range where their sum does not
  } else {
    return a * b;
  }
}

}  // namespace

[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, [[maybe_unused]] const Tensor& self, [[maybe_unused]] const Tensor& other,
             const Scalar& alpha, [[maybe_unused]] const Tensor& out) {
  visit<kAllTypes>("add", op.common_dtype(), [&]<class T>() {
    const T factor = alpha.to<T>();
    cpu_kernel(op, [factor](T a, T b) -> T { return add(a, b, factor); });
  });
}

[[structured::impl("add.Scalar_out", "CPU")]]
void add_number_cpu(TensorIteratorBase& op, [[maybe_unused]] const Tensor& self, const Scalar& other,
                    const Scalar& alpha, [[maybe_unused]] const Tensor& out) {
  visit<kAllTypes>("add", op.common_dtype(), [&]<class T>() {
    const T number = other.converted<T>();
    const T factor = alpha.to<T>();
    cpu_kernel(op, [number, factor](T a) -> T { return add(a, number, factor); });
  });
}

[[structured::impl("mul.out", "CPU")]]
void mul_cpu(TensorIteratorBase& op, [[maybe_unused]] const Tensor& self, [[maybe_unused]] const Tensor& other,
             [[maybe_unused]] const Tensor& out) {
  visit<kAllTypes>("mul", op.common_dtype(),
                   [&]<class T>() { cpu_kernel(op, [](T a, T b) -> T { return mul(a, b); }); });
}

}  // namespace structured::kernels
