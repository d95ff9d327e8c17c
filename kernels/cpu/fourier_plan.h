#pragma once
// Discrete Fourier transforms of lines of numbers, many at once: element k of line l is at k * lines + l, real and
// imaginary parts apart, so that vectors go over lines. Lengths are divided into radixes by the self-sorting algorithm
// of T. G. Stockham (High-speed convolution and correlation, 1966); what is left of large primes is a convolution, as
// L. I. Bluestein has it (A linear filtering approach to the computation of the discrete Fourier transform, 1970).
#include <cstdint>
#include <memory>
#include <vector>

namespace structured::kernels {

/// What is known beforehand of transforms of one length. Objects do not change, and may be shared by threads.
template <class T>
class FourierPlan {
 public:
  /// The plan for `length`, one or more; plans that were asked for lately are kept.
  static std::shared_ptr<const FourierPlan> of(int64_t length);

  explicit FourierPlan(int64_t length);

  /// How many numbers run() needs as scratch memory for one line.
  int64_t scratch() const { return convolution_ == nullptr ? 2 * length_ : 4 * convolution_->length_; }

  /// Transforms `re` and `im` in place, with exp(-2 pi i j k / n); for the inverse, exchange the two.
  void run(T* re, T* im, int64_t lines, T* scratch) const;

  /// Of lines whose numbers were pairs of real ones, x_2k + i x_2k+1, and were transformed: makes of them the first
  /// `length` + 1 numbers of the transform of those twice as many real ones. There is room for a row more.
  void split(T* re, T* im, int64_t lines) const;
  /// The reverse, before the inverse, which gives such pairs then. The imaginary parts of the first and the last number
  /// do not count.
  void join(T* re, T* im, int64_t lines) const;

 private:
  void run_stages(T* re, T* im, int64_t lines, T* scratch) const;
  void convolve(T* re, T* im, int64_t lines, T* scratch) const;

  int64_t length_;
  std::vector<int64_t> radixes_;
  std::vector<T> cosines_;  // the parts of exp(-2 pi i k / n)
  std::vector<T> sines_;
  std::vector<T> half_cosines_;  // those of exp(-pi i k / n), up to n / 2
  std::vector<T> half_sines_;
  // For lengths with large prime factors: exp(-pi i k^2 / n), and the transform of its conjugate as a filter.
  std::shared_ptr<const FourierPlan> convolution_;
  std::vector<T> chirp_re_;
  std::vector<T> chirp_im_;
  std::vector<T> filter_re_;
  std::vector<T> filter_im_;
};

}  // namespace structured::kernels
