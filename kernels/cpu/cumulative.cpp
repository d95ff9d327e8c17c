// Cumulative sums and products on CPU.
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/config.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/tensor_iterator.h>
#include <structured/number/convert.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "math/accumulate_type.h"

namespace structured::kernels {
namespace {

template <class Combine>
void accumulate(const char* name, const Tensor& self, int64_t dim, const Tensor& out, Combine combine) {
  if (!out.is_same(self)) copy_into(out, self);
  if (self.dim() == 0 || self.numel() == 0) return;
  const int64_t wrapped = wrap_dim(dim, self.dim());
  const int64_t count = out.size(wrapped);
  const int64_t step = out.stride(wrapped);
  TensorIteratorConfig config;
  config.check_memory_overlap(false).resize_outputs(false).declare_static_shape(out.sizes(), wrapped).add_output(out);
  const TensorIterator rows = config.build();
  visit<kAllTypes>(name, out.scalar_type(), [&]<class T>() {
    using Running = WideAccumulateType<T>;
    rows.for_each(Loop1d([&](char* const* data, const int64_t* strides, int64_t size) {
                    for (int64_t k = 0; k < size; ++k) {
                      T* element = reinterpret_cast<T*>(data[0] + k * strides[0]);
                      Running running = convert<Running>(*element);
                      for (int64_t i = 1; i < count; ++i) {
                        element += step;
                        running = combine(running, convert<Running>(*element));
                        *element = convert<T>(running);
                      }
                    }
                  }),
                  std::max<int64_t>(1, kGrainSize / count));
  });
}

}  // namespace

[[structured::impl("cumsum.out", "CPU")]]
void cumsum_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  accumulate("cumsum", self, dim, out, [](auto a, auto b) { return a + b; });
}

[[structured::impl("cumprod.out", "CPU")]]
void cumprod_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  accumulate("cumprod", self, dim, out, [](auto a, auto b) { return a * b; });
}

}  // namespace structured::kernels
