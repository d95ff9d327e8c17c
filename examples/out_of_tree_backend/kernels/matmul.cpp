#include <structured/structured.h>

#include "../arena.h"

namespace npu::kernels {
using namespace structured;

[[structured::impl("aten::mm.out", "PrivateUse1")]]
void mm(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  STRUCTURED_CHECK(out.dtype() == kFloat, "npu: mm: expected float, got ", out.dtype());
  const Tensor a = as_seen_by_device(self), b = as_seen_by_device(mat2), c = as_seen_by_device(out);
  const auto element = [](const Tensor& matrix, int64_t row, int64_t column) -> float& {
    return matrix.data_ptr<float>()[row * matrix.stride(0) + column * matrix.stride(1)];
  };
  for (int64_t i = 0; i < c.size(0); ++i) {
    for (int64_t j = 0; j < c.size(1); ++j) {
      float sum = 0;
      for (int64_t k = 0; k < a.size(1); ++k) sum += element(a, i, k) * element(b, k, j);
      element(c, i, j) = sum;
    }
  }
}

}  // namespace npu::kernels
