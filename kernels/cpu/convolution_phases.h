#pragma once
// Mapping between input and output elements of a convolution along one axis.
#include <structured/memory/scratch.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

/// Outputs that use the same elements (taps) of the kernel: all outputs, or, for a transposed convolution, every
/// stride-th one, so that no output has a tap that falls between elements of the input.
struct ConvPhase {
  struct Tap {
    int64_t tap;
    int64_t offset;  ///< offset of the input element read for the first output; may lie outside the input
  };
  int64_t first;
  int64_t step;     ///< between outputs
  int64_t in_step;  ///< between the input elements that a tap reads for neighbouring outputs
  int64_t count;
  ScratchVector<Tap> taps;
};

inline ScratchVector<ConvPhase> conv_phases(const WindowAxis& axis, bool transposed) {
  ScratchVector<ConvPhase> result;
  if (!transposed) {
    result.push_back({0, 1, axis.stride, axis.output, {}});
    for (int64_t tap = 0; tap < axis.kernel; ++tap) {
      result[0].taps.push_back({tap, tap * axis.dilation - axis.padding});
    }
    return result;
  }
  for (int64_t first = 0; first < std::min(axis.stride, axis.output); ++first) {
    ConvPhase phase{first, axis.stride, 1, ceil_divide(axis.output - first, axis.stride), {}};
    for (int64_t tap = 0; tap < axis.kernel; ++tap) {
      const int64_t distance = first + axis.padding - tap * axis.dilation;
      if (distance % axis.stride == 0) phase.taps.push_back({tap, distance / axis.stride});
    }
    result.push_back(std::move(phase));
  }
  return result;
}

/// Phases of an axis, with offsets relative to the start of its zero padding.
struct PaddedAxis {
  int64_t before = 0;  ///< zeros before the input
  int64_t extent = 0;  ///< elements of the padded input
  ScratchVector<ConvPhase> phases;

  PaddedAxis(const WindowAxis& axis, bool transposed) : phases(conv_phases(axis, transposed)) {
    int64_t end = axis.input;
    for (const ConvPhase& phase : phases) {
      for (const ConvPhase::Tap& tap : phase.taps) {
        before = std::max(before, -tap.offset);
        end = std::max(end, tap.offset + (phase.count - 1) * phase.in_step + 1);
      }
    }
    extent = before + end;
    for (ConvPhase& phase : phases) {
      for (ConvPhase::Tap& tap : phase.taps) tap.offset += before;
    }
  }
};

struct PaddedAxes {
  PaddedAxis depth;
  PaddedAxis height;
  PaddedAxis width;

  explicit PaddedAxes(const ConvGeometry& geometry)
      : depth(geometry.axes[0], geometry.transposed),
        height(geometry.axes[1], geometry.transposed),
        width(geometry.axes[2], geometry.transposed) {}

  const PaddedAxis& operator[](size_t d) const { return d == 0 ? depth : d == 1 ? height : width; }
};

/// Returns whether the padded input is not much larger than input and output together.
inline bool pads_little(const ConvGeometry& geometry) {
  const PaddedAxes axes(geometry);
  double size = 1;
  for (size_t d = 0; d < 3; ++d) size *= static_cast<double>(axes[d].extent);
  return size <= 4 * static_cast<double>(geometry.input_size() + geometry.output_size());
}

}  // namespace structured::kernels
