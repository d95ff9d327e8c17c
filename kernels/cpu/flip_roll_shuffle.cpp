// Permutation, repetition and diagonals on CPU.
#include <structured/iterator/move_elements.h>

#include <cstring>

#include "shared/rearrangement.h"

namespace structured::kernels {
namespace {

struct Host {
  static void move_elements(char* to, IntArrayRef to_strides, const char* from, IntArrayRef from_strides,
                            IntArrayRef sizes, int item_size_log2) {
    structured::move_elements(to, to_strides, from, from_strides, sizes, item_size_log2);
  }
  static void set_zero(const Tensor& contiguous) {
    if (contiguous.numel() != 0) std::memset(contiguous.data(), 0, contiguous.nbytes());
  }
};

}  // namespace

[[structured::impl("flip.out", "CPU")]]
void flip_cpu(const Tensor& self, IntArrayRef dims, const Tensor& out) {
  rearrangement::flip<Host>(self, dims, out);
}

[[structured::impl("roll.out", "CPU")]]
void roll_cpu(const Tensor& self, IntArrayRef shifts, IntArrayRef dims, const Tensor& out) {
  rearrangement::roll<Host>(self, shifts, dims, out);
}

[[structured::impl("repeat.out", "CPU")]]
void repeat_cpu(const Tensor& self, IntArrayRef repeats, const Tensor& out) {
  rearrangement::repeat<Host>(self, repeats, out);
}

[[structured::impl("diag.out", "CPU")]]
void diag_cpu(const Tensor& self, int64_t diagonal, const Tensor& out) {
  rearrangement::diag<Host>(self, diagonal, out);
}

[[structured::impl("diag_embed.out", "CPU")]]
void diag_embed_cpu(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2, const Tensor& out) {
  rearrangement::diag_embed<Host>(self, offset, dim1, dim2, out);
}

[[structured::impl("narrow_copy.out", "CPU")]]
void narrow_copy_cpu(const Tensor& self, int64_t dim, int64_t start, int64_t length, const Tensor& out) {
  rearrangement::narrow_copy<Host>(self, dim, start, length, out);
}

[[structured::impl("pixel_shuffle.out", "CPU")]]
void pixel_shuffle_cpu(const Tensor& self, int64_t upscale_factor, const Tensor& out) {
  rearrangement::pixel_shuffle<Host>(self, upscale_factor, out);
}

[[structured::impl("pixel_unshuffle.out", "CPU")]]
void pixel_unshuffle_cpu(const Tensor& self, int64_t downscale_factor, const Tensor& out) {
  rearrangement::pixel_unshuffle<Host>(self, downscale_factor, out);
}

[[structured::impl("channel_shuffle.out", "CPU")]]
void channel_shuffle_cpu(const Tensor& self, int64_t groups, const Tensor& out) {
  rearrangement::channel_shuffle<Host>(self, groups, out);
}

}  // namespace structured::kernels
