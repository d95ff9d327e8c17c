// Upsampling on the CPU.
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/iterator/parallel.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace structured::kernels {
namespace {

// The input position that each output position copies: floor(position * input / output), computed in float as ATen
// does (the scale included), so that both round alike.
std::vector<int64_t> nearest_sources(int64_t input, int64_t output, std::optional<double> scale) {
  const float ratio =
      scale && *scale > 0 ? static_cast<float>(1.0 / *scale) : static_cast<float>(input) / static_cast<float>(output);
  std::vector<int64_t> sources(static_cast<size_t>(output));
  for (int64_t i = 0; i < output; ++i) {
    const auto source = static_cast<int64_t>(std::floor(static_cast<float>(i) * ratio));
    sources[static_cast<size_t>(i)] = std::min(source, input - 1);
  }
  return sources;
}

}  // namespace

[[structured::impl("upsample_nearest1d.out", "CPU")]]
void upsample_nearest1d_cpu(const Tensor& self, IntArrayRef output_size, std::optional<double> scales,
                            const Tensor& out) {
  const int64_t output = output_size[0];
  const int64_t channels = self.size(1);
  const std::vector<int64_t> sources = nearest_sources(self.size(2), output, scales);
  visit<kAllFloatingTypes | kByte>("upsample_nearest1d", self.scalar_type(), [&]<class T>() {
    const T* in = self.data_ptr<T>();
    T* result = out.data_ptr<T>();
    parallel_for(0, self.size(0) * channels, std::max<int64_t>(1, kGrainSize / output),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t row = begin; row < end; ++row) {
                     const int64_t n = row / channels;
                     const int64_t c = row % channels;
                     const T* in_row = in + n * self.stride(0) + c * self.stride(1);
                     T* out_row = result + n * out.stride(0) + c * out.stride(1);
                     for (int64_t i = 0; i < output; ++i) {
                       out_row[i * out.stride(2)] = in_row[sources[static_cast<size_t>(i)] * self.stride(2)];
                     }
                   }
                 });
  });
}

}  // namespace structured::kernels
