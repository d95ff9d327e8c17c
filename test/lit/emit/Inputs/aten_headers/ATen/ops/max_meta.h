#pragma once
#include "aten_mock.h"

namespace at {
namespace meta {

struct structured_max_dim : public at::impl::MetaBase {
  template <bool DIM = false>
  struct precompute_out {
    int64_t dim;
  };
  using meta_return_ty = precompute_out<true>;
  meta_return_ty meta(const at::Tensor& self, int64_t dim, bool keepdim);
};

}  // namespace meta
}  // namespace at
