#include "convolution_direct_nhwc.h"

#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>

#include <algorithm>
#include <cstdint>

#include "convolution_phases.h"
#include "micro_kernel.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

using Kernels = MicroKernels<DirectNhwcTile>;

// Returns a view [N, spatial..., C] of a tensor [N, C, spatial...].
Tensor channels_last(const Tensor& tensor) {
  DimVector sizes(tensor.sizes());
  DimVector strides(tensor.strides());
  std::rotate(sizes.begin() + 1, sizes.begin() + 2, sizes.end());
  std::rotate(strides.begin() + 1, strides.begin() + 2, strides.end());
  return structured::as_strided(tensor, sizes, strides, tensor.storage_offset());
}

// Returns `input` as [N, spatial..., C], with zero padding.
Tensor padded(const PaddedAxes& axes, const Tensor& input) {
  const Tensor from = channels_last(input);
  const size_t rank = from.sizes().size() - 2;
  DimVector sizes(from.sizes());
  for (size_t d = 0; d < rank; ++d) sizes[d + 1] = axes[3 - rank + d].extent;
  if (IntArrayRef(sizes) == from.sizes()) return dense(from, kFloat);

  const Tensor result = structured::empty(sizes, from.options().dtype(kFloat));
  const int64_t channels = sizes[rank + 1];
  const int64_t lines = sizes[0] * axes.depth.extent * axes.height.extent;
  const int64_t columns = axes.width.extent * channels;
  const auto inside = [&](size_t d, int64_t position) {
    const int64_t extent = d + rank < 3 ? 1 : from.sizes()[d + rank - 2];
    return position >= axes[d].before && position < axes[d].before + extent;
  };
  const int64_t left = axes.width.before * channels;
  const int64_t right = left + from.sizes()[rank] * channels;
  for (int64_t line = 0; line < lines; ++line) {
    float* const x = result.data_ptr<float>() + line * columns;
    const int64_t y = line % axes.height.extent;
    const int64_t z = line / axes.height.extent % axes.depth.extent;
    const bool is_full = inside(0, z) && inside(1, y);
    std::fill(x, x + (is_full ? left : columns), 0.0f);
    if (is_full) std::fill(x + right, x + columns, 0.0f);
  }
  int64_t offset = result.storage_offset();
  for (size_t d = 0; d < rank; ++d) offset += axes[3 - rank + d].before * result.strides()[d + 1];
  structured::copy_into(structured::as_strided(result, from.sizes(), result.strides(), offset), from);
  return result;
}

// Division of the output channels of a group into panels no wider than a register tile.
struct Panels {
  Panels(const Kernels& table, int64_t total) : kernels(table), channels(total) {
    const int64_t vectors = ceil_divide(channels, kernels.lanes);
    count = ceil_divide(vectors, kernels.max_vectors);
    extent = ceil_divide(vectors, count) * kernels.lanes;
    count = ceil_divide(channels, extent);
  }
  int64_t first(int64_t panel) const { return panel * extent; }
  int64_t size(int64_t panel) const { return std::min(extent, channels - first(panel)); }
  int64_t vectors(int64_t panel) const { return ceil_divide(size(panel), kernels.lanes); }
  int64_t rows(int64_t panel) const { return kernels.max_rows[vectors(panel) - 1]; }

  void run(int64_t panel, int64_t rows, DirectNhwcTile tile) const {
    tile.last_lanes = size(panel) - (vectors(panel) - 1) * kernels.lanes;
    kernels.run(vectors(panel), rows, tile);
  }

  const Kernels& kernels;
  int64_t channels;
  int64_t count;
  int64_t extent;
};

// Returns the weights of a panel of a group: [kernel..., C, channels of the panel].
Tensor panel_of(const ConvGeometry& geometry, const Tensor& weight, int64_t group, int64_t first, int64_t size) {
  DimVector sizes(weight.sizes());
  DimVector strides(weight.strides());
  std::rotate(sizes.begin(), sizes.begin() + 2, sizes.end());
  std::rotate(strides.begin(), strides.begin() + 2, strides.end());
  const size_t rank = sizes.size();
  const bool transposed = geometry.transposed;
  if (!transposed) std::swap(strides[rank - 2], strides[rank - 1]);
  sizes[rank - 2] = geometry.input_channels;
  sizes[rank - 1] = size;
  const int64_t start = group * (transposed ? geometry.input_channels : geometry.output_channels);
  const int64_t offset = weight.storage_offset() + start * weight.strides()[0] + first * strides[rank - 1];
  return structured::as_strided(weight, sizes, strides, offset);
}

