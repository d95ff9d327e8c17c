#include "fourier_plan.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>
#include <numbers>
#include <utility>

#include "leveled.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

constexpr int64_t kLargestRadix = 31;

// Real and imaginary parts of exp(-2 pi i k / n).
template <class T>
struct Roots {
  const T* cosines;
  const T* sines;
};

// Stage of Stockham's self-sorting transform: combines `radix` input elements that are `groups * steps` apart into
// `radix` output elements that are `steps` apart, for each of `groups * steps` positions. `unit` is the stride in the
// table of roots.
template <class T>
struct Stage {
  const T* in_re;
  const T* in_im;
  T* out_re;
  T* out_im;
  int64_t groups;
  int64_t steps;
  int64_t unit;
  Roots<T> roots;
};

template <class T>
struct Number {
  T re;
  T im;

  Number operator+(const Number& other) const { return {re + other.re, im + other.im}; }
  Number operator-(const Number& other) const { return {re - other.re, im - other.im}; }
  Number operator*(const Number& other) const { return {re * other.re - im * other.im, re * other.im + im * other.re}; }
  Number operator*(T factor) const { return {re * factor, im * factor}; }
  Number turned() const { return {im, -re}; }  // times -i
};

// Computes the discrete Fourier transform of `kRadix` numbers.
template <class T, int kRadix>
STRUCTURED_ALWAYS_INLINE void transform_few(const Number<T> (&a)[kRadix], Number<T> (&b)[kRadix]) {
  if constexpr (kRadix == 2) {
    b[0] = a[0] + a[1];
    b[1] = a[0] - a[1];
  } else if constexpr (kRadix == 3) {
    const Number<T> sum = a[1] + a[2];
    const Number<T> middle = a[0] - sum * T(0.5);
    const Number<T> side = ((a[1] - a[2]) * T(0.866025403784438646763723170752936183)).turned();
    b[0] = a[0] + sum;
    b[1] = middle + side;
    b[2] = middle - side;
  } else if constexpr (kRadix == 4) {
    const Number<T> even = a[0] + a[2];
    const Number<T> odd = a[1] + a[3];
    const Number<T> left = a[0] - a[2];
    const Number<T> right = (a[1] - a[3]).turned();
    b[0] = even + odd;
    b[1] = left + right;
    b[2] = even - odd;
    b[3] = left - right;
  } else {
    static_assert(kRadix == 5);
    constexpr T c1 = T(0.309016994374947424102293417182819059);   // cos(2 pi / 5)
    constexpr T c2 = T(-0.809016994374947424102293417182819059);  // cos(4 pi / 5)
    constexpr T s1 = T(0.951056516295153572116439333379382143);
    constexpr T s2 = T(0.587785252292473129168705954639072769);
    const Number<T> near = a[1] + a[4];
    const Number<T> far = a[2] + a[3];
    const Number<T> near_side = a[1] - a[4];
    const Number<T> far_side = a[2] - a[3];
    const Number<T> m1 = a[0] + near * c1 + far * c2;
    const Number<T> m2 = a[0] + near * c2 + far * c1;
    const Number<T> u1 = (near_side * s1 + far_side * s2).turned();
    const Number<T> u2 = (near_side * s2 - far_side * s1).turned();
    b[0] = a[0] + near + far;
    b[1] = m1 + u1;
    b[2] = m2 + u2;
    b[3] = m2 - u2;
    b[4] = m1 - u1;
  }
}

