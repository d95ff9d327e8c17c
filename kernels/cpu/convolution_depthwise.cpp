#include "convolution_depthwise.h"

#include <structured/core/factory.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstdint>

#include "convolution_direct_nhwc.h"
#include "convolution_phases.h"
#include "depthwise_loops.h"
#include "leveled.h"
#include "shared/dense.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Outputs [begin, end) of a phase for which exactly the taps [first, last) lie inside the input.
struct Range {
  int64_t begin;
  int64_t end;
  size_t first;
  size_t last;
};

ScratchVector<Range> ranges(const ConvPhase& phase, int64_t extent) {
  ScratchVector<Range> result;
  for (int64_t i = 0; i < phase.count; ++i) {
    const auto is_inside = [&](const ConvPhase::Tap& tap) {
      const int64_t position = i * phase.in_step + tap.offset;
      return position >= 0 && position < extent;
    };
    // Offsets are monotonic, so only leading and trailing taps can lie outside the input.
    const auto first = std::find_if(phase.taps.begin(), phase.taps.end(), is_inside);
    const auto last = std::find_if_not(first, phase.taps.end(), is_inside);
    const Range range{i, i + 1, static_cast<size_t>(first - phase.taps.begin()),
                      static_cast<size_t>(last - phase.taps.begin())};
    if (!result.empty() && result.back().first == range.first && result.back().last == range.last) {
      result.back().end = range.end;
    } else {
      result.push_back(range);
    }
  }
  return result;
}

// Returns the blocks of a channels-last sample. They omit taps outside the input, so no padding is needed.
ScratchVector<DepthwiseBlock> channel_blocks(const ConvGeometry& geometry) {
  const auto& [depth, height, width] = geometry.axes;
  const int64_t channels = geometry.groups;
  ScratchVector<DepthwiseBlock> result;
  const auto add = [&](const ConvPhase& z, const Range& range_z, int64_t d, const ConvPhase& y, const Range& range_y,
                       const ConvPhase& x, const Range& range_x) {
    const int64_t line = (z.first + d * z.step) * height.output + y.first + range_y.begin * y.step;
    DepthwiseBlock block{range_y.end - range_y.begin,
                         range_x.end - range_x.begin,
                         y.in_step * width.input * channels,
                         x.in_step * channels,
                         (line * width.output + x.first + range_x.begin * x.step) * channels,
                         y.step * width.output * channels,
                         x.step * channels,
                         {}};
    for (size_t a = range_z.first; a < range_z.last; ++a) {
      const int64_t plane = (z.taps[a].offset + d * z.in_step) * height.input;
      for (size_t b = range_y.first; b < range_y.last; ++b) {
        const int64_t row = plane + y.taps[b].offset + range_y.begin * y.in_step;
        for (size_t c = range_x.first; c < range_x.last; ++c) {
          const int64_t column = x.taps[c].offset + range_x.begin * x.in_step;
          const int64_t tap = (z.taps[a].tap * height.kernel + y.taps[b].tap) * width.kernel + x.taps[c].tap;
          block.taps.push_back({(row * width.input + column) * channels, tap * channels});
        }
      }
    }
    result.push_back(std::move(block));
  };
  for (const ConvPhase& z : conv_phases(depth, geometry.transposed)) {
    for (const Range& range_z : ranges(z, depth.input)) {
      for (int64_t d = range_z.begin; d < range_z.end; ++d) {
        for (const ConvPhase& y : conv_phases(height, geometry.transposed)) {
          for (const Range& range_y : ranges(y, height.input)) {
            for (const ConvPhase& x : conv_phases(width, geometry.transposed)) {
              for (const Range& range_x : ranges(x, width.input)) add(z, range_z, d, y, range_y, x, range_x);
            }
          }
        }
      }
    }
  }
  return result;
}

int64_t round_up(int64_t size, int64_t unit) { return ceil_divide(size, unit) * unit; }

// Padded copy of one input plane. Columns are grouped by their remainder modulo the stride, so that neighbouring
// outputs read neighbouring elements with the same tap, and rows can be read in full vectors.
template <class T>
class PaddedPlane {
 public:
  static constexpr int64_t kUnit = 64 / sizeof(T);

