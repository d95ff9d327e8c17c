// Names of dimensions.
#include <structured/core/error.h>
#include <structured/core/factory.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>

#include <optional>

namespace structured::kernels {

/// Gives the dimensions of `self` these names, `*` for none; takes all names away without a list.
[[structured::kernel("rename_", "CompositeExplicitAutograd")]]
Tensor& rename_(Tensor& self, std::optional<DimnameList> names) {
  detail::set_names(self, names.value_or(DimnameList()));
  return self;
}

/// `self` with other names, over the same storage.
[[structured::kernel("rename", "CompositeExplicitAutograd")]]
Tensor rename([[structured::alias("a")]] const Tensor& self, std::optional<DimnameList> names) {
  Tensor result = detail::as_strided_view(self, self.sizes(), self.strides(), self.storage_offset());
  detail::set_names(result, names.value_or(DimnameList()));
  return result;
}

/// `self` with names where it has none. Those that it has stay; `names` must say the same, or the wildcard, there.
[[structured::kernel("refine_names", "CompositeExplicitAutograd")]]
Tensor refine_names([[structured::alias("a")]] const Tensor& self, DimnameList names) {
  STRUCTURED_CHECK(static_cast<int64_t>(names.size()) == self.dim(), "refine_names: expected a name for each of ",
                   self.dim(), " dimensions, got ", names);
  for (size_t d = 0; self.has_names() && d < names.size(); ++d) {
    const Dimname own = self.names()[d];
    STRUCTURED_CHECK(own.is_wildcard() || own == names[d], "refine_names: expected `", own, "` for dimension ", d,
                     ", which is called so, got `", names[d], "`");
  }
  Tensor result = detail::as_strided_view(self, self.sizes(), self.strides(), self.storage_offset());
  detail::set_names(result, names);
  return result;
}

}  // namespace structured::kernels
