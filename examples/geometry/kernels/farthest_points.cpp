// Farthest point sampling in a ragged batch of point clouds.
#include <ATen/Parallel.h>
#include <structured/torch.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "ragged.h"

namespace geometry {
namespace {

/// Writes the indices of `count` points, beginning with the first one. Each further point is the farthest one from
/// those that are chosen.
template <typename T>
void choose_points(const T* points, int64_t begin, int64_t end, int64_t dims, int64_t count, int64_t* indices) {
  std::vector<T> distances(end - begin, std::numeric_limits<T>::infinity());
  int64_t last = begin;
  for (int64_t i = 0; i < count; ++i) {
    indices[i] = last;
    int64_t farthest = begin;
    for (int64_t j = begin; j < end; ++j) {
      T sum = 0;
      for (int64_t d = 0; d < dims; ++d) {
        const T difference = points[j * dims + d] - points[last * dims + d];
        sum += difference * difference;
      }
      T& distance = distances[j - begin];
      // A chosen point is not chosen again, even if all other points equal chosen ones.
      distance = j == last ? T(-1) : std::min(distance, sum);
      if (distance > distances[farthest - begin]) farthest = j;
    }
    last = farthest;
  }
}

}  // namespace

/// Indices of `count` points of each cloud that are far from each other.
///
/// The first point of a cloud is chosen first, and then the point whose distance from the nearest chosen point is
/// largest; among equal distances, the first one. `points` is [N, D], float or double; cloud b has the points from
/// `offsets[b]` to `offsets[b + 1]`, and `offsets` [B + 1], of dtype Long, increases from 0 to N. The result is [B,
/// count], rows of `points` of dtype Long. If a cloud has fewer points, the rest of a row is -1. Throws for other
/// shapes, dtypes and offsets, and unless `count` is positive.
///
/// Source: Eldar et al., The farthest point strategy for progressive image sampling, 1997.
[[structured::meta("farthest_points"), structured::not_differentiable, structured::autocast("fp32")]]
void farthest_points_meta(at::impl::MetaBase& op, const at::Tensor& points, const at::Tensor& offsets, int64_t count) {
  TORCH_CHECK(points.dim() == 2, "farthest_points: expected `points` with sizes [N, D], got ", points.sizes());
  TORCH_CHECK(offsets.dim() == 1 && offsets.size(0) > 0, "farthest_points: expected `offsets` with sizes [B + 1], got ",
              offsets.sizes());
  TORCH_CHECK(offsets.scalar_type() == at::kLong, "farthest_points: expected `offsets` of dtype Long, got ",
              offsets.scalar_type());
  TORCH_CHECK(count > 0, "farthest_points: expected a positive `count`, got ", count);
  op.set_output_contiguous(0, {offsets.size(0) - 1, count}, points.options().dtype(at::kLong));
}

[[structured::impl("farthest_points", "CPU")]]
void farthest_points_cpu(const at::Tensor& points, const at::Tensor& offsets, int64_t count, const at::Tensor& out) {
  const at::Tensor rows = points.contiguous(), bounds = offsets.contiguous();
  const at::ArrayRef<int64_t> bound = integers(bounds);
  check_offsets("farthest_points", "offsets", bound, points.size(0));
  out.fill_(-1);
  AT_DISPATCH_FLOATING_TYPES(points.scalar_type(), "farthest_points", [&] {
    at::parallel_for(0, out.size(0), /*grain_size=*/1, [&](int64_t begin, int64_t end) {
      for (int64_t cloud = begin; cloud < end; ++cloud) {
        const int64_t kept = std::min(count, bound[cloud + 1] - bound[cloud]);
        choose_points(rows.const_data_ptr<scalar_t>(), bound[cloud], bound[cloud + 1], points.size(1), kept,
                      out.data_ptr<int64_t>() + cloud * count);
      }
    });
  });
}

}  // namespace geometry
