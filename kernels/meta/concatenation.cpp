// Meta functions of cat and stack.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/dimname.h>
#include <structured/core/memory_format.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_impl.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/type_promotion.h>
#include <structured/kernel/meta_base.h>

#include <algorithm>
#include <vector>

namespace structured::kernels {
namespace {

// A 1-d tensor of size 0 can be concatenated with anything, a legacy rule of ATen.
bool is_skipped(const Tensor& tensor) { return tensor.dim() == 1 && tensor.size(0) == 0; }

void check_joinable(const Tensor& first, const Tensor& other, int64_t dim, size_t index) {
  STRUCTURED_CHECK(first.dim() == other.dim(), "cat: expected all tensors to have ", first.dim(), " dimensions, got ",
                   other.dim(), " for tensor number ", index);
  const IntArrayRef expected = first.sizes();
  const IntArrayRef found = other.sizes();
  for (size_t d = 0; d < expected.size(); ++d) {
    STRUCTURED_CHECK(static_cast<int64_t>(d) == dim || expected[d] == found[d],
                     "cat: sizes must match except in dimension ", dim, ": expected size ", expected[d],
                     " in dimension ", d, ", got ", found[d], " for tensor number ", index);
  }
}

// Unified names of all tensors of rank `rank`.
std::vector<Dimname> joined_names(TensorList tensors, int64_t rank) {
  std::vector<Dimname> names;
  for (const Tensor& tensor : tensors) {
    if (tensor.dim() == rank) names = unify_names(names, tensor.names());
  }
  return names;
}

// Memory format that all tensors share, otherwise contiguous.
MemoryFormat joined_format(TensorList tensors) {
  const MemoryFormat first = tensors[0].suggest_memory_format();
  const bool is_common = std::all_of(tensors.begin(), tensors.end(),
                                     [first](const Tensor& tensor) { return tensor.suggest_memory_format() == first; });
  return is_common ? first : MemoryFormat::Contiguous;
}

// Fast path: total size of vectors with one dtype and device, which need no further checks. Returns 0 for other
// tensors.
int64_t joined_vectors(TensorList tensors) {
  const TensorImpl* const first = tensors[0].impl();
  int64_t joined = 0;
  for (const Tensor& tensor : tensors) {
    const TensorImpl* const impl = tensor.impl();
    if (impl == nullptr || impl->rank() != 1 || impl->signature() != first->signature() ||
        impl->has_flag(TensorFlags::kUncommon) || impl->numel() == 0 ||
        __builtin_add_overflow(joined, impl->numel(), &joined)) {
      return 0;
    }
  }
  return joined;
}

}  // namespace

/// Concatenates `tensors` along the existing dimension `dim`. All other sizes must agree; 1-d tensors of size 0 are
/// skipped. The result has the promoted dtype, and the memory format of the inputs if they share one.
[[structured::meta("cat", "cat.out")]]
void cat_meta(MetaBase& op, TensorList tensors, int64_t dim = 0) {
  STRUCTURED_CHECK(!tensors.empty(), "cat: expected a non-empty list of tensors");
  if (const int64_t size = joined_vectors(tensors); size != 0 && dim == 0 && !op.maybe_get_output(0).defined()) {
    return op.set_output_raw_strided(0, size, {}, tensors[0].options());
  }
  const Tensor* first = nullptr;
  size_t index = 0;
  int64_t joined = 0;
  for (const Tensor& tensor : tensors) {
    STRUCTURED_CHECK(tensor.dim() > 0, "cat: zero-dimensional tensors cannot be joined");
    if (!is_skipped(tensor)) {
      if (first == nullptr) {
        first = &tensor;
        dim = wrap_dim(dim, tensor.dim());
      } else {
        check_joinable(*first, tensor, dim, index);
      }
      const int64_t size = tensor.sizes()[static_cast<size_t>(dim)];
      STRUCTURED_CHECK(!__builtin_add_overflow(joined, size, &joined), "cat: sizes along dimension ", dim,
                       " add up to more than an int64 holds");
    }
    ++index;
  }
  const Tensor& like = first == nullptr ? tensors[0] : *first;
  DimVector sizes(like.sizes());
  if (first != nullptr) {  // otherwise nothing is joined and `dim` has no effect
    sizes[static_cast<size_t>(dim)] = joined;
  }
  const Tensor& out = op.maybe_get_output(0);
  ScalarType result = result_type(tensors);
  if (out.defined()) {
    STRUCTURED_CHECK(can_cast(result, out.scalar_type()), "cat: the result has dtype ", result,
                     ", which `out` of dtype ", out.scalar_type(), " cannot hold");
    result = out.scalar_type();
  }
  const MemoryFormat format =
      sizes.size() == 4 || sizes.size() == 5 ? joined_format(tensors) : MemoryFormat::Contiguous;
  const DimVector strides = format == MemoryFormat::Contiguous ? DimVector() : strides_for(sizes, format);
  op.set_output_raw_strided(0, sizes, strides, TensorOptions(result, like.device()));
  if (std::any_of(tensors.begin(), tensors.end(), [](const Tensor& tensor) { return tensor.has_names(); })) [[unlikely]]
    op.set_output_names(0, joined_names(tensors, like.dim()));
}

/// Stacks `tensors`, which must have one shape, along a new dimension `dim`. The result has the promoted dtype.
[[structured::meta("stack", "stack.out")]]
void stack_meta(MetaBase& op, TensorList tensors, int64_t dim = 0) {
  STRUCTURED_CHECK(!tensors.empty(), "stack: expected a non-empty list of tensors");
  const Tensor& first = tensors[0];
  dim = wrap_dim(dim, first.dim() + 1);
  size_t index = 0;
  for (const Tensor& tensor : tensors) {
    STRUCTURED_CHECK(tensor.sizes() == first.sizes(), "stack: expected all tensors to have sizes ", first.sizes(),
                     ", got ", tensor.sizes(), " for tensor number ", index);
    ++index;
  }
  DimVector sizes(first.sizes());
  sizes.insert(static_cast<size_t>(dim), static_cast<int64_t>(tensors.size()));
  const Tensor& out = op.maybe_get_output(0);
  ScalarType result = result_type(tensors);
  if (out.defined()) {
    STRUCTURED_CHECK(can_cast(result, out.scalar_type()), "stack: the result has dtype ", result,
                     ", which `out` of dtype ", out.scalar_type(), " cannot hold");
    result = out.scalar_type();
  }
  op.set_output_raw_strided(0, sizes, {}, TensorOptions(result, first.device()));
}

}  // namespace structured::kernels
