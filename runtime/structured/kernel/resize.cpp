#include "structured/kernel/resize.h"

#include <cstddef>

#include "structured/base/argument_part.h"
#include "structured/base/error.h"
#include "structured/core/dimname.h"
#include "structured/core/factory.h"
#include "structured/core/memory_format.h"
#include "structured/core/tensor_impl.h"

namespace structured {

bool detail::should_resize_output(const Tensor& output, IntArrayRef sizes, std::size_t index) {
  if (output.sizes() == sizes) {
    return false;
  }
  STRUCTURED_CHECK(!output.has_names(), ArgumentPart::output(index),
                   "an output with names cannot be resized: expected one of sizes ", sizes, ", got one of sizes ",
                   output.sizes(), " with the names ", output.names());
  if (output.numel() != 0) {
    warn(ArgumentPart::output(index), "an output of sizes ", output.sizes(), " was resized to ", sizes,
         " although it had elements; pass one of those sizes, or one without elements");
  }
  return true;
}

bool should_resize_output(const Tensor& output, IntArrayRef sizes) {
  return detail::should_resize_output(output, sizes, detail::ArgumentPart::kOnly);
}

bool resize_output(const Tensor& output, IntArrayRef sizes) {
  if (!should_resize_output(output, sizes)) {
    return false;
  }
  resize_strided(output, sizes, contiguous_strides(sizes));
  return true;
}

void resize_strided(const Tensor& tensor, IntArrayRef sizes, IntArrayRef strides) {
  const std::size_t nbytes =
      detail::storage_nbytes(sizes, strides, item_size(tensor.scalar_type()), tensor.storage_offset());
  if (nbytes > tensor.storage().nbytes()) {
    tensor.storage().resize(nbytes);
  }
  tensor.impl()->set_sizes_and_strides(sizes, strides);
}

}  // namespace structured
