// Non-maximum suppression.
#include <ATen/Parallel.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/empty.h>
#include <structured/torch.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace geometry {
namespace {

void check_arguments(const at::Tensor& boxes, const at::Tensor& scores, double iou_threshold) {
  TORCH_CHECK(boxes.dim() == 2 && boxes.size(1) == 4, "nms: expected `boxes` with sizes [N, 4], got ", boxes.sizes());
  TORCH_CHECK(scores.dim() == 1 && scores.size(0) == boxes.size(0), "nms: expected `scores` with sizes [",
              boxes.size(0), "], as many as boxes, got ", scores.sizes());
  TORCH_CHECK(scores.scalar_type() == boxes.scalar_type(), "nms: expected `scores` of dtype ", boxes.scalar_type(),
              ", that of `boxes`, got ", scores.scalar_type());
  TORCH_CHECK(iou_threshold >= 0 && iou_threshold <= 1, "nms: expected `iou_threshold` between 0 and 1, got ",
              iou_threshold);
}

/// Returns the area of a box x1, y1, x2, y2.
template <typename T>
T area(const T* box) {
  return (box[2] - box[0]) * (box[3] - box[1]);
}

/// Returns the area that two boxes share, divided by the area that they cover. Boxes without an area share none.
template <typename T>
T intersection_over_union(const T* a, const T* b) {
  const T width = std::min(a[2], b[2]) - std::max(a[0], b[0]);
  const T height = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  if (!(width > T(0) && height > T(0))) return T(0);
  const T shared = width * height;
  return shared / (area(a) + area(b) - shared);
}

/// Returns the indices of the boxes that are kept, among boxes that `order` sorts by falling scores.
template <typename T>
std::vector<int64_t> kept_boxes(const T* boxes, at::ArrayRef<int64_t> order, double iou_threshold) {
  const auto count = static_cast<int64_t>(order.size());
  std::vector<int64_t> kept;
  std::vector<char> is_suppressed(order.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    if (is_suppressed[i]) continue;
    kept.push_back(order[i]);
    const T* box = boxes + 4 * order[i];
    at::parallel_for(i + 1, count, /*grain_size=*/4096, [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) {
        if (intersection_over_union(box, boxes + 4 * order[j]) > iou_threshold) is_suppressed[j] = 1;
      }
    });
  }
  return kept;
}

}  // namespace

/// Indices of the boxes that non-maximum suppression keeps, by falling score.
///
/// A box is kept unless its intersection over union with a kept box of a higher score exceeds `iou_threshold`; among
/// equal scores, the first box counts as the higher one. `boxes` [N, 4] has the corners x1, y1, x2, y2 with x1 <= x2
/// and y1 <= y2, and `scores` [N] is of the same dtype, float or double. The result is of dtype Long and has one
/// dimension, whose size is at most N and depends on the values. Throws for other shapes and dtypes, and for a
/// threshold outside [0, 1].
[[structured::kernel("nms", "CPU"), structured::not_differentiable]]
at::Tensor nms(const at::Tensor& boxes, const at::Tensor& scores, double iou_threshold) {
  check_arguments(boxes, scores, iou_threshold);
  const at::Tensor order = at::argsort(scores, /*stable=*/true, /*dim=*/0, /*descending=*/true);
  const at::Tensor corners = boxes.contiguous();
  std::vector<int64_t> kept;
  AT_DISPATCH_FLOATING_TYPES(boxes.scalar_type(), "nms", [&] {
    kept = kept_boxes(corners.const_data_ptr<scalar_t>(),
                      {order.const_data_ptr<int64_t>(), static_cast<std::size_t>(order.numel())}, iou_threshold);
  });
  at::Tensor result = at::empty({static_cast<int64_t>(kept.size())}, boxes.options().dtype(at::kLong));
  std::copy(kept.begin(), kept.end(), result.data_ptr<int64_t>());
  return result;
}

/// The number of boxes that are kept depends on their values.
[[structured::kernel("nms", "Meta")]]
at::Tensor nms_meta(const at::Tensor& boxes, const at::Tensor& scores, double iou_threshold) {
  check_arguments(boxes, scores, iou_threshold);
  return at::empty({structured::dynamic_size(0, boxes.size(0))}, boxes.options().dtype(at::kLong));
}

}  // namespace geometry