  explicit PaddedPlane(const ConvGeometry& geometry)
      : geometry_(geometry), axes_(geometry), step_(geometry.transposed ? 1 : geometry.axes[2].stride) {
    group_ = ceil_divide(axes_.width.extent, step_);
    for (const ConvPhase& phase : axes_.width.phases) {
      for (const ConvPhase::Tap& tap : phase.taps) {
        group_ = std::max(group_, tap.offset / step_ + round_up(phase.count, kUnit));
      }
    }
  }

  int64_t size() const { return axes_.depth.extent * axes_.height.extent * row(); }

  /// Returns the blocks of a plane of outputs with rows of `out_row` elements. Columns of a phase are adjacent.
  ScratchVector<DepthwiseBlock> blocks(int64_t out_row) const {
    const auto& [depth, height, width] = geometry_.axes;
    ScratchVector<DepthwiseBlock> result;
    for (const ConvPhase& z : axes_.depth.phases) {
      for (int64_t d = 0; d < z.count; ++d) {
        for (const ConvPhase& y : axes_.height.phases) {
          int64_t column = 0;
          for (const ConvPhase& x : axes_.width.phases) {
            const int64_t line = (z.first + d * z.step) * height.output + y.first;
            DepthwiseBlock block{y.count, x.count, y.in_step * row(), 1, line * out_row + column, y.step * out_row,
                                 1,       {}};
            column += x.count;
            for (const ConvPhase::Tap& a : z.taps) {
              for (const ConvPhase::Tap& b : y.taps) {
                for (const ConvPhase::Tap& c : x.taps) {
                  const int64_t from = (a.offset + d * z.in_step) * axes_.height.extent + b.offset;
                  block.taps.push_back({from * row() + c.offset % step_ * group_ + c.offset / step_,
                                        (a.tap * height.kernel + b.tap) * width.kernel + c.tap});
                }
              }
            }
            result.push_back(std::move(block));
          }
        }
      }
    }
    return result;
  }

  /// Copies `in` between the zeros of `out`.
  void write(const T* in, T* out) const {
    const auto& [depth, height, width] = geometry_.axes;
    for (int64_t z = 0; z < depth.input; ++z) {
      const int64_t line = (z + axes_.depth.before) * axes_.height.extent + axes_.height.before;
      if (step_ == 1) {
        run_vectors<CopyRows>(in + z * height.input * width.input, height.input, width.input,
                              out + line * row() + axes_.width.before, row());
        continue;
      }
      run_leveled<Write>(in + z * height.input * width.input, height.input, width.input, out + line * row(),
                         axes_.width.before, step_, group_);
    }
  }

 private:
  struct Write {
    static void run(const T* in, int64_t rows, int64_t columns, T* out, int64_t before, int64_t step, int64_t group) {
      for (int64_t row = 0; row < rows; ++row, in += columns, out += step * group) {
        for (int64_t i = 0; i < step && i < columns; ++i) {
          const int64_t position = before + i;
          const int64_t count = (columns - i + step - 1) / step;
          T* const to = out + position % step * group + position / step;
          copy(in + i, step, count, to);
        }
      }
    }

    STRUCTURED_ALWAYS_INLINE static void copy(const T* in, int64_t step, int64_t count, T* out) {
      if (step == 2) {
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t i = 0; i < count; ++i) out[i] = in[2 * i];
      } else {
        for (int64_t i = 0; i < count; ++i) out[i] = in[i * step];
      }
    }
  };

  int64_t row() const { return step_ * group_; }

  const ConvGeometry& geometry_;
  PaddedAxes axes_;
  int64_t step_;
  int64_t group_;
};

// Returns the weights [C, 1, kernel...] as [kernel..., C].
Tensor channels_of(const Tensor& weight) {
  DimVector sizes;
  DimVector strides;
  for (size_t d = 2; d < weight.sizes().size(); ++d) {
    sizes.push_back(weight.sizes()[d]);
    strides.push_back(weight.strides()[d]);
  }
  sizes.push_back(weight.size(0));
  strides.push_back(weight.strides()[0]);
  return structured::as_strided(weight, sizes, strides, weight.storage_offset());
}

int64_t grain(int64_t products) { return std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, products)); }

constexpr int64_t kChannelsAtOnce = 32;  // channels per task

