#pragma once
// Tensors as keys of std::unordered_map and std::unordered_set, by identity: two tensors are equal if they are handles
// of one tensor. The operator `==` of tensor_operators.h compares elements instead.
#include <cstddef>
#include <functional>

#include "structured/core/tensor.h"

template <>
struct std::hash<structured::Tensor> {
  std::size_t operator()(const structured::Tensor& tensor) const noexcept {
    return std::hash<const void*>()(tensor.impl());
  }
};

template <>
struct std::equal_to<structured::Tensor> {
  bool operator()(const structured::Tensor& a, const structured::Tensor& b) const noexcept { return a.is_same(b); }
};
