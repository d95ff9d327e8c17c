// Meta functions of operators that build complex tensors from real ones.
#include <structured/core/error.h>
#include <structured/core/tensor.h>
#include <structured/iterator/tensor_iterator.h>

namespace structured::kernels {
namespace {

void build_complex(const char* name, TensorIteratorBase& op, const Tensor& a, const Tensor& b) {
  STRUCTURED_CHECK((kFloatingTypes | kHalf).contains(a.scalar_type()) && a.scalar_type() == b.scalar_type(), name,
                   ": expected two tensors of one dtype among ", kFloatingTypes | kHalf, ", got ", a.scalar_type(),
                   " and ", b.scalar_type());
  const Tensor& out = op.maybe_get_output();
  STRUCTURED_CHECK(!out.defined() || out.scalar_type() == to_complex(a.scalar_type()), name,
                   ": expected `out` of dtype ", to_complex(a.scalar_type()), ", got ", out.scalar_type());
  op.build(TensorIteratorConfig()
               .check_all_same_dtype(false)
               .declare_static_dtype(to_complex(a.scalar_type()))
               .add_output(out)
               .add_input(a)
               .add_input(b));
}

}  // namespace

/// Complex tensor with real part `real` and imaginary part `imag`, which are broadcast. Both have one dtype: Half,
/// Float or Double.
[[structured::meta("complex", "complex.out")]]
void complex_meta(TensorIteratorBase& op, const Tensor& real, const Tensor& imag) {
  build_complex("complex", op, real, imag);
}

/// Complex tensor with absolute value `abs` and argument `angle`: `abs * (cos(angle) + i * sin(angle))`. Inputs are
/// broadcast and have one dtype: Float or Double.
[[structured::meta("polar", "polar.out")]]
void polar_meta(TensorIteratorBase& op, const Tensor& abs, const Tensor& angle) {
  build_complex("polar", op, abs, angle);
}

}  // namespace structured::kernels
