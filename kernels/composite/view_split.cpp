// Splitting a tensor into views along one dimension.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>
#include <structured/core/view_builder.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/narrow.h>
#include <structured/ops/tensor_split.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace structured::kernels {
namespace {

// View of the elements [start, start + length) along `dim`.
Tensor part(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  ViewBuilder view(self, sizes.size());
  for (auto d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    const auto at = static_cast<size_t>(d);
    view.prepend(d == dim ? length : sizes[at], strides[at]);
  }
  Tensor result = std::move(view).finish(self.storage_offset() + start * strides[static_cast<size_t>(dim)]);
  if (self.has_names()) [[unlikely]]
    set_names(result, self.names());
  return result;
}

int64_t cut_dim(const char* name, const Tensor& self, int64_t dim) {
  STRUCTURED_CHECK(self.dim() > 0, name, ": expected `self` to have at least one dimension");
  return wrap_dim(dim, self.dim());
}

std::vector<Tensor> equal_parts(const char* name, const Tensor& self, int64_t split_size, int64_t dim) {
  dim = cut_dim(name, self, dim);
  const int64_t extent = self.size(dim);
  STRUCTURED_CHECK(split_size > 0 || (split_size == 0 && extent == 0), name,
                   ": expected a size of parts of 1 or more, or of 0 for 0 elements, got ", split_size, " for ", extent,
                   " elements");
  const int64_t count = extent == 0 ? 1 : extent / split_size + (extent % split_size != 0);
  std::vector<Tensor> parts;
  parts.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    parts.push_back(part(self, dim, i * split_size, std::min(split_size, extent - i * split_size)));
  }
  return parts;
}

std::vector<Tensor> parts_of_sizes(const char* name, const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  dim = cut_dim(name, self, dim);
  int64_t left = self.size(dim);
  for (const int64_t size : split_sizes) {
    STRUCTURED_CHECK(0 <= size && size <= left, name, ": expected sizes of 0 or more that add up to ", self.size(dim),
                     ", got ", split_sizes);
    left -= size;
  }
  STRUCTURED_CHECK(left == 0, name, ": expected sizes that add up to ", self.size(dim), ", got ", split_sizes);
  std::vector<Tensor> parts;
  parts.reserve(split_sizes.size());
  int64_t start = 0;
  for (const int64_t size : split_sizes) {
    parts.push_back(part(self, dim, start, size));
    start += size;
  }
  return parts;
}

std::vector<Tensor> chunks_of(const char* name, const Tensor& self, int64_t chunks, int64_t dim) {
  dim = cut_dim(name, self, dim);
  STRUCTURED_CHECK(chunks > 0, name, ": expected `chunks` of 1 or more, got ", chunks);
  const int64_t extent = self.size(dim);
  if (extent == 0) {
    std::vector<Tensor> parts;
    for (int64_t i = 0; i < chunks; ++i) parts.push_back(part(self, dim, 0, 0));
    return parts;
  }
  return equal_parts(name, self, extent / chunks + (extent % chunks != 0), dim);
}

std::vector<Tensor> sections_of(const char* name, const Tensor& self, int64_t sections, int64_t dim) {
  dim = cut_dim(name, self, dim);
  STRUCTURED_CHECK(sections > 0, name, ": expected a number of sections of 1 or more, got ", sections);
  const int64_t least = self.size(dim) / sections;
  const int64_t longer = self.size(dim) % sections;  // number of leading parts with one more element
  std::vector<Tensor> parts;
  int64_t start = 0;
  for (int64_t i = 0; i < sections; ++i) {
    const int64_t size = least + (i < longer);
    parts.push_back(part(self, dim, start, size));
    start += size;
  }
  return parts;
}

