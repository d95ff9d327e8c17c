// Shapes of upsampling: the last dimensions of [batch, channels, spatial...] are given anew.
#include <structured/core/error.h>
#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

#include <optional>

namespace structured::kernels {

/// Nearest-neighbour upsampling of `self` [n, c, w] to [n, c, output_size[0]]. `scales` is output over input width
/// where the caller knows it more exactly than the two sizes tell.
[[structured::meta("upsample_nearest1d", "upsample_nearest1d.out")]]
void upsample_nearest1d_meta(MetaBase& op, const Tensor& self,
                             [[structured::size(1), structured::symint]] IntArrayRef output_size,
                             [[maybe_unused]] std::optional<double> scales = std::nullopt) {
  STRUCTURED_CHECK(output_size.size() == 1, "upsample_nearest1d: expected `output_size` to have 1 element, got ",
                   output_size.size());
  STRUCTURED_CHECK(self.dim() == 3 && self.size(1) != 0 && self.size(2) != 0,
                   "upsample_nearest1d: expected `self` to be [batch, channels, width] with only the batch possibly "
                   "empty, got sizes ",
                   self.sizes());
  STRUCTURED_CHECK(output_size[0] > 0, "upsample_nearest1d: expected a positive output width, got ", output_size[0]);
  op.set_output_raw_strided(0, {self.size(0), self.size(1), output_size[0]}, {}, self.options());
}

}  // namespace structured::kernels
