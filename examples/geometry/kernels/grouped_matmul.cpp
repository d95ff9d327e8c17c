// Products of matrices in two lists.
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <geometry/ops.h>
#include <structured/torch.h>

#include <array>
#include <tuple>
#include <vector>

namespace geometry {
namespace {

void check_matrices(at::TensorList a, at::TensorList b) {
  TORCH_CHECK(a.size() == b.size(), "grouped_matmul: expected lists of equal lengths, got ", a.size(), " and ",
              b.size(), " matrices");
  for (std::size_t i = 0; i < a.size(); ++i) {
    TORCH_CHECK(a[i].dim() == 2 && b[i].dim() == 2 && a[i].sym_size(1) == b[i].sym_size(0),
                "grouped_matmul: expected matrices in `a[", i, "]` and `b[", i, "]` that can be multiplied, got sizes ",
                a[i].sym_sizes(), " and ", b[i].sym_sizes());
    TORCH_CHECK(a[i].scalar_type() == b[i].scalar_type(), "grouped_matmul: expected `b[", i, "]` of dtype ",
                a[i].scalar_type(), ", that of `a[", i, "]`, got ", b[i].scalar_type());
  }
}

std::vector<at::Tensor> transposed(at::TensorList matrices) {
  std::vector<at::Tensor> result;
  for (const at::Tensor& matrix : matrices) result.push_back(matrix.t());
  return result;
}

}  // namespace

/// The products of the matrices `a[i]` [M, K] and `b[i]` [K, N], whose sizes may differ from pair to pair: a list of
/// [M, N].
///
/// Both lists have equal lengths, at least 1, and `a[i]` and `b[i]` one dtype. Throws for other lengths, shapes and
/// dtypes. The operator has derivatives of all orders. Within torch.autocast, matrices of float are multiplied in the
/// dtype of the region.
[[structured::kernel("grouped_matmul", "CPU"), structured::autocast("lower_precision")]]
std::vector<at::Tensor> grouped_matmul(at::TensorList a, at::TensorList b) {
  check_matrices(a, b);
  std::vector<at::Tensor> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(at::mm(a[i], b[i]));
  return result;
}

[[structured::kernel("grouped_matmul", "Meta")]]
std::vector<at::Tensor> grouped_matmul_meta(at::TensorList a, at::TensorList b) {
  check_matrices(a, b);
  std::vector<at::Tensor> result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result.push_back(at::empty_symint({a[i].sym_size(0), b[i].sym_size(1)}, a[i].options()));
  }
  return result;
}

[[structured::backward("grouped_matmul")]]
std::tuple<std::vector<at::Tensor>, std::vector<at::Tensor>> grouped_matmul_backward(
    at::TensorList grad, at::TensorList a, at::TensorList b, std::array<bool, 2> needs_gradient) {
  std::vector<at::Tensor> by_a, by_b;
  if (needs_gradient[0]) by_a = ops::grouped_matmul(grad, transposed(b));
  if (needs_gradient[1]) by_b = ops::grouped_matmul(transposed(a), grad);
  return {by_a, by_b};
}

}  // namespace geometry