// Calls `body(begin, end)` for ranges of the channels of a sample, on several threads if there is more than one range.
template <class Body>
void for_each_channels(int64_t channels, int64_t products_of_each, const Body& body) {
  parallel_for(
      0, ceil_divide(channels, kChannelsAtOnce), grain(kChannelsAtOnce * products_of_each),
      [&](int64_t begin, int64_t end) { body(begin * kChannelsAtOnce, std::min(channels, end * kChannelsAtOnce)); });
}

// Interleaves the columns of all phases: out[i * phases + p] = in[p * count_of_phase_0 + i].
template <class T>
struct Spread {
  static void run(const T* in, int64_t rows, int64_t columns, int64_t phases, T* out) {
    for (int64_t row = 0; row < rows; ++row, in += columns, out += columns) {
      if (phases == 2) {
        const T* const odd = in + (columns + 1) / 2;
        const int64_t pairs = columns / 2;
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t i = 0; i < pairs; ++i) {
          out[2 * i] = in[i];
          out[2 * i + 1] = odd[i];
        }
        if (columns % 2 != 0) out[columns - 1] = in[pairs];
        continue;
      }
      const T* from = in;
      for (int64_t phase = 0; phase < phases; ++phase) {
        for (int64_t i = phase; i < columns; i += phases) out[i] = *from++;
      }
    }
  }
};

template <class T>
void convolve_planes(const ConvGeometry& geometry, const T* in, const T* weight, const T* bias, T* out) {
  const WindowAxis& width = geometry.axes[2];
  const int64_t taps = geometry.kernel_size();
  const int64_t outputs = geometry.groups * geometry.output_channels;
  const int64_t size = geometry.output_size();
  const int64_t phases = geometry.transposed ? std::min(width.stride, width.output) : 1;
  const PaddedPlane<T> padded(geometry);
  const ScratchVector<DepthwiseBlock> blocks = padded.blocks(width.output);
  parallel_for(0, geometry.samples * outputs, grain(size * taps), [&](int64_t begin, int64_t end) {
    ScratchVector<T> x(static_cast<size_t>(padded.size()));
    ScratchVector<T> gathered(phases > 1 ? static_cast<size_t>(size) : 0);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t channel = i % outputs;
      const int64_t plane = i / outputs * geometry.groups + channel / geometry.output_channels;
      padded.write(in + plane * geometry.input_size(), x.data());
      T* const result = phases > 1 ? gathered.data() : out + i * size;
      for (const DepthwiseBlock& block : blocks) {
        run_vectors<PlaneBlock>(&block, static_cast<const T*>(x.data()), weight + channel * taps,
                                bias != nullptr ? bias[channel] : T(0), result);
      }
      if (phases > 1) {
        run_leveled<Spread<T>>(static_cast<const T*>(result), size / width.output, width.output, phases,
                               out + i * size);
      }
    }
  });
}

template <class T>
void convolve_channels(const ConvGeometry& geometry, const T* in, const T* weight, const T* bias, T* out) {
  const int64_t channels = geometry.groups;
  const ScratchVector<DepthwiseBlock> blocks = channel_blocks(geometry);
  for (int64_t n = 0; n < geometry.samples; ++n) {
    for_each_channels(channels, geometry.output_size() * geometry.kernel_size(), [&](int64_t begin, int64_t end) {
      for (const DepthwiseBlock& block : blocks) {
        run_vectors<ChannelBlock>(&block, in + n * geometry.input_size() * channels + begin, weight + begin,
                                  bias != nullptr ? bias + begin : bias,
                                  out + n * geometry.output_size() * channels + begin, end - begin);
      }
    });
  }
}

