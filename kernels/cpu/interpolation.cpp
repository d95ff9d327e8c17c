// Upsampling by interpolation on CPU. Each input row is interpolated along the width once and kept while output rows
// need it; an output row is a weighted sum of such rows.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "cpu/interpolation.h"
#include "cpu/window_resampling.h"
#include "math/accumulate_type.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Input positions and weights of each output position i: tap k is at index k * size + i.
template <class C>
struct Taps {
  int64_t size = 1;
  int64_t count = 1;  // taps of a position
  ScratchVector<int64_t> sources{0};
  ScratchVector<C> weights{C(1)};
};

// Maps output positions to input coordinates.
template <class C>
class Grid {
 public:
  Grid(int64_t input, int64_t output, bool align_corners, std::optional<double> scale)
      : align_corners_(align_corners), step_(step(input, output, align_corners, scale)) {}
  C operator()(int64_t position) const {
    if (align_corners_) return step_ * static_cast<C>(position);
    return step_ * (static_cast<C>(position) + C(0.5)) - C(0.5);
  }

 private:
  static C step(int64_t input, int64_t output, bool align_corners, std::optional<double> scale) {
    if (align_corners) return output > 1 ? static_cast<C>(input - 1) / static_cast<C>(output - 1) : C(0);
    return scale && *scale > 0 ? static_cast<C>(1.0 / *scale) : static_cast<C>(input) / static_cast<C>(output);
  }

  bool align_corners_;
  C step_;
};

template <class C>
Taps<C> linear_taps(int64_t input, int64_t output, bool align_corners, std::optional<double> scale) {
  const Grid<C> grid(input, output, align_corners, scale);
  Taps<C> taps{output, 2, ScratchVector<int64_t>(static_cast<size_t>(2 * output)),
               ScratchVector<C>(static_cast<size_t>(2 * output))};
  for (int64_t i = 0; i < output; ++i) {
    const auto place = static_cast<size_t>(i);
    const auto next = static_cast<size_t>(output + i);
    const C source = std::clamp<C>(grid(i), C(0), static_cast<C>(input - 1));
    const int64_t first = std::min(static_cast<int64_t>(source), input - 1);
    const C part = std::clamp<C>(source - static_cast<C>(first), C(0), C(1));
    taps.sources[place] = first;
    taps.sources[next] = std::min(first + 1, input - 1);
    taps.weights[place] = C(1) - part;
    taps.weights[next] = part;
  }
  return taps;
}

template <class C>
Taps<C> cubic_taps(int64_t input, int64_t output, bool align_corners, std::optional<double> scale) {
  constexpr C a = C(-0.75);
  const auto near = [](C x) { return ((a + C(2)) * x - (a + C(3))) * x * x + C(1); };
  const auto far = [](C x) { return ((a * x - C(5) * a) * x + C(8) * a) * x - C(4) * a; };
  const Grid<C> grid(input, output, align_corners, scale);
  Taps<C> taps{output, 4, ScratchVector<int64_t>(static_cast<size_t>(4 * output)),
               ScratchVector<C>(static_cast<size_t>(4 * output))};
  for (int64_t i = 0; i < output; ++i) {
    // Coordinates more than two positions outside are equivalent to the border; clamping keeps them convertible to
    // integers, whatever scale the caller gives.
    const C source = std::clamp<C>(grid(i), C(-2), static_cast<C>(input) + C(1));
    const C below = std::floor(source);
    const C part = source - below;
    const C weights[] = {far(part + C(1)), near(part), near(C(1) - part), far(C(2) - part)};
    for (int64_t k = 0; k < 4; ++k) {
      const auto place = static_cast<size_t>(k * output + i);
      taps.sources[place] = std::clamp<int64_t>(static_cast<int64_t>(below) - 1 + k, 0, input - 1);
      taps.weights[place] = weights[k];
    }
  }
  return taps;
}

// Dense planes of depth x height rows of width x `block` elements.
struct Planes {
  int64_t count;
  int64_t block;
};

template <class T, class C>
class Interpolation {
 public:
  Interpolation(const T* in, const int64_t* in_sizes, T* out, Planes planes, const Taps<C>* taps)
      : in_(in),
        out_(out),
        planes_(planes),
        taps_(taps),
        in_height_(in_sizes[1]),
        in_width_(in_sizes[2] * planes.block),
        in_plane_(in_sizes[0] * in_height_ * in_width_),
        width_(taps[2].size * planes.block) {}

