// Reflection and replication padding on CPU.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>

#include <algorithm>

#include "cpu/gather_copy.h"
#include "shared/batch.h"

namespace structured::kernels {
namespace {

// Pads with copies of elements. `padding` has two numbers for each dimension, the last dimension first. `source` maps a
// position relative to the first of `size` elements to the position that is copied.
template <class Source>
void pad(const Tensor& self, IntArrayRef padding, const Tensor& out, Source source) {
  if (out.numel() == 0) return;
  const size_t spatial = padding.size() / 2;
  const Tensor in = as_batch(self, spatial);
  const Tensor result = as_batch(out, spatial);
  Positions positions[3];
  for (size_t d = 0; d < spatial; ++d) {
    const int64_t size = in.sizes()[d + 2];
    const int64_t padded = result.sizes()[d + 2];
    const int64_t before = padding[2 * (spatial - 1 - d)];
    int64_t* const sources = positions[d].reset(padded);
    for (int64_t i = 0; i < padded; ++i) sources[i] = source(i - before, size);
  }
  gather_copy(in, result, {positions, spatial});
}

int64_t reflected(int64_t position, int64_t size) {
  if (position < 0) return -position;
  return position < size ? position : 2 * (size - 1) - position;
}

int64_t nearest(int64_t position, int64_t size) { return std::clamp<int64_t>(position, 0, size - 1); }

}  // namespace

[[structured::impl("reflection_pad1d.out", "CPU")]]
void reflection_pad1d_cpu(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(self, padding, out, reflected);
}

[[structured::impl("reflection_pad2d.out", "CPU")]]
void reflection_pad2d_cpu(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(self, padding, out, reflected);
}

[[structured::impl("reflection_pad3d.out", "CPU")]]
void reflection_pad3d_cpu(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(self, padding, out, reflected);
}

[[structured::impl("replication_pad1d.out", "CPU")]]
void replication_pad1d_cpu(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(self, padding, out, nearest);
}

[[structured::impl("replication_pad2d.out", "CPU")]]
void replication_pad2d_cpu(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(self, padding, out, nearest);
}

[[structured::impl("replication_pad3d.out", "CPU")]]
void replication_pad3d_cpu(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  pad(self, padding, out, nearest);
}

}  // namespace structured::kernels