template <class T>
void plane_gradient(const ConvGeometry& geometry, const T* wide, const T* narrow, T* out) {
  const int64_t taps = geometry.kernel_size();
  const int64_t outputs = geometry.groups * geometry.output_channels;
  const int64_t size = geometry.output_size();
  const int64_t columns = geometry.axes[2].output;
  const int64_t row = round_up(columns, PaddedPlane<T>::kUnit);
  const PaddedPlane<T> padded(geometry);
  const ScratchVector<DepthwiseBlock> blocks = padded.blocks(row);
  parallel_for(0, outputs, grain(geometry.samples * size * taps), [&](int64_t begin, int64_t end) {
    std::fill(out + begin * taps, out + end * taps, T(0));
    ScratchVector<T> x(static_cast<size_t>(padded.size()));
    ScratchVector<T> g(static_cast<size_t>(size / columns * row));
    for (int64_t channel = begin; channel < end; ++channel) {
      for (int64_t n = 0; n < geometry.samples; ++n) {
        const int64_t plane = n * geometry.groups + channel / geometry.output_channels;
        padded.write(wide + plane * geometry.input_size(), x.data());
        const T* const from = narrow + (n * outputs + channel) * size;
        run_vectors<CopyRows>(from, size / columns, columns, g.data(), row);
        for (const DepthwiseBlock& block : blocks) {
          run_vectors<PlaneGradient>(&block, static_cast<const T*>(x.data()), static_cast<const T*>(g.data()),
                                     out + channel * taps);
        }
      }
    }
  });
}

template <class T>
void channel_gradient(const ConvGeometry& geometry, const T* wide, const T* narrow, T* out) {
  const int64_t channels = geometry.groups;
  const ScratchVector<DepthwiseBlock> blocks = channel_blocks(geometry);
  std::fill_n(out, geometry.kernel_size() * channels, T(0));
  const int64_t work = geometry.samples * geometry.output_size() * geometry.kernel_size();
  for_each_channels(channels, work, [&](int64_t begin, int64_t end) {
    for (int64_t n = 0; n < geometry.samples; ++n) {
      for (const DepthwiseBlock& block : blocks) {
        run_vectors<ChannelGradient>(&block, wide + n * geometry.input_size() * channels + begin,
                                     narrow + n * geometry.output_size() * channels + begin, out + begin, end - begin);
      }
    }
  });
}

// Returns the memory format to compute in.
MemoryFormat layout(const ConvGeometry& geometry, const Tensor& tensor) {
  return geometry.output_channels == 1 && has_channels_last(tensor) ? tensor.suggest_memory_format()
                                                                    : MemoryFormat::Contiguous;
}

}  // namespace

bool can_be_depthwise(const ConvGeometry& geometry, ScalarType dtype) {
  return geometry.input_channels == 1 && (!geometry.transposed || geometry.output_channels == 1) &&
         kFloatingTypes.contains(dtype) && pads_little(geometry);
}

void convolve_depthwise(const ConvGeometry& geometry, const Tensor& input, const Tensor& weight, const Tensor& bias,
                        const Tensor& out) {
  const ScalarType dtype = input.scalar_type() == kDouble ? kDouble : kFloat;
  const MemoryFormat format = layout(geometry, input);
  const Tensor x = dense(input, dtype, format);
  const Tensor w = dense(format == MemoryFormat::Contiguous ? weight : channels_of(weight), dtype);
  const Tensor b = bias.defined() ? dense(bias, dtype) : Tensor();
  const Tensor result = writable(out, dtype, format);
  visit<kFloatingTypes>("convolution", dtype, [&]<class T>() {
    const auto convolve = format == MemoryFormat::Contiguous ? convolve_planes<T> : convolve_channels<T>;
    convolve(geometry, x.data_ptr<T>(), w.data_ptr<T>(), b.defined() ? b.data_ptr<T>() : nullptr, result.data_ptr<T>());
  });
  store(out, result);
}

void weight_gradient_depthwise(const ConvGeometry& geometry, const Tensor& wide, const Tensor& narrow,
                               const Tensor& out) {
  const ScalarType dtype = wide.scalar_type() == kDouble ? kDouble : kFloat;
  const MemoryFormat format = layout(geometry, wide);
  const Tensor x = dense(wide, dtype, format);
  const Tensor g = dense(narrow, dtype, format);
  const Tensor to = format == MemoryFormat::Contiguous ? out : channels_of(out);
  const Tensor result = writable(to, dtype);
  visit<kFloatingTypes>("convolution_backward", dtype, [&]<class T>() {
    const auto set = format == MemoryFormat::Contiguous ? plane_gradient<T> : channel_gradient<T>;
    set(geometry, x.data_ptr<T>(), g.data_ptr<T>(), result.data_ptr<T>());
  });
  store(to, result);
}

}  // namespace structured::kernels