// Returns a buffer for the panels of all groups.
Tensor dense_panels(const Tensor& like, const ConvGeometry& geometry) {
  return structured::empty(
      {geometry.groups * geometry.output_channels * geometry.kernel_size() * geometry.input_channels},
      like.options().dtype(kFloat));
}

Tensor dense_panel(const Tensor& panels, const Tensor& panel, int64_t offset) {
  DimVector strides(panel.sizes());
  int64_t step = 1;
  for (size_t d = strides.size(); d-- > 0;) {
    strides[d] = step;
    step *= panel.sizes()[d];
  }
  return structured::as_strided(panels, panel.sizes(), strides, offset);
}

// Divides runs into parts of at most `extent` factors, so that the data of a part fits the cache, and merges adjacent
// runs.
class Parts {
 public:
  Parts(int64_t extent, int64_t row_step, int64_t vector_step)
      : extent_(extent), row_step_(row_step), vector_step_(vector_step), parts_(1) {}

  void add(DirectNhwcTile::Run run) {
    while (run.count > 0) {
      if (size_ == extent_) {
        parts_.emplace_back();
        size_ = 0;
      }
      const int64_t count = std::min(run.count, extent_ - size_);
      ScratchVector<DirectNhwcTile::Run>& runs = parts_.back();
      if (!runs.empty() && runs.back().row + runs.back().count * row_step_ == run.row &&
          runs.back().vector + runs.back().count * vector_step_ == run.vector) {
        runs.back().count += count;
      } else {
        runs.push_back({run.row, run.vector, count});
      }
      size_ += count;
      run = {run.row + count * row_step_, run.vector + count * vector_step_, run.count - count};
    }
  }

  DirectNhwcTile tile(const float* vectors) const {
    return {nullptr, row_step_, vectors, vector_step_, nullptr, 0, 0, nullptr, nullptr};
  }

  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  int64_t extent_;
  int64_t row_step_;
  int64_t vector_step_;
  int64_t size_ = 0;
  ScratchVector<ScratchVector<DirectNhwcTile::Run>> parts_;
};

constexpr int64_t kPixelsAtOnce = 192;  // outputs per task, which reuse a panel's weights from the cache
constexpr int64_t kForwardPart = 1152;  // factors of a panel per part
constexpr int64_t kGradientPart = 512;  // pixels per part
constexpr int64_t kGradientRows = 48;

// Returns the grain size for tasks of `products` multiplications each.
int64_t grain(int64_t products) { return std::max<int64_t>(1, 8 * kGrainSize / std::max<int64_t>(1, products)); }

// Outputs of one combination of phases along the three axes, for all samples.
class PhaseLoop {
 public:
  PhaseLoop(const ConvGeometry& geometry, const PaddedAxes& axes, const ConvPhase& z, const ConvPhase& y,
            const ConvPhase& x)
      : geometry_(geometry), axes_(axes), z_(z), y_(y), x_(x) {}

  int64_t pixels() const { return geometry_.samples * z_.count * y_.count * x_.count; }

  Parts parts(int64_t panel_size) const {
    const int64_t channels = geometry_.input_channels;
    const auto& [depth, height, width] = geometry_.axes;
    Parts result(kForwardPart, 1, panel_size);
    for (const ConvPhase::Tap& z : z_.taps) {
      for (const ConvPhase::Tap& y : y_.taps) {
        for (const ConvPhase::Tap& x : x_.taps) {
          const int64_t from = (z.offset * axes_.height.extent + y.offset) * axes_.width.extent + x.offset;
          const int64_t tap = (z.tap * height.kernel + y.tap) * width.kernel + x.tap;
          result.add({from * geometry_.groups * channels, tap * channels * panel_size, channels});
        }
      }
    }
    return result;
  }

  // Sets the input and output addresses of pixels [begin, end).
  void place(int64_t begin, int64_t end, const float* in, int64_t in_channels, float* out, int64_t out_channels,
             const float** rows, float** results) const {
    int64_t x = begin % x_.count;
    int64_t y = begin / x_.count % y_.count;
    int64_t z = begin / (x_.count * y_.count) % z_.count;
    int64_t n = begin / (x_.count * y_.count * z_.count);
    const auto& [depth, height, width] = geometry_.axes;
    for (int64_t i = begin; i < end;) {
      const int64_t from =
          ((n * axes_.depth.extent + z * z_.in_step) * axes_.height.extent + y * y_.in_step) * axes_.width.extent;
      const int64_t to =
          ((n * depth.output + z_.first + z * z_.step) * height.output + y_.first + y * y_.step) * width.output +
          x_.first;
      for (; x < x_.count && i < end; ++x, ++i) {
        *rows++ = in + (from + x * x_.in_step) * in_channels;
        *results++ = out + (to + x * x_.step) * out_channels;
      }
      x = 0;
      if (++y < y_.count) continue;
      y = 0;
      if (++z < z_.count) continue;
      z = 0;
      ++n;
    }
  }

