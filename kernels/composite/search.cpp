// Searching for a scalar.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/number/scalar.h>
#include <structured/ops/bucketize.h>
#include <structured/ops/searchsorted.h>

#include <optional>
#include <string_view>

namespace structured::kernels {
namespace {

// Scalar tensor on the device of `like` that takes part in type promotion as a scalar.
Tensor scalar_as_tensor(const Scalar& value, const Tensor& like) {
  const Tensor number = wrapped_scalar_tensor(value);
  if (like.is_cpu()) return number;
  const Tensor result = empty({}, number.options().device(like.device()));
  if (!like.is_meta()) copy_into(result, number);
  return result;
}

}  // namespace

/// Binary search: insertion index of the scalar `self` in the ascending vector `sorted_sequence`, before equal
/// elements, or after them if `right` or `side` is "right". Returns a scalar tensor of dtype Long, or Int if
/// `out_int32`.
[[structured::kernel("searchsorted.Scalar", "CompositeExplicitAutograd"),
  structured::variants("searchsorted.Scalar_out"), structured::not_differentiable]]
Tensor searchsorted_scalar(const Tensor& sorted_sequence, const Scalar& self,
                           [[structured::kwonly]] bool out_int32 = false, bool right = false,
                           std::optional<std::string_view> side = std::nullopt,
                           const std::optional<Tensor>& sorter = std::nullopt) {
  return structured::searchsorted(sorted_sequence, scalar_as_tensor(self, sorted_sequence), out_int32, right, side,
                                  sorter);
}

/// Index of the bucket between the ascending `boundaries` [B] that contains the scalar `self`. A value equal to a
/// boundary is in the bucket before it, or after it if `right`. Returns a scalar tensor of dtype Long, or Int if
/// `out_int32`.
[[structured::kernel("bucketize.Scalar", "CompositeExplicitAutograd"), structured::variants("bucketize.Scalar_out"),
  structured::not_differentiable]]
Tensor bucketize_scalar(const Scalar& self, const Tensor& boundaries, [[structured::kwonly]] bool out_int32 = false,
                        bool right = false) {
  return structured::bucketize(scalar_as_tensor(self, boundaries), boundaries, out_int32, right);
}

}  // namespace structured::kernels
