// Operators whose meta functions use many features of C++: the generator translates them for symbolic sizes.
#include <ATen/ops/empty.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/zeros.h>
#include <c10/util/irange.h>
#include <structured/torch.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace trial {
namespace {

/// One dimension of a window that moves over an input.
struct Axis {
  int64_t size = 0;
  int64_t window = 1;
  int64_t step = 1;
  int64_t padding = 0;
  int64_t count() const { return (size + 2 * padding - window) / step + 1; }
};

struct Windows {
  std::array<Axis, 2> axes;
  int64_t channels = 0;
};

int64_t element(at::IntArrayRef list, int64_t index) {
  return list.size() == 1 ? list[0] : list.at(static_cast<std::size_t>(index));
}

Windows windows_of(const at::Tensor& self, at::IntArrayRef window, at::IntArrayRef step, at::IntArrayRef padding) {
  TORCH_CHECK(self.dim() == 3 || self.dim() == 4, "windows: expected `self` to have 3 or 4 dimensions, got ",
              self.dim());
  Windows result;
  result.channels = self.size(-3);
  for (const auto d : c10::irange(2)) {
    Axis& axis = result.axes[static_cast<std::size_t>(d)];
    axis.size = self.size(self.dim() - 2 + d);
    axis.window = element(window, d);
    axis.step = step.empty() ? axis.window : element(step, d);
    axis.padding = element(padding, d);
    TORCH_CHECK(axis.window > 0 && axis.step > 0, "windows: expected positive `window` and `step`, got ", window,
                " and ", step);
    TORCH_CHECK(axis.size + 2 * axis.padding >= axis.window,
                "windows: expected `self` to be no smaller than a window, got sizes ", self.sizes());
  }
  return result;
}

at::Tensor zeros_of(const at::Tensor& out) { return at::zeros(out.sizes(), out.options()); }

template <class Sizes>
int64_t product_of(const Sizes& sizes) {
  int64_t result = 1;
  for (const int64_t size : sizes) result *= size;
  return result;
}

}  // namespace

/// Windows of an image [C, H, W] or [N, C, H, W]: each of `window` elements, `step` apart (by default adjacent), in an
/// image with `padding` on all sides.
[[structured::meta("windows", "windows.out")]]
void windows_meta(at::impl::MetaBase& op, const at::Tensor& self, [[structured::size(2)]] at::IntArrayRef window,
                  [[structured::size(2)]] at::IntArrayRef step = {},
                  [[structured::size(2)]] at::IntArrayRef padding = 0) {
  const Windows windows = windows_of(self, window, step, padding);
  at::DimVector sizes(self.sizes().begin(), self.sizes().end() - 2);
  for (const Axis& axis : windows.axes) sizes.push_back(axis.count());
  op.set_output_raw_strided(0, sizes, {}, self.options().memory_format(self.suggest_memory_format()));
}

[[structured::impl("windows.out", "CPU")]]
void windows_cpu([[maybe_unused]] const at::Tensor& self, [[maybe_unused]] at::IntArrayRef window,
                 [[maybe_unused]] at::IntArrayRef step, [[maybe_unused]] at::IntArrayRef padding,
                 const at::Tensor& out) {
  out.zero_();
}

/// Sum over dimensions, all if there are none, in the dtype `dtype`, by default Long for integers.
[[structured::meta("total", "total.out"), structured::sharding("...-dim -> ...")]]
void total_meta(at::impl::MetaBase& op, const at::Tensor& self, at::IntArrayRef dim = {}, bool keepdim = false,
                [[structured::kwonly]] c10::optional<at::ScalarType> dtype = c10::nullopt) {
  uint64_t reduced = 0;
  for (int64_t each : dim) {
    const int64_t wrapped = at::maybe_wrap_dim(each, self.dim());
    TORCH_CHECK((reduced >> wrapped & 1) == 0, "total: dimension ", wrapped, " is listed twice");
    reduced |= uint64_t{1} << wrapped;
  }
  if (dim.empty()) reduced = ~uint64_t{0};
  std::vector<int64_t> sizes;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (reduced >> d & 1) {
      if (!keepdim) continue;
      sizes.push_back(1);
    } else {
      sizes.push_back(self.size(d));
    }
  }
  const at::Tensor& out = op.maybe_get_output();
  at::ScalarType result = at::isIntegralType(self.scalar_type(), true) ? at::kLong : self.scalar_type();
  if (out.defined()) result = out.scalar_type();
  op.set_output_raw_strided(0, sizes, {}, self.options().dtype(dtype.value_or(result)));
}

[[structured::impl("total.out", "CPU")]]
void total_cpu([[maybe_unused]] const at::Tensor& self, [[maybe_unused]] at::IntArrayRef dim,
               [[maybe_unused]] bool keepdim, [[maybe_unused]] c10::optional<at::ScalarType> dtype,
               const at::Tensor& out) {
  out.zero_();
}

