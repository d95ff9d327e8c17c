#pragma once
// Checks that the tensors which an operator writes do not share elements with those that it reads, with the messages of
// ATen.
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "structured/torch_stable/calls.h"
#include "structured/torch_stable/meta_base.h"

namespace structured::torch_stable::detail {

/// The bytes from the first to the last element of a tensor.
struct MemoryRange {
  const char* begin = nullptr;
  const char* end = nullptr;

  explicit MemoryRange(const Tensor& tensor) {
    if (tensor.numel() == 0) return;
    int64_t last = 0;
    for (int64_t dim = 0; dim < tensor.dim(); ++dim) last += (tensor.size(dim) - 1) * tensor.stride(dim);
    begin = static_cast<const char*>(tensor.data_ptr());
    end = begin + (last + 1) * element_size(tensor.scalar_type());
  }
};

inline bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.data_ptr() == b.data_ptr() && is_equal(a.sizes(), b.sizes()) && is_equal(a.strides(), b.strides());
}

/// Whether the elements fill the memory from the first to the last one, each in a place of its own.
inline bool is_dense(const Tensor& tensor) {
  if (tensor.is_contiguous()) return true;
  std::vector<std::pair<int64_t, int64_t>> dims;  // strides and sizes
  for (int64_t dim = 0; dim < tensor.dim(); ++dim) {
    if (tensor.size(dim) != 1) dims.emplace_back(tensor.stride(dim), tensor.size(dim));
  }
  std::sort(dims.begin(), dims.end());
  int64_t expected = 1;
  for (const auto& [stride, size] : dims) {
    if (stride != expected) return false;
    expected *= size;
  }
  return true;
}

/// Whether dense tensors share elements. As in ATen, others count as disjoint.
inline bool overlap(const Tensor& a, const Tensor& b) {
  if (!is_dense(a) || !is_dense(b)) return is_same_view(a, b);
  const MemoryRange first(a), second(b);
  return first.begin < second.end && second.begin < first.end;
}

inline void assert_no_overlap(const Tensor& out, const Tensor& input) {
  STD_TORCH_CHECK(!overlap(out, input),
                  "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                  "single memory location. Please clone() the tensor before performing the operation.");
}

inline void assert_no_partial_overlap(const Tensor& out, const Tensor& input) {
  if (!is_same_view(out, input)) assert_no_overlap(out, input);
}

inline void assert_no_internal_overlap(const Tensor& tensor) {
  for (int64_t dim = 0; dim < tensor.dim(); ++dim) {
    STD_TORCH_CHECK(tensor.stride(dim) != 0 || tensor.size(dim) < 2,
                    "unsupported operation: more than one element of the written-to tensor refers to a single memory "
                    "location. Please clone() the tensor before performing the operation.");
  }
}

}  // namespace structured::torch_stable::detail