 private:
  const ConvGeometry& geometry_;
  const PaddedAxes& axes_;
  const ConvPhase& z_;
  const ConvPhase& y_;
  const ConvPhase& x_;
};

void run_phase(const ConvGeometry& geometry, const PhaseLoop& phase, const Panels& panels, int64_t group,
               const float* in, const float* weight, const float* bias, float* out) {
  const int64_t pixels = phase.pixels();
  const int64_t chunks = ceil_divide(pixels, kPixelsAtOnce);
  const int64_t inner = geometry.kernel_size() * geometry.input_channels;
  const int64_t work = kPixelsAtOnce * panels.extent * inner;
  const Parts parts_of_full = phase.parts(panels.extent);
  const Parts parts_of_last = phase.parts(panels.size(panels.count - 1));
  parallel_for(0, panels.count * chunks, grain(work), [&](int64_t begin, int64_t end) {
    const float* rows[kPixelsAtOnce];
    float* results[kPixelsAtOnce];
    const float* biases[kMaxTileRows];
    for (int64_t i = begin; i < end; ++i) {
      const int64_t panel = i / chunks;
      const int64_t first_pixel = i % chunks * kPixelsAtOnce;
      const int64_t count = std::min(kPixelsAtOnce, pixels - first_pixel);
      const int64_t first = group * geometry.output_channels + panels.first(panel);
      phase.place(first_pixel, first_pixel + count, in + group * geometry.input_channels,
                  geometry.groups * geometry.input_channels, out + first, geometry.groups * geometry.output_channels,
                  rows, results);
      std::fill_n(biases, kMaxTileRows, bias + first);
      const Parts& parts = panel + 1 < panels.count ? parts_of_full : parts_of_last;
      DirectNhwcTile tile = parts.tile(weight + first * inner);
      bool is_first = true;
      for (const ScratchVector<DirectNhwcTile::Run>& runs : parts) {
        tile.runs = runs.data();
        tile.run_count = static_cast<int64_t>(runs.size());
        for (int64_t p = 0; p < count; p += panels.rows(panel)) {
          tile.rows = rows + p;
          tile.out = results + p;
          tile.from = !is_first ? results + p : bias != nullptr ? biases : nullptr;
          panels.run(panel, std::min(panels.rows(panel), count - p), tile);
        }
        is_first = false;
      }
    }
  });
}

}  // namespace

bool has_channels_last(const Tensor& tensor) { return tensor.suggest_memory_format() != MemoryFormat::Contiguous; }

bool can_convolve_direct_nhwc(const ConvGeometry& geometry) {
  return micro_kernels<DirectNhwcTile>() != nullptr && pads_little(geometry);
}

bool is_direct_nhwc_faster(const ConvGeometry& geometry) {
  return micro_kernels<DirectNhwcTile>() != nullptr &&
         (geometry.output_channels > micro_kernels<DirectNhwcTile>()->lanes / 2 || geometry.kernel_size() == 1);
}

void convolve_direct_nhwc(const ConvGeometry& geometry, const Tensor& input, const Tensor& weight, const Tensor& bias,
                          const Tensor& out) {
  const Kernels* const kernels = micro_kernels<DirectNhwcTile>();
  STRUCTURED_INTERNAL_ASSERT(kernels != nullptr);
  const PaddedAxes axes(geometry);
  const Tensor x = padded(axes, input);
  const Tensor summand = bias.defined() ? dense(bias, kFloat) : Tensor();
  const Tensor last = channels_last(out);
  const Tensor result = writable(last, kFloat);
  const Panels panels(*kernels, geometry.output_channels);
  const Tensor weights = dense_panels(weight, geometry);
  const int64_t inner = geometry.kernel_size() * geometry.input_channels;
  for (int64_t group = 0; group < geometry.groups; ++group) {
    for (int64_t panel = 0; panel < panels.count; ++panel) {
      const Tensor from = panel_of(geometry, weight, group, panels.first(panel), panels.size(panel));
      const int64_t offset = (group * geometry.output_channels + panels.first(panel)) * inner;
      structured::copy_into(dense_panel(weights, from, offset), from);
    }
    for (const ConvPhase& phase_z : axes.depth.phases) {
      for (const ConvPhase& phase_y : axes.height.phases) {
        for (const ConvPhase& phase_x : axes.width.phases) {
          run_phase(geometry, PhaseLoop(geometry, axes, phase_z, phase_y, phase_x), panels, group, x.data_ptr<float>(),
                    weights.data_ptr<float>(), summand.defined() ? summand.data_ptr<float>() : nullptr,
                    result.data_ptr<float>());
        }
      }
    }
  }
  store(last, result);
}

