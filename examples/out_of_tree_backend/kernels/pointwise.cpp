// Kernels of imported operators. The meta functions of the operators' library check the arguments and create the
// outputs; the kernels only compute.
#include <structured/structured.h>

#include <cmath>

#include "../arena.h"

namespace npu::kernels {
using namespace structured;

// Runs a loop over operands with arbitrary strides, at addresses of the device.
template <class Function>
void for_each_float(TensorIteratorBase& iterator, Function function) {
  for (std::size_t i = 0; i < iterator.ntensors(); ++i) {
    STRUCTURED_CHECK(iterator.dtype(i) == kFloat, "npu: expected float, got ", iterator.dtype(i));
  }
  iterator.for_each(Loop1d([&](char* const* data, const int64_t* strides, int64_t size) {
    char* addresses[3] = {};
    for (std::size_t i = 0; i < iterator.ntensors(); ++i) addresses[i] = device_address(data[i]);
    for (int64_t k = 0; k < size; ++k) function(addresses, strides, k);
  }));
}

float at(char* const* data, const int64_t* strides, int operand, int64_t k) {
  return *reinterpret_cast<const float*>(data[operand] + strides[operand] * k);
}
float& out_at(char* const* data, const int64_t* strides, int64_t k) {
  return *reinterpret_cast<float*>(data[0] + strides[0] * k);
}

[[structured::impl("aten::add.out", "PrivateUse1")]]
void add(TensorIteratorBase& iterator, [[maybe_unused]] const Tensor& self, [[maybe_unused]] const Tensor& other,
         const Scalar& alpha, [[maybe_unused]] const Tensor& out) {
  const auto factor = alpha.to<float>();
  for_each_float(iterator, [factor](char* const* data, const int64_t* strides, int64_t k) {
    out_at(data, strides, k) = at(data, strides, 1, k) + factor * at(data, strides, 2, k);
  });
}

[[structured::impl("aten::relu.out", "PrivateUse1")]]
void relu(TensorIteratorBase& iterator, [[maybe_unused]] const Tensor& self, [[maybe_unused]] const Tensor& out) {
  for_each_float(iterator, [](char* const* data, const int64_t* strides, int64_t k) {
    out_at(data, strides, k) = std::fmax(at(data, strides, 1, k), 0.0f);
  });
}

/// A kernel for one variant, with its own checks. This library has no kernel for the other variants of `exp`.
[[structured::kernel("aten::exp", "PrivateUse1")]]
Tensor exp(const Tensor& self) {
  STRUCTURED_CHECK(self.dtype() == kFloat, "npu: exp: expected float, got ", self.dtype());
  const Tensor result = empty(self.sizes(), self.options());
  const Tensor from = as_seen_by_device(self), to = as_seen_by_device(result);
  copy_into(to, from);
  float* const elements = to.data_ptr<float>();
  for (int64_t i = 0; i < to.numel(); ++i) elements[i] = std::exp(elements[i]);
  return result;
}

}  // namespace npu::kernels
