// Derivatives of samples of images at the points of a grid: a sample is a sum of elements, weighted by functions of the
// coordinates.
#include <structured/core/dim_vector.h>
#include <structured/ops/_to_copy.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/clamp.h>
#include <structured/ops/div.h>
#include <structured/ops/expand.h>
#include <structured/ops/floor.h>
#include <structured/ops/fmod.h>
#include <structured/ops/gather.h>
#include <structured/ops/ge.h>
#include <structured/ops/gt.h>
#include <structured/ops/le.h>
#include <structured/ops/logical_and.h>
#include <structured/ops/lt.h>
#include <structured/ops/mul.h>
#include <structured/ops/ne.h>
#include <structured/ops/ones_like.h>
#include <structured/ops/reshape.h>
#include <structured/ops/round.h>
#include <structured/ops/rsub.h>
#include <structured/ops/select.h>
#include <structured/ops/sub.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/where.h>

#include <cstdint>
#include <vector>

#include "derivatives/formula.h"

namespace structured::derivatives {

namespace {

enum Interpolation : int64_t { kLinear, kNearest, kCubic };
enum Padding : int64_t { kZeros, kBorder, kReflection };

struct Sampling {
  int64_t interpolation;
  int64_t padding;
  bool align_corners;
};

// Positions (Long) along a dimension for each point, and their weights, which are 0 outside the image.
struct Tap {
  Tensor positions;
  Tensor weights;
};

// Reflects `x` into [low, high].
Tensor reflected(const Tensor& x, double low, double high) {
  const double span = high - low;
  if (span <= 0) return structured::mul(x, 0.0);
  const Tensor distance = structured::abs(structured::sub(x, low));
  const Tensor rest = structured::fmod(distance, span);
  const Tensor turns = structured::floor(structured::div(distance.detach(), span));
  const Tensor is_mirrored = structured::ne(structured::fmod(turns, 2), 0);
  return structured::add(structured::where(is_mirrored, structured::rsub(rest, span), rest), low);
}

// Moves coordinates into the image, unless the padding is zeros. They have no gradient where they are moved to a
// border.
Tensor padded(Tensor x, int64_t size, const Sampling& sampling) {
  const auto last = static_cast<double>(size - 1);
  if (sampling.padding == kReflection) {
    x = sampling.align_corners ? reflected(x, 0, last) : reflected(x, -0.5, last + 0.5);
  }
  if (sampling.padding == kZeros) return x;
  const Tensor is_inside = structured::logical_and(structured::gt(x, 0), structured::lt(x, last));
  return structured::where(is_inside, x, structured::clamp(x.detach(), 0, last));
}

Tap tap_at(const Tensor& positions, int64_t size, const Tensor& weights) {
  const Tensor is_inside = structured::logical_and(structured::ge(positions, 0), structured::le(positions, size - 1));
  return {structured::_to_copy(structured::where(is_inside, positions, Scalar(0.0)), kLong),
          structured::where(is_inside, weights, Scalar(0.0))};
}

std::vector<Tap> taps_at(const Tensor& coordinates, int64_t size, const Sampling& sampling) {
  const Tensor moved = structured::add(coordinates, 1);
  const Tensor x = sampling.align_corners ? structured::mul(moved, static_cast<double>(size - 1) / 2)
                                          : structured::sub(structured::mul(moved, static_cast<double>(size) / 2), 0.5);
  if (sampling.interpolation == kCubic) {
    constexpr double a = -0.75;
    const auto polynomial = [](const Tensor& t, double c3, double c2, double c1, double c0) {
      Tensor sum = structured::add(structured::mul(t, c3), c2);
      sum = structured::add(structured::mul(sum, t), c1);
      return structured::add(structured::mul(sum, t), c0);
    };
    const auto near = [&](const Tensor& t) { return polynomial(t, a + 2, -(a + 3), 0, 1); };
    const auto far = [&](const Tensor& t) { return polynomial(t, a, -5 * a, 8 * a, -4 * a); };
    const Tensor below = structured::floor(x.detach());
    const Tensor part = structured::sub(x, below);
    const Tensor weights[] = {far(structured::add(part, 1)), near(part), near(structured::rsub(part, 1)),
                              far(structured::rsub(part, 2))};
    std::vector<Tap> taps;
    for (int k = 0; k < 4; ++k) {
      taps.push_back(tap_at(padded(structured::add(below, k - 1), size, sampling), size, weights[k]));
    }
    return taps;
  }
  const Tensor inside = padded(x, size, sampling);
  if (sampling.interpolation == kNearest) {
    return {tap_at(structured::round(inside.detach()), size, structured::ones_like(inside.detach()))};
  }
  const Tensor below = structured::floor(inside.detach());
  const Tensor part = structured::sub(inside, below);
  return {tap_at(below, size, structured::rsub(part, 1)), tap_at(structured::add(below, 1), size, part)};
}

// Samples of `input` [N, C, sizes] at the points `grid` [N, P, dimensions]: [N, C, P].
Tensor samples(const Tensor& input, const Tensor& grid, const Sampling& sampling) {
  const int64_t dimensions = input.dim() - 2;
  const int64_t images = input.size(0);
  const int64_t channels = input.size(1);
  const Tensor points = structured::reshape(grid, {images, grid.numel() / (images * dimensions), dimensions});
  std::vector<Tap> taps;
  for (int64_t d = 0; d < dimensions; ++d) {
    const int64_t size = input.size(d + 2);
    const std::vector<Tap> along = taps_at(structured::select(points, -1, dimensions - 1 - d), size, sampling);
    if (d == 0) {
      taps = along;
      continue;
    }
    std::vector<Tap> combined;
    for (const Tap& first : taps) {
      for (const Tap& second : along) {
        combined.push_back({structured::add(structured::mul(first.positions, size), second.positions),
                            structured::mul(first.weights, second.weights)});
      }
    }
    taps = std::move(combined);
  }
  const Tensor elements = structured::reshape(input, {images, channels, input.numel() / (images * channels)});
  Tensor sum;
  for (const Tap& tap : taps) {
    const Tensor places = structured::expand(structured::unsqueeze(tap.positions, 1), {images, channels, -1});
    const Tensor part = structured::mul(structured::gather(elements, 2, places), structured::unsqueeze(tap.weights, 1));
    sum = sum.defined() ? structured::add(sum, part) : part;
  }
  return sum;
}

}  // namespace

[[structured::backward("grid_sampler_2d")]] [[structured::backward("grid_sampler_3d")]]
TwoTensors grid_sampler(const Tensor& grad, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                        int64_t padding_mode, bool align_corners) {
  if (grad.numel() == 0) return {};
  const auto function = [&](const std::vector<Tensor>& inputs) {
    const Tensor result = samples(inputs[0], inputs[1], {interpolation_mode, padding_mode, align_corners});
    return std::vector<Tensor>{structured::reshape(result, grad.sizes())};
  };
  const std::vector<Tensor> result = gradients_through(function, {input, grid}, {grad});
  return {result[0], result[1]};
}

}  // namespace structured::derivatives
