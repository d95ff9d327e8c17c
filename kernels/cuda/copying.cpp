// Operators on CUDA that copy elements: concatenation, triangles, padding, nearest-neighbour upsampling.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>
#include <structured/number/scalar.h>
#include <structured/ops/all.h>
#include <structured/ops/eq.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/movement.h"
#include "shared/batch.h"

namespace structured::kernels {
namespace {

using device::PositionMap;

// `padding` has two numbers for each dimension, the last dimension first.
void pad(PositionMap::Kind kind, const Tensor& self, IntArrayRef padding, const Tensor& out) {
  const std::size_t spatial = padding.size() / 2;
  std::vector<PositionMap> maps(spatial);
  for (std::size_t d = 0; d < spatial; ++d) maps[d] = {kind, padding[2 * (spatial - 1 - d)]};
  device::copy_mapped(as_batch(self, spatial), as_batch(out, spatial), maps);
}

void upsample(const Tensor& self, std::initializer_list<std::optional<double>> scales, const Tensor& out,
              bool is_exact) {
  std::vector<PositionMap> maps;
  for (const std::optional<double>& scale : scales) {
    const auto d = static_cast<int64_t>(maps.size()) + 2;
    const float ratio = scale && *scale > 0 ? static_cast<float>(1.0 / *scale)
                                            : static_cast<float>(self.size(d)) / static_cast<float>(out.size(d));
    maps.push_back({PositionMap::Kind::scaled, 0, ratio, is_exact ? 0.5f : 0.0f});
  }
  device::copy_mapped(self, out, maps);
}

}  // namespace

[[structured::impl("cat.out", "CUDA")]]
void cat_cuda(TensorList tensors, int64_t dim, const Tensor& out) {
  if (out.numel() == 0) return;
  dim = wrap_dim(dim, out.dim());
  int64_t start = out.storage_offset();
  for (const Tensor& tensor : tensors) {
    if (tensor.numel() == 0) continue;
    copy_into(as_strided(out, tensor.sizes(), out.strides(), start), tensor);
    start += tensor.size(dim) * out.stride(dim);
  }
}

[[structured::impl("stack.out", "CUDA")]]
void stack_cuda(TensorList tensors, int64_t dim, const Tensor& out) {
  if (out.numel() == 0) return;
  dim = wrap_dim(dim, out.dim());
  DimVector strides(out.strides());
  strides.erase(static_cast<std::size_t>(dim));
  int64_t start = out.storage_offset();
  for (const Tensor& tensor : tensors) {
    copy_into(as_strided(out, tensor.sizes(), strides, start), tensor);
    start += out.stride(dim);
  }
}

[[structured::impl("tril.out", "CUDA")]]
void tril_cuda(const Tensor& self, int64_t diagonal, const Tensor& out) {
  device::copy_triangles(self, diagonal, false, out);
}

[[structured::impl("triu.out", "CUDA")]]
void triu_cuda(const Tensor& self, int64_t diagonal, const Tensor& out) {
  device::copy_triangles(self, diagonal, true, out);
}

[[structured::impl("reflection_pad1d.out", "CUDA")]]
void reflection_pad1d_cuda(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(PositionMap::Kind::reflected, self, padding, out);
}
[[structured::impl("reflection_pad2d.out", "CUDA")]]
void reflection_pad2d_cuda(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(PositionMap::Kind::reflected, self, padding, out);
}
[[structured::impl("reflection_pad3d.out", "CUDA")]]
void reflection_pad3d_cuda(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(PositionMap::Kind::reflected, self, padding, out);
}

[[structured::impl("replication_pad1d.out", "CUDA")]]
void replication_pad1d_cuda(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(PositionMap::Kind::clamped, self, padding, out);
}
[[structured::impl("replication_pad2d.out", "CUDA")]]
void replication_pad2d_cuda(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(PositionMap::Kind::clamped, self, padding, out);
}
[[structured::impl("replication_pad3d.out", "CUDA")]]
void replication_pad3d_cuda(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(PositionMap::Kind::clamped, self, padding, out);
}

[[structured::impl("upsample_nearest1d.out", "CUDA")]]
void upsample_nearest1d_cuda(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, std::optional<double> scales,
                             const Tensor& out) {
  upsample(self, {scales}, out, false);
}
[[structured::impl("upsample_nearest2d.out", "CUDA")]]
void upsample_nearest2d_cuda(const Tensor& self, [[maybe_unused]] IntArrayRef output_size,
                             std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  upsample(self, {scales_h, scales_w}, out, false);
}
[[structured::impl("upsample_nearest3d.out", "CUDA")]]
void upsample_nearest3d_cuda(const Tensor& self, [[maybe_unused]] IntArrayRef output_size,
                             std::optional<double> scales_d, std::optional<double> scales_h,
                             std::optional<double> scales_w, const Tensor& out) {
  upsample(self, {scales_d, scales_h, scales_w}, out, false);
}
[[structured::impl("_upsample_nearest_exact1d.out", "CUDA")]]
void upsample_nearest_exact1d_cuda(const Tensor& self, [[maybe_unused]] IntArrayRef output_size,
                                   std::optional<double> scales, const Tensor& out) {
  upsample(self, {scales}, out, true);
}
[[structured::impl("_upsample_nearest_exact2d.out", "CUDA")]]
void upsample_nearest_exact2d_cuda(const Tensor& self, [[maybe_unused]] IntArrayRef output_size,
                                   std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  upsample(self, {scales_h, scales_w}, out, true);
}
[[structured::impl("_upsample_nearest_exact3d.out", "CUDA")]]
void upsample_nearest_exact3d_cuda(const Tensor& self, [[maybe_unused]] IntArrayRef output_size,
                                   std::optional<double> scales_d, std::optional<double> scales_h,
                                   std::optional<double> scales_w, const Tensor& out) {
  upsample(self, {scales_d, scales_h, scales_w}, out, true);
}

[[structured::kernel("_local_scalar_dense", "CUDA")]]
Scalar local_scalar_dense_cuda(const Tensor& self) {
  STRUCTURED_CHECK(self.numel() != 0, "_local_scalar_dense: expected an element, got sizes ", self.sizes());
  return as_strided(self, {}, {}, self.storage_offset()).item();
}

[[structured::kernel("equal", "CUDA")]]
bool equal_cuda(const Tensor& self, const Tensor& other) {
  STRUCTURED_CHECK(self.device() == other.device(), "equal: expected tensors on one device, got ", self.device(),
                   " and ", other.device());
  STRUCTURED_CHECK(self.scalar_type() == other.scalar_type(), "equal: expected tensors of one dtype, got ",
                   self.scalar_type(), " and ", other.scalar_type());
  if (self.sizes() != other.sizes()) return false;
  if (self.numel() == 0) return true;
  return structured::all(structured::eq(self, other)).item<bool>();
}

}  // namespace structured::kernels