/// Joins tensors along a dimension; empty vectors are skipped.
[[structured::meta("join", "join.out")]]
void join_meta(at::impl::MetaBase& op, at::TensorList tensors, int64_t dim = 0) {
  TORCH_CHECK(!tensors.empty(), "join: expected tensors, got none");
  const auto is_skipped = [](const at::Tensor& tensor) { return tensor.dim() == 1 && tensor.numel() == 0; };
  std::size_t first = 0;
  while (first + 1 < tensors.size() && is_skipped(tensors[first])) ++first;
  std::vector<int64_t> sizes = tensors[first].sizes().vec();
  const int64_t wrapped = at::maybe_wrap_dim(dim, tensors[first].dim());
  at::ScalarType dtype = tensors[first].scalar_type();
  for (std::size_t i = first + 1; i < tensors.size(); ++i) {
    const at::Tensor& tensor = tensors[i];
    dtype = at::promoteTypes(dtype, tensor.scalar_type());
    if (is_skipped(tensor)) continue;
    TORCH_CHECK(tensor.dim() == static_cast<int64_t>(sizes.size()), "join: expected tensors with ", sizes.size(),
                " dimensions, got ", tensor.dim());
    for (int64_t d = 0; d < tensor.dim(); ++d) {
      if (d == wrapped) {
        sizes[static_cast<std::size_t>(d)] += tensor.size(d);
      } else {
        TORCH_CHECK(tensor.size(d) == sizes[static_cast<std::size_t>(d)], "join: expected size ",
                    sizes[static_cast<std::size_t>(d)], " in dimension ", d, ", got ", tensor.size(d));
      }
    }
  }
  op.set_output_raw_strided(0, sizes, {}, tensors[first].options().dtype(dtype));
}

[[structured::impl("join.out", "CPU")]]
void join_cpu([[maybe_unused]] at::TensorList tensors, [[maybe_unused]] int64_t dim, const at::Tensor& out) {
  out.zero_();
}

/// Rows of a matrix [N, K] times a matrix [K, M], with an optional bias [M], and the number of products (Long).
[[structured::meta("affine", "affine.out"), structured::returns("result", "count")]]
void affine_meta(at::impl::MetaBase& op, const at::Tensor& self, const at::Tensor& weight,
                 const c10::optional<at::Tensor>& bias = c10::nullopt) {
  TORCH_CHECK(self.dim() >= 2 && weight.dim() == 2, "affine: expected matrices");
  TORCH_CHECK(self.size(-1) == weight.size(0), "affine: expected `self` with ", weight.size(0), " columns, got ",
              self.size(-1));
  TORCH_CHECK(!bias.has_value() || bias->sizes() == at::IntArrayRef({weight.size(1)}), "affine: expected `bias` of ",
              weight.size(1), " elements");
  TORCH_CHECK(self.scalar_type() == weight.scalar_type(), "affine: expected one dtype, got ", self.scalar_type(),
              " and ", weight.scalar_type());
  at::DimVector sizes(self.sizes());
  sizes.back() = weight.size(1);
  op.set_output_contiguous(0, sizes, self.options());
  sizes.pop_back();
  op.set_output_raw_strided(1, sizes, {}, self.options().dtype(at::kLong));
}

[[structured::impl("affine.out", "CPU")]]
void affine_cpu([[maybe_unused]] const at::Tensor& self, [[maybe_unused]] const at::Tensor& weight,
                [[maybe_unused]] const c10::optional<at::Tensor>& bias, const at::Tensor& result,
                const at::Tensor& count) {
  result.zero_();
  count.zero_();
}

/// Moves a block of each dimension into a new one: [.., n, ..] becomes [.., n / block, block, ..] at `dim`.
[[structured::meta("blocks", "blocks.out")]]
void blocks_meta(at::impl::MetaBase& op, const at::Tensor& self, int64_t dim, int64_t block,
                 c10::string_view rest = "drop") {
  TORCH_CHECK(self.dim() > 0, "blocks: expected `self` to have dimensions");
  const auto wrapped = static_cast<std::size_t>(at::maybe_wrap_dim(dim, self.dim()));
  TORCH_CHECK_VALUE(block > 0, "blocks: expected a positive `block`, got ", block);
  at::DimVector sizes(self.sizes());
  int64_t& extent = sizes[wrapped];
  if (rest == "pad") {
    extent = (extent + block - 1) / block;
  } else if (rest == "drop") {
    extent /= block;
  } else {
    TORCH_CHECK(rest == "forbid", "blocks: expected `rest` to be \"pad\", \"drop\" or \"forbid\", got \"", rest, "\"");
    TORCH_CHECK(extent % block == 0, "blocks: expected a multiple of ", block, " elements, got ", extent);
    extent /= block;
  }
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(wrapped) + 1, block);
  op.set_output_raw_strided(0, sizes, {}, self.options());
}

