// Fourier transforms, compared with their definition.
#include <structured/number/complex.h>
#include <structured/ops/_fft_c2c.h>
#include <structured/ops/_fft_c2r.h>
#include <structured/ops/_fft_r2c.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "kernels/expect.h"

namespace structured::fourier_test {
namespace {

using namespace test;

using Number = std::complex<double>;

Tensor waves(IntArrayRef sizes) {
  return filled<Complex<double>>(sizes, [](int64_t i) {
    const auto x = static_cast<double>(i);
    return Complex<double>(std::sin(x * x + 1), std::cos(3 * x * x));
  });
}

Number number(const Tensor& tensor, const Index& index) {
  const auto value = at<Complex<double>>(tensor, index);
  return {value.real(), value.imag()};
}

// Returns coefficient `j` of the transform of row `line` of a matrix.
Number transformed(const Tensor& matrix, int64_t line, int64_t j, bool forward) {
  const int64_t n = matrix.size(1);
  Number sum = 0;
  for (int64_t k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
    sum += number(matrix, {line, k}) * std::polar(1.0, forward ? -angle : angle);
  }
  return sum;
}

TEST(Fourier, IsExactForQuarterTurns) {
  const Tensor impulse = tensor<float>({0, 1, 0, 0});
  using Value = Complex<float>;
  EXPECT_EQ(to_vector<Value>(_fft_r2c(impulse, 0, 0, true)), (std::vector<Value>{{1, 0}, {0, -1}, {-1, 0}}));
  EXPECT_EQ(to_vector<Value>(_fft_r2c(impulse, 0, 0, false)), (std::vector<Value>{{1, 0}, {0, -1}, {-1, 0}, {0, 1}}));
  const Tensor eighth = filled<Complex<double>>({8}, [](int64_t i) { return Complex<double>(i == 2, 0); });
  const Tensor turns = _fft_c2c(eighth, 0, 0, false);
  for (int64_t i = 0; i < 8; ++i) {
    const Complex<double> expected[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    EXPECT_EQ((at<Complex<double>>(turns, {i})), expected[i % 4]) << i;
  }
}

TEST(Fourier, ConvertsToTheDtypeOfOut) {
  const Tensor self = tensor<float>({1, 2, 3, 4});
  Tensor out = empty({0}, kComplexDouble);
  _fft_r2c_out(out, self, 0, 0, true);
  using Value = Complex<double>;
  EXPECT_EQ(to_vector<Value>(out), (std::vector<Value>{{10, 0}, {-2, 2}, {-2, 0}}));
  Tensor back = empty({0}, kFloat);
  _fft_c2r_out(back, out, 0, 2, 4);
  EXPECT_EQ(to_vector<float>(back), (std::vector<float>{1, 2, 3, 4}));
  Tensor whole = empty({0}, kComplexFloat);
  _fft_c2c_out(whole, out, 0, 0, true);
  EXPECT_EQ((at<Complex<float>>(whole, {0})), (Complex<float>(6, 2)));
}

TEST(Fourier, StoresTransformedDimensionsInnermost) {
  const Tensor self = waves({3, 4, 5});
  const Tensor middle = _fft_c2c(self, 1, 0, true);
  EXPECT_EQ(middle.strides(), IntArrayRef({20, 1, 4}));
  EXPECT_EQ(_fft_c2c(self, {2, 0}, 0, true).strides(), IntArrayRef({5, 15, 1}));
  EXPECT_EQ(_fft_c2r(self, {0, 1}, 0, 6).strides(), IntArrayRef({6, 1, 18}));
  const Tensor whole = empty(self.sizes(), self.options());
  copy_into(whole, middle);
  for (int64_t line = 0; line < 5; ++line) {
    const Tensor row = as_strided(self, {1, 4}, {0, 5}, 20 + line);
    for (int64_t j = 0; j < 4; ++j) {
      EXPECT_LT(std::abs(number(whole, {1, j, line}) - transformed(row, 0, j, true)), 1e-12);
    }
  }
}

TEST(Fourier, OfAnyLength) {
  // Lengths: products of all radices, and primes that are not a radix. Lines: one, and more than fit one block.
  for (const int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 31, 37, 49, 60, 77, 128, 202}) {
    for (const int64_t lines : {1, 35}) {
      const Tensor self = waves({lines, n});
      for (const bool forward : {true, false}) {
        for (const Tensor& input : {self, strided(self)}) {
          const Tensor result = _fft_c2c(input, -1, 0, forward);
          for (const int64_t line : {int64_t{0}, lines - 1}) {
            for (int64_t j = 0; j < n; ++j) {
              EXPECT_LT(std::abs(number(result, {line, j}) - transformed(self, line, j, forward)), 1e-11)
                  << n << ", at " << j;
            }
          }
        }
      }
    }
  }
}

TEST(Fourier, OfSeveralDimensionsAndBack) {
  const Tensor self = waves({3, 8, 7});
  const Tensor there = _fft_c2c(self, {0, 2}, 1, true);
  const Tensor back = _fft_c2c(there, {2, 0}, 1, false);
  for_each_index(self.sizes(), [&](const Index& i) { EXPECT_LT(std::abs(number(back, i) - number(self, i)), 1e-13); });
  const Tensor none = _fft_c2c(self, IntArrayRef(), 0, true);
  for_each_index(self.sizes(), [&](const Index& i) { EXPECT_EQ(number(none, i), number(self, i)); });
}

TEST(Fourier, OfRealNumbersHasHalf) {
  for (const int64_t n : {1, 2, 7, 12}) {
    const Tensor self = filled<double>({4, n, 2}, [](int64_t i) { return std::sin(static_cast<double>(i * i + 1)); });
    const Tensor half = _fft_r2c(self, {0, 1}, 0, true);
    const Tensor full = _fft_r2c(self, {0, 1}, 0, false);
    EXPECT_EQ(half.sizes(), IntArrayRef({4, n / 2 + 1, 2}));
    EXPECT_EQ(full.sizes(), self.sizes());
    for_each_index(half.sizes(),
                   [&](const Index& i) { EXPECT_LT(std::abs(number(half, i) - number(full, i)), 1e-13); });
    const Tensor back = _fft_c2r(strided(half), {0, 1}, 2, n);
    expect_elements<double>(back, self.sizes(), [&](const Index& i) { return at<double>(self, i); }, 1e-13);
  }
}

TEST(Fourier, RefusesWhatIsNoTransform) {
  expect_error([] { _fft_r2c(empty({3}, kLong), 0, 0, true); }, "_fft_r2c: expected dtype Float, Double, got Long");
  expect_error([] { _fft_c2c(empty({3}), 0, 0, true); }, "_fft_c2c: expected dtype ");
  expect_error([] { _fft_c2c(waves({3, 3}), {0, -2}, 0, true); }, "_fft_c2c: ");
  expect_error([] { _fft_c2c(waves({3, 0}), 1, 0, true); }, "expected elements along dimension 1, got sizes [3, 0]");
  expect_error([] { _fft_c2c(waves({3}), 0, 3, true); }, "expected `normalization` from 0 to 2, got 3");
  expect_error([] { _fft_c2r(waves({3}), 0, 0, 6); }, "expected a `last_dim_size` from 1 to 5 for 3 numbers, got 6");
  EXPECT_EQ(_fft_c2r(waves({0, 3}), 1, 0, 4).sizes(), IntArrayRef({0, 4}));
}

}  // namespace
}  // namespace structured::fourier_test
