#include "structured/kernel/adaptors.h"

#include <memory>

#include "structured/base/argument_part.h"
#include "structured/base/error.h"
#include "structured/core/dim_vector.h"
#include "structured/core/factory.h"
#include "structured/core/memory_format.h"
#include "structured/core/names.h"
#include "structured/core/tensor_impl.h"
#include "structured/kernel/outputs.h"
#include "structured/kernel/overlap.h"
#include "structured/kernel/resize.h"

namespace structured::detail {
namespace {

MemoryFormat format_of(TensorOptions options) { return options.memory_format_opt().value_or(MemoryFormat::Contiguous); }

STRUCTURED_COLD void resize_out(const Tensor& out, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
  if (strides.empty()) {
    resize_strided(out, sizes, strides_for(sizes, format_of(options)));
  } else {
    resize_strided(out, sizes, strides);
  }
}

void check_kind(std::size_t index, const Tensor& tensor, TensorOptions options) {
  STRUCTURED_CHECK(tensor.scalar_type() == options.dtype(), ArgumentPart::output(index), "expected output ", index,
                   " of dtype ", options.dtype(), ", got ", tensor.scalar_type());
  STRUCTURED_CHECK(tensor.device() == options.device(), ArgumentPart::output(index), "expected output ", index, " on ",
                   options.device(), ", got one on ", tensor.device());
}

const Tensor* with_strides(const Tensor& tensor, Tensor& proxy, IntArrayRef sizes, IntArrayRef strides,
                           TensorOptions options) {
  if (tensor.strides() == strides) {
    return &tensor;
  }
  if (strides.empty() && tensor.strides() == strides_for(sizes, format_of(options))) {
    return &tensor;
  }
  allocate_output(proxy, sizes, strides, options);
  return &proxy;
}

bool is_neighbour(const Tensor& output, const Tensor& input) {
  return output.storage().is_same(input.storage()) && !output.is_same(input);
}

}  // namespace

namespace {

__attribute__((noinline)) void allocate_unusual_output(Tensor& output, IntArrayRef sizes, IntArrayRef strides,
                                                       TensorOptions options) {
  output = strides.empty() ? empty(sizes, options) : empty_strided(sizes, strides, options);
}

}  // namespace

void allocate_output(Tensor& output, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
  if (!strides.empty() || !options.is_plain() || !options.has_signature() || output.defined()) [[unlikely]]
    return allocate_unusual_output(output, sizes, strides, options);
  std::construct_at(&output, Tensor::adopt(TensorImpl::create_contiguous(sizes, options.signature())));  // was null
}

void fit_out(std::size_t index, const Tensor& out, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
  check_kind(index, out, options);
  out.storage().check_writable();
  if (should_resize_output(out, sizes, index)) [[unlikely]] {
    resize_out(out, sizes, strides, options);
  }
  assert_no_internal_overlap(out);
}

const Tensor* fit_out_strided(std::size_t index, const Tensor& out, Tensor& proxy, IntArrayRef sizes,
                              IntArrayRef strides, TensorOptions options) {
  fit_out(index, out, sizes, strides, options);
  return with_strides(out, proxy, sizes, strides, options);
}

void check_inplace(const Tensor& self, IntArrayRef sizes, TensorOptions options) {
  constexpr ArgumentPart written = ArgumentPart::output(0);
  self.storage().check_writable();
  STRUCTURED_CHECK(self.scalar_type() == options.dtype(), written, "expected an in-place result of dtype ",
                   self.scalar_type(), ", got ", options.dtype());
  STRUCTURED_CHECK(self.device() == options.device(), written, "expected an in-place result on ", self.device(),
                   ", got one on ", options.device());
  STRUCTURED_CHECK(self.sizes() == sizes, written, "expected an in-place result of sizes ", self.sizes(), ", got ",
                   sizes);
  assert_no_internal_overlap(self);
}

const Tensor* check_inplace_strided(const Tensor& self, Tensor& proxy, IntArrayRef sizes, IntArrayRef strides,
                                    TensorOptions options) {
  check_inplace(self, sizes, options);
  return with_strides(self, proxy, sizes, strides, options);
}

void check_outputs_disjoint(Tensor* const* outs, const Tensor* const* current, uint32_t set, std::size_t index) {
  for (std::size_t i = 0; set >> i != 0; ++i) {
    if (i == index || (set >> i & 1) == 0 || !current[i]->defined()) {
      continue;
    }
    const Overlap found = overlap(*outs[index], *outs[i]);
    if (found == Overlap::full || found == Overlap::partial) [[unlikely]] {
      throw_outputs_overlap(i, index);
    }
  }
}

bool check_disjoint(const Tensor& output, const Tensor& input) {
  if (!output.defined()) return false;
  assert_no_overlap(output, input);
  return is_neighbour(output, input);
}

bool check_same_or_disjoint(const Tensor& output, const Tensor& input) {
  if (!output.defined()) return false;
  assert_no_partial_overlap(output, input);
  return is_neighbour(output, input);
}

void throw_outputs_overlap(std::size_t first, std::size_t second) {
  fail(ArgumentPart::output(second), "expected outputs that do not overlap, got outputs ", first, " and ", second,
       " with memory in common");
}

void throw_output_index(int64_t index, std::size_t count) {
  fail("expected the index of an output below ", count, ", got ", index);
}

void throw_output_not_set(std::size_t index) {
  fail(ArgumentPart::output(index), "output ", index, " was not set by the meta function");
}

}  // namespace structured::detail

namespace structured {

template class Functional<MetaBase, 1>;

}  // namespace structured
