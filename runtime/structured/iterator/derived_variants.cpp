#include "structured/iterator/derived_variants.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "structured/core/error.h"
#include "structured/iterator/copy.h"
#include "structured/kernel/outputs.h"
#include "structured/kernel/overlap.h"
#include "structured/kernel/resize.h"

namespace structured::detail {

void store_results(std::string_view name, ArrayRef<Tensor> results, TensorList out) {
  if (const std::size_t scope = name.find("::"); scope != std::string_view::npos) name.remove_prefix(scope + 2);
  STRUCTURED_CHECK(results.size() == out.size(), name, ": expected ", results.size(), " tensors in `out`, got ",
                   out.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    STRUCTURED_CHECK(out[i].scalar_type() == results[i].scalar_type(), name, ": expected an output of dtype ",
                     results[i].scalar_type(), ", got ", out[i].scalar_type());
    if (out[i].sizes() == results[i].sizes()) assert_no_internal_overlap(out[i]);  // others are resized
  }
  // Results may be views of an input, and outputs may share its memory: every such result is copied before a write.
  std::vector<Tensor> sources(results.begin(), results.end());
  for (Tensor& source : sources) {
    const auto shares_memory = [&](const Tensor& output) { return output.storage().is_same(source.storage()); };
    if (std::any_of(out.begin(), out.end(), shares_memory)) source = copy_of(source);
  }
  for (std::size_t i = 0; i < results.size(); ++i) resize_output(out[i], sources[i].sizes());
  const Outputs outputs(out);  // resized ones may overlap
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
