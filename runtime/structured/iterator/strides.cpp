// Order of dimensions of an iteration, and strides of its outputs.
#include <algorithm>
#include <utility>

#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/kernel/resize.h"

namespace structured {
namespace {

// Common layout of several dense tensors, which can be walked as one dimension.
enum class CommonLayout { none, contiguous, channels_last, channels_last_3d, same_strides };

CommonLayout layout_of(const detail::Operand& op) {
  const uint32_t flags = op.tensor->impl()->flags();
  if (flags & TensorFlags::kContiguous) return CommonLayout::contiguous;
  if (flags & TensorFlags::kChannelsLastContiguous) return CommonLayout::channels_last;
  if (flags & TensorFlags::kChannelsLast3dContiguous) return CommonLayout::channels_last_3d;
  return flags & TensorFlags::kDense ? CommonLayout::same_strides : CommonLayout::none;
}

bool has_layout(const detail::Operand& op, CommonLayout layout, IntArrayRef strides) {
  const uint32_t flags = op.tensor->impl()->flags();
  switch (layout) {
    case CommonLayout::contiguous:
      return flags & TensorFlags::kContiguous;
    case CommonLayout::channels_last:
      return flags & TensorFlags::kChannelsLastContiguous;
    case CommonLayout::channels_last_3d:
      return flags & TensorFlags::kChannelsLast3dContiguous;
    case CommonLayout::same_strides:
      return (flags & TensorFlags::kDense) && op.tensor->strides() == strides;
    case CommonLayout::none:
      break;
  }
  return false;
}

// Returns an empty list for a contiguous layout.
DimVector output_strides(CommonLayout layout, const Tensor& like) {
  switch (layout) {
    case CommonLayout::channels_last:
      return strides_for(like.sizes(), MemoryFormat::ChannelsLast);
    case CommonLayout::channels_last_3d:
      return strides_for(like.sizes(), MemoryFormat::ChannelsLast3d);
    case CommonLayout::same_strides:
      return DimVector(like.strides());
    default:
      return DimVector();
  }
}

}  // namespace

// For operands of one shape that are dense in the same order of dimensions.
bool TensorIteratorBase::set_up_same_layout(const TensorIteratorConfig& config) {
  if (plan_.is_reduction || config.static_shape_ || !plan_.all_same_shape) return false;
  const detail::Operand* first = nullptr;
  CommonLayout layout = CommonLayout::contiguous;
  for (const detail::Operand& op : plan_.operands) {
    if (op.will_resize) continue;
    if (first == nullptr) {
      first = &op;
      layout = layout_of(op);
    }
    if (!has_layout(op, layout, first->tensor->strides())) return false;
  }
  if (first == nullptr || layout == CommonLayout::none) return false;
  if (config.enforce_linear_iteration_ && layout != CommonLayout::contiguous) return false;

  const DimVector sizes{IntArrayRef(plan_.shape)};
  const DimVector strides = output_strides(layout, *first->tensor);
  for (std::size_t i = 0; i < num_outputs_; ++i) {
    set_output(config, i, sizes, strides);
    STRUCTURED_INTERNAL_ASSERT(has_layout(plan_.operands[i], layout, first->tensor->strides()));
  }
  make_one_dimensional();
  return true;
}

void TensorIteratorBase::make_one_dimensional() {
  const std::size_t count = ntensors();
  plan_.shape.resize(std::min<std::size_t>(plan_.shape.size(), 1));
  if (!plan_.shape.empty()) plan_.shape[0] = numel_;
  plan_.strides.resize(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    plan_.strides[i] = int64_t{1} << item_size_log2(plan_.operands[i].dtype);
    plan_.strides[count + i] = 0;
  }
}

void TensorIteratorBase::compute_strides(const TensorIteratorConfig& config) {
  plan_.strides.resize(std::max<std::size_t>(ndim(), 2) * ntensors());
  DimVector in_order;
  for (std::size_t dim = 0; dim < ndim(); ++dim) in_order.push_back(static_cast<int64_t>(dim));
  for (std::size_t i = 0; i < ntensors(); ++i) {
    STRUCTURED_CHECK(
        !config.static_shape_ || !plan_.operands[i].defined() || static_cast<std::size_t>(tensor(i).dim()) == ndim(),
        "expected all operands to have ", ndim(), " dimensions, got ", tensor(i).dim());
    compute_operand_strides(i, in_order);
    // The static shape takes precedence over sizes of operands: their strides are used unchanged.
    for (std::size_t dim = 0; dim < ndim() && config.static_shape_ && plan_.operands[i].defined(); ++dim) {
      plan_.strides[dim * ntensors() + i] = tensor(i).strides()[dim] << item_size_log2(plan_.operands[i].dtype);
    }
  }
}

// `order[d]` is the dimension of the broadcast shape that dimension d of the iteration walks.
void TensorIteratorBase::compute_operand_strides(std::size_t index, const DimVector& order) {
  const detail::Operand& op = plan_.operands[index];
  const bool is_known = op.defined() && !op.will_resize;
  const IntArrayRef sizes = is_known ? op.tensor->sizes() : IntArrayRef();
  const std::size_t missing = ndim() - sizes.size();
  for (std::size_t d = 0; d < ndim(); ++d) {
    const auto dim = static_cast<std::size_t>(order[d]);
    const bool is_broadcast = dim < missing || (sizes[dim - missing] == 1 && plan_.shape[d] != 1);
    plan_.strides[d * ntensors() + index] =
        is_broadcast ? 0 : op.tensor->strides()[dim - missing] << item_size_log2(op.dtype);
  }
}

// Positive if dimension `a` belongs outside `b`, negative if inside, 0 if no operand decides.
int TensorIteratorBase::compare_dimensions(std::size_t a, std::size_t b) const {
  for (std::size_t i = 0; i < ntensors(); ++i) {
    const detail::Operand& op = plan_.operands[i];
    if (!op.defined() || op.will_resize) continue;
    const int64_t stride_a = stride(i, a);
    const int64_t stride_b = stride(i, b);
    if (plan_.is_reduction && op.is_output && (stride_a == 0) != (stride_b == 0)) return stride_b == 0 ? 1 : -1;
    if (stride_a == 0 || stride_b == 0) continue;
    if (stride_a != stride_b) return stride_a < stride_b ? -1 : 1;
    // Equal strides: one of the two sizes is 1, unless the tensor overlaps itself. Sizes break the tie.
    if (plan_.shape[a] > plan_.shape[b]) return 1;
  }
  return 0;
}

// Sorts dimensions by stride, smallest first. Insertion sort, since the comparison is not transitive if operands
// disagree or do not decide: a dimension moves only past those that it compares greater than.
DimVector TensorIteratorBase::reorder_dimensions(bool keep_order) {
  const std::size_t count = ndim();
  DimVector order;
  for (std::size_t d = count; d > 0; --d) order.push_back(static_cast<int64_t>(d - 1));
  if (!keep_order) {
    for (std::size_t i = 1; i < count; ++i) {
      std::size_t moving = i;
      for (std::size_t place = i; place > 0; --place) {
        const int comparison =
            compare_dimensions(static_cast<std::size_t>(order[place - 1]), static_cast<std::size_t>(order[moving]));
        if (comparison > 0) {
          std::swap(order[place - 1], order[moving]);
          moving = place - 1;
        } else if (comparison < 0) {
          break;
        }
      }
    }
  }
  const DimVector sizes{IntArrayRef(plan_.shape)};
  for (std::size_t d = 0; d < count; ++d) plan_.shape[d] = sizes[static_cast<std::size_t>(order[d])];
  for (std::size_t i = 0; i < ntensors(); ++i) {
    DimVector strides;
    for (std::size_t d = 0; d < count; ++d) strides.push_back(stride(i, static_cast<std::size_t>(order[d])));
    for (std::size_t d = 0; d < count; ++d) plan_.strides[d * ntensors() + i] = strides[d];
  }
  return order;
}

void TensorIteratorBase::set_outputs(const TensorIteratorConfig& config, const DimVector& order) {
  DimVector sizes(ndim(), 0);
  DimVector strides(ndim(), 0);  // dense, in the order of the iteration
  bool is_row_major = true;
  int64_t next = 1;
  for (std::size_t d = 0; d < ndim(); ++d) {
    const auto dim = static_cast<std::size_t>(order[d]);
    sizes[dim] = plan_.shape[d];
    strides[dim] = next;
    static_cast<void>(__builtin_mul_overflow(next, plan_.shape[d], &next));  // overflows only without elements
    is_row_major &= dim == ndim() - 1 - d;
  }
  for (std::size_t i = 0; i < num_outputs_; ++i) {
    detail::Operand& op = plan_.operands[i];
    if (!op.will_resize) {
      set_output(config, i, op.tensor->sizes(), {});
      continue;
    }
    STRUCTURED_CHECK(!plan_.is_reduction, "expected output ", i, " of a reduction to be defined, got an undefined one");
    set_output(config, i, sizes, is_row_major ? IntArrayRef() : IntArrayRef(strides));
    compute_operand_strides(i, order);
  }
}

void TensorIteratorBase::set_output(const TensorIteratorConfig& config, std::size_t index, IntArrayRef sizes,
                                    IntArrayRef strides) {
  detail::Operand& op = plan_.operands[index];
  const TensorOptions options =
      op.defined() ? op.tensor->options()
                   : TensorOptions(op.target_dtype).device(config.static_device_.value_or(plan_.device));
  set_output_raw_strided(static_cast<int64_t>(index), sizes, strides, options);
  op.will_resize = false;
  op.dtype = op.tensor->scalar_type();
}

void TensorIteratorBase::set_output_raw_strided(int64_t index, IntArrayRef, IntArrayRef, TensorOptions) {
  STRUCTURED_INTERNAL_ASSERT(static_cast<uint64_t>(index) < noutputs());
  const Tensor& output = maybe_get_output(index);
  STRUCTURED_INTERNAL_ASSERT(output.defined());
  notify_output(index, output);
}

void TensorIteratorBase::coalesce_dimensions() {
  const std::size_t count = ntensors();
  const auto move = [&](std::size_t to, std::size_t from) {
    for (std::size_t i = 0; i < count; ++i) plan_.strides[to * count + i] = plan_.strides[from * count + i];
  };
  std::size_t last = 0;
  for (std::size_t dim = 1; dim < ndim(); ++dim) {
    bool joins = true;
    for (std::size_t i = 0; i < count && joins && plan_.shape[last] != 1 && plan_.shape[dim] != 1; ++i) {
      joins = plan_.shape[last] * stride(i, last) == stride(i, dim);
    }
    if (joins) {
      if (plan_.shape[last] == 1) move(last, dim);
      plan_.shape[last] *= plan_.shape[dim];
    } else {
      ++last;
      move(last, dim);
      plan_.shape[last] = plan_.shape[dim];
    }
  }
  if (!plan_.shape.empty()) plan_.shape.resize(last + 1);
  if (ndim() <= 1 && numel_ == 1) make_one_dimensional();
  // Loops take two dimensions.
  for (std::size_t i = 0; i < count && ndim() < 2; ++i) plan_.strides[count + i] = 0;
}

void TensorIteratorBase::collect_data() {
  plan_.data.resize(ntensors());
  for (std::size_t i = 0; i < ntensors(); ++i) plan_.data[i] = static_cast<char*>(tensor(i).data());
}

bool TensorIteratorBase::is_contiguous() const {
  if (ndim() > 1) return false;
  for (std::size_t i = 0; i < ntensors(); ++i) {
    if (plan_.strides[i] != int64_t{1} << item_size_log2(plan_.operands[i].dtype)) return false;
  }
  return true;
}

void TensorIterator::set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides,
                                            TensorOptions options) {
  detail::Operand& op = operand(static_cast<std::size_t>(index));
  if (!op.defined()) {
    op.tensor = &own(static_cast<std::size_t>(index),
                     strides.empty() ? detail::empty(sizes, options) : detail::empty_strided(sizes, strides, options));
  } else if (op.will_resize && detail::should_resize_output(*op.tensor, sizes, static_cast<std::size_t>(index))) {
    resize_strided(*op.tensor, sizes, strides.empty() ? IntArrayRef(contiguous_strides(sizes)) : strides);
  }
}

const Tensor& TensorIterator::maybe_get_output(int64_t index) { return tensor(static_cast<std::size_t>(index)); }

}  // namespace structured