// Views of the slices between consecutive `indices`, which may be unordered.
std::vector<Tensor> between(const char* name, const Tensor& self, IntArrayRef indices, int64_t dim) {
  dim = cut_dim(name, self, dim);
  const int64_t extent = self.size(dim);
  const auto position = [extent](int64_t value) {
    return std::clamp<int64_t>(value < 0 ? value + extent : value, 0, extent);
  };
  std::vector<Tensor> parts;
  int64_t start = 0;
  for (const int64_t index : indices) {
    const int64_t end = position(index);
    parts.push_back(part(self, dim, start, std::max<int64_t>(end - start, 0)));
    start = end;
  }
  parts.push_back(part(self, dim, start, extent - start));
  return parts;
}

void check_divisible(const char* name, const Tensor& self, int64_t least_rank, int64_t dim, int64_t sections) {
  STRUCTURED_CHECK(self.dim() >= least_rank, name, ": expected `self` to have ", least_rank,
                   " or more dimensions, got ", self.dim());
  STRUCTURED_CHECK(sections > 0 && self.size(dim) % sections == 0, name, ": expected a number of sections that ",
                   "divides size ", self.size(dim), " of dimension ", dim, ", got ", sections);
}

void check_rank(const char* name, const Tensor& self, int64_t least_rank) {
  STRUCTURED_CHECK(self.dim() >= least_rank, name, ": expected `self` to have ", least_rank,
                   " or more dimensions, got ", self.dim());
}

Tensor narrowed(const char* name, const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  STRUCTURED_CHECK(self.dim() > 0, name, ": expected `self` to have at least one dimension");
  dim = wrap_dim(dim, self.dim());
  const int64_t extent = self.size(dim);
  STRUCTURED_CHECK(-extent <= start && start <= extent, name, ": expected a `start` from ", -extent, " to ", extent,
                   ", got ", start);
  if (start < 0) start += extent;
  STRUCTURED_CHECK(0 <= length && length <= extent - start, name, ": expected a `length` from 0 to ", extent - start,
                   ", got ", length);
  return part(self, dim, start, length);
}

}  // namespace

/// Views of all slices of `self` along `dim`, without that dimension.
[[structured::kernel("unbind.int", "CompositeExplicitAutograd")]]
std::vector<Tensor> unbind([[structured::alias("a -> *")]] const Tensor& self, int64_t dim = 0) {
  dim = cut_dim("unbind", self, dim);
  const IntArrayRef sizes = self.sizes();
  const IntArrayRef strides = self.strides();
  const auto dropped = static_cast<size_t>(dim);
  DimVector sources;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) sources.push_back(d);
  }
  std::vector<Tensor> slices;
  slices.reserve(static_cast<size_t>(sizes[dropped]));
  for (int64_t i = 0; i < sizes[dropped]; ++i) {
    ViewBuilder view(self, sizes.size() - 1);
    for (size_t d = sizes.size(); d-- > 0;) {
      if (d != dropped) view.prepend(sizes[d], strides[d]);
    }
    Tensor slice = std::move(view).finish(self.storage_offset() + i * strides[dropped]);
    slices.push_back(self.has_names() ? named_view(std::move(slice), self, sources) : std::move(slice));
  }
  return slices;
}

/// Splits `self` along `dim` into views of size `split_size`; the last one may be smaller.
[[structured::kernel("split.Tensor", "CompositeExplicitAutograd")]]
std::vector<Tensor> split([[structured::alias("a -> *")]] const Tensor& self, int64_t split_size, int64_t dim = 0) {
  return equal_parts("split", self, split_size, dim);
}

/// Splits `self` along `dim` into views of the sizes `split_size`, which must add up to the size of the dimension.
[[structured::composite("split.sizes")]]
std::vector<Tensor> split_sizes([[structured::alias("a -> *")]] const Tensor& self, IntArrayRef split_size,
                                int64_t dim = 0) {
  return parts_of_sizes("split", self, split_size, dim);
}

