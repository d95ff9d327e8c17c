// CPU kernels for prelu, log_sigmoid_forward and glu.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise.h>
#include <structured/iterator/tensor_iterator.h>

#include <cmath>

#include "math/exponential.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {

[[structured::impl("glu.out", "CPU")]]
void glu_cpu(TensorIteratorBase& op, const Tensor& self, int64_t dim, const Tensor& out) {
  pointwise_kernel<kAllFloatingTypes>("glu", op,
                                      []<class T>() { return [](T a, T b) -> T { return a * math::sigmoid(b); }; });
}

[[structured::impl("prelu.out", "CPU")]]
void prelu_cpu(const Tensor& self, const Tensor& weight, const Tensor& out) {
  // Shape that broadcasts `weight` along the channels.
  DimVector sizes(self.sizes().size(), 1);
  DimVector strides(self.sizes().size(), 0);
  if (weight.numel() != 1) {
    const size_t channel = self.dim() > 1 ? 1 : 0;
    sizes[channel] = weight.numel();
    strides[channel] = weight.stride(0);
  }
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).resize_outputs(false);
  config.add_output(out).add_input(self).add_input(as_strided(weight, sizes, strides, weight.storage_offset()));
  pointwise_kernel<kAllFloatingTypes>(
      "prelu", config.build(), []<class T>() { return [](T x, T slope) -> T { return x > T(0) ? x : slope * x; }; });
}

[[structured::impl("log_sigmoid_forward.output", "CPU")]]
void log_sigmoid_forward_cpu(const Tensor& self, const Tensor& output, const Tensor& buffer) {
  pointwise_kernel<kAllFloatingTypes>("log_sigmoid_forward", TensorIterator::unary_op(buffer, self),
                                      []<class T>() { return [](T x) -> T { return math::exp(-std::fabs(x)); }; });
  pointwise_kernel<kAllFloatingTypes>("log_sigmoid_forward", TensorIterator::binary_op(output, self, buffer),
                                      []<class T>() {
                                        return [](T x, T y) -> T {
                                          // log(1 + y), corrected for the rounding of 1 + y
                                          const T u = T(1) + y;
                                          const T log = math::log(u) + (y - (u - T(1))) / u;
                                          return (x > T(0) ? T(0) : x) - log;
                                        };
                                      });
}

}  // namespace structured::kernels
