// Copies on a device: from any strides and dtype to any others.
#include "structured/cuda/loops.cuh"

namespace structured::cuda::detail {
namespace {

template <class T>
struct Copy {
  __device__ T operator()(T self) const { return self; }
};

}  // namespace

extern const PointwiseTable copy_table;
const PointwiseTable copy_table = pointwise_table<kAllTypes, false, Copy>();

}  // namespace structured::cuda::detail
