// Differences of neighbouring elements.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/memory/scratch.h>
#include <structured/ops/cat.h>
#include <structured/ops/clone.h>
#include <structured/ops/logical_xor.h>
#include <structured/ops/narrow.h>
#include <structured/ops/sub.h>
#include <structured/structured.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace structured::kernels {

/// Differences of neighbouring elements along `dim`, `n` times; `prepend` and `append` are concatenated with `self`
/// before, unless `n` is 0. Each time the result is one element shorter, and stays empty. Bool has the result of
/// `logical_xor`.
[[structured::composite("diff"), structured::variants("diff.out")]]
Tensor diff(const Tensor& self, int64_t n = 1, int64_t dim = -1, const std::optional<Tensor>& prepend = {},
            const std::optional<Tensor>& append = {}) {
  STRUCTURED_CHECK(n >= 0, "diff: expected `n` of 0 or more, got ", n);
  STRUCTURED_CHECK(self.dim() > 0, "diff: expected `self` to have 1 dimension or more, got none");
  dim = wrap_dim(dim, self.dim());
  if (n == 0) return structured::clone(self);
  ScratchVector<Tensor> parts;
  if (prepend && prepend->defined()) parts.push_back(*prepend);
  parts.push_back(self);
  if (append && append->defined()) parts.push_back(*append);
  Tensor result = parts.size() == 1 ? self : structured::cat(parts, dim);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t count = std::max<int64_t>(result.size(dim) - 1, 0);
    const Tensor left = structured::narrow(result, dim, 0, count);
    const Tensor right = structured::narrow(result, dim, result.size(dim) - count, count);
    result = result.scalar_type() == kBool ? structured::logical_xor(right, left) : structured::sub(right, left);
    if (count == 0) break;
  }
  return result;
}

}  // namespace structured::kernels