template <class T, int kRadix>
struct RadixStage {
  static void run(const Stage<T>* stage) {
    const int64_t steps = stage->steps;
    const int64_t apart = stage->groups * steps;
    for (int64_t p = 0; p < stage->groups; ++p) {
      Number<T> factors[kRadix];
      for (int64_t j = 0; j < kRadix; ++j) {
        const int64_t at = p * j * stage->unit;
        factors[j] = {stage->roots.cosines[at], stage->roots.sines[at]};
      }
      const T* const re = stage->in_re + p * steps;
      const T* const im = stage->in_im + p * steps;
      T* const out_re = stage->out_re + p * kRadix * steps;
      T* const out_im = stage->out_im + p * kRadix * steps;
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t q = 0; q < steps; ++q) {
        Number<T> a[kRadix];
        Number<T> b[kRadix];
        for (int64_t j = 0; j < kRadix; ++j) a[j] = {re[j * apart + q], im[j * apart + q]};
        transform_few<T, kRadix>(a, b);
        for (int64_t j = 0; j < kRadix; ++j) {
          const Number<T> value = j == 0 ? b[j] : b[j] * factors[j];
          out_re[j * steps + q] = value.re;
          out_im[j * steps + q] = value.im;
        }
      }
    }
  }
};

// Stage of any radix, computed from the definition of the transform.
template <class T>
struct AnyStage {
  static void run(const Stage<T>* stage, int64_t radix) {
    const int64_t steps = stage->steps;
    const int64_t apart = stage->groups * steps;
    const int64_t length = stage->groups * radix * stage->unit;
    for (int64_t p = 0; p < stage->groups; ++p) {
      for (int64_t j = 0; j < radix; ++j) {
        T* const out_re = stage->out_re + (p * radix + j) * steps;
        T* const out_im = stage->out_im + (p * radix + j) * steps;
        for (int64_t q = 0; q < steps; ++q) out_re[q] = out_im[q] = 0;
        for (int64_t k = 0; k < radix; ++k) {
          const int64_t at = (j * k % radix * (length / radix) + p * j * stage->unit) % length;
          const Number<T> factor{stage->roots.cosines[at], stage->roots.sines[at]};
          const T* const re = stage->in_re + p * steps + k * apart;
          const T* const im = stage->in_im + p * steps + k * apart;
          STRUCTURED_INDEPENDENT_LOOP
          for (int64_t q = 0; q < steps; ++q) {
            const Number<T> value = Number<T>{re[q], im[q]} * factor;
            out_re[q] += value.re;
            out_im[q] += value.im;
          }
        }
      }
    }
  }
};

// Multiplies each row of `lines` complex numbers by the complex factor of that row.
template <class T>
struct ScaledRows {
  static void run(T* re, T* im, int64_t rows, int64_t lines, const T* factor_re, const T* factor_im) {
    for (int64_t row = 0; row < rows; ++row, re += lines, im += lines) {
      const Number<T> factor{factor_re[row], factor_im[row]};
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < lines; ++i) {
        const Number<T> value = Number<T>{re[i], im[i]} * factor;
        re[i] = value.re;
        im[i] = value.im;
      }
    }
  }
};

// Let E and O be the transforms of the even and odd elements, Z the complex transform of x_2k + i x_2k+1, and X the
// transform of x. Then Z_k = E_k + i O_k and conj(Z_n-k) = E_k - i O_k, while X_k = E_k + w^k O_k and
// conj(X_n-k) = E_k - w^k O_k with w = exp(-pi i / n).
template <class T>
struct SplitRows {
  static void run(T* re, T* im, int64_t length, int64_t lines, const T* cosines, const T* sines) {
    for (int64_t i = 0; i < lines; ++i) {
      const T first = re[i];
      const T second = im[i];
      re[i] = first + second;
      im[i] = 0;
      re[length * lines + i] = first - second;
      im[length * lines + i] = 0;
    }
    for (int64_t k = 1; 2 * k <= length; ++k) {
      const Number<T> factor = Number<T>{cosines[k], sines[k]}.turned();
      T* const a_re = re + k * lines;
      T* const a_im = im + k * lines;
      T* const b_re = re + (length - k) * lines;
      T* const b_im = im + (length - k) * lines;
      for (int64_t i = 0; i < lines; ++i) {
        const Number<T> a{a_re[i] * T(0.5), a_im[i] * T(0.5)};
        const Number<T> b{b_re[i] * T(0.5), -b_im[i] * T(0.5)};
        const Number<T> even = a + b;
        const Number<T> odd = (a - b) * factor;
        a_re[i] = even.re + odd.re;
        a_im[i] = even.im + odd.im;
        b_re[i] = even.re - odd.re;
        b_im[i] = odd.im - even.im;
      }
    }
  }
};