  void run() const {
    const int64_t rows = planes_.count * taps_[0].size * taps_[1].size;
    parallel_for(0, rows, std::max<int64_t>(1, kGrainSize / width_),
                 [this](int64_t begin, int64_t end) { run_rows(begin, end); });
  }

 private:
  static constexpr int64_t kMaxRows = 4;

  void run_rows(int64_t begin, int64_t end) const {
    const int64_t depth_taps = taps_[0].count;
    const int64_t height_taps = taps_[1].count;
    const int64_t count = depth_taps * height_taps;
    if constexpr (std::is_same_v<T, C>) {
      if (count == 1) {
        for (int64_t row = begin; row < end; ++row) interpolate_row(in_ + row * in_width_, out_ + row * width_);
        return;
      }
    }
    // Buffers of rows interpolated along the width, and the input rows that they hold. Neighbouring rows use different
    // buffers.
    ScratchVector<C> buffer(static_cast<size_t>(count * width_));
    ScratchVector<int64_t> kept(static_cast<size_t>(count), -1);
    for (int64_t row = begin; row < end; ++row) {
      const int64_t h = row % taps_[1].size;
      const int64_t d = row / taps_[1].size % taps_[0].size;
      const int64_t plane = row / (taps_[1].size * taps_[0].size);
      const C* rows[kMaxRows];
      C weights[kMaxRows];
      int64_t k = 0;
      for (int64_t i = 0; i < depth_taps; ++i) {
        const auto depth_place = static_cast<size_t>(i * taps_[0].size + d);
        const int64_t z = taps_[0].sources[depth_place];
        for (int64_t j = 0; j < height_taps; ++j, ++k) {
          const auto height_place = static_cast<size_t>(j * taps_[1].size + h);
          const int64_t y = taps_[1].sources[height_place];
          const int64_t place = z % depth_taps * height_taps + y % height_taps;
          C* const interpolated = buffer.data() + place * width_;
          const int64_t source = plane * in_plane_ + (z * in_height_ + y) * in_width_;
          if (kept[static_cast<size_t>(place)] != source) {
            interpolate_row(in_ + source, interpolated);
            kept[static_cast<size_t>(place)] = source;
          }
          rows[k] = interpolated;
          weights[k] = taps_[0].weights[depth_place] * taps_[1].weights[height_place];
        }
      }
      add_rows<T, C>(rows, weights, count, width_, out_ + row * width_);
    }
  }

  void interpolate_row(const T* in, C* out) const {
    const Taps<C>& taps = taps_[2];
    const int64_t* const sources = taps.sources.data();
    const C* const weights = taps.weights.data();
    const int64_t size = taps.size;
    const int64_t block = planes_.block;
    if (block == 1 && taps.count == 2) return mix_elements<2>(in, sources, weights, size, out);
    if (block == 1) return mix_elements<4>(in, sources, weights, size, out);
    for (int64_t i = 0; i < size; ++i) {
      C* const result = out + i * block;
      const T* const first = in + sources[i] * block;
      const T* const second = in + sources[size + i] * block;
      const C first_weight = weights[i];
      const C second_weight = weights[size + i];
      for (int64_t c = 0; c < block; ++c) {
        result[c] = first_weight * static_cast<C>(first[c]) + second_weight * static_cast<C>(second[c]);
      }
      for (int64_t k = 2; k < taps.count; ++k) {
        const T* const more = in + sources[k * size + i] * block;
        for (int64_t c = 0; c < block; ++c) result[c] += weights[k * size + i] * static_cast<C>(more[c]);
      }
    }
  }

  const T* in_;
  T* out_;
  Planes planes_;
  const Taps<C>* taps_;
  int64_t in_height_;
  int64_t in_width_;
  int64_t in_plane_;
  int64_t width_;
};

Tensor in_format(const Tensor& tensor, MemoryFormat format) {
  if (tensor.is_contiguous(format)) return tensor;
  const Tensor result = empty(tensor.sizes(), tensor.options(), format);
  copy_into(result, tensor);
  return result;
}

