#include "structured/kernel/meta_base.h"

#include "structured/base/argument_part.h"
#include "structured/base/error.h"
#include "structured/core/memory_format.h"
#include "structured/core/names.h"

namespace structured {

void MetaBase::set_output_raw_strided(int64_t, IntArrayRef, IntArrayRef, TensorOptions) {}

void MetaBase::set_output_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
  set_output_raw_strided(index, sizes, strides, options);
}

void MetaBase::set_output_contiguous(int64_t index, IntArrayRef sizes, TensorOptions options) {
  const MemoryFormat format = options.memory_format_opt().value_or(MemoryFormat::Contiguous);
  set_output_strided(index, sizes, strides_for(sizes, format), options.memory_format(std::nullopt));
}

void MetaBase::set_output_like(int64_t index, const Tensor& like) {
  set_output_raw_strided(index, like.sizes(), like.is_contiguous() ? IntArrayRef() : like.strides(),
                         TensorOptions(like.dtype(), like.device()));
}

void MetaBase::set_output_names(int64_t index, DimnameList names) { name_output(maybe_get_output(index), names); }

void MetaBase::set_output_undefined(int64_t) {}

const Tensor& MetaBase::maybe_get_output(int64_t index) {
  fail("output ", index, " requested from an operator without an adaptor; wrap it in Functional, Out or Inplace");
}

void MetaBase::fail_claim(int64_t index, std::size_t count) {
  STRUCTURED_CHECK(static_cast<uint64_t>(index) < count, "expected the index of an output below ", count, ", got ",
                   index);
  fail(detail::ArgumentPart::output(static_cast<std::size_t>(index)), "output ", index,
       " was set twice by the meta function");
}

}  // namespace structured