template <class T>
struct JoinRows {
  static void run(T* re, T* im, int64_t length, int64_t lines, const T* cosines, const T* sines) {
    for (int64_t i = 0; i < lines; ++i) {
      const T first = re[i];
      const T last = re[length * lines + i];
      re[i] = first + last;
      im[i] = first - last;
    }
    for (int64_t k = 1; 2 * k <= length; ++k) {
      const Number<T> factor{sines[k], cosines[k]};  // i times the conjugate of w^k
      T* const a_re = re + k * lines;
      T* const a_im = im + k * lines;
      T* const b_re = re + (length - k) * lines;
      T* const b_im = im + (length - k) * lines;
      for (int64_t i = 0; i < lines; ++i) {
        const Number<T> a{a_re[i], a_im[i]};
        const Number<T> b{b_re[i], -b_im[i]};
        const Number<T> even = a + b;
        const Number<T> odd = (a - b) * factor;
        a_re[i] = even.re + odd.re;
        a_im[i] = even.im + odd.im;
        b_re[i] = even.re - odd.re;
        b_im[i] = odd.im - even.im;
      }
    }
  }
};

// Returns exp(-2 pi i k / n) for k from 0 to n, exact at the quarters of the circle.
Number<double> root(int64_t k, int64_t n) {
  const int64_t quarter = 4 * k / n;
  const int64_t rest = 4 * k % n;  // a quarter has n such steps
  const double angle = std::numbers::pi / 2 * static_cast<double>(rest) / static_cast<double>(n);
  Number<double> result{rest == 0 ? 1 : std::cos(angle), rest == 0 ? 0 : -std::sin(angle)};
  for (int64_t i = 0; i < quarter; ++i) result = result.turned();
  return result;
}

}  // namespace

template <class T>
FourierPlan<T>::FourierPlan(int64_t length) : length_(length) {
  int64_t rest = length;
  for (const int64_t radix : {4, 2, 3, 5}) {
    for (; rest % radix == 0; rest /= radix) radixes_.push_back(radix);
  }
  for (int64_t radix = 7; radix <= kLargestRadix; radix += 2) {
    for (; rest % radix == 0; rest /= radix) radixes_.push_back(radix);
  }
  const auto count = static_cast<size_t>(length);
  for (size_t k = 0; k <= count / 2; ++k) {
    const Number<double> unit = root(static_cast<int64_t>(k), 2 * length);
    half_cosines_.push_back(static_cast<T>(unit.re));
    half_sines_.push_back(static_cast<T>(unit.im));
  }
  if (rest == 1) {
    cosines_.resize(count);
    sines_.resize(count);
    for (size_t k = 0; k < count; ++k) {
      const Number<double> unit = root(static_cast<int64_t>(k), length);
      cosines_[k] = static_cast<T>(unit.re);
      sines_[k] = static_cast<T>(unit.im);
    }
    return;
  }
  int64_t padded = 1;
  while (padded < 2 * length - 1) padded *= 2;
  convolution_ = of(padded);
  chirp_re_.resize(count);
  chirp_im_.resize(count);
  filter_re_.assign(static_cast<size_t>(padded), T(0));
  filter_im_.assign(static_cast<size_t>(padded), T(0));
  int64_t square = 0;  // k^2 modulo 2 n
  for (int64_t k = 0; k < length; ++k) {
    const auto at = static_cast<size_t>(k);
    const Number<double> unit = root(square, 2 * length);
    chirp_re_[at] = static_cast<T>(unit.re);
    chirp_im_[at] = static_cast<T>(unit.im);
    for (const size_t place : {at, static_cast<size_t>((padded - k) % padded)}) {
      filter_re_[place] = static_cast<T>(unit.re / static_cast<double>(padded));
      filter_im_[place] = static_cast<T>(-unit.im / static_cast<double>(padded));
    }
    square = (square + 2 * k + 1) % (2 * length);
  }
  std::vector<T> scratch(static_cast<size_t>(convolution_->scratch()));
  convolution_->run(filter_re_.data(), filter_im_.data(), 1, scratch.data());
}

