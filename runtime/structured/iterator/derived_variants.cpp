#include "structured/iterator/derived_variants.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "structured/base/error.h"
#include "structured/core/memory_format.h"
#include "structured/core/tensor_impl.h"
#include "structured/iterator/copy.h"
#include "structured/kernel/outputs.h"
#include "structured/kernel/resize.h"

namespace structured::detail {

namespace {

// Returns the layout that `output` has after a resize to `sizes`, in its storage, which may be too small for it.
Tensor resized_layout(const Tensor& output, IntArrayRef sizes) {
  TensorImpl* const impl = TensorImpl::create(output.storage(), output.device(), output.scalar_type());
  impl->set_sizes_and_strides(sizes, contiguous_strides(sizes));
  impl->set_storage_offset(output.storage_offset());
  return Tensor::adopt(impl);
}

}  // namespace

void store_results(std::string_view name, ArrayRef<Tensor> results, TensorList out) {
  if (const std::size_t scope = name.find("::"); scope != std::string_view::npos) name.remove_prefix(scope + 2);
  STRUCTURED_CHECK(results.size() == out.size(), name, ": expected ", results.size(), " tensors in `out`, got ",
                   out.size());
  std::vector<Tensor> layouts;
  layouts.reserve(out.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    STRUCTURED_CHECK(out[i].scalar_type() == results[i].scalar_type(), name, ": expected an output of dtype ",
                     results[i].scalar_type(), ", got ", out[i].scalar_type());
    const IntArrayRef sizes = results[i].sizes();
    layouts.push_back(should_resize_output(out[i], sizes) ? resized_layout(out[i], sizes) : out[i]);
  }
  const TensorList resized(layouts);
  const Outputs outputs(resized);
  // Results may be views of an input, and outputs may share its memory: every such result is copied before a write.
  std::vector<Tensor> sources(results.begin(), results.end());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto shares_memory = [&](const Tensor& output) { return output.storage().is_same(sources[i].storage()); };
    if (!out[i].is_same(sources[i]) && std::any_of(out.begin(), out.end(), shares_memory)) {
      sources[i] = copy_of(sources[i]);
    }
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!layouts[i].is_same(out[i])) resize_strided(out[i], layouts[i].sizes(), layouts[i].strides());
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (out[i].is_same(results[i])) continue;
    copy_into(out[i], sources[i]);
    out[i].bump_version();
  }
}

Tensor copy_of(const Tensor& self) {
  const Tensor result = empty_in_order_of(self, self.options());
  copy_into(result, self);
  return result;
}

}  // namespace structured::detail
