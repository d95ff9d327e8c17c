// Derivatives of operators by name, compared with central differences.
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/core/reduction.h>
#include <structured/dispatch/call.h>
#include <structured/find_operator.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/as_strided.h>
#include <structured/ops/clone.h>
#include <structured/ops/conj.h>
#include <structured/ops/max.h>
#include <structured/ops/select.h>
#include <structured/ops/slice.h>
#include <structured/ops/sub.h>
#include <structured/ops/transpose.h>
#include <structured/ops/tril.h>
#include <structured/ops/triu.h>
#include <structured/ops/view_as_complex.h>
#include <structured/ops/view_as_real.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "expect_error.h"
#include "kernels/gradient_check.h"

namespace structured::catalogue_derivatives_test {
namespace {

using namespace test;

using Values = std::vector<Tensor>;

struct Case {
  std::string op;
  Values inputs;
  Stack more = {};  // arguments after the inputs
  std::size_t results = 1;
  Stack before = {};  // arguments before the inputs
  bool has_second = true;
  std::vector<NamedValue> keywords = {};
};

// Weighted sum of the first results, which are made real.
Tensor call(const Case& test, const Values& in) {
  const OperatorHandle* const found = find_operator("aten::" + test.op);
  STRUCTURED_CHECK(found != nullptr, "no operator ", test.op);
  Stack arguments = test.before;
  for (const Tensor& tensor : in) arguments.emplace_back(tensor);
  for (const Value& value : test.more) arguments.push_back(value);
  const Stack results = call_operator(*found, std::move(arguments), test.keywords);
  Tensor sum_of_all;
  const auto include = [&](const Tensor& result) {
    const Tensor term = weighted_sum(result.is_complex() ? view_as_real(result) : result);
    sum_of_all = sum_of_all.defined() ? add(sum_of_all, term) : term;
  };
  if (results[0].is(Value::Kind::tensor_list)) {
    for (const Tensor& result : results[0].to_tensor_list()) include(result);
  } else {
    for (std::size_t i = 0; i < test.results; ++i) include(results[i].to_tensor());
  }
  return sum_of_all;
}

void expect_all(const std::vector<Case>& cases) {
  for (const Case& test : cases) {
    SCOPED_TRACE(test.op);
    const auto function = [&](const Values& in) { return call(test, in); };
    if (test.has_second) {
      expect_two_derivatives(function, test.inputs);
    } else {
      expect_gradients(function, test.inputs);
    }
  }
}

Tensor longs(const std::vector<int64_t>& values, IntArrayRef sizes) { return tensor(ArrayRef<int64_t>(values), sizes); }

TEST_F(Derivatives, OfLosses) {
  const Tensor a = numbers({4, 3});
  const Tensor probabilities = mul(numbers({4, 3}, 1), 0.5);
  const Tensor b = numbers({4, 3}, 2);
  const Tensor targets = longs({0, 2, 1, 2}, {4});
  for (const int64_t reduction : {Reduction::None, Reduction::Mean, Reduction::Sum}) {
    expect_all(
        {{"mse_loss", {a, b}, {reduction}},
         {"smooth_l1_loss", {a, b}, {reduction, 0.3}},
         {"huber_loss", {a, b}, {reduction, 0.3}},
         {"soft_margin_loss", {a}, {b, reduction}},
         {"binary_cross_entropy", {probabilities, b}, {Value(), reduction}},
         {"binary_cross_entropy_with_logits", {a, b}, {Value(), numbers({4, 3}, 5), reduction}},
         {"multi_margin_loss", {a}, {targets, 1, 0.5, numbers({3}), reduction}},
         {"multi_margin_loss", {a}, {targets, 2, 0.5, Value(), reduction}},
         {"multilabel_margin_loss_forward", {a}, {longs({0, 2, -1, 1, -1, 0, 2, 1, 0, -1, 1, 1}, {4, 3}), reduction}},
         {"nll_loss2d_forward",
          {numbers({2, 3, 2, 1})},
          {longs({0, 2, 1, -100}, {2, 2, 1}), Value(), reduction, -100}}});
  }
}

TEST_F(Derivatives, OfResampling) {
  const Value none;
  const Tensor row = numbers({2, 1, 4});
  const Tensor image = numbers({1, 2, 3, 4});
  const Tensor volume = numbers({1, 1, 2, 2, 3});
  using Sizes = std::vector<int64_t>;
  expect_all({{"upsample_nearest1d", {row}, {Sizes{7}, none}},
              {"upsample_nearest2d", {image}, {Sizes{5, 6}, none, none}},
              {"upsample_nearest2d.vec", {image}, {none, std::vector<double>{2, 1.5}}},
              {"upsample_nearest3d", {volume}, {Sizes{3, 4, 3}, none, none, none}},
              {"_upsample_nearest_exact1d", {row}, {Sizes{7}, none}},
              {"_upsample_nearest_exact2d", {image}, {Sizes{2, 6}, none, none}},
              {"_upsample_nearest_exact3d", {volume}, {Sizes{3, 4, 3}, none, none, none}},
              {"upsample_linear1d", {row}, {Sizes{7}, true, none}},
              {"upsample_bilinear2d", {image}, {Sizes{5, 6}, false, none, none}},
              {"upsample_trilinear3d", {volume}, {Sizes{3, 4, 3}, false, none, none, none}},
              {"upsample_bicubic2d", {image}, {Sizes{5, 6}, false, none, none}},
              {"reflection_pad1d", {row}, {Sizes{2, 1}}},
              {"reflection_pad2d", {image}, {Sizes{2, 1, 1, 2}}},
              {"reflection_pad3d", {volume}, {Sizes{2, 1, 1, 0, 0, 1}}},
              {"replication_pad1d", {row}, {Sizes{2, 1}}},
              {"replication_pad2d", {image}, {Sizes{2, 1, 1, 2}}},
              {"replication_pad3d", {volume}, {Sizes{2, 1, 1, 0, 0, 1}}},
              {"constant_pad_nd", {image}, {Sizes{2, -1, 1, 2}, 3}},
              {"im2col", {image}, {Sizes{2, 2}, Sizes{1, 1}, Sizes{1, 0}, Sizes{1, 2}}},
              {"col2im", {numbers({1, 4, 6})}, {Sizes{3, 4}, Sizes{2, 2}, Sizes{1, 1}, Sizes{0, 0}, Sizes{1, 1}}}});
}

TEST_F(Derivatives, OfPoolingInThreeDimensionsAndByIndex) {
  using Sizes = std::vector<int64_t>;
  const Tensor image = numbers({1, 2, 4, 4});
  const Tensor volume = numbers({1, 2, 4, 4, 4});
  const Value none;
  expect_all(
      {{"_adaptive_avg_pool2d", {image}, {Sizes{2, 3}}},
       {"_adaptive_avg_pool3d", {volume}, {Sizes{2, 1, 2}}},
       {"adaptive_max_pool2d", {image}, {Sizes{2, 3}}},
       {"adaptive_max_pool3d", {volume}, {Sizes{2, 1, 2}}},
       {"avg_pool2d", {image}, {Sizes{2, 2}, Sizes{2, 2}, Sizes{0, 0}, false, true, none}},
       {"avg_pool3d", {volume}, {Sizes{2, 2, 2}, Sizes{2, 2, 2}, Sizes{0, 0, 0}, false, true, none}},
       {"max_pool3d_with_indices", {volume}, {Sizes{2, 2, 2}, Sizes{2, 2, 2}, Sizes{0, 0, 0}, Sizes{1, 1, 1}, false}},
       {"fractional_max_pool2d", {image}, {Sizes{2, 2}, Sizes{2, 2}, mul(numbers({1, 2, 2}), 0.5)}},
       {"max_unpool2d", {numbers({1, 1, 2, 2})}, {longs({0, 3, 9, 15}, {1, 1, 2, 2}), Sizes{4, 4}}}});
}

TEST_F(Derivatives, OfFourierTransforms) {
  using Sizes = std::vector<int64_t>;
  const Tensor signal = numbers({3, 5});
  expect_all({{"_fft_r2c", {signal}, {Sizes{1}, 0, true}},
              {"_fft_r2c", {signal}, {Sizes{0, 1}, 1, true}},
              {"_fft_r2c", {signal}, {Sizes{1}, 2, false}}});
  const auto of_parts = [](const std::string& op, Stack more) {
    return [op, more](const Values& in) { return call({op, {}, more}, {view_as_complex(in[0])}); };
  };
  expect_two_derivatives(of_parts("_fft_c2c", {Sizes{1}, 1, true}), {numbers({3, 4, 2})});
  expect_gradients(of_parts("_fft_c2r", {Sizes{1}, 0, 6}), {numbers({3, 4, 2})});
  expect_gradients(of_parts("_fft_c2r", {Sizes{1}, 0, 7}), {numbers({3, 4, 2})});
}

TEST_F(Derivatives, OfTheAngleOfComplexNumbers) {
  expect_two_derivatives([](const Values& in) { return call({"angle", {}}, {view_as_complex(in[0])}); },
                         {numbers({3, 2})});
}

TEST_F(Derivatives, OfProductsAndRunningReductions) {
  const Tensor a = signed_numbers({3, 4});
  const Tensor with_zeros = numbers({2, 4});
  with_zeros.data_ptr<double>()[1] = 0;
  with_zeros.data_ptr<double>()[5] = 0;
  with_zeros.data_ptr<double>()[6] = 0;
  const Value none;
  expect_all({{"prod", {a}},
              {"prod", {with_zeros}, {}, 1, {}, false},
              {"prod.dim_int", {a}, {1, false}},
              {"prod.dim_int", {with_zeros}, {1, true}, 1, {}, false},
              {"cumprod", {a}, {1}},
              {"cumprod", {with_zeros}, {1}, 1, {}, false},
              {"logcumsumexp", {a}, {1}, 1, {}, false},
              {"cummax", {a}, {1}},
              {"cummin", {a}, {1}},
              {"kthvalue", {a}, {2, 1, false}},
              {"median", {a}},
              {"median.dim", {a}, {1, true}},
              {"nanmedian", {a}},
              {"nanmedian.dim", {a}, {1, false}},
              {"mode", {a}, {1, false}},
              {"nansum", {a}, {std::vector<int64_t>{1}, true}},
              {"aminmax", {a}, {}, 2},
              {"var_mean.correction", {a}, {std::vector<int64_t>{1}}, 2, {}, true, {{"correction", 1}}},
              {"std_mean.correction", {a}, {std::vector<int64_t>{1}}, 2, {}, true, {{"correction", 1}}},
              {"norm.Scalar", {a}, {3}},
              {"norm.ScalarOpt_dim", {a}, {2, std::vector<int64_t>{1}, true}},
              {"dist", {a, numbers({3, 4}, 2)}, {2}},
              {"trace", {a}}});
}

TEST_F(Derivatives, OfProductsOfMatricesAndDistances) {
  const Tensor a = numbers({3, 4});
  const Tensor b = numbers({2, 4}, 3);
  expect_all({{"addr", {numbers({3, 4}), numbers({3}, 1), numbers({4}, 2)}},
              {"addbmm", {numbers({3, 2}), numbers({2, 3, 4}, 1), numbers({2, 4, 2}, 2)}},
              {"vdot", {numbers({4}), numbers({4}, 1)}},
              {"_euclidean_dist", {a, b}},
              {"_cdist_forward", {a, b}, {2.0, Value()}},
              {"_cdist_forward", {signed_numbers({1, 26, 2}), signed_numbers({2, 3, 2}, 5)}, {2.0, Value()}},
              {"_cdist_forward", {a, b}, {1.0, Value()}},
              {"_cdist_forward", {a, b}, {2.5, Value()}},
              {"_pdist_forward", {a}, {2.0}},
              {"_trilinear",
               {numbers({2, 3}), numbers({4, 3, 2}, 1), numbers({2, 2}, 2)},
               {std::vector<int64_t>{1, 3}, std::vector<int64_t>{0}, std::vector<int64_t>{1, 2},
                std::vector<int64_t>{2, 3}}}});
}

TEST_F(Derivatives, OfActivationsWithTensors) {
  const Tensor a = signed_numbers({2, 4});
  expect_all(
      {{"log_sigmoid_forward", {a}},
       {"softshrink", {a}, {0.3}},
       {"celu", {a}, {0.7}},
       {"prelu", {a, numbers({1})}},
       {"prelu", {signed_numbers({2, 3, 2}), numbers({3})}},
       {"glu", {a}, {1}},
       {"nan_to_num", {a}},
       {"clamp.Tensor", {a, mul(numbers({4}), -0.4), mul(numbers({2, 1}), 0.4)}},
       {"complex", {a, numbers({2, 4}, 3)}},
       {"polar", {numbers({2, 4}, 2), a}},
       {"_scaled_dot_product_attention_forward", {numbers({1, 2, 3}), numbers({1, 4, 3}, 1), numbers({1, 4, 2}, 2)}}});
}

TEST_F(Derivatives, OfPartsAndRearrangements) {
  using Sizes = std::vector<int64_t>;
  const Tensor a = numbers({4, 4});
  const Tensor cube = numbers({2, 4, 4});
  const Tensor image = numbers({1, 4, 2, 2});
  expect_all({{"tensor_split.sections", {a}, {3, 1}},
              {"tensor_split.indices", {a}, {Sizes{1, 3}, 0}},
              {"tensor_split.indices", {a}, {Sizes{3, 1}, 0}},
              {"hsplit.int", {a}, {2}},
              {"hsplit.array", {a}, {Sizes{1, 2}}},
              {"vsplit.int", {a}, {2}},
              {"vsplit.array", {a}, {Sizes{1, -1}}},
              {"dsplit.int", {cube}, {2}},
              {"dsplit.array", {cube}, {Sizes{3}}},
              {"rot90", {a}, {1, Sizes{0, 1}}},
              {"roll", {a}, {Sizes{1, -1}, Sizes{0, 1}}},
              {"roll", {a}, {Sizes{3}, Sizes{}}},
              {"channel_shuffle", {image}, {2}},
              {"pixel_shuffle", {image}, {2}},
              {"pixel_unshuffle", {image}, {2}},
              {"narrow_copy", {a}, {1, 1, 2}},
              {"diag", {a}, {1}},
              {"diag", {numbers({3})}, {-1}},
              {"diag_embed", {a}, {1, 0, -1}},
              {"unfold", {a}, {0, 3, 1}},
              {"copy", {numbers({4}, 3)}, {}, 1, {a}},
              {"fill.Tensor", {numbers({}, 2)}, {}, 1, {a}}});
  EXPECT_NO_THROW(expect_gradients(
      [](const Values& in) {
        return call_operator(*find_operator("aten::block_diag"), {std::vector<Tensor>{in[0], in[1]}})[0].to_tensor();
      },
      {numbers({2, 3}), numbers({2}, 1)}));
}

TEST_F(Derivatives, OfElementsByIndexAndMask) {
  const Tensor a = numbers({3, 4});
  const Tensor index = longs({2, 0}, {2});
  const Tensor source = numbers({2, 4}, 3);
  const Tensor positions = longs({1, 7, 10}, {3});
  const Tensor mask = tensor<bool>({true, false, false, true});
  const Tensor rows = longs({0, 1, 1, 0, 2, 1, 2, 2}, {2, 4});
  using Optionals = std::vector<std::optional<Tensor>>;
  expect_all({{"take", {a}, {positions}},
              {"index_copy", {a}, {0, index, source}},
              {"index_fill.int_Scalar", {a}, {0, index, 2}},
              {"masked_select", {a}, {mask}},
              {"masked_fill.Tensor", {a}, {mask, full({}, 2, kDouble)}},
              {"index_put", {a}, {Optionals{index}, source, true}},
              {"index_put", {a}, {Optionals{index}, source, false}}});
  const auto of_source = [&](const std::string& op, Stack before, const Tensor& values, Stack after,
                             std::vector<NamedValue> keywords = {}) {
    SCOPED_TRACE(op);
    expect_two_derivatives([&](const Values& in) { return call({op, {}, after, 1, before, true, keywords}, in); },
                           {values});
  };
  of_source("put", {a, positions}, numbers({3}, 3), {false});
  of_source("put", {a, positions}, numbers({3}, 3), {true});
  of_source("index_copy", {a, 0, index}, source, {});
  of_source("index_fill.int_Tensor", {a, 0, index}, numbers({}, 1), {});
  of_source("masked_fill.Tensor", {a, mask}, numbers({}, 1), {});
  of_source("masked_scatter", {a, mask}, numbers({8}, 1), {});
  of_source("index_put", {a, Optionals{index}}, source, {false});
  of_source("embedding_dense_backward", {}, source, {longs({1, 0}, {2}), 3, -1, false});
  for (const char* reduce : {"sum", "mean", "amax", "amin", "prod"}) {
    for (const bool include_self : {true, false}) {
      of_source("scatter_reduce.two", {a, 0, rows}, source, {reduce}, {{"include_self", include_self}});
      of_source("scatter_reduce.two", {}, a, {0, rows, source, reduce}, {{"include_self", include_self}});
    }
  }
}

TEST_F(Derivatives, OfBagsOfRows) {
  const Tensor table = numbers({4, 3});
  const Tensor indices = longs({0, 2, 2, 3, 1}, {5});
  const Tensor offsets = longs({0, 2, 2, 4}, {4});
  for (const int64_t mode : {0, 1, 2}) {
    SCOPED_TRACE(mode);
    expect_all({{"_embedding_bag", {table}, {indices, offsets, false, mode, false}},
                {"_embedding_bag", {table}, {indices, offsets, false, mode, false, Value(), false, 2}}});
  }
  expect_two_derivatives(
      [&](const Values& in) {
        const Case bag{"_embedding_bag", {}, {indices, offsets, false, 0, false, in[1], false, 2}};
        return call(bag, {in[0]});
      },
      {table, numbers({5}, 3)});
}

TEST_F(Derivatives, OfGradientsOfConvolutions) {
  const auto convolve = [](const Values& in) {
    return weighted_sum(call_operator(*find_operator("aten::conv2d"), {in[0], in[1], in[2]})[0].to_tensor());
  };
  expect_two_derivatives(convolve, {numbers({1, 2, 3, 3}), numbers({2, 2, 2, 2}, 1), numbers({2}, 2)});
}

// Matrices far from singular ones, with different eigenvalues.
Tensor matrices(IntArrayRef sizes, int seed = 0) {
  Tensor result = numbers(sizes, seed);
  const int64_t rows = sizes[sizes.size() - 2];
  const int64_t columns = sizes[sizes.size() - 1];
  double* const elements = result.data_ptr<double>();
  for (int64_t i = 0; i < result.numel(); ++i) {
    const int64_t row = i / columns % rows;
    if (row == i % columns) elements[i] += 2 + static_cast<double>(row);
  }
  return result;
}

TEST_F(Derivatives, OfSolutionsAndInverses) {
  const Tensor a = matrices({2, 3, 3});
  const Tensor b = numbers({3, 2}, 3);
  const Tensor triangle = matrices({3, 3}, 4);
  const Value none;
  expect_all({{"_linalg_det", {a}},
              {"_linalg_slogdet", {a}, {}, 2},
              {"linalg_inv_ex", {a}},
              {"_linalg_solve_ex", {a, b}},
              {"_linalg_solve_ex", {a, numbers({2, 3}, 3)}},
              {"_linalg_solve_ex", {a, numbers({2, 2, 3}, 3)}, {}, 1, {}, true, {{"left", false}}},
              {"linalg_solve_triangular", {triangle, b}, {}, 1, {}, true, {{"upper", true}}},
              {"linalg_solve_triangular",
               {a, numbers({2, 3}, 3)},
               {},
               1,
               {},
               true,
               {{"upper", false}, {"left", false}, {"unitriangular", true}}},
              {"triangular_solve", {b, triangle}, {true, true, false}, 2},
              {"linalg_pinv.atol_rtol_tensor", {matrices({2, 3, 2})}},
              {"linalg_pinv.atol_rtol_tensor", {matrices({2, 3})}},
              {"linalg_lstsq", {matrices({4, 2}), numbers({4, 2}, 3)}, {none}, 2, {}, true, {{"driver", "gels"}}},
              {"linalg_cross", {numbers({2, 3}), numbers({1, 3}, 3)}},
              {"linalg_matrix_exp", {numbers({2, 2})}},
              {"logdet", {matrices({3, 3})}}});
}

TEST_F(Derivatives, OfSolutionsByCholeskyFactors) {
  for (const bool is_upper : {false, true}) {
    const auto triangle = [is_upper](const Tensor& a) { return is_upper ? triu(a) : tril(a); };
    expect_two_derivatives(
        [&](const Values& in) { return call({"cholesky_inverse", {}, {is_upper}}, {triangle(in[0])}); },
        {matrices({2, 3, 3})});
    expect_two_derivatives(
        [&](const Values& in) { return call({"cholesky_solve", {}, {triangle(in[1]), is_upper}}, {in[0]}); },
        {numbers({3, 2}), matrices({3, 3}, 1)});
  }
}

TEST_F(Derivatives, OfDeterminantsOfSingularMatrices) {
  const Tensor singular = tensor<double>({{1, 2, 3}, {2, 4, 6}, {1, 0, 5}});
  const auto det = [](const Values& in) { return call({"_linalg_det", {}}, in); };
  expect_gradients(det, {singular});
  const Tensor x = singular.detach().requires_grad_();
  const Tensor recorded = grad({det({x})}, {x}, {}, {.create_graph = true})[0];
  const Tensor plain = grad({det({x})}, {x})[0];
  EXPECT_LT(max(abs(sub(recorded, plain))).item<double>(), 1e-12);
}

TEST_F(Derivatives, OfMatrixFactorizations) {
  const Tensor square = matrices({2, 3, 3});
  const Tensor tall = matrices({4, 2});
  const Tensor wide = matrices({2, 4});
  const auto symmetric = [](const std::string& op, Stack more, std::size_t results = 1) {
    return [op, more, results](const Values& in) {
      return call({op, {}, more, results}, {add(in[0], transpose(in[0], -2, -1))});
    };
  };
  expect_two_derivatives(symmetric("linalg_cholesky_ex", {}), {square});
  expect_two_derivatives(symmetric("_linalg_eigh", {}, 2), {square});
  expect_two_derivatives(symmetric("linalg_eigvalsh", {}), {square});
  expect_all({{"linalg_qr", {square}, {}, 2},
              {"linalg_qr", {tall}, {}, 2},
              {"linalg_qr", {wide}, {}, 2},
              {"_linalg_svd", {square}, {}, 3},
              {"_linalg_svd", {tall}, {}, 3},
              {"_linalg_svd", {wide}, {}, 3},
              {"linalg_svdvals", {tall}},
              {"linalg_eigvals", {square}},
              {"linalg_lu_factor_ex", {square}},
              {"linalg_lu_factor_ex", {tall}},
              {"linalg_lu_factor_ex", {wide}},
              {"linalg_lu", {tall}, {}, 3},
              {"linalg_householder_product", {tall, numbers({2}, 3)}},
              {"ormqr", {matrices({3, 2}), numbers({2}, 3), numbers({3, 2}, 4)}},
              {"ormqr", {matrices({3, 2}), numbers({2}, 3), numbers({2, 3}, 4)}, {false, true}}});
  const Stack factors = call_operator(*find_operator("aten::linalg_lu_factor"), {square});
  for (const bool adjoint : {false, true}) {
    const auto solve = [&](const Values& in) {
      return call({"linalg_lu_solve", {}, {factors[1].to_tensor(), in[1]}, 1, {}, true, {{"adjoint", adjoint}}},
                  {in[0]});
    };
    expect_two_derivatives(solve, {clone(factors[0].to_tensor(), MemoryFormat::Contiguous), numbers({2, 3, 1}, 3)});
  }
}

TEST_F(Derivatives, OfComplexMatrices) {
  const auto of_parts = [](const std::string& op, std::size_t results = 1) {
    return [op, results](const Values& in) { return call({op, {}, {}, results}, {view_as_complex(in[0])}); };
  };
  const auto of_hermitian = [](const std::string& op, std::size_t results = 1) {
    return [op, results](const Values& in) {
      const Tensor a = view_as_complex(in[0]);
      return call({op, {}, {}, results}, {add(a, conj(transpose(a, -2, -1)))});
    };
  };
  Tensor parts = numbers({3, 3, 2});
  for (int64_t i = 0; i < 3; ++i) parts.data_ptr<double>()[i * 8] += 2 + static_cast<double>(i);
  expect_two_derivatives(of_parts("_linalg_det"), {parts});
  expect_two_derivatives(of_parts("_linalg_slogdet", 2), {parts});
  expect_two_derivatives(of_parts("linalg_inv_ex"), {parts});
  expect_two_derivatives(of_parts("linalg_qr", 2), {parts});
  expect_two_derivatives(of_parts("linalg_lu_factor_ex"), {parts});
  expect_two_derivatives(of_parts("linalg_eigvals"), {parts});
  expect_gradients(of_parts("linalg_svdvals"), {parts});
  expect_two_derivatives(of_hermitian("linalg_cholesky_ex"), {parts});
  expect_two_derivatives(of_hermitian("linalg_eigvalsh"), {parts});
  expect_two_derivatives(of_parts("sgn"), {parts});
}

TEST_F(Derivatives, OfGradientsOfNormalizations) {
  const Tensor images = numbers({2, 4, 2, 1});
  const Tensor weight = numbers({4}, 1);
  const Tensor bias = numbers({4}, 2);
  const Value none;
  expect_all({{"renorm", {numbers({3, 4})}, {2, 0, 1.5}}, {"renorm", {numbers({3, 4})}, {1, 1, 100}}});
  const auto layer = [](const Values& in) {
    return call({"layer_norm", {}, {std::vector<int64_t>{4}, in[1], in[2]}}, {in[0]});
  };
  expect_two_derivatives(layer, {numbers({2, 3, 4}), weight, bias});
  const auto group = [](const Values& in) { return call({"group_norm", {}, {2, in[1], in[2]}}, {in[0]}); };
  expect_two_derivatives(group, {images, weight, bias});
  for (const bool is_training : {true, false}) {
    const Tensor mean = numbers({4}, 4);
    const Tensor variance = numbers({4}, 5);
    const auto batch = [&](const Values& in) {
      return call({"native_batch_norm", {}, {in[1], in[2], mean, variance, is_training, 0.0, 1e-5}}, {in[0]});
    };
    expect_two_derivatives(batch, {images, weight, bias});
  }
}

TEST_F(Derivatives, OfSamplesOfImages) {
  const Tensor image = signed_numbers({1, 2, 3, 4});
  const Tensor grid = signed_numbers({1, 2, 3, 2}, 3);
  for (const bool aligns : {true, false}) {
    for (const int64_t padding : {0, 1, 2}) {
      SCOPED_TRACE(padding);
      expect_all({{"grid_sampler_2d", {image, mul(grid, 1.9)}, {0, padding, aligns}},
                  {"grid_sampler_2d", {image, mul(grid, 1.9)}, {2, padding, aligns}}});
    }
  }
  expect_all(
      {{"grid_sampler_2d", {image}, {grid, 1, 0, false}},
       {"grid_sampler_3d", {signed_numbers({1, 1, 2, 3, 2}), signed_numbers({1, 1, 1, 2, 3}, 3)}, {0, 1, true}}});
}

TEST_F(Derivatives, OfCopiesOfViews) {
  using Sizes = std::vector<int64_t>;
  const Tensor a = numbers({3, 4});
  const Tensor narrow = numbers({1, 4});
  expect_all({{"alias_copy", {a}},
              {"as_strided_copy", {a}, {Sizes{2, 3}, Sizes{1, 2}, 1}},
              {"_reshape_alias_copy", {a}, {Sizes{4, 3}, Sizes{3, 1}}},
              {"diagonal_copy", {a}, {1}},
              {"expand_copy", {narrow}, {Sizes{3, 4}}},
              {"permute_copy", {a}, {Sizes{1, 0}}},
              {"select_copy.int", {a}, {0, 1}},
              {"slice_copy.Tensor", {a}, {1, 1, 4, 2}},
              {"squeeze_copy", {narrow}},
              {"squeeze_copy.dim", {narrow}, {0}},
              {"squeeze_copy.dims", {narrow}, {Sizes{0}}},
              {"t_copy", {a}},
              {"transpose_copy.int", {a}, {0, 1}},
              {"unsqueeze_copy", {a}, {1}},
              {"view_copy", {a}, {Sizes{2, 6}}},
              {"view_as_complex_copy", {numbers({3, 2})}},
              {"split_copy.Tensor", {a}, {2, 1}},
              {"split_with_sizes_copy", {a}, {Sizes{1, 2}}},
              {"unbind_copy.int", {a}, {1}},
              {"unfold_copy", {a}, {1, 3, 1}}});
  expect_two_derivatives([](const Values& in) { return call({"view_as_real_copy", {}}, {view_as_complex(in[0])}); },
                         {numbers({3, 2})});
}

TEST_F(Derivatives, OfSegmentsAndProductsByIndex) {
  const Tensor a = numbers({5, 2});
  Tensor zeros_inside = numbers({5, 2}, 4);
  zeros_inside.data_ptr<double>()[2] = 0;
  zeros_inside.data_ptr<double>()[5] = 0;
  const Tensor lengths = longs({2, 0, 3}, {3});
  const Tensor index = longs({2, 0, 2, 4, 1}, {5});
  for (const char* reduce : {"sum", "mean", "max", "min", "prod"}) {
    SCOPED_TRACE(reduce);
    expect_all({{"segment_reduce", {a}, {reduce}, 1, {}, false, {{"lengths", lengths}, {"initial", 1.5}}},
                {"segment_reduce", {a}, {reduce}, 1, {}, false, {{"offsets", longs({0, 2, 5}, {3})}}}});
  }
  expect_all({{"segment_reduce", {zeros_inside}, {"prod"}, 1, {}, false, {{"lengths", lengths}}}});
  for (const char* reduce : {"prod", "mean", "amax", "amin"}) {
    for (const bool include_self : {true, false}) {
      SCOPED_TRACE(std::string(reduce) + (include_self ? " with self" : ""));
      const auto reduced = [&](const Values& in) {
        return call({"index_reduce", {}, {0, index, in[1], reduce}, 1, {}, true, {{"include_self", include_self}}},
                    {in[0]});
      };
      expect_two_derivatives(reduced, {a, numbers({5, 2}, 4)});
      expect_gradients(reduced, {a, zeros_inside});
    }
  }
}

TEST_F(Derivatives, OfProductsByIndexWithSeveralZerosHaveNoSecondOnes) {
  const Tensor self = numbers({2});
  const Tensor source = tensor<double>({0, 0, 3}).requires_grad_();
  const Tensor product = call({"index_reduce", {}, {0, longs({1, 1, 0}, {3}), source, "prod"}}, {self});
  expect_error([&] { grad({product}, {source}, {}, {.create_graph = true}); },
               "Double backward is unsupported for src when >1 zeros in src");
}

TEST_F(Derivatives, OfRareFunctions) {
  const Tensor a = signed_numbers({2, 4});
  using Sizes = std::vector<int64_t>;
  expect_all({{"special_bessel_j0", {a}},
              {"special_bessel_j1", {a}},
              {"special_bessel_y0", {numbers({4})}},
              {"special_bessel_y1", {numbers({4})}},
              {"special_modified_bessel_i0", {a}},
              {"special_modified_bessel_i1", {a}},
              {"special_modified_bessel_k0", {numbers({4})}},
              {"special_modified_bessel_k1", {numbers({4})}},
              {"avg_pool1d", {numbers({1, 2, 5})}, {Sizes{2}}},
              {"max_pool1d", {numbers({1, 2, 5})}, {Sizes{2}}},
              {"adaptive_avg_pool1d", {numbers({1, 2, 5})}, {Sizes{3}}},
              {"linalg_pinv.atol_rtol_float", {matrices({3, 2})}},
              {"narrow.Tensor", {a}, {1, full({}, 1, kLong), 2}},
              {"cdist", {numbers({2, 1, 3, 2}), numbers({2, 3, 2}, 3)}}});
  expect_all({{"_safe_softmax", {a}, {1}},
              {"_prelu_kernel", {a, numbers({4})}},
              {"mvlgamma", {add(numbers({4}), 2)}, {3}},
              {"frexp.Tensor", {add(numbers({4}), 4)}},
              {"nextafter", {a, numbers({2, 4}, 3)}, {}, 1, {}, false}});
}

TEST_F(Derivatives, OfOperatorsThatPyTorchDoesNotDifferentiateThrow) {
  const Tensor x = numbers({4}).requires_grad_();
  const auto expect_failure = [&](const Case& test, const char* message) {
    expect_error([&] { call(test, {x}).backward(); }, message);
  };
  expect_failure({"_unique2", {}}, "the derivative for '_unique2' is not implemented.");
  expect_failure({"histogram.bin_ct", {}, {3}}, "the derivative for 'histogram' is not implemented.");
  expect_failure({"heaviside", {}, {numbers({4})}}, "the derivative for 'heaviside' is not implemented.");
  Tensor y = mul(x, 2);
  expect_error([&] { call_operator(*find_operator("aten::resize_"), {y, std::vector<int64_t>{2}}); },
               "cannot resize variables that require grad");
}

TEST_F(Derivatives, OfStridedViews) {
  using Sizes = std::vector<int64_t>;
  const Tensor a = numbers({3, 4});
  expect_gradients(
      [](const Values& in) {
        Tensor row = select(mul(in[0], 2), 0, 1);
        call_operator(*find_operator("aten::as_strided_"), {row, Sizes{2, 2}, Sizes{1, 1}, 4});
        return mul(row, row);
      },
      {a});
  expect_all({{"mT", {numbers({})}},
              {"as_strided", {a}, {Sizes{2, 3}, Sizes{1, 2}, 1}},
              {"as_strided_scatter", {a}, {numbers({2, 2}, 3), Sizes{2, 2}, Sizes{1, 4}, 2}},
              {"as_strided_scatter", {numbers({2, 2}, 3)}, {Sizes{2, 2}, Sizes{1, 4}, 2}, 1, {a}}});
}

// As in PyTorch, elements outside of the original view have no gradient.
TEST_F(Derivatives, OfViewsThatMoveDoNotReachTheBase) {
  using Sizes = std::vector<int64_t>;
  const Tensor x = numbers({6}).requires_grad_();
  const Tensor base = mul(x, 2);
  Tensor part = slice(base, 0, 0, 3);
  call_operator(*find_operator("aten::as_strided_"), {part, Sizes{3}, Sizes{1}, 1});
  EXPECT_EQ(to_vector<double>(grad({add(sum(mul(base, 3)), sum(part))}, {x})[0]),
            (std::vector<double>{6, 8, 8, 6, 6, 6}));
}

TEST_F(Derivatives, OfStridedViewsNeedNoElements) {
  const Tensor x = numbers({4}).requires_grad_();
  const Tensor base = clone(x);
  const Tensor result = mul(as_strided(base, {2}, {1}, 1), 3);
  call_operator(*find_operator("aten::add_.Scalar"), {base, 1});
  EXPECT_EQ(to_vector<double>(grad({sum(result)}, {x})[0]), (std::vector<double>{0, 3, 3, 0}));
}

TEST_F(Derivatives, AreZeroForOverwrittenValues) {
  const Tensor x = numbers({3}).requires_grad_();
  Tensor y = mul(x, 2);
  call_operator(*find_operator("aten::normal_"), {y});
  EXPECT_FALSE(grad({sum(add(y, 0))}, {x}, {}, {.allow_unused = true})[0].defined());
}

}  // namespace
}  // namespace structured::catalogue_derivatives_test