/// Splits `self` along `dim` into views of the sizes `split_sizes`, which must add up to the size of the dimension.
[[structured::kernel("split_with_sizes", "CompositeExplicitAutograd")]]
std::vector<Tensor> split_with_sizes([[structured::alias("a -> *")]] const Tensor& self, IntArrayRef split_sizes,
                                     int64_t dim = 0) {
  return parts_of_sizes("split_with_sizes", self, split_sizes, dim);
}

/// Splits `self` along `dim` into parts of size `split_size`; the last one may be smaller. The schema does not declare
/// the results as aliases, for results that are not used together with `self`.
[[structured::kernel("unsafe_split.Tensor", "CompositeExplicitAutograd"),
  structured::variants("unsafe_split.Tensor_out")]]
std::vector<Tensor> unsafe_split(const Tensor& self, int64_t split_size, int64_t dim = 0) {
  return equal_parts("unsafe_split", self, split_size, dim);
}

/// Splits `self` along `dim` into parts of the sizes `split_sizes`, which must add up to the size of the dimension. The
/// schema does not declare the results as aliases, for results that are not used together with `self`.
[[structured::kernel("unsafe_split_with_sizes", "CompositeExplicitAutograd"),
  structured::variants("unsafe_split_with_sizes.out")]]
std::vector<Tensor> unsafe_split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0) {
  return parts_of_sizes("unsafe_split_with_sizes", self, split_sizes, dim);
}

/// Splits `self` along `dim` into at most `chunks` views of one size; the last one may be smaller.
[[structured::composite("chunk")]]
std::vector<Tensor> chunk([[structured::alias("a -> *")]] const Tensor& self, int64_t chunks, int64_t dim = 0) {
  return chunks_of("chunk", self, chunks, dim);
}

/// Splits `self` along `dim` into at most `chunks` parts of one size; the last one may be smaller. The schema does not
/// declare the results as aliases, for results that are not used together with `self`.
[[structured::composite("unsafe_chunk")]]
std::vector<Tensor> unsafe_chunk(const Tensor& self, int64_t chunks, int64_t dim = 0) {
  return chunks_of("unsafe_chunk", self, chunks, dim);
}

/// Splits `self` along `dim` into exactly `sections` views whose sizes differ by at most 1, larger ones first.
[[structured::kernel("tensor_split.sections", "CompositeExplicitAutograd")]]
std::vector<Tensor> tensor_split([[structured::alias("a -> *")]] const Tensor& self, int64_t sections,
                                 int64_t dim = 0) {
  return sections_of("tensor_split", self, sections, dim);
}

/// Splits `self` along `dim` into views at the positions `indices`: [0, i0), [i0, i1), ..., [in, size). Negative
/// positions count from the end; positions out of range are clamped.
[[structured::kernel("tensor_split.indices", "CompositeExplicitAutograd")]]
std::vector<Tensor> tensor_split_indices([[structured::alias("a -> *")]] const Tensor& self, IntArrayRef indices,
                                         int64_t dim = 0) {
  return between("tensor_split", self, indices, dim);
}

/// Splits `self` along `dim` into views: into exactly `tensor_indices_or_sections` ones if it is a scalar tensor
/// (Long), or at the positions in a vector (Long).
[[structured::composite("tensor_split.tensor_indices_or_sections")]]
std::vector<Tensor> tensor_split_of_tensor([[structured::alias("a -> *")]] const Tensor& self,
                                           const Tensor& tensor_indices_or_sections, int64_t dim = 0) {
  const Tensor& given = tensor_indices_or_sections;
  STRUCTURED_CHECK(given.scalar_type() == kLong && given.device().is_cpu(),
                   "tensor_split: expected `tensor_indices_or_sections` of dtype Long on the CPU, got ",
                   given.scalar_type(), " on ", given.device());
  STRUCTURED_CHECK(given.dim() <= 1,
                   "tensor_split: expected `tensor_indices_or_sections` to have at most 1 dimension, ", "got ",
                   given.dim());
  if (given.dim() == 0) return structured::tensor_split(self, given.item<int64_t>(), dim);
  return structured::tensor_split(self, IntArrayRef(to_vector<int64_t>(given)), dim);
}

