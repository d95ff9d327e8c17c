// Meta functions of reflection and replication padding.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

#include <limits>

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kPaddedTypes = kRealTypes | kAllComplexTypes;

void set_padded(const char* name, MetaBase& op, const Tensor& self, IntArrayRef padding, size_t spatial,
                bool is_reflection) {
  STRUCTURED_CHECK(padding.size() == 2 * spatial, name, ": expected `padding` to have ", 2 * spatial, " elements, got ",
                   padding.size());
  STRUCTURED_CHECK(kPaddedTypes.contains(self.scalar_type()), name, ": expected `self` of dtype ", kPaddedTypes,
                   ", got ", self.scalar_type());
  const size_t rank = self.sizes().size();
  STRUCTURED_CHECK(rank == spatial + 1 || rank == spatial + 2, name, ": expected `self` to have ", spatial + 1, " or ",
                   spatial + 2, " dimensions, got sizes ", self.sizes());
  DimVector sizes(self.sizes());
  for (size_t d = rank - spatial - 1; d < rank; ++d) {
    STRUCTURED_CHECK(sizes[d] != 0, name, ": expected only the batch of `self` to be empty, got sizes ", self.sizes());
  }
  for (size_t d = 0; d < spatial; ++d) {
    int64_t& size = sizes[rank - 1 - d];
    const int64_t before = padding[2 * d];
    const int64_t after = padding[2 * d + 1];
    STRUCTURED_CHECK(!is_reflection || (before < size && after < size), name,
                     ": expected `padding` to be less than the size that is reflected, ", size, ", got ", before,
                     " and ", after);
    int64_t padded = 0;
    STRUCTURED_CHECK(!__builtin_add_overflow(size, before, &padded) &&
                         !__builtin_add_overflow(padded, after, &padded) && padded >= 1,
                     name, ": expected `padding` to give a positive size for input size ", size, ", got ", before,
                     " and ", after);
    size = padded;
  }
  op.set_output_raw_strided(0, sizes, {}, self.options());
}

}  // namespace

/// Reflection padding of the last dimension of `self` [N, C, W] or [C, W] by `padding` = [left, right]; the border
/// element is not repeated. Padding must be less than the size; negative padding crops. Bool is not
/// supported.
[[structured::meta("reflection_pad1d", "reflection_pad1d.out")]]
void reflection_pad1d_meta(MetaBase& op, const Tensor& self, [[structured::size(2)]] IntArrayRef padding) {
  set_padded("reflection_pad1d", op, self, padding, 1, true);
}

/// Reflection padding of the last two dimensions of `self` [N, C, H, W] or [C, H, W] by `padding` = [left, right, top,
/// bottom]; border elements are not repeated. Padding must be less than the size; negative padding crops. Bool is not
/// supported.
[[structured::meta("reflection_pad2d", "reflection_pad2d.out")]]
void reflection_pad2d_meta(MetaBase& op, const Tensor& self, [[structured::size(4)]] IntArrayRef padding) {
  set_padded("reflection_pad2d", op, self, padding, 2, true);
}

/// Reflection padding of the last three dimensions of `self` [N, C, D, H, W] or [C, D, H, W] by `padding` = [left,
/// right, top, bottom, front, back]; border elements are not repeated. Padding must be less than the size; negative
/// padding crops. Bool is not supported.
[[structured::meta("reflection_pad3d", "reflection_pad3d.out")]]
void reflection_pad3d_meta(MetaBase& op, const Tensor& self, [[structured::size(6)]] IntArrayRef padding) {
  set_padded("reflection_pad3d", op, self, padding, 3, true);
}

/// Replication padding of the last dimension of `self` [N, C, W] or [C, W] by `padding` = [left, right]: border
/// elements are repeated. Negative padding crops. Bool is not supported.
[[structured::meta("replication_pad1d", "replication_pad1d.out")]]
void replication_pad1d_meta(MetaBase& op, const Tensor& self, [[structured::size(2)]] IntArrayRef padding) {
  set_padded("replication_pad1d", op, self, padding, 1, false);
}

/// Replication padding of the last two dimensions of `self` [N, C, H, W] or [C, H, W] by `padding` = [left, right, top,
/// bottom]: border elements are repeated. Negative padding crops. Bool is not supported.
[[structured::meta("replication_pad2d", "replication_pad2d.out")]]
void replication_pad2d_meta(MetaBase& op, const Tensor& self, [[structured::size(4)]] IntArrayRef padding) {
  set_padded("replication_pad2d", op, self, padding, 2, false);
}

/// Replication padding of the last three dimensions of `self` [N, C, D, H, W] or [C, D, H, W] by `padding` = [left,
/// right, top, bottom, front, back]: border elements are repeated. Negative padding crops. Bool is not
/// supported.
[[structured::meta("replication_pad3d", "replication_pad3d.out")]]
void replication_pad3d_meta(MetaBase& op, const Tensor& self, [[structured::size(6)]] IntArrayRef padding) {
  set_padded("replication_pad3d", op, self, padding, 3, false);
}

}  // namespace structured::kernels