void weight_gradient_direct_nhwc(const ConvGeometry& geometry, const Tensor& wide, const Tensor& narrow,
                                 const Tensor& out) {
  const Kernels* const kernels = micro_kernels<DirectNhwcTile>();
  STRUCTURED_INTERNAL_ASSERT(kernels != nullptr);
  const PaddedAxes axes(geometry);
  const Tensor x = padded(axes, wide);
  const Tensor g = dense(channels_last(narrow), kFloat);
  const Panels panels(*kernels, geometry.output_channels);
  const Tensor sums = dense_panels(out, geometry);
  const int64_t channels = geometry.input_channels;
  const int64_t in_channels = geometry.groups * channels;
  const int64_t out_channels = geometry.groups * geometry.output_channels;
  const auto& [depth, height, width] = geometry.axes;

  // Offsets of the elements of a window, for each tap and channel in order.
  ScratchVector<int64_t> offsets;
  for (const ConvPhase::Tap& z : axes.depth.phases[0].taps) {
    for (const ConvPhase::Tap& y : axes.height.phases[0].taps) {
      for (const ConvPhase::Tap& x_tap : axes.width.phases[0].taps) {
        const int64_t from = (z.offset * axes.height.extent + y.offset) * axes.width.extent + x_tap.offset;
        for (int64_t c = 0; c < channels; ++c) offsets.push_back(from * in_channels + c);
      }
    }
  }
  const auto inner = static_cast<int64_t>(offsets.size());
  Parts parts(kGradientPart, width.stride * in_channels, out_channels);
  for (int64_t line = 0; line < geometry.samples * depth.output * height.output; ++line) {
    const int64_t n = line / (depth.output * height.output);
    const int64_t z = line / height.output % depth.output;
    const int64_t y = line % height.output;
    const int64_t from = (n * axes.depth.extent + z * depth.stride) * axes.height.extent + y * height.stride;
    parts.add({from * axes.width.extent * in_channels, line * width.output * out_channels, width.output});
  }

  const int64_t chunks = ceil_divide(inner, kGradientRows);
  const int64_t tasks = geometry.groups * panels.count * chunks;
  const int64_t work = geometry.samples * geometry.output_size() * kGradientRows * panels.extent;
  parallel_for(0, tasks, grain(work), [&](int64_t begin, int64_t end) {
    const float* rows[kMaxTileRows];
    float* results[kMaxTileRows];
    for (int64_t i = begin; i < end; ++i) {
      const int64_t group = i / (panels.count * chunks);
      const int64_t panel = i / chunks % panels.count;
      const int64_t first_row = i % chunks * kGradientRows;
      const int64_t last_row = std::min(inner, first_row + kGradientRows);
      const int64_t first = group * geometry.output_channels + panels.first(panel);
      const float* const in = x.data_ptr<float>() + group * channels;
      float* const sum = sums.data_ptr<float>() + first * inner;
      DirectNhwcTile tile = parts.tile(g.data_ptr<float>() + first);
      tile.rows = rows;
      tile.out = results;
      for (const ScratchVector<DirectNhwcTile::Run>& runs : parts) {
        tile.runs = runs.data();
        tile.run_count = static_cast<int64_t>(runs.size());
        for (int64_t row = first_row; row < last_row;) {
          const int64_t count = std::min(panels.rows(panel), last_row - row);
          for (int64_t r = 0; r < count; ++r, ++row) {
            rows[r] = in + offsets[static_cast<size_t>(row)];
            results[r] = sum + row * panels.size(panel);
          }
          panels.run(panel, count, tile);
        }
        tile.from = results;
      }
    }
  });

  for (int64_t group = 0; group < geometry.groups; ++group) {
    for (int64_t panel = 0; panel < panels.count; ++panel) {
      const Tensor to = panel_of(geometry, out, group, panels.first(panel), panels.size(panel));
      const int64_t offset = (group * geometry.output_channels + panels.first(panel)) * inner;
      structured::copy_into(to, dense_panel(sums, to, offset));
    }
  }
}

}  // namespace structured::kernels
