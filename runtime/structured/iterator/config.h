#pragma once
// What an iterator shall do, said before it is built.
#include <cstdint>
#include <optional>
#include <utility>

#include "structured/core/array_ref.h"
#include "structured/core/device.h"
#include "structured/core/dim_vector.h"
#include "structured/core/error.h"
#include "structured/core/export.h"
#include "structured/core/scalar.h"
#include "structured/core/scalar_type.h"
#include "structured/core/tensor.h"
#include "structured/iterator/inline_vector.h"

namespace structured {

class TensorIterator;

/// Operands (outputs first, then inputs) and rules. Tensors given as lvalues are borrowed: they must outlive the
/// iterator; those given as rvalues are owned by it. An output may be an undefined tensor, which the iterator then
/// allocates.
///
///     auto iter = TensorIteratorConfig().add_output(out).add_input(a).add_input(b).build();
class TensorIteratorConfig {
 public:
  TensorIteratorConfig& add_output(const Tensor& tensor) { return add(&tensor, Tensor(), true); }
  TensorIteratorConfig& add_output(Tensor&& tensor) { return add(nullptr, std::move(tensor), true); }
  TensorIteratorConfig& add_input(const Tensor& tensor) { return add(&tensor, Tensor(), false); }
  TensorIteratorConfig& add_input(Tensor&& tensor) { return add(nullptr, std::move(tensor), false); }

  /// Refuse outputs whose elements share memory, or that partly overlap an input (on).
  TensorIteratorConfig& check_memory_overlap(bool value) { return set(check_memory_overlap_, value); }
  /// All operands must have one dtype (on). Turned off by the promotion rules below.
  TensorIteratorConfig& check_all_same_dtype(bool value) { return set(check_all_same_dtype_, value); }
  /// All operands must be on one device (on).
  TensorIteratorConfig& check_all_same_device(bool value) { return set(check_all_same_device_, value); }
  /// One 0-dimensional cpu input may go with operands on another device (off).
  TensorIteratorConfig& allow_cpu_scalars(bool value) { return set(allow_cpu_scalars_, value); }
  /// Loops see all inputs in the common dtype (off). Computes the common dtype.
  TensorIteratorConfig& promote_inputs_to_common_dtype(bool value) {
    if (value) check_all_same_dtype_ = false;
    return set(promote_inputs_to_common_dtype_, value);
  }
  /// Numbers that take part in the promotion and are no operands (none). Needs promote_inputs_to_common_dtype.
  TensorIteratorConfig& promote_with(const Scalar& number) {
    numbers_.push_back(number);
    return *this;
  }
  /// An integral or boolean common dtype becomes the default dtype (off). Needs promote_inputs_to_common_dtype.
  TensorIteratorConfig& promote_integer_inputs_to_float(bool value) {
    return set(promote_integer_inputs_to_float_, value);
  }
  /// Loops see all outputs in the common dtype; results are converted (off).
  TensorIteratorConfig& cast_common_dtype_to_outputs(bool value) {
    if (value) check_all_same_dtype_ = false;
    return set(cast_common_dtype_to_outputs_, value);
  }
  /// The common dtype must be castable (`can_cast`) to the dtype of every given output (off).
  TensorIteratorConfig& enforce_safe_casting_to_output(bool value) {
    return set(enforce_safe_casting_to_output_, value);
  }
  /// Loops visit elements in row-major order of the shape: dimensions are not reordered by strides (off).
  TensorIteratorConfig& enforce_linear_iteration(bool value) { return set(enforce_linear_iteration_, value); }
  /// Given outputs of another shape are resized (on); otherwise they take part in broadcasting and must have its shape.
  TensorIteratorConfig& resize_outputs(bool value) { return set(resize_outputs_, value); }
  /// Outputs have size 1, and stride 0, in reduced dimensions, which become the innermost ones (off).
  TensorIteratorConfig& is_reduction(bool value) { return set(is_reduction_, value); }

  /// Outputs that the iterator allocates get this dtype; no common dtype is needed for them.
  TensorIteratorConfig& declare_static_dtype(ScalarType dtype) {
    static_dtype_ = dtype;
    return *this;
  }
  /// Outputs that the iterator allocates are put on this device.
  TensorIteratorConfig& declare_static_device(Device device) {
    static_device_ = device;
    return *this;
  }
  /// The iteration has this shape, with size 1 in the dimensions `squashed`; operands are not broadcast: each has as
  /// many dimensions, whose strides alone are used.
  STRUCTURED_API TensorIteratorConfig& declare_static_shape(IntArrayRef shape, IntArrayRef squashed = {});

  /// Throws Error if the operands break a rule, see TensorIteratorBase::build.
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
