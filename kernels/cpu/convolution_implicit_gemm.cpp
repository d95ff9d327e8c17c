#include "convolution_implicit_gemm.h"

#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "leveled.h"
#include "micro_kernel.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

using Kernels = MicroKernels<ImplicitGemmTile>;

constexpr int64_t kMaxTiledStride = 16;  // there is a phase for each position modulo the stride

// Copies rows of elements `stride` apart to dense rows.
struct StridedRows {
  template <int64_t kStride>
  STRUCTURED_ALWAYS_INLINE static void copy(const float* in, int64_t in_step, float* out, int64_t out_step,
                                            int64_t rows, int64_t count, int64_t stride) {
    const int64_t step = kStride == 0 ? stride : kStride;
    for (int64_t row = 0; row < rows; ++row, in += in_step, out += out_step) {
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t k = 0; k < count; ++k) out[k] = in[k * step];
    }
  }

  static void run(const float* in, int64_t in_step, float* out, int64_t out_step, int64_t rows, int64_t count,
                  int64_t stride) {
    if (stride == 1) return copy<1>(in, in_step, out, out_step, rows, count, 1);
    if (stride == 2) return copy<2>(in, in_step, out, out_step, rows, count, 2);
    copy<0>(in, in_step, out, out_step, rows, count, stride);
  }
};

// Padded input of one sample, divided into phases by position modulo the stride along each axis, so that adjacent
// windows of a row start at adjacent elements. Each element of a window then has a fixed offset from the start of the
// window, even across the ends of rows: rows of windows are as wide as rows of a phase, and the surplus outputs at the
// ends of rows are dropped.
class Phases {
 public:
  explicit Phases(const ConvGeometry& geometry) : geometry_(geometry) {
    for (size_t d = 0; d < 3; ++d) {
      const WindowAxis& axis = geometry.axes[d];
      const int64_t extent = (axis.output - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
      extents_[d] = ceil_divide(extent, axis.stride);
      used_[d].resize(static_cast<size_t>(axis.stride));
      for (int64_t tap = 0; tap < axis.kernel; ++tap)
        used_[d][static_cast<size_t>(tap * axis.dilation % axis.stride)] = 1;
      places_[d].resize(used_[d].size());
      for (size_t phase = 0; phase < used_[d].size(); ++phase) {
        places_[d][phase] = counts_[d];
        counts_[d] += used_[d][phase];
      }
    }
  }

  int64_t width() const { return extents_[2]; }
  int64_t plane() const { return extents_[1] * extents_[2]; }
  int64_t volume() const { return extents_[0] * plane(); }
  int64_t phases() const { return counts_[0] * counts_[1] * counts_[2]; }
  int64_t size(int64_t channels) const { return channels * phases() * volume(); }

  /// Returns the offsets of weights and window elements, in the memory order of the weights.
  ScratchVector<ImplicitGemmTile::Offsets> offsets(const ConvWeights& weights) const {
    ScratchVector<ImplicitGemmTile::Offsets> taps;
    const auto& [depth, height, width] = geometry_.axes;
    for (int64_t z = 0; z < depth.kernel; ++z) {
      for (int64_t y = 0; y < height.kernel; ++y) {
        for (int64_t x = 0; x < width.kernel; ++x) {
          taps.push_back({z * weights.taps[0] + y * weights.taps[1] + x * weights.taps[2],
                          offset(z * depth.dilation, y * height.dilation, x * width.dilation)});
        }
      }
    }
    ScratchVector<ImplicitGemmTile::Offsets> result;
    const auto add = [&](const ImplicitGemmTile::Offsets& tap, int64_t c) {
      result.push_back({tap.row + c * weights.input, tap.vector + size(c)});
    };
    const int64_t channels = geometry_.input_channels;
    if (std::abs(weights.taps[2]) > weights.input) {
      for (const ImplicitGemmTile::Offsets& tap : taps) {
        for (int64_t c = 0; c < channels; ++c) add(tap, c);
      }
    } else {
      for (int64_t c = 0; c < channels; ++c) {
        for (const ImplicitGemmTile::Offsets& tap : taps) add(tap, c);
      }
    }
    return result;
  }

  /// Writes the phases of one channel from the plane or volume `in`.
  void write(const float* in, float* out) const {
    const auto& [depth, height, width] = geometry_.axes;
    std::fill_n(out, phases() * volume(), 0.0f);
    for (int64_t a = 0; a < depth.stride; ++a) {
      for (int64_t b = 0; b < height.stride; ++b) {
        for (int64_t c = 0; c < width.stride; ++c) {
          if (!is_used(0, a) || !is_used(1, b) || !is_used(2, c)) continue;
          write_phase(in, a - depth.padding, b - height.padding, c - width.padding, out);
          out += volume();
        }
      }
    }
  }

 private:
  // Returns the offset of an element of a window from the start of the window.
  int64_t offset(int64_t z, int64_t y, int64_t x) const {
    const int64_t phase = (place(0, z) * counts_[1] + place(1, y)) * counts_[2] + place(2, x);
    const auto& [depth, height, width] = geometry_.axes;
    return phase * volume() + z / depth.stride * plane() + y / height.stride * extents_[2] + x / width.stride;
  }

  int64_t place(size_t d, int64_t position) const {
    return places_[d][static_cast<size_t>(position % geometry_.axes[d].stride)];
  }
  bool is_used(size_t d, int64_t phase) const { return used_[d][static_cast<size_t>(phase)] != 0; }

  void write_phase(const float* in, int64_t first_z, int64_t first_y, int64_t first_x, float* out) const {
    const auto& [depth, height, width] = geometry_.axes;
    const auto [begin, end] = valid(2, first_x);
    const auto [top, bottom] = valid(1, first_y);
    const auto [front, back] = valid(0, first_z);
    if (begin == end || top == bottom) return;
    for (int64_t z = front; z < back; ++z) {
      const int64_t plane_in = (z * depth.stride + first_z) * height.input;
      const float* const x = in + (plane_in + top * height.stride + first_y) * width.input + first_x;
      run_leveled<StridedRows>(x + begin * width.stride, height.stride * width.input,
                               out + (z * extents_[1] + top) * extents_[2] + begin, extents_[2], bottom - top,
                               end - begin, width.stride);
    }
  }

  // Returns the positions of a phase starting at `first` that lie inside the input.
  std::pair<int64_t, int64_t> valid(size_t d, int64_t first) const {
    WindowAxis axis = geometry_.axes[d];
    axis.output = extents_[d];
    return windows_inside(axis, first);
  }

  const ConvGeometry& geometry_;
  int64_t extents_[3];
  int64_t counts_[3] = {};
  ScratchVector<int64_t> used_[3];
  ScratchVector<int64_t> places_[3];
};

// Division of one plane of windows into register tiles.
class TiledPlane {
 public:
  TiledPlane(const ConvGeometry& geometry, const Phases& phases, const Kernels& kernels,
             const ScratchVector<ImplicitGemmTile::Offsets>& offsets)
      : kernels_(kernels), offsets_(offsets), plane_(geometry.output_size()) {
    const WindowAxis& height = geometry.axes[1];
    const WindowAxis& width = geometry.axes[2];
    const int64_t count = (height.output - 1) * phases.width() + width.output;
    const int64_t extent = kernels.max_vectors * kernels.lanes;
    for (int64_t first = 0; first < count; first += extent) {
      const int64_t end = std::min(count, first + extent);
      Tile tile{ceil_divide(end - first, kernels.lanes), static_cast<int64_t>(pieces_.size()), 0};
      for (int64_t i = first; i < end;) {
        const int64_t x = i % phases.width();
        const int64_t size = std::min(phases.width() - x, end - i);
        if (x < width.output) {
          pieces_.push_back({i - first, i / phases.width() * width.output + x, std::min(size, width.output - x)});
        }
        i += size;
      }
      tile.end = static_cast<int64_t>(pieces_.size());
      tiles_.push_back(tile);
    }
  }