template <class T>
std::shared_ptr<const FourierPlan<T>> FourierPlan<T>::of(int64_t length) {
  constexpr size_t kept = 16;
  static std::mutex mutex;
  static std::list<std::shared_ptr<const FourierPlan>> plans;  // most recently used first
  {
    const std::lock_guard lock(mutex);
    const auto found =
        std::find_if(plans.begin(), plans.end(), [&](const auto& plan) { return plan->length_ == length; });
    if (found != plans.end()) {
      plans.splice(plans.begin(), plans, found);
      return plans.front();
    }
  }
  auto plan = std::make_shared<const FourierPlan>(length);
  const std::lock_guard lock(mutex);
  plans.push_front(plan);
  if (plans.size() > kept) plans.pop_back();
  return plan;
}

template <class T>
void FourierPlan<T>::run(T* re, T* im, int64_t lines, T* scratch) const {
  if (convolution_ != nullptr) {
    convolve(re, im, lines, scratch);
  } else {
    run_stages(re, im, lines, scratch);
  }
}

template <class T>
void FourierPlan<T>::split(T* re, T* im, int64_t lines) const {
  run_leveled<SplitRows<T>>(re, im, length_, lines, half_cosines_.data(), half_sines_.data());
}

template <class T>
void FourierPlan<T>::join(T* re, T* im, int64_t lines) const {
  run_leveled<JoinRows<T>>(re, im, length_, lines, half_cosines_.data(), half_sines_.data());
}

template <class T>
void FourierPlan<T>::run_stages(T* re, T* im, int64_t lines, T* scratch) const {
  T* from[] = {re, im};
  T* to[] = {scratch, scratch + length_ * lines};
  int64_t left = length_;
  int64_t steps = lines;
  for (const int64_t radix : radixes_) {
    const Stage<T> stage{from[0],      from[1], to[0],          to[1],
                         left / radix, steps,   length_ / left, {cosines_.data(), sines_.data()}};
    switch (radix) {
      case 2:
        run_leveled<RadixStage<T, 2>>(&stage);
        break;
      case 3:
        run_leveled<RadixStage<T, 3>>(&stage);
        break;
      case 4:
        run_leveled<RadixStage<T, 4>>(&stage);
        break;
      case 5:
        run_leveled<RadixStage<T, 5>>(&stage);
        break;
      default:
        run_leveled<AnyStage<T>>(&stage, radix);
    }
    left /= radix;
    steps *= radix;
    std::swap(from, to);
  }
  if (from[0] == re) return;
  std::copy_n(from[0], length_ * lines, re);
  std::copy_n(from[1], length_ * lines, im);
}

// Since j k = (j^2 + k^2 - (j - k)^2) / 2, the transform is a convolution of x_k chirp_k with the conjugate chirp.
template <class T>
void FourierPlan<T>::convolve(T* re, T* im, int64_t lines, T* scratch) const {
  const int64_t size = length_ * lines;
  const int64_t padded = convolution_->length_ * lines;
  T* const a_re = scratch;
  T* const a_im = scratch + padded;
  T* const rest = scratch + 2 * padded;
  run_leveled<ScaledRows<T>>(re, im, length_, lines, chirp_re_.data(), chirp_im_.data());
  std::fill(std::copy_n(re, size, a_re), a_re + padded, T(0));
  std::fill(std::copy_n(im, size, a_im), a_im + padded, T(0));
  convolution_->run(a_re, a_im, lines, rest);
  run_leveled<ScaledRows<T>>(a_re, a_im, convolution_->length_, lines, filter_re_.data(), filter_im_.data());
  convolution_->run(a_im, a_re, lines, rest);
  std::copy_n(a_re, size, re);
  std::copy_n(a_im, size, im);
  run_leveled<ScaledRows<T>>(re, im, length_, lines, chirp_re_.data(), chirp_im_.data());
}

template class FourierPlan<float>;
template class FourierPlan<double>;

}  // namespace structured::kernels
