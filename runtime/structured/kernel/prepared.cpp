#include "structured/kernel/prepared.h"

#include "structured/base/error.h"
#include "structured/core/dim_vector.h"

namespace structured::detail {

struct PreparedCall::Shape {
  Tensor tensor;
  const void* data;
  DimVector sizes;
  DimVector strides;
  Shape* next;
};

PreparedCall::~PreparedCall() {
  while (shapes_ != nullptr) delete std::exchange(shapes_, shapes_->next);
}

void PreparedCall::remember(const Tensor& tensor) {
  shapes_ = new Shape{tensor, tensor.data(), DimVector(tensor.sizes()), DimVector(tensor.strides()), shapes_};
}

void PreparedCall::check() const {
  for (const Shape* shape = shapes_; shape != nullptr; shape = shape->next) {
    const Tensor& tensor = shape->tensor;
    STRUCTURED_CHECK(tensor.sizes() == shape->sizes && tensor.strides() == shape->strides,
                     "a prepared operator's tensor was resized: expected sizes ", shape->sizes, " and strides ",
                     shape->strides, ", got ", tensor.sizes(), " and ", tensor.strides(), "; prepare it again");
    STRUCTURED_CHECK(tensor.data() == shape->data, "a prepared operator's tensor of sizes ", tensor.sizes(),
                     " has moved: its storage was resized; prepare it again");
  }
}

}  // namespace structured::detail
