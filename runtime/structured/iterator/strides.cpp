// In which order an iteration walks through memory, and which strides outputs get.
#include <algorithm>
#include <utility>

#include "structured/core/error.h"
#include "structured/core/factory.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/kernel/resize.h"

namespace structured {
namespace {

// The strides that several dense tensors have in common, so that they can be walked as if they had one dimension.
enum class CommonLayout { none, contiguous, channels_last, channels_last_3d, same_strides };

CommonLayout layout_of(const detail::Operand& op) {
  const std::uint32_t flags = op.tensor().impl()->flags();
  if (flags & TensorFlags::kContiguous) return CommonLayout::contiguous;
  if (flags & TensorFlags::kChannelsLastContiguous) return CommonLayout::channels_last;
  if (flags & TensorFlags::kChannelsLast3dContiguous) return CommonLayout::channels_last_3d;
  return flags & TensorFlags::kDense ? CommonLayout::same_strides : CommonLayout::none;
}

bool has_layout(const detail::Operand& op, CommonLayout layout, IntArrayRef strides) {
  const std::uint32_t flags = op.tensor().impl()->flags();
  switch (layout) {
    case CommonLayout::contiguous:
      return flags & TensorFlags::kContiguous;
    case CommonLayout::channels_last:
      return flags & TensorFlags::kChannelsLastContiguous;
    case CommonLayout::channels_last_3d:
      return flags & TensorFlags::kChannelsLast3dContiguous;
    case CommonLayout::same_strides:
      return (flags & TensorFlags::kDense) && op.tensor().strides() == strides;
    case CommonLayout::none:
      break;
  }
  return false;
}

// Empty for contiguous ones.
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

// All operands have one shape and dtype and are contiguous: the whole setup. Nothing here allocates, sorts or clears.
template <std::size_t N>
bool TensorIteratorBase::build_dense(const Tensor& out, const Tensor* const (&inputs)[N]) {
  const TensorImpl* const first = inputs[0]->impl();
  const auto fits = [first](const TensorImpl* impl) {
    return impl != nullptr && impl->signature() == first->signature() &&
           (impl->flags() & (TensorFlags::kContiguous | TensorFlags::kUncommon)) == TensorFlags::kContiguous &&
           impl->sizes().equals(first->sizes());
  };
  for (const Tensor* const input : inputs) {
    if (!fits(input->impl())) return false;
  }
  if (out.defined() && !fits(out.impl())) return false;

  is_reduction_ = false;
  needs_cast_ = false;
  num_outputs_ = 1;
  common_dtype_ = first->dtype();
  common_device_ = first->device();
  numel_ = first->numel();
  operands_.clear();
  detail::Operand& output = operands_.emplace_back();
  output.borrowed = &out;
  output.is_output = true;
  output.will_resize = !out.defined();
  for (const Tensor* const input : inputs) operands_.emplace_back().borrowed = input;
  for (detail::Operand& op : operands_) op.dtype = op.target_dtype = common_dtype_;

  if (out.defined()) {
    // A contiguous tensor has no overlap with itself.
    check_overlap();
    mark_output_set(0);
  } else {
    set_output_raw_strided(0, first->sizes(), {}, TensorOptions(common_dtype_).device(common_device_));
  }
  shape_.resize(first->rank());
  make_one_dimensional();
  collect_data();
  return true;
}

template bool TensorIteratorBase::build_dense(const Tensor& out, const Tensor* const (&inputs)[1]);
template bool TensorIteratorBase::build_dense(const Tensor& out, const Tensor* const (&inputs)[2]);
template bool TensorIteratorBase::build_dense(const Tensor& out, const Tensor* const (&inputs)[3]);

// All operands have one shape and are dense in the same order of dimensions.
bool TensorIteratorBase::set_up_dense(const TensorIteratorConfig& config) {
  if (is_reduction_ || config.static_shape_ || !all_same_shape_) return false;
  const detail::Operand* first = nullptr;
  CommonLayout layout = CommonLayout::contiguous;
  for (const detail::Operand& op : operands_) {
    if (op.will_resize) continue;
    if (first == nullptr) {
      first = &op;
      layout = layout_of(op);
    }
    if (!has_layout(op, layout, first->tensor().strides())) return false;
  }
  if (first == nullptr || layout == CommonLayout::none) return false;
  if (config.enforce_linear_iteration_ && layout != CommonLayout::contiguous) return false;

  const DimVector sizes{IntArrayRef(shape_)};
  const DimVector strides = output_strides(layout, first->tensor());
  for (std::size_t i = 0; i < num_outputs_; ++i) {
    set_output(config, i, sizes, strides);
    STRUCTURED_INTERNAL_ASSERT(has_layout(operands_[i], layout, first->tensor().strides()));
  }
  make_one_dimensional();
  return true;
}

void TensorIteratorBase::make_one_dimensional() {
  const std::size_t count = ntensors();
  shape_.resize(std::min<std::size_t>(shape_.size(), 1));
  if (!shape_.empty()) shape_[0] = numel_;
  strides_.resize(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    strides_[i] = std::int64_t{1} << item_size_log2(operands_[i].dtype);
    strides_[count + i] = 0;
  }
}

void TensorIteratorBase::compute_strides(const TensorIteratorConfig& config) {
  strides_.resize(std::max<std::size_t>(ndim(), 2) * ntensors());
  DimVector in_order;
  for (std::size_t dim = 0; dim < ndim(); ++dim) in_order.push_back(static_cast<std::int64_t>(dim));
  for (std::size_t i = 0; i < ntensors(); ++i) {
    STRUCTURED_CHECK(
        !config.static_shape_ || !operands_[i].defined() || static_cast<std::size_t>(tensor(i).dim()) == ndim(),
        "expected all operands to have ", ndim(), " dimensions, got ", tensor(i).dim());
    compute_operand_strides(i, in_order);
    // Where sizes differ the given shape decides, and strides are taken as they are.
    for (std::size_t dim = 0; dim < ndim() && config.static_shape_ && operands_[i].defined(); ++dim) {
      strides_[dim * ntensors() + i] = tensor(i).strides()[dim] << item_size_log2(operands_[i].dtype);
    }
  }
}

// `order[d]` is the dimension of the operands' common shape that the iteration has at place d.
void TensorIteratorBase::compute_operand_strides(std::size_t index, const DimVector& order) {
  const detail::Operand& op = operands_[index];
  const bool is_known = op.defined() && !op.will_resize;
  const IntArrayRef sizes = is_known ? op.tensor().sizes() : IntArrayRef();
  const std::size_t missing = ndim() - sizes.size();
  for (std::size_t d = 0; d < ndim(); ++d) {
    const auto dim = static_cast<std::size_t>(order[d]);
    const bool is_broadcast = dim < missing || (sizes[dim - missing] == 1 && shape_[d] != 1);
    strides_[d * ntensors() + index] =
        is_broadcast ? 0 : op.tensor().strides()[dim - missing] << item_size_log2(op.dtype);
  }
}

// Positive if dimension `a` should come after `b` (further out), negative if before, 0 if the operands do not say.
int TensorIteratorBase::compare_dimensions(std::size_t a, std::size_t b) const {
  for (std::size_t i = 0; i < ntensors(); ++i) {
    const detail::Operand& op = operands_[i];
    if (!op.defined() || op.will_resize) continue;
    const std::int64_t stride_a = stride(i, a);
    const std::int64_t stride_b = stride(i, b);
    if (is_reduction_ && op.is_output && (stride_a == 0) != (stride_b == 0)) return stride_b == 0 ? 1 : -1;
    if (stride_a == 0 || stride_b == 0) continue;
    if (stride_a != stride_b) return stride_a < stride_b ? -1 : 1;
    // Equal strides: one of the two has size 1, unless the tensor overlaps itself. Sizes break the tie.
    if (shape_[a] > shape_[b]) return 1;
  }
  return 0;
}

// Puts dimensions with small strides first. Insertion sort, because the comparison is not transitive where operands
// disagree or do not care: dimensions move only as far as there is a reason to.
DimVector TensorIteratorBase::reorder_dimensions(bool keep_order) {
  const std::size_t count = ndim();
  DimVector order;
  for (std::size_t d = count; d > 0; --d) order.push_back(static_cast<std::int64_t>(d - 1));
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
  const DimVector sizes{IntArrayRef(shape_)};
  for (std::size_t d = 0; d < count; ++d) shape_[d] = sizes[static_cast<std::size_t>(order[d])];
  for (std::size_t i = 0; i < ntensors(); ++i) {
    DimVector strides;
    for (std::size_t d = 0; d < count; ++d) strides.push_back(stride(i, static_cast<std::size_t>(order[d])));
    for (std::size_t d = 0; d < count; ++d) strides_[d * ntensors() + i] = strides[d];
  }
  return order;
}

void TensorIteratorBase::set_outputs(const TensorIteratorConfig& config, const DimVector& order) {
  DimVector sizes(ndim(), 0);
  DimVector strides(ndim(), 0);  // dense, in the order of the iteration
  bool is_row_major = true;
  std::int64_t next = 1;
  for (std::size_t d = 0; d < ndim(); ++d) {
    const auto dim = static_cast<std::size_t>(order[d]);
    sizes[dim] = shape_[d];
    strides[dim] = next;
    next *= shape_[d];
    is_row_major &= dim == ndim() - 1 - d;
  }
  for (std::size_t i = 0; i < num_outputs_; ++i) {
    detail::Operand& op = operands_[i];
    if (!op.will_resize) {
      set_output(config, i, op.tensor().sizes(), {});
      continue;
    }
    STRUCTURED_INTERNAL_ASSERT(!is_reduction_, "outputs of reductions are given");
    set_output(config, i, sizes, is_row_major ? IntArrayRef() : IntArrayRef(strides));
    compute_operand_strides(i, order);
  }
}

void TensorIteratorBase::set_output(const TensorIteratorConfig& config, std::size_t index, IntArrayRef sizes,
                                    IntArrayRef strides) {
  detail::Operand& op = operands_[index];
  const TensorOptions options =
      op.defined() ? op.tensor().options()
                   : TensorOptions(op.target_dtype).device(config.static_device_.value_or(common_device_));
  set_output_raw_strided(static_cast<std::int64_t>(index), sizes, strides, options);
  op.will_resize = false;
  op.dtype = op.tensor().scalar_type();
}

void TensorIteratorBase::set_output_raw_strided(std::int64_t index, IntArrayRef, IntArrayRef, TensorOptions) {
  const auto place = static_cast<std::size_t>(index);
  STRUCTURED_INTERNAL_ASSERT(place < num_outputs_);
  const Tensor& output = maybe_get_output(index);
  STRUCTURED_INTERNAL_ASSERT(output.defined());
  operands_[place].borrowed = &output;
}

void TensorIteratorBase::coalesce_dimensions() {
  const std::size_t count = ntensors();
  const auto move = [&](std::size_t to, std::size_t from) {
    for (std::size_t i = 0; i < count; ++i) strides_[to * count + i] = strides_[from * count + i];
  };
  std::size_t last = 0;
  for (std::size_t dim = 1; dim < ndim(); ++dim) {
    bool joins = true;
    for (std::size_t i = 0; i < count && joins && shape_[last] != 1 && shape_[dim] != 1; ++i) {
      joins = shape_[last] * stride(i, last) == stride(i, dim);
    }
    if (joins) {
      if (shape_[last] == 1) move(last, dim);
      shape_[last] *= shape_[dim];
    } else {
      ++last;
      move(last, dim);
      shape_[last] = shape_[dim];
    }
  }
  if (!shape_.empty()) shape_.resize(last + 1);
  if (ndim() <= 1 && numel_ == 1) make_one_dimensional();
  // Loops take two dimensions.
  for (std::size_t i = 0; i < count && ndim() < 2; ++i) strides_[count + i] = 0;
}

void TensorIteratorBase::collect_data() {
  data_.resize(ntensors());
  for (std::size_t i = 0; i < ntensors(); ++i) data_[i] = static_cast<char*>(tensor(i).data());
}

bool TensorIteratorBase::is_contiguous() const {
  if (ndim() > 1) return false;
  for (std::size_t i = 0; i < ntensors(); ++i) {
    if (strides_[i] != std::int64_t{1} << item_size_log2(operands_[i].dtype)) return false;
  }
  return true;
}

void TensorIterator::set_output_raw_strided(std::int64_t index, IntArrayRef sizes, IntArrayRef strides,
                                            TensorOptions options) {
  detail::Operand& op = operand(static_cast<std::size_t>(index));
  if (!op.defined()) {
    op.borrowed = nullptr;
    op.owned = strides.empty() ? detail::empty(sizes, options) : detail::empty_strided(sizes, strides, options);
  } else if (op.will_resize && should_resize_output(op.tensor(), sizes)) {
    detail::resize_strided(op.tensor(), sizes, strides.empty() ? IntArrayRef(contiguous_strides(sizes)) : strides);
  }
}

const Tensor& TensorIterator::maybe_get_output(std::int64_t index) { return tensor(static_cast<std::size_t>(index)); }

}  // namespace structured