[[structured::impl("blocks.out", "CPU")]]
void blocks_cpu([[maybe_unused]] const at::Tensor& self, [[maybe_unused]] int64_t dim, [[maybe_unused]] int64_t block,
                [[maybe_unused]] c10::string_view rest, const at::Tensor& out) {
  out.zero_();
}

/// A view of `self` as matrices, its norm by `kind`, in the strides of `self`.
[[structured::meta("norms", "norms_", "norms.out")]]
void norms_meta(at::impl::MetaBase& op, const at::Tensor& self, int64_t kind = 0, const at::Scalar& scale = 1) {
  TORCH_CHECK(scale.toDouble() > 0, "norms: expected a positive `scale`, got ", scale);
  at::ScalarType dtype = self.scalar_type();
  switch (kind) {
    case 0:
    case 1:
      break;
    case 2:
      TORCH_CHECK(at::isFloatingType(dtype), "norms: expected floating-point numbers, got ", dtype);
      break;
    default:
      TORCH_CHECK_INDEX(false, "norms: expected a `kind` from 0 to 2, got ", kind);
  }
  op.set_output_raw_strided(0, self.sizes(), self.strides(), self.options());
}

[[structured::impl("norms.out", "CPU")]]
void norms_cpu([[maybe_unused]] const at::Tensor& self, [[maybe_unused]] int64_t kind,
               [[maybe_unused]] const at::Scalar& scale, const at::Tensor& out) {
  out.zero_();
}

/// Pairs of rows and the flattened columns: [N, M, ...] and [K] become [N * K, product of the rest].
[[structured::meta("pairs", "pairs.out")]]
void pairs_meta(at::impl::MetaBase& op, const at::Tensor& self, const at::Tensor& other) {
  TORCH_CHECK(self.dim() >= 1 && other.dim() == 1, "pairs: expected `self` with a dimension and a vector `other`");
  const at::IntArrayRef sizes = self.sizes();
  const bool has_rows = std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size >= 0; });
  TORCH_CHECK(has_rows, "pairs: expected sizes");
  const int64_t rest = product_of(sizes.slice(1));
  const auto [rows, columns] = std::make_pair(sizes[0] * other.numel(), std::max<int64_t>(rest, 1));
  op.set_output_raw_strided(0, {rows, columns}, {},
                            self.options().dtype(at::promoteTypes(self.scalar_type(), other.scalar_type())));
}

[[structured::impl("pairs.out", "CPU")]]
void pairs_cpu([[maybe_unused]] const at::Tensor& self, [[maybe_unused]] const at::Tensor& other,
               const at::Tensor& out) {
  out.zero_();
}

/// `self` [n, ...] in the first of `size` rows.
[[structured::meta("in_rows", "in_rows.out")]]
void in_rows_meta(at::impl::MetaBase& op, const at::Tensor& self, [[structured::symint]] int64_t size,
                  [[structured::symint]] at::OptionalIntArrayRef rest = c10::nullopt) {
  TORCH_CHECK(size >= 0, "in_rows: expected a `size` of 0 or more, got ", size);
  at::DimVector sizes(self.sizes());
  sizes[0] = size;
  if (rest.has_value()) {
    for (const int64_t each : *rest) sizes.push_back(each);
  }
  op.set_output_raw_strided(0, sizes, {}, self.options());
}

[[structured::impl("in_rows.out", "CPU")]]
void in_rows_cpu([[maybe_unused]] const at::Tensor& self, [[maybe_unused]] int64_t size,
                 [[maybe_unused]] at::OptionalIntArrayRef rest, const at::Tensor& out) {
  out.zero_();
}

/// The positions of elements that are not zero, [n, dim].
[[structured::kernel("positions", "CPU"), structured::not_differentiable]]
at::Tensor positions(const at::Tensor& self) {
  return at::nonzero(self).contiguous();
}

[[structured::kernel("positions", "Meta")]]
at::Tensor positions_meta(const at::Tensor& self) {
  return at::empty({structured::dynamic_size(0, self.numel()), self.dim()}, self.options().dtype(at::kLong));
}

/// Whose meta function is not translated.
[[structured::meta("hashed", "hashed.out"), structured::allow("fixed-sizes")]]
void hashed_meta(at::impl::MetaBase& op, const at::Tensor& self) {
  const std::size_t hash = std::hash<int64_t>()(self.numel());
  op.set_output_raw_strided(0, {static_cast<int64_t>(hash % 2) + 1}, {}, self.options());
}

[[structured::impl("hashed.out", "CPU")]]
void hashed_cpu([[maybe_unused]] const at::Tensor& self, const at::Tensor& out) {
  out.copy_(zeros_of(out));
}

}  // namespace trial
