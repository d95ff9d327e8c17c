// Cross products on CPU.
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/tensor_iterator.h>
#include <structured/number/complex.h>
#include <structured/number/visit.h>
#include <structured/ops/expand.h>

#include <array>
#include <cstdint>

#include "pointwise/arithmetic.h"

namespace structured::kernels {
namespace {

template <class T>
using Vector = std::array<T, 3>;

template <class T>
Vector<T> load(const char* data, int64_t step) {
  const T* const elements = reinterpret_cast<const T*>(data);
  return {elements[0], elements[step], elements[2 * step]};
}

// a * b - c * d, a determinant of two rows.
template <class T>
T determinant(T a, T b, T c, T d) {
  return difference<T>(mul<T>(a, b), mul<T>(c, d), T(1));
}

}  // namespace

[[structured::impl("linalg_cross.out", "CPU")]]
void cross_cpu(const Tensor& self, const Tensor& other, int64_t dim, const Tensor& out) {
  const Tensor a = structured::expand(self, out.sizes());
  const Tensor b = structured::expand(other, out.sizes());
  const int64_t along = wrap_dim(dim, out.dim());
  const std::array<int64_t, 3> steps = {out.stride(along), a.stride(along), b.stride(along)};
  TensorIteratorConfig config;
  config.check_memory_overlap(false).resize_outputs(false).declare_static_shape(out.sizes(), along);
  const TensorIterator vectors = config.add_output(out).add_input(a).add_input(b).build();
  visit<kRealTypes | kComplexTypes>("linalg_cross", out.scalar_type(), [&]<class T>() {
    vectors.for_each(Loop1d([steps](char* const* data, const int64_t* strides, int64_t size) {
      for (int64_t i = 0; i < size; ++i) {
        const Vector<T> x = load<T>(data[1] + i * strides[1], steps[1]);
        const Vector<T> y = load<T>(data[2] + i * strides[2], steps[2]);
        T* const to = reinterpret_cast<T*>(data[0] + i * strides[0]);
        to[0] = determinant(x[1], y[2], x[2], y[1]);
        to[steps[0]] = determinant(x[2], y[0], x[0], y[2]);
        to[2 * steps[0]] = determinant(x[0], y[1], x[1], y[0]);
      }
    }));
  });
}

}  // namespace structured::kernels
