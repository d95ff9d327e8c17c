#include "structured/autograd/gradient_operators.h"

#include "structured/autograd/grad_mode.h"
#include "structured/core/dim_vector.h"
#include "structured/dispatch/loaded_operators.h"
#include "structured/dispatch/typed.h"

namespace structured::autograd {
namespace {

template <class Signature>
const Operator<Signature>& loaded(std::string_view name) {
  const OperatorHandle* const found = detail::find_loaded_operator(name);
  STRUCTURED_CHECK(found != nullptr, "gradients need the operator `", name, "`, but no loaded library has it");
  return typed_operator<Signature>(*found);
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  static const auto& op = loaded<Tensor(const Tensor&, const Tensor&, const Scalar&)>("aten::add.Tensor");
  return op(a, b, 1);
}

void add_in_place(Tensor& a, const Tensor& b) {
  static const auto& op = loaded<Tensor&(Tensor&, const Tensor&, const Scalar&)>("aten::add_.Tensor");
  op(a, b, 1);
}

Tensor mul(const Tensor& a, const Tensor& b) {
  static const auto& op = loaded<Tensor(const Tensor&, const Tensor&)>("aten::mul.Tensor");
  return op(a, b);
}

Tensor clone(const Tensor& a) {
  static const auto& op = loaded<Tensor(const Tensor&, std::optional<MemoryFormat>)>("aten::clone");
  return op(a, std::nullopt);
}

Tensor to_dtype(const Tensor& a, ScalarType dtype) {
  using Signature = Tensor(const Tensor&, std::optional<ScalarType>, std::optional<Layout>, std::optional<Device>,
                           std::optional<bool>, bool, std::optional<MemoryFormat>);
  static const auto& op = loaded<Signature>("aten::_to_copy");
  return op(a, dtype, std::nullopt, std::nullopt, std::nullopt, false, std::nullopt);
}

Tensor real(const Tensor& a) {
  static const auto& parts = loaded<Tensor(const Tensor&)>("aten::view_as_real");
  static const auto& select = loaded<Tensor(const Tensor&, int64_t, int64_t)>("aten::select.int");
  return select(parts(a), -1, 0);
}

Tensor view(const Tensor& a, IntArrayRef sizes) {
  static const auto& op = loaded<Tensor(const Tensor&, IntArrayRef)>("aten::view");
  return op(a, sizes);
}

Tensor sum(const Tensor& a, IntArrayRef dims) {
  using Signature = Tensor(const Tensor&, OptionalIntArrayRef, bool, std::optional<ScalarType>);
  static const auto& op = loaded<Signature>("aten::sum.dim_IntList");
  return op(a, dims, true, std::nullopt);
}

Tensor as_strided(const Tensor& a, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  using Signature = Tensor(const Tensor&, IntArrayRef, IntArrayRef, std::optional<int64_t>);
  static const auto& op = loaded<Signature>("aten::as_strided");
  return op(a, sizes, strides, offset);
}

Tensor as_strided_scatter(const Tensor& a, const Tensor& source, IntArrayRef sizes, IntArrayRef strides,
                          int64_t offset) {
  using Signature = Tensor(const Tensor&, const Tensor&, IntArrayRef, IntArrayRef, std::optional<int64_t>);
  static const auto& op = loaded<Signature>("aten::as_strided_scatter");
  return op(a, source, sizes, strides, offset);
}

void copy_in_place(Tensor& destination, const Tensor& source) {
  static const auto& op = loaded<Tensor&(Tensor&, const Tensor&, bool)>("aten::copy_");
  op(destination, source, false);
}

Tensor add_gradients(Tensor a, const Tensor& b) {
  const bool is_own = !is_grad_enabled() && a.use_count() == 1 && a.is_non_overlapping_and_dense() && !a.is_view() &&
                      a.storage().use_count() == 1 && a.sizes() == b.sizes() && a.dtype() == b.dtype();
  if (!is_own) return add(a, b);
  add_in_place(a, b);
  return a;
}

bool has_nan(const Tensor& a) {
  static const auto& isnan = loaded<Tensor(const Tensor&)>("aten::isnan");
  static const auto& any = loaded<Tensor(const Tensor&)>("aten::any");
  const NoGradGuard guard;
  return any(isnan(a)).item<bool>();
}

Tensor sum_to_size(const Tensor& gradient, IntArrayRef sizes) {
  if (gradient.sizes() == sizes) return gradient;
  const std::size_t leading = gradient.sizes().size() - sizes.size();
  DimVector dims;
  for (std::size_t i = 0; i < gradient.sizes().size(); ++i) {
    if (i < leading || (sizes[i - leading] == 1 && gradient.sizes()[i] != 1)) {
      dims.push_back(static_cast<int64_t>(i));
    }
  }
  const Tensor result = dims.empty() ? gradient : sum(gradient, dims);
  return leading == 0 ? result : view(result, sizes);
}

}  // namespace structured::autograd
