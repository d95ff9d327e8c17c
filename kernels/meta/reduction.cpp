// Shapes and dtypes of operators that reduce dimensions.
#include <structured/core/error.h>
#include <structured/core/names.h>
#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace structured::kernels {

/// The sum over the dimensions `dim` (all, if it is none or empty), which are left out of the result, or have size 1
/// with `keepdim`. Elements are converted to `dtype` first; without it, to the dtype of `out`, or Long for integers and
/// Bool.
[[structured::meta("sum.dim_IntList", "sum.IntList_out"), structured::device_check(false)]]
void sum_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] OptionalIntArrayRef dim, bool keepdim = false,
              [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt) {
  const Tensor& out = op.maybe_get_output();
  ScalarType result = is_integral(self.scalar_type(), true) ? kLong : self.scalar_type();
  if (out.defined()) result = out.scalar_type();
  const DimMask mask = reduced_dims("sum", dim, self.dim());
  op.set_output_raw_strided(0, reduced_sizes(self.sizes(), mask, keepdim), {},
                            self.options().dtype(dtype.value_or(result)));
  if (self.has_names()) [[unlikely]]
    op.set_output_names(0, reduced_names(self.names(), mask, keepdim));
}

/// The largest elements along `dim`, and where they are: the first of equal ones. NaN counts as larger than any number.
[[structured::meta("max.dim", "max.dim_max"), structured::returns("values", "indices"),
  structured::device_check(false)]]
void max_dim_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false) {
  STRUCTURED_CHECK((kRealTypes | kBool).contains(self.scalar_type()), "max: expected `self` of dtype ",
                   kRealTypes | kBool, ", got ", self.scalar_type());
  const int64_t wrapped = wrap_dim(dim, self.dim());
  STRUCTURED_CHECK(self.dim() == 0 || self.size(wrapped) != 0, "max: expected elements along dimension ", dim,
                   ", got sizes ", self.sizes());
  const DimMask mask = reduced_dims("max", wrapped, self.dim());
  const DimVector sizes = reduced_sizes(self.sizes(), mask, keepdim);
  op.set_output_raw_strided(0, sizes, {}, self.options());
  op.set_output_raw_strided(1, sizes, {}, self.options().dtype(kLong));
  if (self.has_names()) [[unlikely]] {
    const std::vector<Dimname> names = reduced_names(self.names(), mask, keepdim);
    op.set_output_names(0, names);
    op.set_output_names(1, names);
  }
}

}  // namespace structured::kernels
