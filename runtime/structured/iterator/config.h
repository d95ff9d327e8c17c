#pragma once
// Configuration of an iterator.
#include <cstdint>
#include <optional>
#include <utility>

#include "structured/base/error.h"
#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/dim_vector.h"
#include "structured/core/tensor.h"
#include "structured/device/device.h"
#include "structured/iterator/inline_vector.h"
#include "structured/number/scalar.h"
#include "structured/number/scalar_type.h"

namespace structured {

class TensorIterator;

/// Operands (outputs first, then inputs) and rules. Lvalue tensors are borrowed and must outlive the iterator; rvalue
/// tensors are owned by it. The iterator allocates an output that is an undefined tensor.
///
///     auto iter = TensorIteratorConfig().add_output(out).add_input(a).add_input(b).build();
class TensorIteratorConfig {
 public:
  TensorIteratorConfig& add_output(const Tensor& tensor) { return add(&tensor, Tensor(), true); }
  TensorIteratorConfig& add_output(Tensor&& tensor) { return add(nullptr, std::move(tensor), true); }
  TensorIteratorConfig& add_input(const Tensor& tensor) { return add(&tensor, Tensor(), false); }
  TensorIteratorConfig& add_input(Tensor&& tensor) { return add(nullptr, std::move(tensor), false); }

  /// Reject outputs that overlap themselves, or partly overlap an input (on).
  TensorIteratorConfig& check_memory_overlap(bool value) { return set(check_memory_overlap_, value); }
  /// Require one dtype for all operands (on). Turned off by the promotion rules below.
  TensorIteratorConfig& check_all_same_dtype(bool value) { return set(check_all_same_dtype_, value); }
  /// Require one device for all operands (on).
  TensorIteratorConfig& check_all_same_device(bool value) { return set(check_all_same_device_, value); }
  /// Accept one 0-dimensional CPU input beside operands on another device (off).
  TensorIteratorConfig& allow_cpu_scalars(bool value) { return set(allow_cpu_scalars_, value); }
  /// Compute the common dtype and convert inputs to it for loops (off).
  TensorIteratorConfig& promote_inputs_to_common_dtype(bool value) {
    if (value) check_all_same_dtype_ = false;
    return set(promote_inputs_to_common_dtype_, value);
  }
  /// Add a number that takes part in type promotion without being an operand (none). Requires
  /// promote_inputs_to_common_dtype.
  TensorIteratorConfig& promote_with(const Scalar& number) {
    numbers_.push_back(number);
    return *this;
  }
  /// Replace an integral or boolean common dtype by the default dtype (off). Requires promote_inputs_to_common_dtype.
  TensorIteratorConfig& promote_integer_inputs_to_float(bool value) {
    return set(promote_integer_inputs_to_float_, value);
  }
  /// Convert results from the common dtype to the dtypes of the outputs (off).
  TensorIteratorConfig& cast_common_dtype_to_outputs(bool value) {
    if (value) check_all_same_dtype_ = false;
    return set(cast_common_dtype_to_outputs_, value);
  }
  /// Require that the common dtype casts (`can_cast`) to the dtype of every given output (off).
  TensorIteratorConfig& enforce_safe_casting_to_output(bool value) {
    return set(enforce_safe_casting_to_output_, value);
  }
  /// Visit elements in row-major order of the shape: dimensions are not reordered by strides (off).
  TensorIteratorConfig& enforce_linear_iteration(bool value) { return set(enforce_linear_iteration_, value); }
  /// Resize given outputs of another shape (on). If off, they take part in broadcasting and must have the final shape.
  TensorIteratorConfig& resize_outputs(bool value) { return set(resize_outputs_, value); }
  /// Accept outputs of size 1 in reduced dimensions, where their stride is 0; these dimensions become the innermost
  /// (off).
  TensorIteratorConfig& is_reduction(bool value) { return set(is_reduction_, value); }

  /// Sets the dtype of outputs that the iterator allocates, which then need no common dtype.
  TensorIteratorConfig& declare_static_dtype(ScalarType dtype) {
    static_dtype_ = dtype;
    return *this;
  }
  /// Sets the device of outputs that the iterator allocates.
  TensorIteratorConfig& declare_static_device(Device device) {
    static_device_ = device;
    return *this;
  }
  /// Sets the shape of the iteration, with size 1 in the dimensions `squashed`. Operands must have as many dimensions;
  /// they are not broadcast, and only their strides are used.
  STRUCTURED_API TensorIteratorConfig& declare_static_shape(IntArrayRef shape, IntArrayRef squashed = {});

  /// Throws Error if the operands break a rule; see TensorIteratorBase::build.
  STRUCTURED_API TensorIterator build() const;

 private:
  friend class TensorIteratorBase;

  struct OperandArgument {
    const Tensor* borrowed;
    Tensor owned;
    bool is_output;
  };

  TensorIteratorConfig& add(const Tensor* borrowed, Tensor&& owned, bool is_output) {
    STRUCTURED_CHECK(!is_output || operands_.size() == num_outputs_, "expected outputs to be added before inputs, got ",
                     operands_.size() - num_outputs_, " inputs already");
    operands_.emplace_back(borrowed, std::move(owned), is_output);
    num_outputs_ += is_output;
    return *this;
  }
  TensorIteratorConfig& set(bool& rule, bool value) {
    rule = value;
    return *this;
  }

  detail::InlineVector<OperandArgument, 4> operands_;
  std::size_t num_outputs_ = 0;
  std::optional<DimVector> static_shape_;
  detail::InlineVector<Scalar, 2> numbers_;
  std::optional<ScalarType> static_dtype_;
  std::optional<Device> static_device_;
  bool check_memory_overlap_ = true;
  bool check_all_same_dtype_ = true;
  bool check_all_same_device_ = true;
  bool allow_cpu_scalars_ = false;
  bool promote_inputs_to_common_dtype_ = false;
  bool promote_integer_inputs_to_float_ = false;
  bool cast_common_dtype_to_outputs_ = false;
  bool enforce_safe_casting_to_output_ = false;
  bool enforce_linear_iteration_ = false;
  bool resize_outputs_ = true;
  bool is_reduction_ = false;
};

}  // namespace structured
