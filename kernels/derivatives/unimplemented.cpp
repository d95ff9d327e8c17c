// Operators that have no derivative in PyTorch either: a backward pass that reaches them throws.
#include <structured/core/error.h>

#include "derivatives/formula.h"

namespace structured::derivatives {

[[structured::backward("_unique")]] [[structured::backward("_unique2")]] [[structured::backward(
    "unique_dim")]] [[structured::backward("unique_consecutive")]] [[structured::backward("unique_dim_consecutive")]]
Tensor unique([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivatives of unique and of its variants are not implemented");
}

[[structured::backward("histogram.bin_ct", "self", "weight")]] [[structured::backward(
    "histogram.bins_tensor", "self", "weight")]] [[structured::backward("_histogramdd_from_bin_cts", "self", "weight")]]
TwoTensors histogram([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivatives of histogram and histogramdd are not implemented");
}

[[structured::backward("_histogramdd_from_bin_tensors", "self", "weight")]]
TwoTensors histogram_of_bins([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivatives of histogram and histogramdd are not implemented");
}

[[structured::backward("_histogramdd_bin_edges", "self")]]
Tensor histogram_edges([[maybe_unused]] TensorList grad) {
  structured::fail("the derivatives of histogram and histogramdd are not implemented");
}

[[structured::backward("scatter.reduce", "self", "src")]]
TwoTensors scatter_reduced([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivative of scatter with `reduce` is not implemented; see scatter_reduce");
}

[[structured::backward("scatter.value_reduce", "self")]]
Tensor scatter_value_reduced([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivative of scatter with `reduce` is not implemented; see scatter_reduce");
}

[[structured::backward("heaviside")]]
TwoTensors heaviside([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivative of heaviside is not implemented");
}

[[structured::backward("embedding_renorm_", "self")]]
Tensor embedding_renorm([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivative of embedding_renorm_ is not implemented");
}

[[structured::backward("_embedding_bag_forward_only", "weight")]]
Tensor embedding_bag_forward_only([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivative of _embedding_bag_forward_only is not implemented; see _embedding_bag");
}

[[structured::backward("as_strided_")]]
Tensor as_strided_in_place([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivative of as_strided_ is not implemented; see as_strided");
}

[[structured::backward("geqrf")]]
Tensor geqrf([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivative of geqrf is not implemented; see linalg_qr");
}

[[structured::backward("linalg_ldl_factor_ex")]]
Tensor ldl_factor([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivative of linalg_ldl_factor is not implemented");
}

[[structured::backward("linalg_ldl_solve", "LD", "B")]]
TwoTensors ldl_solve([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivative of linalg_ldl_solve is not implemented");
}

[[structured::backward("linspace.Tensor_Tensor")]] [[structured::backward("logspace.Tensor_Tensor")]]
TwoTensors range_between([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivatives of linspace and logspace are not implemented");
}

[[structured::backward("linspace.Tensor_Scalar")]] [[structured::
                                                         backward("linspace.Scalar_Tensor")]] [[structured::backward(
    "logspace.Tensor_Scalar")]] [[structured::backward("logspace.Scalar_Tensor")]]
Tensor range_to([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivatives of linspace and logspace are not implemented");
}

}  // namespace structured::derivatives