  /// Returns the number of tiles side by side.
  int64_t columns() const { return static_cast<int64_t>(tiles_.size()); }

  /// Computes tile `column` for output channels [begin, end), whose weights are `step` apart. `x` is the start of the
  /// first window of the plane; `weight` and `bias` (or null) belong to the group; `out` is the output plane of the
  /// group's first channel.
  void run(int64_t column, int64_t begin, int64_t end, const float* x, const float* weight, int64_t step,
           const float* bias, float* out) const {
    const auto inner = static_cast<int64_t>(offsets_.size());
    const Tile& tile = tiles_[static_cast<size_t>(column)];
    const float* const start = x + column * kernels_.max_vectors * kernels_.lanes;
    alignas(64) float sums[kMaxTileRows * kMaxTileVectors * kMaxTileLanes];
    for (int64_t channel = begin; channel < end;) {
      const int64_t rows = kernels_.rows_of_tile(tile.vectors, end - channel);
      const float* row[kMaxTileRows];
      for (int64_t r = 0; r < rows; ++r) row[r] = weight + (channel + r) * step;
      kernels_.run(tile.vectors, rows, {row, start, offsets_.data(), inner, sums});
      for (int64_t r = 0; r < rows; ++r, ++channel) {
        store(tile, sums + r * tile.vectors * kernels_.lanes, bias != nullptr ? bias[channel] : 0.0f,
              out + channel * plane_);
      }
    }
  }

 private:
  // Part of a row of windows within a tile: its offsets in the tile and in the output.
  struct Piece {
    int64_t from;
    int64_t to;
    int64_t count;
  };
  struct Tile {
    int64_t vectors;
    int64_t begin;  // pieces_[begin] to pieces_[end - 1]
    int64_t end;
  };

  void store(const Tile& tile, const float* sums, float bias, float* out) const {
    for (int64_t i = tile.begin; i < tile.end; ++i) {
      const Piece& piece = pieces_[static_cast<size_t>(i)];
      const float* const from = sums + piece.from;
      float* const to = out + piece.to;
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t k = 0; k < piece.count; ++k) to[k] = from[k] + bias;
    }
  }

