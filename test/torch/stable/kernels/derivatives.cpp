// Operators with derivatives, which the library's Python package records.
#include <structured/torch_stable.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace stable_trial {

using structured::torch_stable::call_operator;
using structured::torch_stable::MetaBase;
using structured::torch_stable::options_of;
using torch::headeronly::ScalarType;
using torch::stable::Tensor;

namespace {

Tensor multiplied(const Tensor& a, const Tensor& b) { return call_operator<Tensor>("aten::mul", "Tensor", a, b); }

/// `tensor * factor`, where the factor is not recorded.
Tensor scaled(const Tensor& tensor, double factor) {
  Tensor factors = torch::stable::empty_like(tensor);
  return multiplied(tensor, torch::stable::fill_(factors, factor));
}

/// Calls `visit` with the type of the elements, Float or Double.
template <class Visit>
void for_type(const Tensor& tensor, const Visit& visit) {
  if (tensor.scalar_type() == ScalarType::Double) return visit(double());
  STD_TORCH_CHECK(tensor.scalar_type() == ScalarType::Float, "expected a tensor of dtype Float or Double");
  visit(float());
}

template <class T>
const T* elements(const Tensor& tensor) {
  return static_cast<const T*>(tensor.data_ptr());
}

void check_same_sizes(const Tensor& a, const Tensor& b) {
  bool is_same = a.dim() == b.dim() && a.scalar_type() == b.scalar_type();
  for (int64_t dim = 0; is_same && dim < a.dim(); ++dim) is_same = a.size(dim) == b.size(dim);
  STD_TORCH_CHECK(is_same, "expected tensors of the same sizes and dtype");
}

}  // namespace

/// `factor * self * other`.
[[structured::meta("product", "product_", "product.out")]]
void product_meta(MetaBase& op, const Tensor& self, const Tensor& other, double factor = 1) {
  STD_TORCH_CHECK(self.dim() == other.dim(), "product: expected tensors of as many dimensions");
  op.set_output_strided(0, self.sizes(), {}, options_of(self));
}

[[structured::impl("product.out", "CPU")]]
void product_cpu(const Tensor& self, const Tensor& other, double factor, const Tensor& out) {
  check_same_sizes(self, other);
  const Tensor a = torch::stable::contiguous(self), b = torch::stable::contiguous(other);
  for_type(out, [&](auto type) {
    using T = decltype(type);
    T* const to = static_cast<T*>(out.data_ptr());
    for (int64_t i = 0; i < out.numel(); ++i) to[i] = static_cast<T>(factor) * elements<T>(a)[i] * elements<T>(b)[i];
  });
}

[[structured::backward("product", "self")]]
Tensor product_self(const Tensor& grad, const Tensor& other, double factor) {
  return scaled(multiplied(grad, other), factor);
}

[[structured::backward("product", "other")]]
Tensor product_other(const Tensor& grad, const Tensor& self, double factor) {
  return scaled(multiplied(grad, self), factor);
}

/// `self` to the third power. The derivative needs no saved tensor if `self` was not modified.
[[structured::kernel("cubed", "CPU", "Meta")]]
Tensor cubed(const Tensor& self) {
  return multiplied(self, multiplied(self, self));
}

[[structured::backward("cubed")]]
Tensor cubed_backward(const Tensor& grad, const std::optional<Tensor>& self, const Tensor& out) {
  STD_TORCH_CHECK(self.has_value(), "cubed: `self` was modified in place since the call");
  STD_TORCH_CHECK(out.dim() == self->dim(), "cubed: a result of other sizes");
  return scaled(multiplied(grad, multiplied(*self, *self)), 3);
}

/// The sum of the tensors times `weight`, and the number of tensors.
[[structured::kernel("weighted", "CPU", "Meta"), structured::returns("first", "last")]]
std::tuple<Tensor, Tensor> weighted(const std::vector<Tensor>& tensors, const std::optional<Tensor>& weight,
                                    [[maybe_unused]] int64_t power = 1) {
  STD_TORCH_CHECK(!tensors.empty(), "weighted: expected tensors");
  const auto times_weight = [&](const Tensor& tensor) {
    return weight.has_value() ? multiplied(tensor, *weight) : torch::stable::clone(tensor);
  };
  Tensor first = times_weight(tensors[0]);
  Tensor second = times_weight(tensors.back());
  return {first, second};
}

[[structured::backward("weighted")]]
std::tuple<std::vector<Tensor>, Tensor> weighted_backward(const std::optional<Tensor>& grad_first,
                                                          const Tensor& grad_last, const std::vector<Tensor>& tensors,
                                                          const std::optional<Tensor>& weight) {
  const auto times_weight = [&](const Tensor& tensor) {
    return weight.has_value() ? multiplied(tensor, *weight) : tensor;
  };
  std::vector<Tensor> gradients;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    Tensor zeros = torch::stable::empty_like(tensors[i]);
    gradients.push_back(torch::stable::fill_(zeros, 0));
  }
  if (grad_first.has_value()) gradients.front() = times_weight(*grad_first);
  Tensor weight_gradient;
  if (tensors.size() > 1) {
    gradients.back() = times_weight(grad_last);
  } else {
    const Tensor more = times_weight(grad_last);
    gradients.front() = grad_first.has_value() ? torch::stable::subtract(gradients.front(), scaled(more, -1)) : more;
  }
  if (weight.has_value()) {
    weight_gradient = multiplied(grad_last, tensors.back());
    if (grad_first.has_value()) {
      weight_gradient = torch::stable::subtract(weight_gradient, scaled(multiplied(*grad_first, tensors[0]), -1));
    }
  }
  return {gradients, weight_gradient};
}

}  // namespace stable_trial
