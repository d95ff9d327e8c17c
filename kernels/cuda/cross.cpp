// Cross products on CUDA.
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/mul.h>
#include <structured/ops/select.h>
#include <structured/ops/stack.h>
#include <structured/ops/sub.h>

#include <cstdint>

namespace structured::kernels {

[[structured::impl("linalg_cross.out", "CUDA")]]
void cross_cuda(const Tensor& self, const Tensor& other, int64_t dim, const Tensor& out) {
  const int64_t along = wrap_dim(dim, out.dim());
  const auto product = [&](int64_t i, int64_t j) {
    return structured::mul(structured::select(self, along, i), structured::select(other, along, j));
  };
  const auto component = [&](int64_t i, int64_t j) { return structured::sub(product(i, j), product(j, i)); };
  Tensor result = out;
  structured::stack_out(result, {component(1, 2), component(2, 0), component(0, 1)}, along);
}

}  // namespace structured::kernels
