#pragma once
// Helpers shared by normalization and its gradients.
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/memory/scratch.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "shared/dense.h"

namespace structured::kernels {

/// Returns the elements of an optional parameter, or `count` times `value`.
template <class T>
ScratchVector<T> elements_of(const std::optional<Tensor>& tensor, int64_t count, T value) {
  ScratchVector<T> result(static_cast<size_t>(count), value);
  if (tensor && tensor->defined()) {
    const Tensor values = dense(*tensor, scalar_type_of<T>);
    std::copy_n(values.data_ptr<T>(), count, result.data());
  }
  return result;
}

/// Calls `body.operator()<T>()` with the type in which tensors of `dtype` are computed.
template <class Body>
void visit_computed(ScalarType dtype, const Body& body) {
  if (dtype == kDouble) {
    body.template operator()<double>();
  } else {
    body.template operator()<float>();
  }
}

/// Shape [samples, channels, size], or [samples, size, channels] for channels-last tensors.
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
  // Planes of one element have the same layout in both formats; columns are faster.
  return {input.size(0), input.size(1), size, format != MemoryFormat::Contiguous || size == 1};
}

/// Copies `values`, one for each element, to `out`.
template <class T>
void store_elements(const Tensor& out, const ScratchVector<T>& values) {
  structured::copy_into(out, structured::tensor<T>(ArrayRef<T>(values.data(), values.size()), out.sizes()));
}

}  // namespace structured::kernels
