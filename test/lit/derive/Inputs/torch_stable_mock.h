// Minimal replacements for types of PyTorch's stable ABI in signatures.
#pragma once

#include <structured/annotate.h>

namespace std {
template <class T>
class vector {};
template <class... T>
class tuple {};
template <class T, decltype(sizeof(0)) N>
class array {};
struct nullopt_t {
  explicit constexpr nullopt_t(int) {}
};
inline constexpr nullopt_t nullopt{0};
template <class T>
class optional {
 public:
  constexpr optional(nullopt_t) {}
};
}  // namespace std
using int64_t = long;

namespace c10 {
class Scalar {};
}  // namespace c10
namespace torch::stable {
class Tensor {};
}  // namespace torch::stable

namespace structured::torch_stable {
class MetaBase {
 public:
  virtual void set_output_raw_strided(int64_t index) = 0;
};
}  // namespace structured::torch_stable
