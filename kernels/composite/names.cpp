// Named dimensions.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>

#include <optional>

namespace structured::kernels {

/// Sets the dimension names of `self` in place; `*` leaves a dimension unnamed, None removes all names.
[[structured::kernel("rename_", "CompositeExplicitAutograd")]]
Tensor& rename_(Tensor& self, std::optional<DimnameList> names) {
  set_names(self, names.value_or(DimnameList()));
  return self;
}

/// View of `self` with other dimension names; `*` leaves a dimension unnamed, None removes all names.
[[structured::kernel("rename", "CompositeExplicitAutograd")]]
Tensor rename([[structured::alias("a")]] const Tensor& self, std::optional<DimnameList> names) {
  Tensor result = as_strided(self, self.sizes(), self.strides(), self.storage_offset());
  set_names(result, names.value_or(DimnameList()));
  return result;
}

/// View of `self` with names for its unnamed dimensions. `names` has one name for each dimension and must repeat the
/// existing names.
[[structured::kernel("refine_names", "CompositeExplicitAutograd")]]
Tensor refine_names([[structured::alias("a")]] const Tensor& self, DimnameList names) {
  STRUCTURED_CHECK(static_cast<int64_t>(names.size()) == self.dim(), "refine_names: expected a name for each of ",
                   self.dim(), " dimensions, got ", names);
  for (size_t d = 0; self.has_names() && d < names.size(); ++d) {
    const Dimname own = self.names()[d];
    STRUCTURED_CHECK(own.is_wildcard() || own == names[d], "refine_names: expected `", own, "` for dimension ", d,
                     ", its existing name, got `", names[d], "`");
  }
  Tensor result = as_strided(self, self.sizes(), self.strides(), self.storage_offset());
  set_names(result, names);
  return result;
}

}  // namespace structured::kernels
