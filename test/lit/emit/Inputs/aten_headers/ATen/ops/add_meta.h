#pragma once
#include "aten_mock.h"

namespace at {
namespace meta {

struct structured_add_Tensor : public TensorIteratorBase {
  void meta(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha);
};

}  // namespace meta
}  // namespace at
