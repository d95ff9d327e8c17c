// General build of an iterator: operands, shapes, overlap, and the configurations of the builders.
#include <algorithm>
#include <utility>
#include <vector>

#include "structured/base/argument_part.h"
#include "structured/base/error.h"
#include "structured/core/name_rules.h"
#include "structured/iterator/shape.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/kernel/overlap.h"

namespace structured {

TensorIteratorConfig& TensorIteratorConfig::declare_static_shape(IntArrayRef shape, IntArrayRef squashed) {
  static_shape_.emplace(shape);
  for (const int64_t dim : squashed) {
    STRUCTURED_CHECK(dim >= 0 && dim < static_cast<int64_t>(shape.size()),
                     "declare_static_shape: expected dimensions to squash from 0 to ",
                     static_cast<int64_t>(shape.size()) - 1, ", got ", dim);
    (*static_shape_)[static_cast<std::size_t>(dim)] = 1;
  }
  return *this;
}

TensorIterator TensorIteratorConfig::build() const { return TensorIterator(*this); }

namespace {

bool is_named(const detail::Operand& op) { return op.defined() && op.tensor->has_names(); }

const detail::NameRules& rules() { return *detail::name_rules.load(std::memory_order_relaxed); }

// Unifies the names of all inputs, and of outputs that keep their shape.
std::vector<Dimname> common_names(const detail::Operand* begin, const detail::Operand* end, bool resizes_outputs) {
  std::vector<Dimname> names;
  for (const detail::Operand* op = begin; op != end; ++op) {
    if (is_named(*op) && (!op->is_output || !resizes_outputs || op->is_read_write)) {
      names = rules().unify(names, op->tensor->names());
    }
  }
  return names;
}

void give_names(const Tensor& output, std::vector<Dimname> names) {
  const auto rank = static_cast<std::size_t>(output.dim());
  names.insert(names.begin(), rank - names.size(), Dimname());
  rules().name_output(output, names);
}

}  // namespace

void TensorIteratorBase::build(const TensorIteratorConfig& config) {
  populate_operands(config);
  std::vector<Dimname> names;
  const detail::Operand* const operands = plan_.operands.data();
  const bool has_names = !plan_.is_reduction && std::any_of(operands, operands + ntensors(), is_named);
  if (has_names) [[unlikely]]
    names = common_names(operands, operands + ntensors(), config.resize_outputs_);
  if (config.check_memory_overlap_) check_overlap();
  compute_shape(config);
  const bool resizes_given = mark_resized_outputs(config);
  compute_types(config);
  if (!set_up_same_layout(config)) {
    compute_strides(config);
    const DimVector order = reorder_dimensions(config.enforce_linear_iteration_);
    set_outputs(config, order);
    coalesce_dimensions();
  }
  if (resizes_given && config.check_memory_overlap_) check_overlap();  // a view may reach into an input now
  if (has_names) [[unlikely]] {
    for (std::size_t i = 0; i < num_outputs_; ++i) give_names(output(i), names);
  }
  collect_data();
}

detail::IterationPlan::~IterationPlan() = default;

void TensorIteratorBase::populate_operands(const TensorIteratorConfig& config) {
  begin_plan();
  plan_.is_reduction = config.is_reduction_;
  num_outputs_ = static_cast<uint16_t>(config.num_outputs_);
  num_operands_ = static_cast<uint16_t>(config.operands_.size());
  plan_.operands.clear();
  for (const TensorIteratorConfig::OperandArgument& argument : config.operands_) {
    detail::Operand& op = plan_.operands.emplace_back(argument.borrowed);
    if (op.tensor == nullptr) op.tensor = &own(plan_.operands.size() - 1, argument.owned);
    op.is_output = argument.is_output;
    if (op.defined()) op.dtype = op.target_dtype = op.tensor->scalar_type();
  }
  for (std::size_t i = 0; i < ntensors(); ++i) {
    detail::Operand& op = plan_.operands[i];
    if (!op.is_output) {
      STRUCTURED_CHECK(op.defined(), argument(i), "expected input ", i - num_outputs_,
                       " to be a tensor, got an undefined one");
      continue;
    }
    for (std::size_t j = num_outputs_; j < ntensors() && op.defined(); ++j) {
      if (plan_.operands[j].tensor->is_same(*op.tensor)) op.is_read_write = true;
    }
  }
}

detail::ArgumentPart TensorIteratorBase::argument(std::size_t operand) const {
  return operand < num_outputs_ ? detail::ArgumentPart::output(operand)
                                : detail::ArgumentPart::input(operand - num_outputs_, ntensors() - num_outputs_);
}

const Tensor& TensorIteratorBase::own(std::size_t index, Tensor tensor) {
  if (plan_.owned.empty()) plan_.owned.resize(ntensors());
  return plan_.owned[index] = std::move(tensor);
}

void TensorIteratorBase::check_overlap() const {
  for (std::size_t i = 0; i < num_outputs_; ++i) {
    const Tensor& written = tensor(i);
    if (!written.defined()) continue;
    assert_no_internal_overlap(written);
    for (std::size_t j = num_outputs_; j < ntensors(); ++j) assert_no_partial_overlap(written, tensor(j));
  }
}

void TensorIteratorBase::compute_shape(const TensorIteratorConfig& config) {
  if (config.static_shape_) {
    plan_.shape.assign(*config.static_shape_);
    return;
  }
  plan_.shape.clear();
  plan_.all_same_shape = true;
  bool is_first = true;
  for (std::size_t i = 0; i < ntensors(); ++i) {
    const detail::Operand& op = plan_.operands[i];
    // Outputs that may be resized take the shape of the inputs.
    if (!op.defined() || (op.is_output && config.resize_outputs_)) continue;
    const IntArrayRef sizes = op.tensor->sizes();
    if (is_first) {
      plan_.shape.assign(sizes);
      is_first = false;
    } else if (!sizes.equals(plan_.shape)) {
      plan_.all_same_shape = false;
      plan_.shape.assign(detail::broadcast_shape(plan_.shape, sizes, argument(i)));
    }
  }
}

namespace {

// Broadcasting can exceed the largest number of elements that a tensor can have.
int64_t count_elements(IntArrayRef shape) {
  int64_t count = 1;
  for (const int64_t size : shape) {
    if (size == 0) return 0;
  }
  for (const int64_t size : shape) {
    STRUCTURED_CHECK(!__builtin_mul_overflow(count, size, &count), "expected fewer than 2^63 elements, got shape ",
                     shape);
  }
  return count;
}

}  // namespace

bool TensorIteratorBase::mark_resized_outputs(const TensorIteratorConfig& config) {
  numel_ = count_elements(plan_.shape);
  bool resizes_given = false;
  for (std::size_t i = 0; i < num_outputs_; ++i) {
    detail::Operand& op = plan_.operands[i];
    if (!op.defined()) {
      op.will_resize = true;
    } else if (!config.static_shape_ && !op.tensor->sizes().equals(plan_.shape)) {
      // The output of an in-place operator is an input: it cannot be resized.
      op.will_resize = config.resize_outputs_ && !op.is_read_write;
      resizes_given |= op.will_resize;
      STRUCTURED_CHECK(op.will_resize || plan_.is_reduction, argument(i), "expected output ", i, " of shape ", shape(),
                       ", to which the operands broadcast, got one of shape ", op.tensor->sizes());
    }
  }
  return resizes_given;
}

namespace {

TensorIteratorConfig& promoting(TensorIteratorConfig& config) {
  return config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).enforce_safe_casting_to_output(
      true);
}

void configure_binary_op(TensorIteratorConfig& config, BorrowedTensor out, BorrowedTensor a, BorrowedTensor b) {
  promoting(config).allow_cpu_scalars(true).add_output(*out).add_input(*a).add_input(*b);
}

// Comparison kernels write either Bool, so that the usual result needs no conversion, or the compared dtype.
void configure_comparison(TensorIteratorConfig& config, const Tensor& out) {
  if (!out.defined()) {
    config.declare_static_dtype(ScalarType::Bool);
  } else if (out.scalar_type() != ScalarType::Bool) {
    config.cast_common_dtype_to_outputs(true);
  }
  config.check_all_same_dtype(false);
}

void configure_comparison_op(TensorIteratorConfig& config, BorrowedTensor out, BorrowedTensor a, BorrowedTensor b) {
  configure_comparison(config, *out);
  config.promote_inputs_to_common_dtype(true).allow_cpu_scalars(true);
  config.add_output(*out).add_input(*a).add_input(*b);
}

void configure_unary_float_op(TensorIteratorConfig& config, BorrowedTensor out, BorrowedTensor a) {
  promoting(config).promote_integer_inputs_to_float(true).add_output(*out).add_input(*a);
}

void configure_nullary_op(TensorIteratorConfig& config, BorrowedTensor out) {
  config.check_all_same_dtype(false).resize_outputs(false).add_output(*out);
}

}  // namespace

