// Permutation, repetition and diagonals on CUDA.
#include <structured/ops/fill.h>

#include "cuda/movement.h"
#include "shared/rearrangement.h"

namespace structured::kernels {
namespace {

struct OnDevice {
  static void move_elements(char* to, IntArrayRef to_strides, const char* from, IntArrayRef from_strides,
                            IntArrayRef sizes, int item_size_log2) {
    device::move_elements(to, to_strides, from, from_strides, sizes, item_size_log2);
  }
  static void set_zero(const Tensor& contiguous) {
    Tensor out = contiguous;
    structured::fill_(out, 0);
  }
};

}  // namespace

[[structured::impl("flip.out", "CUDA")]]
void flip_cuda(const Tensor& self, IntArrayRef dims, const Tensor& out) {
  rearrangement::flip<OnDevice>(self, dims, out);
}

[[structured::impl("roll.out", "CUDA")]]
void roll_cuda(const Tensor& self, IntArrayRef shifts, IntArrayRef dims, const Tensor& out) {
  rearrangement::roll<OnDevice>(self, shifts, dims, out);
}

[[structured::impl("repeat.out", "CUDA")]]
void repeat_cuda(const Tensor& self, IntArrayRef repeats, const Tensor& out) {
  rearrangement::repeat<OnDevice>(self, repeats, out);
}

[[structured::impl("diag.out", "CUDA")]]
void diag_cuda(const Tensor& self, int64_t diagonal, const Tensor& out) {
  rearrangement::diag<OnDevice>(self, diagonal, out);
}

[[structured::impl("diag_embed.out", "CUDA")]]
void diag_embed_cuda(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2, const Tensor& out) {
  rearrangement::diag_embed<OnDevice>(self, offset, dim1, dim2, out);
}

[[structured::impl("narrow_copy.out", "CUDA")]]
void narrow_copy_cuda(const Tensor& self, int64_t dim, int64_t start, int64_t length, const Tensor& out) {
  rearrangement::narrow_copy<OnDevice>(self, dim, start, length, out);
}

[[structured::impl("pixel_shuffle.out", "CUDA")]]
void pixel_shuffle_cuda(const Tensor& self, int64_t upscale_factor, const Tensor& out) {
  rearrangement::pixel_shuffle<OnDevice>(self, upscale_factor, out);
}

[[structured::impl("pixel_unshuffle.out", "CUDA")]]
void pixel_unshuffle_cuda(const Tensor& self, int64_t downscale_factor, const Tensor& out) {
  rearrangement::pixel_unshuffle<OnDevice>(self, downscale_factor, out);
}

[[structured::impl("channel_shuffle.out", "CUDA")]]
void channel_shuffle_cuda(const Tensor& self, int64_t groups, const Tensor& out) {
  rearrangement::channel_shuffle<OnDevice>(self, groups, out);
}

}  // namespace structured::kernels