/// Splits `self` horizontally into `sections` views of one size: along dimension 1, or dimension 0 of a vector.
/// `sections` must divide the size.
[[structured::kernel("hsplit.int", "CompositeExplicitAutograd")]]
std::vector<Tensor> hsplit([[structured::alias("a -> *")]] const Tensor& self, int64_t sections) {
  const int64_t dim = self.dim() == 1 ? 0 : 1;
  check_divisible("hsplit", self, 1, dim, sections);
  return sections_of("hsplit", self, sections, dim);
}

/// Splits `self` horizontally into views at the positions `indices`: along dimension 1, or dimension 0 of a vector.
[[structured::kernel("hsplit.array", "CompositeExplicitAutograd")]]
std::vector<Tensor> hsplit_array([[structured::alias("a -> *")]] const Tensor& self, IntArrayRef indices) {
  check_rank("hsplit", self, 1);
  return between("hsplit", self, indices, self.dim() == 1 ? 0 : 1);
}

/// Splits `self` vertically, along dimension 0, into `sections` views of one size. `sections` must divide the size;
/// `self` has at least 2 dimensions.
[[structured::kernel("vsplit.int", "CompositeExplicitAutograd")]]
std::vector<Tensor> vsplit([[structured::alias("a -> *")]] const Tensor& self, int64_t sections) {
  check_divisible("vsplit", self, 2, 0, sections);
  return sections_of("vsplit", self, sections, 0);
}

/// Splits `self` vertically, along dimension 0, into views at the positions `indices`. `self` has at least 2
/// dimensions.
[[structured::kernel("vsplit.array", "CompositeExplicitAutograd")]]
std::vector<Tensor> vsplit_array([[structured::alias("a -> *")]] const Tensor& self, IntArrayRef indices) {
  check_rank("vsplit", self, 2);
  return between("vsplit", self, indices, 0);
}

/// Splits `self` depthwise, along dimension 2, into `sections` views of one size. `sections` must divide the size;
/// `self` has at least 3 dimensions.
[[structured::kernel("dsplit.int", "CompositeExplicitAutograd")]]
std::vector<Tensor> dsplit([[structured::alias("a -> *")]] const Tensor& self, int64_t sections) {
  check_divisible("dsplit", self, 3, 2, sections);
  return sections_of("dsplit", self, sections, 2);
}

/// Splits `self` depthwise, along dimension 2, into views at the positions `indices`. `self` has at least 3 dimensions.
[[structured::kernel("dsplit.array", "CompositeExplicitAutograd")]]
std::vector<Tensor> dsplit_array([[structured::alias("a -> *")]] const Tensor& self, IntArrayRef indices) {
  check_rank("dsplit", self, 3);
  return between("dsplit", self, indices, 2);
}

/// View of the elements `start` to `start + length - 1` along `dim`. A negative `start` counts from the end.
[[structured::composite("narrow")]]
Tensor narrow([[structured::alias("a")]] const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  return narrowed("narrow", self, dim, start, length);
}

/// View of the elements `start` to `start + length - 1` along `dim`, where `start` is an integer scalar tensor. A
/// negative `start` counts from the end.
[[structured::composite("narrow.Tensor")]]
Tensor narrow_tensor([[structured::alias("a")]] const Tensor& self, int64_t dim, const Tensor& start, int64_t length) {
  STRUCTURED_CHECK(start.dim() == 0 && is_integral(start.scalar_type(), false),
                   "narrow: expected `start` to be an integer without dimensions, got sizes ", start.sizes(),
                   " and dtype ", start.scalar_type());
  return structured::narrow(self, dim, start.item<int64_t>(), length);
}

}  // namespace structured::kernels
