// Operators that have no derivative in PyTorch either: a backward pass that reaches them throws.
#include <structured/base/error.h>

#include <string_view>

#include "derivatives/formula.h"

namespace structured::derivatives {

/// Throws Error with PyTorch's text.
[[noreturn]] void fail_without_derivative(std::string_view name) {
  structured::fail("the derivative for '", name, "' is not implemented.");
}

[[structured::backward("_unique")]]
Tensor unique([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("_unique");
}

[[structured::backward("_unique2")]]
Tensor unique2([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("_unique2");
}

[[structured::backward("unique_dim")]]
Tensor unique_dim([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("unique_dim");
}

[[structured::backward("unique_consecutive")]]
Tensor unique_consecutive([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("unique_consecutive");
}

[[structured::backward("unique_dim_consecutive")]]
Tensor unique_dim_consecutive([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("unique_dim_consecutive");
}

[[structured::backward("histogram.bin_ct", "self", "weight"),
  structured::backward("histogram.bins_tensor", "self", "weight"),
  structured::backward("_histogramdd_from_bin_cts", "self", "weight")]]
TwoTensors histogram([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("histogram");
}

[[structured::backward("_histogramdd_from_bin_tensors", "self", "weight")]]
TwoTensors histogram_of_bins([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("histogramdd");
}

[[structured::backward("_histogramdd_bin_edges", "self")]]
Tensor histogram_edges([[maybe_unused]] TensorList grad) {
  fail_without_derivative("histogramdd");
}

[[structured::backward("scatter.reduce", "self", "src")]]
TwoTensors scatter_reduced([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("scatter with `reduce`");
}

[[structured::backward("scatter.value_reduce", "self")]]
Tensor scatter_value_reduced([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("scatter with `reduce`");
}

[[structured::backward("heaviside")]]
TwoTensors heaviside([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("heaviside");
}

[[structured::backward("embedding_renorm_", "self")]]
Tensor embedding_renorm([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("embedding_renorm");
}

[[structured::backward("_embedding_bag_forward_only", "weight")]]
Tensor embedding_bag_forward_only([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("_embedding_bag_forward_only");
}

[[structured::backward("_ctc_loss_backward", "grad", "log_probs")]]
TwoTensors ctc_loss_backward([[maybe_unused]] const Tensor& grad_out) {
  fail_without_derivative("_ctc_loss_backward");
}

[[structured::backward("geqrf")]]
Tensor geqrf([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("geqrf");
}

[[structured::backward("linalg_ldl_factor_ex")]]
Tensor ldl_factor([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("linalg_ldl_factor_ex");
}

[[structured::backward("linalg_ldl_solve", "LD", "B")]]
TwoTensors ldl_solve([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("linalg_ldl_solve");
}

[[structured::backward("linspace.Tensor_Tensor"), structured::backward("logspace.Tensor_Tensor")]]
TwoTensors range_between([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("linspace and logspace");
}

[[structured::backward("linspace.Tensor_Scalar"), structured::backward("linspace.Scalar_Tensor"),
  structured::backward("logspace.Tensor_Scalar"), structured::backward("logspace.Scalar_Tensor")]]
Tensor range_to([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("linspace and logspace");
}

[[structured::backward("igamma", "self")]]
Tensor igamma_self([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("igamma: input");
}

[[structured::backward("igammac", "self")]]
Tensor igammac_self([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("igammac: input");
}

[[structured::backward("special_zeta", "self")]]
Tensor zeta_self([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("zeta");
}

/// In PyTorch, results of the following operators require no gradients.
[[structured::backward("special_scaled_modified_bessel_k0"), structured::backward("special_scaled_modified_bessel_k1"),
  structured::backward("special_spherical_bessel_j0"), structured::backward("special_airy_ai")]]
Tensor bessel([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("spherical and scaled Bessel functions and Airy functions");
}

[[structured::backward("special_chebyshev_polynomial_t"), structured::backward("special_chebyshev_polynomial_u"),
  structured::backward("special_chebyshev_polynomial_v"), structured::backward("special_chebyshev_polynomial_w"),
  structured::backward("special_shifted_chebyshev_polynomial_t"),
  structured::backward("special_shifted_chebyshev_polynomial_u"),
  structured::backward("special_shifted_chebyshev_polynomial_v"),
  structured::backward("special_shifted_chebyshev_polynomial_w"), structured::backward("special_hermite_polynomial_h"),
  structured::backward("special_hermite_polynomial_he"), structured::backward("special_laguerre_polynomial_l"),
  structured::backward("special_legendre_polynomial_p")]]
TwoTensors polynomial([[maybe_unused]] const Tensor& grad) {
  fail_without_derivative("orthogonal polynomials");
}

}  // namespace structured::derivatives
