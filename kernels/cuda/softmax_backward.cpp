// Gradients of softmax and log_softmax on CUDA, by the operators that their formulas name.
#include <structured/core/tensor.h>
#include <structured/ops/exp.h>
#include <structured/ops/mul.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>

#include <cstdint>

namespace structured::kernels {

[[structured::impl("_softmax_backward_data.out", "CUDA")]]
void softmax_backward_cuda(const Tensor& grad_output, const Tensor& output, int64_t dim,
                           [[maybe_unused]] ScalarType input_dtype, const Tensor& grad_input) {
  const Tensor product = structured::mul(grad_output, output);
  Tensor result = grad_input;
  structured::sub_out(result, product, structured::mul(output, structured::sum(product, dim, true)));
}

[[structured::impl("_log_softmax_backward_data.out", "CUDA")]]
void log_softmax_backward_cuda(const Tensor& grad_output, const Tensor& output, int64_t dim,
                               [[maybe_unused]] ScalarType input_dtype, const Tensor& out) {
  Tensor result = out;
  structured::sub_out(result, grad_output,
                      structured::mul(structured::exp(output), structured::sum(grad_output, dim, true)));
}

}  // namespace structured::kernels
