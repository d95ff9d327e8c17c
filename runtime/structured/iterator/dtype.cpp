// Common dtype and device of an iteration.
#include "structured/base/argument_part.h"
#include "structured/base/error.h"
#include "structured/core/dtype_record.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/iterator/type_promotion.h"

namespace structured {

void TensorIteratorBase::compute_types(const TensorIteratorConfig& config) {
  ScalarType first_input = ScalarType::Undefined;
  bool inputs_differ = false;
  bool has_open_outputs = false;  // outputs whose dtype is determined by the common dtype
  plan_.device = Device(DeviceType::CPU);
  for (detail::Operand& op : plan_.operands) {
    if (!op.defined()) {
      op.target_dtype = config.static_dtype_.value_or(ScalarType::Undefined);
      has_open_outputs |= !config.static_dtype_;
      continue;
    }
    if (plan_.device.is_cpu()) plan_.device = op.tensor->device();
    if (op.is_output) continue;
    inputs_differ |= first_input != ScalarType::Undefined && op.dtype != first_input;
    if (first_input == ScalarType::Undefined) first_input = op.dtype;
  }

  common_dtype_ = first_input;
  for (const Scalar& number : config.numbers_) inputs_differ |= number.type() != first_input;
  if (config.check_all_same_dtype_) check_same_dtype();
  // Inputs of one dtype keep it, even if all are numbers.
  if (inputs_differ && config.promote_inputs_to_common_dtype_) {
    TypePromotion promotion;
    for (std::size_t i = num_outputs_; i < ntensors(); ++i) promotion.add(tensor(i));
    for (const Scalar& number : config.numbers_) promotion.add(number);
    common_dtype_ = promotion.result();
  } else if (inputs_differ) {
    common_dtype_ = ScalarType::Undefined;
  }
  if (config.promote_integer_inputs_to_float_ && is_integral(common_dtype_, true)) common_dtype_ = default_dtype();
  if (common_dtype_ != ScalarType::Undefined) detail::note_dtype(common_dtype_);
  STRUCTURED_CHECK(!has_open_outputs || common_dtype_ != ScalarType::Undefined,
                   "the dtype of an undefined output is unknown: promote the inputs to a common dtype, or call "
                   "declare_static_dtype()");

  plan_.needs_cast = false;
  for (std::size_t i = 0; i < ntensors(); ++i) {
    detail::Operand& op = plan_.operands[i];
    if (!op.defined()) {
      if (op.target_dtype == ScalarType::Undefined) op.target_dtype = common_dtype_;
      continue;
    }
    if (op.is_output && config.enforce_safe_casting_to_output_) {
      STRUCTURED_CHECK(can_cast(common_dtype_, op.dtype), argument(i), "the result has dtype ", common_dtype_,
                       ", which output ", i, " of dtype ", op.dtype, " cannot hold");
    }
    if (op.is_output ? config.cast_common_dtype_to_outputs_ : config.promote_inputs_to_common_dtype_) {
      op.target_dtype = common_dtype_;
    }
    plan_.needs_cast |= op.target_dtype != op.dtype;
  }
  if (config.check_all_same_device_) check_devices(config);
}

void TensorIteratorBase::check_same_dtype() const {
  ScalarType expected = common_dtype_;
  for (std::size_t i = 0; i < ntensors(); ++i) {
    const ScalarType dtype = plan_.operands[i].dtype;
    if (dtype == ScalarType::Undefined) continue;
    if (expected == ScalarType::Undefined) expected = dtype;
    STRUCTURED_CHECK(dtype == expected, argument(i), "expected all operands to have dtype ", expected, ", got ", dtype,
                     " for ", i < num_outputs_ ? "output " : "input ", i < num_outputs_ ? i : i - num_outputs_);
  }
}

void TensorIteratorBase::check_devices(const TensorIteratorConfig& config) const {
  int cpu_scalars = 0;
  for (std::size_t i = 0; i < ntensors(); ++i) {
    const detail::Operand& op = plan_.operands[i];
    if (!op.defined() || op.tensor->device() == plan_.device) continue;
    const bool is_cpu_scalar = !op.is_output && op.tensor->is_cpu() && op.tensor->dim() == 0;
    STRUCTURED_CHECK(is_cpu_scalar && config.allow_cpu_scalars_, argument(i), "expected all operands on ", plan_.device,
                     ", got ", op.is_output ? "output " : "input ", op.is_output ? i : i - num_outputs_, " on ",
                     op.tensor->device());
    ++cpu_scalars;
  }
  STRUCTURED_CHECK(cpu_scalars <= 1, "expected at most one 0-dimensional cpu tensor among operands on ", plan_.device,
                   ", got ", cpu_scalars);
}

}  // namespace structured
