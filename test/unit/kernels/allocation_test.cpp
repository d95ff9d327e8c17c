// Heap allocations of operators that run again with the same sizes. They take buffers and results from the cache of the
// thread.
#include <structured/number/complex.h>
#include <structured/ops/_ctc_loss.h>
#include <structured/ops/_ctc_loss_backward.h>
#include <structured/ops/_embedding_bag.h>
#include <structured/ops/_fft_c2c.h>
#include <structured/ops/_fft_r2c.h>
#include <structured/ops/_linalg_eigh.h>
#include <structured/ops/_linalg_svd.h>
#include <structured/ops/addmm.h>
#include <structured/ops/bmm.h>
#include <structured/ops/convolution_backward.h>
#include <structured/ops/embedding_dense_backward.h>
#include <structured/ops/linalg_eig.h>
#include <structured/ops/linalg_lu_factor_ex.h>
#include <structured/ops/linalg_qr.h>
#include <structured/ops/lu_unpack.h>
#include <structured/ops/mm.h>

#include <string>
#include <tuple>

#include "counting_new.h"
#include "kernels/expect.h"

namespace structured::allocation_test {
namespace {

using namespace test;

// Expects that later runs of `run` allocate nothing. Its sizes are too small for several threads, whose caches may
// still be empty in a later run.
template <class Run>
void expect_no_allocations(const std::string& name, const Run& run) {
  for (int i = 0; i < 2; ++i) run();
  const std::size_t before = new_calls;
  for (int i = 0; i < 2; ++i) run();
  EXPECT_EQ(new_calls - before, 0U) << name;
}

template <class T>
Tensor some(IntArrayRef sizes) {
  return filled<T>(sizes, [](int64_t i) { return static_cast<T>(static_cast<float>(i * 7 % 11 - 5)); });
}

TEST(Allocations, AreCounted) {
  const std::size_t before = new_calls;
  const std::string long_text(100, 'x');
  EXPECT_TRUE(new_calls > before || !counts_new) << long_text;
}

// Products of more than 512 numbers, which are not computed element by element, into ready outputs. BLAS does not
// support the strides of strided().
template <class T>
class AllocationsOfProducts : public testing::Test {};
using Types = testing::Types<float, BFloat16>;
TYPED_TEST_SUITE(AllocationsOfProducts, Types);

TYPED_TEST(AllocationsOfProducts, AreNone) {
  using T = TypeParam;
  for (const bool has_gaps : {false, true}) {
    const auto laid_out = [&](const Tensor& tensor) { return has_gaps ? strided(tensor) : tensor; };
    const std::string layout = has_gaps ? " with gaps" : "";
    const Tensor a = laid_out(some<T>({12, 10}));
    const Tensor b = laid_out(some<T>({10, 9}));
    Tensor out = laid_out(some<T>({12, 9}));
    expect_no_allocations("mm" + layout, [&] { mm_out(out, a, b); });
    const Tensor self = laid_out(some<T>({9}));
    expect_no_allocations("addmm" + layout, [&] { addmm_out(out, self, a, b, 2, 3); });
    const Tensor batch1 = laid_out(some<T>({2, 12, 10}));
    const Tensor batch2 = laid_out(some<T>({2, 10, 9}));
    Tensor products = laid_out(some<T>({2, 12, 9}));
    expect_no_allocations("bmm" + layout, [&] { bmm_out(products, batch1, batch2); });
  }
}

// Lengths with and without a large prime factor, whose transforms are a convolution.
TEST(AllocationsOfFourierTransforms, AreNone) {
  for (const int64_t length : {16, 15, 37}) {
    const std::string text = " of length " + std::to_string(length);
    const Tensor real = some<float>({6, length, 4});
    const Tensor numbers = _fft_c2c(_fft_r2c(real, 1, 0, false), {0, 1}, 0, true);
    Tensor half = _fft_r2c(real, {2, 1}, 1, true);
    Tensor whole = _fft_c2c(numbers, {2, 1}, 1, true);
    expect_no_allocations("_fft_r2c" + text, [&] { _fft_r2c_out(half, real, {2, 1}, 1, true); });
    expect_no_allocations("_fft_r2c, not onesided," + text, [&] { _fft_r2c_out(whole, real, {2, 1}, 1, false); });
    expect_no_allocations("_fft_c2c" + text, [&] { _fft_c2c_out(whole, numbers, {2, 1}, 1, true); });
  }
}

TEST(AllocationsOfDecompositions, AreNone) {
  const Tensor matrices = some<float>({2, 5, 4});
  const Tensor squares = some<float>({2, 5, 5});
  expect_no_allocations("linalg_qr", [&] { linalg_qr(matrices, "complete"); });
  expect_no_allocations("_linalg_svd", [&] { _linalg_svd(matrices, true); });
  expect_no_allocations("_linalg_eigh", [&] { _linalg_eigh(squares); });
  expect_no_allocations("linalg_eig", [&] { linalg_eig(squares); });
  const auto [LU, pivots, info] = linalg_lu_factor_ex(matrices);
  expect_no_allocations("lu_unpack", [&] { lu_unpack(LU, pivots); });
}

TEST(AllocationsOfEmbeddings, AreNone) {
  const Tensor weight = some<float>({10, 3});
  const Tensor indices = tensor<int64_t>({1, 9, 4, 4, 0});
  const Tensor offsets = tensor<int64_t>({0, 2, 2});
  for (const int64_t mode : {0, 1, 2}) {
    expect_no_allocations("_embedding_bag with mode " + std::to_string(mode),
                          [&] { _embedding_bag(weight, indices, offsets, false, mode); });
  }
  const Tensor grad = some<float>({5, 3});
  expect_no_allocations("embedding_dense_backward", [&] { embedding_dense_backward(grad, indices, 10, -1, true); });
}

TEST(AllocationsOfCtcLoss, AreNone) {
  const Tensor log_probs = some<float>({6, 1, 5});
  const Tensor targets = tensor<int64_t>({{1, 2, 2}});
  const int64_t steps[] = {6};
  const int64_t labels[] = {3};
  expect_no_allocations("_ctc_loss", [&] { _ctc_loss(log_probs, targets, steps, labels); });
  const auto [losses, log_alpha] = _ctc_loss(log_probs, targets, steps, labels);
  const Tensor grad = some<float>({1});
  const auto backward = [&] { _ctc_loss_backward(grad, log_probs, targets, steps, labels, losses, log_alpha, 0); };
  expect_no_allocations("_ctc_loss_backward", backward);
}

TEST(AllocationsOfConvolutions, AreNone) {
  const Tensor input = some<double>({2, 4, 6, 6});
  const Tensor weight = some<double>({4, 4, 3, 3});
  const Tensor grad = some<double>({2, 4, 4, 4});
  const auto backward = [&] {
    convolution_backward(grad, input, weight, {4}, {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1, {true, true, true});
  };
  expect_no_allocations("convolution_backward", backward);
}

}  // namespace
}  // namespace structured::allocation_test
