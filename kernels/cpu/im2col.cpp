// im2col and col2im on CPU.
#include "im2col.h"
#include "shared/dense.h"

#include <structured/number/visit.h>

#include "meta/window_geometry.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
[[structured::impl("im2col.out", "CPU")]]
void im2col_cpu(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                IntArrayRef stride, const Tensor& out) {
  if (out.numel() == 0) return;
  ConvGeometry geometry =
      window_geometry("im2col", {self.size(-2), self.size(-1)}, {kernel_size, dilation, padding, stride});
  geometry.input_channels = self.numel() / geometry.input_size();  // processes the channels of all samples together
  visit<kAllFloatingTypes | kComplexTypes | kBool>("im2col", self.scalar_type(), [&]<class T>() {
    const Tensor in = dense(self, self.scalar_type());
    write_windows<T>(geometry, in.data_ptr<T>(), 0, geometry.axes[1].output, out.data_ptr<T>());
  });
}

[[structured::impl("col2im.out", "CPU")]]
void col2im_cpu(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
                IntArrayRef padding, IntArrayRef stride, const Tensor& out) {
  if (out.numel() == 0) return;
  const ConvGeometry geometry = window_geometry("col2im", output_size, {kernel_size, dilation, padding, stride});
  visit<kAllFloatingTypes | kComplexTypes>("col2im", self.scalar_type(), [&]<class T>() {
    const Tensor in = dense(self, self.scalar_type());
    add_windows<T>(geometry, out.numel() / geometry.input_size(), in.data_ptr<T>(), nullptr, out.data_ptr<T>());
  });
}

}  // namespace structured::kernels
