#pragma once
// The base of operators with a meta function, which describes the outputs.
#include <torch/csrc/stable/c/shim.h>
#include <torch/csrc/stable/stableivalue_conversions.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "structured/torch_stable/later_functions.h"

namespace structured::torch_stable {

using ::torch::headeronly::IntHeaderOnlyArrayRef;
using ::torch::headeronly::ScalarType;
using ::torch::stable::Tensor;

namespace detail {

/// Whether arguments of this type are tensors, or optionals or lists that hold some.
template <class Argument>
inline constexpr bool holds_tensors = std::is_same_v<Argument, Tensor>;
template <class Element>
inline constexpr bool holds_tensors<std::optional<Element>> = holds_tensors<Element>;
template <class Element>
inline constexpr bool holds_tensors<std::vector<Element>> = holds_tensors<Element>;

/// Throws if a call of the stable ABI failed.
inline void check_status(AOTITorchError status, const char* what) {
  if (status == TORCH_SUCCESS) return;
  const std::string error = last_error();
  throw std::runtime_error(error.empty() ? std::string(what) + " failed; PyTorch has printed the reason" : error);
}

/// Returns the number that the stable ABI has for a dtype.
inline int32_t dtype_code(ScalarType dtype) {
  return ::torch::stable::detail::to<int32_t>(::torch::stable::detail::from(dtype));
}

/// Returns the size of an element in bytes.
inline int64_t element_size(ScalarType dtype) {
  return static_cast<int64_t>(aoti_torch_dtype_element_size(dtype_code(dtype)));
}

}  // namespace detail

/// Dtype and device of an output.
struct OutputOptions {
  ScalarType scalar_type;
  int32_t device_type;  ///< as aoti_torch_get_device_type returns it
  int32_t device_index;

  /// Returns options with another dtype.
  OutputOptions dtype(ScalarType wanted) const { return {wanted, device_type, device_index}; }
};

/// Returns the dtype and device of a tensor.
inline OutputOptions options_of(const Tensor& tensor) {
  OutputOptions options{tensor.scalar_type(), 0, 0};
  detail::check_status(aoti_torch_get_device_type(tensor.get(), &options.device_type), "device_type");
  detail::check_status(aoti_torch_get_device_index(tensor.get(), &options.device_index), "device_index");
  return options;
}

/// Base of operators with a meta function. Meta functions call the setters once for each output.
class MetaBase {
 public:
  MetaBase() = default;
  MetaBase(const MetaBase&) = delete;
  MetaBase& operator=(const MetaBase&) = delete;

  /// Describes output `index`, whose strides may be any if the caller passes a tensor. Empty strides are contiguous.
  virtual void set_output_raw_strided(int64_t index, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
                                      const OutputOptions& options) = 0;
  /// Describes output `index`, for an impl that needs these strides. If the caller passes a tensor with other strides,
  /// impl writes to a temporary tensor, which is then copied.
  virtual void set_output_strided(int64_t index, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
                                  const OutputOptions& options) = 0;
  /// Returns output `index`: before it is described, the caller's tensor or an undefined one.
  virtual const Tensor& maybe_get_output(int64_t index) const = 0;

 protected:
  ~MetaBase() = default;
};

}  // namespace structured::torch_stable
