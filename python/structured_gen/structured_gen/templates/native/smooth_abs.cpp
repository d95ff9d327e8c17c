#include <structured/structured.h>

#include <cmath>
using namespace structured;

[[structured::meta("smooth_abs", "smooth_abs_", "smooth_abs.out")]]
void smooth_abs_meta(TensorIteratorBase& op, const Tensor& self, double eps = 1e-6) {
  op.build_unary_float_op(op.maybe_get_output(), self);
}

[[structured::impl("smooth_abs.out", "CPU")]]
void smooth_abs_cpu(TensorIteratorBase& op, const Tensor& self, double eps, const Tensor& out) {
  visit<kFloatingTypes>("smooth_abs", op.common_dtype(), [&]<class T>() {
    cpu_kernel(op, [eps](T x) { return std::sqrt(x * x + static_cast<T>(eps)); });
  });
}
