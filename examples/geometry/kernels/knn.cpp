// Nearest neighbours in a ragged batch of point clouds.
#include <ATen/Parallel.h>
#include <ATen/ops/zeros.h>
#include <geometry/ops.h>
#include <structured/torch.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "ragged.h"

namespace geometry {
namespace {

template <typename T>
T squared_distance(const T* a, const T* b, int64_t dims) {
  T sum = 0;
  for (int64_t d = 0; d < dims; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

}  // namespace

/// The `k` nearest points of each query, by rising distance, and their squared distances.
///
/// `points` [N, D] and `queries` [M, D] are batches of clouds, of one dtype, float or double. Cloud b has the points
/// from `point_offsets[b]` to `point_offsets[b + 1]`, and its queries are those from `query_offsets[b]`; both offsets,
/// [B + 1] and of dtype Long, increase from 0 to N and to M. `distances` and `indices`, rows of `points` of dtype Long,
/// are [M, k]. If a cloud has fewer than `k` points, the rest of a row is infinite and -1. Among equal distances, the
/// first point is the nearest. Throws for other shapes, dtypes and offsets, and unless `k` is positive. Distances have
/// derivatives of all orders. Within torch.autocast they are computed in float.
[[structured::meta("knn"), structured::returns("distances", "indices"), structured::autocast("fp32")]]
void knn_meta(at::impl::MetaBase& op, const at::Tensor& points, const at::Tensor& queries,
              const at::Tensor& point_offsets, const at::Tensor& query_offsets, int64_t k) {
  TORCH_CHECK(points.dim() == 2, "knn: expected `points` with sizes [N, D], got ", points.sizes());
  TORCH_CHECK(queries.dim() == 2 && queries.size(1) == points.size(1), "knn: expected `queries` with sizes [M, ",
              points.size(1), "], got ", queries.sizes());
  TORCH_CHECK(queries.scalar_type() == points.scalar_type(), "knn: expected `queries` of dtype ", points.scalar_type(),
              ", that of `points`, got ", queries.scalar_type());
  TORCH_CHECK(point_offsets.dim() == 1 && point_offsets.size(0) > 0,
              "knn: expected `point_offsets` with sizes [B + 1], got ", point_offsets.sizes());
  TORCH_CHECK(query_offsets.dim() == 1 && query_offsets.size(0) == point_offsets.size(0),
              "knn: expected `query_offsets` with sizes [", point_offsets.size(0), "], got ", query_offsets.sizes());
  TORCH_CHECK(point_offsets.scalar_type() == at::kLong && query_offsets.scalar_type() == at::kLong,
              "knn: expected offsets of dtype Long, got ", point_offsets.scalar_type(), " and ",
              query_offsets.scalar_type());
  TORCH_CHECK(k > 0, "knn: expected a positive `k`, got ", k);
  op.set_output_contiguous(0, {queries.size(0), k}, points.options());
  op.set_output_contiguous(1, {queries.size(0), k}, points.options().dtype(at::kLong));
}

[[structured::impl("knn", "CPU")]]
void knn_cpu(const at::Tensor& points, const at::Tensor& queries, const at::Tensor& point_offsets,
             const at::Tensor& query_offsets, int64_t k, const at::Tensor& distances, const at::Tensor& indices) {
  const at::Tensor rows = points.contiguous(), query_rows = queries.contiguous();
  const at::Tensor bounds = point_offsets.contiguous(), query_bounds = query_offsets.contiguous();
  const at::ArrayRef<int64_t> bound = integers(bounds), query_bound = integers(query_bounds);
  check_offsets("knn", "point_offsets", bound, points.size(0));
  check_offsets("knn", "query_offsets", query_bound, queries.size(0));
  const int64_t dims = points.size(1);
  indices.fill_(-1);
  AT_DISPATCH_FLOATING_TYPES(points.scalar_type(), "knn", [&] {
    distances.fill_(std::numeric_limits<scalar_t>::infinity());
    const auto* point = rows.const_data_ptr<scalar_t>();
    const auto* query = query_rows.const_data_ptr<scalar_t>();
    for (std::size_t cloud = 0; cloud + 1 < bound.size(); ++cloud) {
      const int64_t first = bound[cloud], count = bound[cloud + 1] - first;
      const int64_t kept = std::min(k, count);
      at::parallel_for(query_bound[cloud], query_bound[cloud + 1], /*grain_size=*/16, [&](int64_t begin, int64_t end) {
        std::vector<std::pair<scalar_t, int64_t>> candidates(count);
        for (int64_t i = begin; i < end; ++i) {
          for (int64_t j = 0; j < count; ++j) {
            candidates[j] = {squared_distance(query + i * dims, point + (first + j) * dims, dims), first + j};
          }
          std::partial_sort(candidates.begin(), candidates.begin() + kept, candidates.end());
          for (int64_t j = 0; j < kept; ++j) {
            distances.data_ptr<scalar_t>()[i * k + j] = candidates[j].first;
            indices.data_ptr<int64_t>()[i * k + j] = candidates[j].second;
          }
        }
      });
    }
  });
}

// Calls differentiable operators. Neighbours that a cloud does not have stand for the first point, with a zero factor.
[[structured::backward("knn", "points", "queries")]]
std::tuple<at::Tensor, at::Tensor> knn_backward(const at::Tensor& grad_distances, const at::Tensor& points,
                                                const at::Tensor& queries, const at::Tensor& indices) {
  if (points.sym_size(0) == 0) return {points.mul(0), queries.mul(0)};
  const at::Tensor index = indices.clamp_min(0).flatten();
  const at::Tensor neighbours =
      points.index_select(0, index).view_symint({indices.sym_size(0), indices.sym_size(1), points.sym_size(1)});
  const at::Tensor factors = grad_distances.masked_fill(indices.lt(0), 0).mul(2).unsqueeze(2);
  const at::Tensor by_pair = queries.unsqueeze(1).sub(neighbours).mul(factors);
  const at::Tensor by_points =
      at::zeros_symint(points.sym_sizes(), points.options()).index_add(0, index, by_pair.flatten(0, 1).neg());
  return {by_points, by_pair.sum(1)};
}

}  // namespace geometry