// General case of the builders in fast_build.cpp.
void TensorIteratorBase::build_pointwise(Pointwise kind, const Tensor& out, std::initializer_list<const Tensor*> inputs,
                                         const Scalar* number) {
  TensorIteratorConfig config;
  if (kind != Pointwise::keeping) promoting(config);
  config.allow_cpu_scalars(inputs.size() > 1).promote_integer_inputs_to_float(kind == Pointwise::floating);
  config.add_output(out);
  for (const Tensor* const input : inputs) config.add_input(*input);
  if (number != nullptr) config.promote_with(*number);
  build(config);
}

void TensorIteratorBase::build_elementwise(const Tensor& out, std::initializer_list<BorrowedTensor> inputs,
                                           std::initializer_list<const Scalar*> numbers, bool is_boolean,
                                           bool is_floating) {
  TensorIteratorConfig config;
  if (is_boolean) {
    configure_comparison(config, out);
  } else {
    promoting(config);
  }
  config.promote_inputs_to_common_dtype(true).allow_cpu_scalars(inputs.size() > 1);
  config.promote_integer_inputs_to_float(is_floating).add_output(out);
  for (const BorrowedTensor& input : inputs) config.add_input(*input);
  for (const Scalar* const number : numbers) {
    if (number != nullptr) config.promote_with(*number);
  }
  build(config);
}

