// Nearest-neighbour upsampling on CPU.
#include <structured/core/tensor.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "cpu/gather_copy.h"

namespace structured::kernels {
namespace {

// Maps each output position to the input position that it copies. Computes in float, as ATen does, for the same
// rounding.
class NearestSource {
 public:
  NearestSource(int64_t input, int64_t output, std::optional<double> scale, bool is_exact)
      : last_(input - 1),
        ratio_(scale && *scale > 0 ? static_cast<float>(1.0 / *scale)
                                   : static_cast<float>(input) / static_cast<float>(output)),
        shift_(is_exact ? 0.5f : 0.0f) {}
  int64_t operator()(int64_t position) const {
    // Positions are nonnegative, so truncation rounds down. Clamping happens before the conversion to an integer, since
    // the caller's scale may be large.
    const float source = (static_cast<float>(position) + shift_) * ratio_;
    return source < static_cast<float>(last_) ? static_cast<int64_t>(source) : last_;
  }

 private:
  int64_t last_;
  float ratio_;
  float shift_;
};

void upsample(const Tensor& self, std::initializer_list<std::optional<double>> scales, const Tensor& out,
              bool is_exact) {
  if (out.numel() == 0) return;
  Positions positions[3];
  size_t d = 0;
  for (const std::optional<double>& scale : scales) {
    const int64_t output = out.sizes()[d + 2];
    const NearestSource source(self.sizes()[d + 2], output, scale, is_exact);
    int64_t* const sources = positions[d].reset(output);
    for (int64_t i = 0; i < output; ++i) sources[i] = source(i);
    ++d;
  }
  gather_copy(self, out, {positions, d});
}

// Copies contiguous rows of few elements.
template <class T>
void copy_few(const Tensor& self, const Tensor& out, const NearestSource& source) {
  const int64_t input = self.sizes()[2];
  const int64_t output = out.sizes()[2];
  const T* from = self.impl()->elements<T>();
  T* to = out.impl()->elements<T>();
  for (const T* const end = to + out.numel(); to != end; to += output, from += input) {
    for (int64_t i = 0; i < output; ++i) std::memcpy(to + i, from + source(i), sizeof(T));
  }
}

constexpr int64_t kFewElements = 64;

}  // namespace

[[structured::impl("upsample_nearest1d.out", "CPU")]]
void upsample_nearest1d_cpu(const Tensor& self, IntArrayRef output_size, std::optional<double> scales,
                            const Tensor& out) {
  const bool is_few = out.numel() <= kFewElements && self.is_contiguous() && out.is_contiguous();
  if (is_few && self.element_size() == sizeof(float)) {
    return copy_few<float>(self, out, NearestSource(self.sizes()[2], output_size[0], scales, false));
  }
  upsample(self, {scales}, out, false);
}

[[structured::impl("upsample_nearest2d.out", "CPU")]]
void upsample_nearest2d_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size,
                            std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  upsample(self, {scales_h, scales_w}, out, false);
}

[[structured::impl("upsample_nearest3d.out", "CPU")]]
void upsample_nearest3d_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size,
                            std::optional<double> scales_d, std::optional<double> scales_h,
                            std::optional<double> scales_w, const Tensor& out) {
  upsample(self, {scales_d, scales_h, scales_w}, out, false);
}

[[structured::impl("_upsample_nearest_exact1d.out", "CPU")]]
void upsample_nearest_exact1d_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size,
                                  std::optional<double> scales, const Tensor& out) {
  upsample(self, {scales}, out, true);
}

[[structured::impl("_upsample_nearest_exact2d.out", "CPU")]]
void upsample_nearest_exact2d_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size,
                                  std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  upsample(self, {scales_h, scales_w}, out, true);
}

[[structured::impl("_upsample_nearest_exact3d.out", "CPU")]]
void upsample_nearest_exact3d_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size,
                                  std::optional<double> scales_d, std::optional<double> scales_h,
                                  std::optional<double> scales_w, const Tensor& out) {
  upsample(self, {scales_d, scales_h, scales_w}, out, true);
}

}  // namespace structured::kernels
