// Upsampling on the CPU.
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/iterator/parallel.h>

#include <algorithm>
#include <array>
#include <optional>

namespace structured::kernels {
namespace {

// The input position that each output position copies: floor(position * input / output), computed in float as ATen
// does (the scale included), so that both round alike.
class NearestSource {
 public:
  NearestSource(int64_t input, int64_t output, std::optional<double> scale)
      : last_(input - 1),
        ratio_(scale && *scale > 0 ? static_cast<float>(1.0 / *scale)
                                   : static_cast<float>(input) / static_cast<float>(output)) {}
  int64_t operator()(int64_t position) const {
    // Positions are not negative: cutting off is rounding down.
    return std::min(static_cast<int64_t>(static_cast<float>(position) * ratio_), last_);
  }

 private:
  int64_t last_;
  float ratio_;
};

// A few elements, in straight lines.
template <class T>
void upsample_few(const Tensor& self, const Tensor& out, const NearestSource& source) {
  const IntArrayRef from = self.strides();
  const IntArrayRef to = out.strides();
  const IntArrayRef sizes = out.sizes();
  for (int64_t n = 0; n < sizes[0]; ++n) {
    for (int64_t c = 0; c < sizes[1]; ++c) {
      const T* in_row = self.impl()->elements<T>() + n * from[0] + c * from[1];
      T* out_row = out.impl()->elements<T>() + n * to[0] + c * to[1];
      for (int64_t i = 0; i < sizes[2]; ++i) {
        out_row[i * to[2]] = in_row[source(i) * from[2]];
      }
    }
  }
}

template <class T>
__attribute__((noinline)) void upsample_many(const Tensor& self, const Tensor& out, const NearestSource& source) {
  const std::array<int64_t, 3> from{self.strides()[0], self.strides()[1], self.strides()[2]};
  const std::array<int64_t, 3> to{out.strides()[0], out.strides()[1], out.strides()[2]};
  const int64_t output = out.sizes()[2];
  const int64_t channels = self.sizes()[1];
  const int64_t rows = self.sizes()[0] * channels;
  const T* in = self.data_ptr<T>();
  T* result = out.data_ptr<T>();
  const auto copy_rows = [=](int64_t begin, int64_t end) {
    // Sources are found once for a block of positions and all rows.
    constexpr int64_t kBlock = 512;
    int64_t sources[kBlock];
    for (int64_t start = 0; start < output; start += kBlock) {
      const int64_t count = std::min(kBlock, output - start);
      for (int64_t i = 0; i < count; ++i) {
        sources[i] = source(start + i) * from[2];
      }
      for (int64_t row = begin; row < end; ++row) {
        const int64_t n = row == 0 ? 0 : row / channels;
        const int64_t c = row - n * channels;
        const T* in_row = in + n * from[0] + c * from[1];
        T* out_row = result + n * to[0] + c * to[1] + start * to[2];
        for (int64_t i = 0; i < count; ++i) {
          out_row[i * to[2]] = in_row[sources[i]];
        }
      }
    }
  };
  parallel_for(0, rows, std::max<int64_t>(1, kGrainSize / output), copy_rows);
}

constexpr int64_t kFewElements = 64;

}  // namespace

[[structured::impl("upsample_nearest1d.out", "CPU")]]
void upsample_nearest1d_cpu(const Tensor& self, IntArrayRef output_size, std::optional<double> scales,
                            const Tensor& out) {
  const NearestSource source(self.sizes()[2], output_size[0], scales);
  visit<kAllFloatingTypes | kByte>("upsample_nearest1d", self.scalar_type(), [&]<class T>() {
    if (out.numel() <= kFewElements) {
      upsample_few<T>(self, out, source);
    } else {
      upsample_many<T>(self, out, source);
    }
  });
}

}  // namespace structured::kernels