  const Kernels& kernels_;
  const ScratchVector<ImplicitGemmTile::Offsets>& offsets_;
  int64_t plane_;
  ScratchVector<Tile> tiles_;
  ScratchVector<Piece> pieces_;
};

}  // namespace

double implicit_gemm_utilization(const ConvGeometry& geometry) {
  const Kernels* const kernels = micro_kernels<ImplicitGemmTile>();
  if (kernels == nullptr) return 0;
  for (const WindowAxis& axis : geometry.axes) {
    if (axis.stride > kMaxTiledStride) return 0;
  }
  const Phases phases(geometry);
  const auto& [depth, height, width] = geometry.axes;
  const int64_t computed = (height.output - 1) * phases.width() + width.output;
  return static_cast<double>(height.output * width.output) /
         static_cast<double>(ceil_divide(computed, kernels->lanes) * kernels->lanes);
}

ConvWeights::ConvWeights(const Tensor& weight, const ConvGeometry& geometry)
    : data(weight.data_ptr<float>()),
      group(geometry.output_channels * weight.strides()[0]),
      output(weight.strides()[0]),
      input(weight.strides()[1]),
      taps{} {
  const size_t rank = weight.sizes().size() - 2;
  for (size_t d = 0; d < rank; ++d) taps[3 - rank + d] = weight.strides()[d + 2];
}

ConvWeights ConvWeights::reversed(const ConvGeometry& geometry) const {
  ConvWeights result = *this;
  std::swap(result.output, result.input);
  for (size_t d = 0; d < 3; ++d) {
    result.data += (geometry.axes[d].kernel - 1) * taps[d];
    result.taps[d] = -taps[d];
  }
  return result;
}

void convolve_implicit_gemm(const ConvGeometry& geometry, const Tensor& input, const ConvWeights& weights,
                            const Tensor& bias, const Tensor& out) {
  const Kernels* const kernels = micro_kernels<ImplicitGemmTile>();
  STRUCTURED_INTERNAL_ASSERT(kernels != nullptr);
  const Phases phases(geometry);
  const ScratchVector<ImplicitGemmTile::Offsets> offsets = phases.offsets(weights);
  const TiledPlane tiles(geometry, phases, *kernels, offsets);
  const int64_t channels = geometry.groups * geometry.input_channels;
  const int64_t slack = kernels->max_vectors * kernels->lanes;  // the last tile reads beyond the last window
  const int64_t taken_apart = phases.size(channels);
  const Tensor buffer = structured::empty({taken_apart + slack}, input.options());
  float* const x = buffer.data_ptr<float>();
  std::fill_n(x + taken_apart, slack, 0.0f);

  constexpr int64_t channels_at_once = 64;  // output channels per task, which reuse a tile's input from the cache
  const int64_t outputs = geometry.output_channels;
  const int64_t blocks = ceil_divide(outputs, channels_at_once);
  const int64_t inner = static_cast<int64_t>(offsets.size());
  const int64_t columns = tiles.columns();
  const int64_t depth = geometry.axes[0].output;
  const int64_t plane = geometry.axes[1].output * geometry.axes[2].output;
  const int64_t work = slack * std::min(outputs, channels_at_once) * inner;
  for (int64_t n = 0; n < geometry.samples; ++n) {
    const float* const in = input.data_ptr<float>() + n * channels * geometry.input_size();
    parallel_for(0, channels, std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, phases.size(1))),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t c = begin; c < end; ++c) {
                     phases.write(in + c * geometry.input_size(), x + phases.size(c));
                   }
                 });
    float* const to = out.data_ptr<float>() + n * geometry.groups * outputs * geometry.output_size();
    const auto run = [&](int64_t group, int64_t block, int64_t d, int64_t column) {
      const int64_t first = group * outputs;
      tiles.run(column, block * channels_at_once, std::min(outputs, (block + 1) * channels_at_once),
                x + phases.size(group * geometry.input_channels) + d * phases.plane(),
                weights.data + group * weights.group, weights.output,
                bias.defined() ? bias.data_ptr<float>() + first : nullptr,
                to + first * geometry.output_size() + d * plane);
    };
    const int64_t tasks = geometry.groups * blocks * depth * columns;
    parallel_for(0, tasks, std::max<int64_t>(1, 8 * kGrainSize / std::max<int64_t>(1, work)),
                 [&](int64_t begin, int64_t end) {
                   int64_t column = begin % columns;
                   int64_t d = begin / columns % depth;
                   int64_t block = begin / (columns * depth) % blocks;
                   int64_t group = begin / (columns * depth * blocks);
                   for (int64_t i = begin; i < end; ++i) {
                     run(group, block, d, column);
                     if (++column < columns) continue;
                     column = 0;
                     if (++d < depth) continue;
                     d = 0;
                     if (++block < blocks) continue;
                     block = 0;
                     ++group;
                   }
                 });
  }
}

}  // namespace structured::kernels
