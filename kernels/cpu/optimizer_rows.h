#pragma once
// Loops of fused optimiser steps over the memory of a parameter's tensors, compiled for each SIMD level.
#include <structured/iterator/pointwise.h>
#include <structured/number/bfloat16.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "bfloat16_pair.h"

namespace structured::kernels {

/// Index of the gradient, which steps only read. The parameter is first.
inline constexpr std::size_t kGradient = 1;

/// The gradient as all optimisers use it, after it was divided by the scale: multiplied by `sign`, plus `decay` times
/// the parameter.
template <class T>
struct GradientStep {
  T sign, decay;

  STRUCTURED_ALWAYS_INLINE T direction(T gradient, T parameter) const {
    const T g = gradient * sign;
    return decay == T(0) ? g : g + decay * parameter;
  }
};

template <class T>
struct AdamStep {
  GradientStep<T> gradient;
  T shrink;  // AdamW's decay: a factor of the parameter
  T first_weight, second_decay, second_weight, correction, eps, size;
};

/// Updates an element of each tensor: parameter, gradient, first and second moment, and their maximum for AMSGrad
/// (Kingma and Ba, "Adam", 2015; Reddi et al., "On the convergence of Adam and beyond", 2018).
template <class T, bool kIsAmsgrad>
struct AdamUpdate {
  using Type = T;
  using Step = AdamStep<T>;
  static constexpr std::size_t kTensors = kIsAmsgrad ? 5 : 4;

  STRUCTURED_ALWAYS_INLINE static void run(const Step& step, T (&element)[kTensors]) {
    const T x = element[0];
    const T g = step.gradient.direction(element[kGradient], x);
    // Interpolation from the end that is nearer, as lerp has it.
    const T before = element[2];
    const T difference = g - before;
    const T m = std::abs(step.first_weight) < T(0.5) ? before + step.first_weight * difference
                                                     : g + (step.first_weight - T(1)) * difference;
    const T v = element[3] * step.second_decay + step.second_weight * g * g;
    T divisor = v;
    if constexpr (kIsAmsgrad) {
      const T most = element[4];
      divisor = most < v || v != v ? v : most;
      element[4] = divisor;
    }
    element[2] = m;
    element[3] = v;
    element[0] = x * step.shrink - step.size * m / (std::sqrt(divisor) / step.correction + step.eps);
  }
};

/// Numbers instead of `bool`, which GCC does not vectorise.
template <class T>
struct SGDStep {
  GradientStep<T> gradient;
  T momentum, weight, size, is_first, is_nesterov;
};

/// Updates parameter, gradient and, with momentum, its buffer.
template <class T, bool kHasMomentum>
struct SGDUpdate {
  using Type = T;
  using Step = SGDStep<T>;
  static constexpr std::size_t kTensors = kHasMomentum ? 3 : 2;

  STRUCTURED_ALWAYS_INLINE static void run(const Step& step, T (&element)[kTensors]) {
    const T x = element[0];
    T g = step.gradient.direction(element[kGradient], x);
    if constexpr (kHasMomentum) {
      const T before = element[2];  // not initialised before the first step
      const T v = step.is_first != T(0) ? g : before * step.momentum + step.weight * g;
      element[2] = v;
      g = step.is_nesterov != T(0) ? g + step.momentum * v : v;
    }
    element[0] = x - step.size * g;
  }
};

template <class T>
struct AdagradStep {
  GradientStep<T> gradient;
  T eps, size;
};

/// Updates parameter, gradient and sum of squares (Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011).
template <class T>
struct AdagradUpdate {
  using Type = T;
  using Step = AdagradStep<T>;
  static constexpr std::size_t kTensors = 3;

  STRUCTURED_ALWAYS_INLINE static void run(const Step& step, T (&element)[kTensors]) {
    const T x = element[0];
    const T g = step.gradient.direction(element[kGradient], x);
    const T squares = element[2] + g * g;
    element[2] = squares;
    element[0] = x - step.size * g / (std::sqrt(squares) + step.eps);
  }
};

/// Divides `size` elements of the gradient in `rows` by the number at `scale`.
template <class T>
struct ScaleRows {
  static void run(const void* scale, void* const* rows, int64_t size) {
    const auto divisor = static_cast<T>(*static_cast<const float*>(scale));
    T* const gradient = static_cast<T*>(rows[kGradient]);
    for (int64_t i = 0; i < size; ++i) gradient[i] /= divisor;
  }
};

/// Updates `size` elements of each of `rows`, which hold the type in which Update computes, or BFloat16.
template <class Update, class Stored>
struct StepRows {
  static constexpr std::size_t kTensors = Update::kTensors;
  using T = typename Update::Type;

  static void run(const void* given, void* const* rows, int64_t size) {
    const typename Update::Step step = *static_cast<const typename Update::Step*>(given);
    Stored* row[kTensors];
    for (std::size_t k = 0; k < kTensors; ++k) row[k] = static_cast<Stored*>(rows[k]);
    if constexpr (std::is_same_v<Stored, BFloat16>) {
      const int64_t pairs = size / 2;
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < pairs; ++i) {
        T first[kTensors];
        T second[kTensors];
        for (std::size_t k = 0; k < kTensors; ++k) {
          const auto pair = BFloat16Pair::load(row[k] + 2 * i);
          first[k] = pair.first;
          second[k] = pair.second;
        }
        Update::run(step, first);
        Update::run(step, second);
        for (std::size_t k = 0; k < kTensors; ++k) {
          if (k != kGradient) BFloat16Pair{first[k], second[k]}.store(row[k] + 2 * i);
        }
      }
      if (size % 2 != 0) update_one(step, row, size - 1);
    } else {
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < size; ++i) update_one(step, row, i);
    }
  }

 private:
  STRUCTURED_ALWAYS_INLINE static void update_one(const typename Update::Step& step, Stored* const* row, int64_t i) {
    T element[kTensors];
    for (std::size_t k = 0; k < kTensors; ++k) element[k] = row[k][i];
    Update::run(step, element);
    for (std::size_t k = 0; k < kTensors; ++k) {
      if (k != kGradient) row[k][i] = element[k];
    }
  }
};

}  // namespace structured::kernels
