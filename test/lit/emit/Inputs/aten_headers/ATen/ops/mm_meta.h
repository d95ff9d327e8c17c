#pragma once
#include "aten_mock.h"

namespace at {
namespace meta {

struct structured_mm : public at::impl::MetaBase {
  void meta(const at::Tensor& self, const at::Tensor& mat2);
};

}  // namespace meta
}  // namespace at