void TensorIteratorBase::build_nullary_op(BorrowedTensor out) {
  TensorIteratorConfig config;
  configure_nullary_op(config, out);
  build(config);
}

TensorIterator TensorIterator::binary_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b) {
  TensorIteratorConfig config;
  configure_binary_op(config, out, a, b);
  return config.build();
}

TensorIterator TensorIterator::comparison_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b) {
  TensorIteratorConfig config;
  configure_comparison_op(config, out, a, b);
  return config.build();
}

TensorIterator TensorIterator::unary_op(BorrowedTensor out, BorrowedTensor a) {
  return TensorIteratorConfig().add_output(*out).add_input(*a).build();
}

TensorIterator TensorIterator::unary_float_op(BorrowedTensor out, BorrowedTensor a) {
  TensorIteratorConfig config;
  configure_unary_float_op(config, out, a);
  return config.build();
}

TensorIterator TensorIterator::nullary_op(BorrowedTensor out) {
  TensorIteratorConfig config;
  configure_nullary_op(config, out);
  return config.build();
}

TensorIterator TensorIterator::reduce_op(BorrowedTensor out, BorrowedTensor in) {
  // The stride of the output is 0 in reduced dimensions, which the overlap check would reject.
  return TensorIteratorConfig()
      .check_memory_overlap(false)
      .check_all_same_dtype(false)
      .resize_outputs(false)
      .is_reduction(true)
      .add_output(*out)
      .add_input(*in)
      .build();
}

}  // namespace structured