template <class MakeTaps>
void interpolate(const char* name, const Tensor& self, std::initializer_list<std::optional<double>> scales,
                 const Tensor& out, MakeTaps make_taps) {
  if (out.numel() == 0) return;
  MemoryFormat format = out.is_contiguous() ? MemoryFormat::Contiguous : out.suggest_memory_format();
  const Tensor in = in_format(self, format);
  const Tensor result = out.is_contiguous(format) ? out : empty(out.sizes(), out.options(), format);
  const bool is_contiguous = format == MemoryFormat::Contiguous;
  const Planes planes = is_contiguous ? Planes{in.sizes()[0] * in.sizes()[1], 1} : Planes{in.sizes()[0], in.sizes()[1]};
  visit<kAllFloatingTypes>(name, self.scalar_type(), [&]<class T>() {
    using C = AccumulateType<T>;
    Taps<C> taps[3];
    int64_t in_sizes[3] = {1, 1, 1};
    size_t d = 3 - scales.size();
    for (const std::optional<double>& scale : scales) {
      const size_t dim = d + scales.size() - 1;
      in_sizes[d] = in.sizes()[dim];
      taps[d] = make_taps.template operator()<C>(in.sizes()[dim], out.sizes()[dim], scale);
      ++d;
    }
    Interpolation<T, C>(in.data_ptr<T>(), in_sizes, result.data_ptr<T>(), planes, taps).run();
  });
  if (!result.is_same(out)) copy_into(out, result);
}

void interpolate_linearly(const char* name, const Tensor& self, bool align_corners,
                          std::initializer_list<std::optional<double>> scales, const Tensor& out) {
  interpolate(name, self, scales, out,
              [align_corners]<class C>(int64_t input, int64_t output, std::optional<double> scale) {
                return linear_taps<C>(input, output, align_corners, scale);
              });
}

}  // namespace

[[structured::impl("upsample_linear1d.out", "CPU")]]
void upsample_linear1d_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, bool align_corners,
                           std::optional<double> scales, const Tensor& out) {
  interpolate_linearly("upsample_linear1d", self, align_corners, {scales}, out);
}

[[structured::impl("upsample_bilinear2d.out", "CPU")]]
void upsample_bilinear2d_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, bool align_corners,
                             std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  constexpr const char* name = "upsample_bilinear2d";
  if (self.scalar_type() == kByte) {
    return resample_windows(name, self, {WindowFilter::triangle, align_corners}, scales_h, scales_w, out);
  }
  interpolate_linearly(name, self, align_corners, {scales_h, scales_w}, out);
}

[[structured::impl("upsample_trilinear3d.out", "CPU")]]
void upsample_trilinear3d_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, bool align_corners,
                              std::optional<double> scales_d, std::optional<double> scales_h,
                              std::optional<double> scales_w, const Tensor& out) {
  interpolate_linearly("upsample_trilinear3d", self, align_corners, {scales_d, scales_h, scales_w}, out);
}

[[structured::impl("upsample_bicubic2d.out", "CPU")]]
void upsample_bicubic2d_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, bool align_corners,
                            std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  constexpr const char* name = "upsample_bicubic2d";
  if (self.scalar_type() == kByte) {
    return resample_windows(name, self, {WindowFilter::cubic, align_corners}, scales_h, scales_w, out);
  }
  interpolate(name, self, {scales_h, scales_w}, out,
              [align_corners]<class C>(int64_t input, int64_t output, std::optional<double> scale) {
                return cubic_taps<C>(input, output, align_corners, scale);
              });
}

[[structured::impl("_upsample_bilinear2d_aa.out", "CPU")]]
void upsample_bilinear2d_aa_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, bool align_corners,
                                std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  resample_windows("_upsample_bilinear2d_aa", self, {WindowFilter::triangle, align_corners, true}, scales_h, scales_w,
                   out);
}

[[structured::impl("_upsample_bicubic2d_aa.out", "CPU")]]
void upsample_bicubic2d_aa_cpu(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, bool align_corners,
                               std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  resample_windows("_upsample_bicubic2d_aa", self, {WindowFilter::cubic, align_corners, true}, scales_h, scales_w, out);
}

}  // namespace structured::kernels
