#pragma once
// What normalisation and what goes back through it have in common.
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/iterator/copy.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "dense.h"

namespace structured::kernels {

/// The elements of an optional parameter, or `count` times `value`.
template <class T>
std::vector<T> elements_of(const std::optional<Tensor>& tensor, int64_t count, T value) {
  std::vector<T> result(static_cast<size_t>(count), value);
  if (tensor && tensor->defined()) {
    const Tensor values = dense(*tensor, scalar_type_of<T>);
    std::copy_n(values.data_ptr<T>(), count, result.data());
  }
  return result;
}

/// Runs `body.operator()<T>()` for the type in which numbers of `dtype` are computed.
template <class Body>
void visit_computed(ScalarType dtype, const Body& body) {
  if (dtype == kDouble) {
    body.template operator()<double>();
  } else {
    body.template operator()<float>();
  }
}

/// [samples, channels, size], or with the channels last.
struct Planes {
  int64_t samples;
  int64_t channels;
  int64_t size;
  bool channels_last;
};

inline MemoryFormat format_of(const Tensor& input) {
  const MemoryFormat format = input.suggest_memory_format();
  return input.is_contiguous() ? MemoryFormat::Contiguous : format;
}

inline Planes planes_of(const Tensor& input, MemoryFormat format) {
  int64_t size = 1;
  for (int64_t d = 2; d < input.dim(); ++d) size *= input.size(d);
  // Channels of single elements are columns, whatever they are called.
  return {input.size(0), input.size(1), size, format != MemoryFormat::Contiguous || size == 1};
}

/// Copies numbers, one for each element of `out`, into it.
template <class T>
void store_elements(const Tensor& out, const std::vector<T>& values) {
  structured::detail::copy_into(out,
                                structured::detail::tensor<T>(ArrayRef<T>(values.data(), values.size()), out.sizes()));
}

}  // namespace structured::kernels
