#pragma once
// Discrete Fourier transforms of many lines at once. Element k of line l is at index k * lines + l, with real and
// imaginary parts in separate arrays, so that loops are vectorized over lines. Lengths are factored into radices by the
// self-sorting algorithm of T. G. Stockham (High-speed convolution and correlation, 1966). Large prime factors are
// transformed by convolution: L. I. Bluestein (A linear filtering approach to the computation of the discrete Fourier
// transform, 1970).
#include <cstdint>
#include <memory>
#include <vector>

namespace structured::kernels {

/// Precomputed tables for transforms of one length. Immutable and shared between threads.
template <class T>
class FourierPlan {
 public:
  /// Returns the plan for `length` > 0. Recently used plans are cached.
  static std::shared_ptr<const FourierPlan> of(int64_t length);

  explicit FourierPlan(int64_t length);

  /// Returns the number of scratch elements that run() needs per line.
  int64_t scratch() const { return convolution_ == nullptr ? 2 * length_ : 4 * convolution_->length_; }

  /// Transforms `re` and `im` in place with exp(-2 pi i j k / n). Exchanging the two arguments gives the inverse
  /// transform.
  void run(T* re, T* im, int64_t lines, T* scratch) const;

  /// Converts the transform of x_2k + i x_2k+1 to the first `length` + 1 elements of the transform of the real sequence
  /// x of twice the length. The arrays have room for one more row.
  void split(T* re, T* im, int64_t lines) const;
  /// Inverse of split(), applied before the inverse transform. The imaginary parts of the first and the last element
  /// are ignored.
  void join(T* re, T* im, int64_t lines) const;

 private:
  void run_stages(T* re, T* im, int64_t lines, T* scratch) const;
  void convolve(T* re, T* im, int64_t lines, T* scratch) const;

  int64_t length_;
  std::vector<int64_t> radixes_;
  std::vector<T> cosines_;  // 2 pi k / n
  std::vector<T> sines_;
  std::vector<T> half_cosines_;  // pi k / n, k
  std::vector<T> half_sines_;
  // For lengths with large prime factors: exp(-pi i k^2 / n), and the transform of its conjugate as a filter.
  std::shared_ptr<const FourierPlan> convolution_;
  std::vector<T> chirp_re_;
  std::vector<T> chirp_im_;
  std::vector<T> filter_re_;
  std::vector<T> filter_im_;
};

}  // namespace structured::kernels
