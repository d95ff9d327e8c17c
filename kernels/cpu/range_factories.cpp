// `arange`, `range`, `linspace` and `logspace` on CPU.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/kernel/resize.h>
#include <structured/number/convert.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/fill.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "cpu/leveled.h"
#include "shared/range_count.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kSpacedTypes = kRealTypes | kAllComplexTypes;

// Sets elements [begin, end) of `to` to `number(i)`, with i of type `Count`. i is a base plus a 32-bit integer, whose
// conversion to floating point can be vectorized with every instruction set.
template <class T, class Count, class Number>
struct SetRange {
  static void run(T* to, int64_t begin, int64_t end, Number number) {
    constexpr int64_t kPiece = 4096;
    for (int64_t start = begin; start < end; start += kPiece) {
      const auto size = static_cast<int32_t>(std::min(kPiece, end - start));
      const auto base = static_cast<Count>(start);
      T* const piece = to + start;
      for (int32_t i = 0; i < size; ++i) piece[i] = convert<T>(number(base + static_cast<Count>(i)));
    }
  }
};

template <class T, class Count, class Number>
void set_range(T* to, int64_t begin, int64_t end, Number number) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    run_leveled<SetRange<T, Count, Number>>(to, begin, end, number);
  } else {
    SetRange<T, Count, Number>::run(to, begin, end, number);
  }
}

// Sets elements before `middle` in row-major order to `number(i)`, the others to `second(i)`.
template <class T, class Count, class Number, class Second>
void set_numbers(const Tensor& out, int64_t middle, Number number, Second second) {
  const Tensor dense = out.is_contiguous() ? out : structured::empty(out.sizes(), out.options());
  T* const to = dense.data_ptr<T>();
  parallel_for(0, out.numel(), kGrainSize, [&](int64_t begin, int64_t end) {
    set_range<T, Count>(to, begin, std::min(end, middle), number);
    set_range<T, Count>(to, std::max(begin, middle), end, second);
  });
  if (!dense.is_same(out)) structured::copy_into(out, dense);
}

void set_steps(const char* name, const Tensor& out, const Scalar& start, const Scalar& step) {
  if (out.is_meta()) return;
  visit<kRealTypes>(name, out.scalar_type(), [&]<class T>() {
    const int64_t count = out.numel();
    if constexpr (std::is_integral_v<T>) {
      const auto from = static_cast<uint64_t>(start.to<int64_t>());  // unsigned: overflow wraps
      const auto by = static_cast<uint64_t>(step.to<int64_t>());
      const auto number = [=](uint64_t i) { return static_cast<int64_t>(from + by * i); };
      set_numbers<T, uint64_t>(out, count, number, number);
    } else {
      const auto from = start.to<double>();
      const auto by = step.to<double>();
      const auto number = [=](double i) { return from + by * i; };
      set_numbers<T, double>(out, count, number, number);
    }
  });
}

// Resizes `out` to [steps] unless it has `steps` elements.
void fit(const char* name, const Tensor& out, int64_t steps) {
  STRUCTURED_CHECK(steps >= 0, name, ": expected `steps` of 0 or more, got ", steps);
  if (out.numel() != steps) resize_output(out, steps);
}

// Sets `out` to evenly spaced numbers from `start` to `end`, transformed by `change`. Each is computed from the nearer
// end, so that both ends are exact.
template <class T, class Change>
void set_spaced(const Scalar& start, const Scalar& end, const Tensor& out, Change change) {
  using Number = std::conditional_t<is_complex_v<T>, Complex<double>, double>;
  const Number from = convert<Number>(start.to<T>());
  const Number to = convert<Number>(end.to<T>());
  const int64_t steps = out.numel();
  const auto last = static_cast<double>(steps - 1);
  const Number step = steps > 1 ? (to - from) / Number(last) : Number(0);
  set_numbers<T, double>(
      out, (steps + 1) / 2, [=](double i) { return change(from + step * Number(i)); },
      [=](double i) { return change(to - step * Number(last - i)); });
}

}  // namespace

/// Writes the numbers `start`, `start` + `step`, ... before `end` to `out`, which is resized to a vector unless it has
/// as many elements. A `step` of 0 or away from `end` is an error, as are bounds that are not finite. Bool and complex
/// inputs are not supported.
[[structured::kernel("arange.start_out", "CPU", "Meta")]]
Tensor& arange_out(const Scalar& start, const Scalar& end, [[structured::schema_default("1")]] const Scalar& step,
                   Tensor& out) {
  const int64_t count = count_before(start, end, step, out.scalar_type());
  if (out.numel() != count) resize_output(out, count);
  set_steps("arange", out, start, step);
  return out;
}

/// Writes the numbers `start`, `start` + `step`, ... up to and including `end` to `out`, which is resized to a vector
/// unless it has as many elements. A `step` of 0 or away from `end` is an error, as are bounds that are not finite.
/// Bool and complex inputs are not supported.
[[structured::kernel("range.out", "CPU", "Meta")]]
Tensor& range_out(const Scalar& start, const Scalar& end, [[structured::schema_default("1")]] const Scalar& step,
                  Tensor& out) {
  const int64_t count = count_up_to(start, end, step);
  if (out.numel() != count) resize_output(out, count);
  set_steps("range", out, start, step);
  return out;
}

/// Writes `steps` evenly spaced numbers from `start` to `end`, inclusive, to `out`, which is resized to a vector unless
/// it has as many elements.
[[structured::kernel("linspace.out", "CPU", "Meta")]]
Tensor& linspace_out(const Scalar& start, const Scalar& end, int64_t steps, Tensor& out) {
  fit("linspace", out, steps);
  if (out.is_meta() || steps == 0) return out;
  if (steps == 1) return structured::fill_(out, start);
  visit<kSpacedTypes>("linspace", out.scalar_type(),
                      [&]<class T>() { set_spaced<T>(start, end, out, [](auto number) { return number; }); });
  return out;
}

/// Writes `steps` numbers `base ** x` with x evenly spaced from `start` to `end`, inclusive, to `out`, which is resized
/// to a vector unless it has as many elements.
[[structured::kernel("logspace.out", "CPU", "Meta")]]
Tensor& logspace_out(const Scalar& start, const Scalar& end, int64_t steps,
                     [[structured::schema_default("10.0")]] double base, Tensor& out) {
  fit("logspace", out, steps);
  if (out.is_meta() || steps == 0) return out;
  if (steps == 1 && !start.is_complex()) return structured::fill_(out, std::pow(base, start.to<double>()));
  visit<kSpacedTypes>("logspace", out.scalar_type(), [&]<class T>() {
    set_spaced<T>(start, end, out, [base](auto exponent) {
      if constexpr (is_complex_v<T>) {
        const double angle = std::log(base) * exponent.imag();
        const double size = std::pow(base, exponent.real());
        return Complex<double>(size * std::cos(angle), size * std::sin(angle));
      } else {
        return std::pow(base, exponent);
      }
    });
  });
  return out;
}

}  // namespace structured::kernels
