// `arange`, `range`, `linspace` and `logspace` on CUDA. Numbers are computed as int64, double or Complex<double>, and
// converted to the dtype of the result.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/kernel/guards.h>
#include <structured/kernel/resize.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/fill.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuda/element_loop.cuh"
#include "shared/dense.h"
#include "shared/range_count.h"

namespace structured::kernels {
namespace {

struct SetIntegers {
  int64_t* to;
  uint64_t from;
  uint64_t by;  // unsigned: overflow wraps
  __device__ void operator()(int64_t i) const { to[i] = static_cast<int64_t>(from + by * static_cast<uint64_t>(i)); }
};
struct SetNumbers {
  double* to;
  double from;
  double by;
  __device__ void operator()(int64_t i) const { to[i] = from + by * static_cast<double>(i); }
};

/// Evenly spaced numbers, each computed from the nearer end, so that both ends are exact; or powers of them.
template <class Number>
struct SetSpaced {
  Number* to;
  Number from;
  Number end;
  Number step;
  int64_t count;
  double base;  ///< 0 for the numbers themselves
  __device__ void operator()(int64_t i) const {
    const Number number = i < (count + 1) / 2 ? from + step * Number(static_cast<double>(i))
                                              : end - step * Number(static_cast<double>(count - 1 - i));
    if (base == 0) {
      to[i] = number;
    } else if constexpr (is_complex_v<Number>) {
      const double angle = ::log(base) * number.imag();
      const double size = ::pow(base, number.real());
      to[i] = Number(size * ::cos(angle), size * ::sin(angle));
    } else {
      to[i] = ::pow(base, number);
    }
  }
};

// Calls `fill` with a contiguous tensor of `dtype` that is `out` or is copied to it.
template <class Fill>
void fill_as(const Tensor& out, ScalarType dtype, const Fill& fill) {
  if (out.numel() == 0) return;
  const DeviceGuard guard(out.device());
  const Tensor dense = writable(out, dtype);
  fill(dense);
  store(out, dense);
}

void set_steps(const char* name, const Tensor& out, const Scalar& start, const Scalar& step) {
  visit<kRealTypes>(name, out.scalar_type(), [&]<class T>() {});
  if (is_integral(out.scalar_type(), false)) {
    fill_as(out, kLong, [&](const Tensor& dense) {
      for_each_element(out.numel(), SetIntegers{dense.data_ptr<int64_t>(), static_cast<uint64_t>(start.to<int64_t>()),
                                                static_cast<uint64_t>(step.to<int64_t>())});
    });
  } else {
    fill_as(out, kDouble, [&](const Tensor& dense) {
      for_each_element(out.numel(), SetNumbers{dense.data_ptr<double>(), start.to<double>(), step.to<double>()});
    });
  }
}

// Resizes `out` to [steps] unless it has `steps` elements.
void fit(const char* name, const Tensor& out, int64_t steps) {
  STRUCTURED_CHECK(steps >= 0, name, ": expected `steps` of 0 or more, got ", steps);
  if (out.numel() != steps) resize_output(out, steps);
}

void set_spaced(const char* name, const Scalar& start, const Scalar& end, double base, const Tensor& out) {
  visit<kRealTypes | kAllComplexTypes>(name, out.scalar_type(), [&]<class T>() {
    using Number = std::conditional_t<is_complex_v<T>, Complex<double>, double>;
    const Number from = convert<Number>(start.to<T>());
    const Number to = convert<Number>(end.to<T>());
    const int64_t count = out.numel();
    const Number step = count > 1 ? (to - from) / Number(static_cast<double>(count - 1)) : Number(0);
    fill_as(out, scalar_type_of<Number>, [&](const Tensor& dense) {
      for_each_element(count, SetSpaced<Number>{dense.data_ptr<Number>(), from, to, step, count, base});
    });
  });
}

}  // namespace

[[structured::kernel("arange.start_out", "CUDA")]]
Tensor& arange_cuda(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  const int64_t count = count_before(start, end, step, out.scalar_type());
  if (out.numel() != count) resize_output(out, count);
  set_steps("arange", out, start, step);
  return out;
}

[[structured::kernel("range.out", "CUDA")]]
Tensor& range_cuda(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  const int64_t count = count_up_to(start, end, step);
  if (out.numel() != count) resize_output(out, count);
  set_steps("range", out, start, step);
  return out;
}

[[structured::kernel("linspace.out", "CUDA")]]
Tensor& linspace_cuda(const Scalar& start, const Scalar& end, int64_t steps, Tensor& out) {
  fit("linspace", out, steps);
  if (steps == 0) return out;
  if (steps == 1) return structured::fill_(out, start);
  set_spaced("linspace", start, end, 0, out);
  return out;
}

[[structured::kernel("logspace.out", "CUDA")]]
Tensor& logspace_cuda(const Scalar& start, const Scalar& end, int64_t steps, double base, Tensor& out) {
  fit("logspace", out, steps);
  if (steps == 0) return out;
  if (steps == 1 && !start.is_complex()) return structured::fill_(out, std::pow(base, start.to<double>()));
  set_spaced("logspace", start, end, base, out);
  return out;
}

}  // namespace structured::kernels
