// Fast builds for up to three operands of at most two dimensions that are broadcast, transposed or strided; see
// fast_build.cpp for dense ones. build_grid makes a Grid for the most common case: two inputs of one dtype, and two
// dimensions that do not coalesce. Its values stay in registers. build_flat makes a plan for every other case. The
// rules that both functions share come first.
#include <algorithm>
#include <new>
#include <utility>

#include "structured/iterator/fast_build.h"

namespace structured {

using detail::is_common;
using detail::is_common_and_contiguous;
using detail::may_overlap;

namespace {

// An operand of at most two dimensions as a matrix: missing dimensions have size 1. Steps are in bytes.
struct Matrix {
  int64_t inner = 1;
  int64_t outer = 1;
  int64_t inner_step = 0;
  int64_t outer_step = 0;

  STRUCTURED_ALWAYS_INLINE explicit Matrix(const TensorImpl& impl) {
    const std::size_t rank = impl.rank();
    if (rank == 0) return;
    const int64_t* const sizes = impl.sizes().data();
    const int64_t* const strides = impl.strides().data();
    const int shift = item_size_log2(impl.dtype());
    inner = sizes[rank - 1];
    inner_step = strides[rank - 1] << shift;
    if (rank == 2) {
      outer = sizes[0];
      outer_step = strides[0] << shift;
    }
  }

  // Returns whether the matrix broadcasts to these sizes, and sets its steps in broadcast dimensions to 0.
  STRUCTURED_ALWAYS_INLINE bool broadcast_to(int64_t common_inner, int64_t common_outer) {
    if (inner != common_inner) {
      if (inner != 1) return false;
      inner_step = 0;
    }
    if (outer != common_outer) {
      if (outer != 1) return false;
      outer_step = 0;
    }
    return true;
  }

  void transpose() { std::swap(inner_step, outer_step); }

  // Whether both dimensions coalesce, by the rule of coalesce_dimensions. `row` is the size of the inner one.
  bool coalesces(int64_t row) const { return row * inner_step == outer_step; }
};

// Decides which dimension is the inner one of the iteration, by the rules of compare_dimensions.
struct DimensionOrder {
  int64_t inner;
  int64_t outer;
  bool is_swapped = false;

  // Called for each operand, a given output first, until one decides. Returns whether this one does.
  STRUCTURED_ALWAYS_INLINE bool decide(int64_t inner_step, int64_t outer_step) {
    if (inner_step == 0 || outer_step == 0) return false;
    is_swapped = inner_step > outer_step || (inner_step == outer_step && inner > outer);
    return inner_step < outer_step || is_swapped;
  }
};

// Whether a given output can be written as it is: dense, of this signature and these sizes.
STRUCTURED_ALWAYS_INLINE bool fits(const TensorImpl* written, TensorSignature signature, IntArrayRef sizes) {
  return is_common(written) && written->signature() == signature && (written->flags() & TensorFlags::kDense) != 0 &&
         written->sizes().equals(sizes);
}

}  // namespace

// Allocates the output: by set_output_like, the cheapest function, if some input has the output's layout.
template <std::size_t N>
STRUCTURED_ALWAYS_INLINE void TensorIteratorBase::set_flat_output(const Tensor* const (&inputs)[N], IntArrayRef sizes,
                                                                  ScalarType dtype, bool is_swapped) {
  const uint32_t layout = is_swapped ? TensorFlags::kDense : TensorFlags::kContiguous | TensorFlags::kDense;
  for (const Tensor* const input : inputs) {
    const TensorImpl& impl = *input->impl();
    if ((impl.flags() & (TensorFlags::kContiguous | TensorFlags::kDense)) == layout && impl.rank() == sizes.size() &&
        impl.dtype() == dtype && impl.sizes().equals(sizes)) {
      return set_output_like(0, *input);
    }
  }
  const int64_t column_major[] = {1, sizes[0]};
  set_output_raw_strided(0, sizes, is_swapped ? IntArrayRef(column_major) : IntArrayRef(),
                         TensorOptions(dtype, inputs[0]->device()));
}

// Two inputs of one dtype, and two dimensions that are larger than 1 and do not coalesce.
bool TensorIteratorBase::build_grid(const Tensor& out, const Tensor& a, const Tensor& b) {
  const TensorImpl* const first = a.impl();
  const TensorImpl* const second = b.impl();
  if (has_plan() || !is_common(first) || !is_common(second)) return false;
  constexpr uint32_t kind = TensorSignature::kDeviceBits | TensorSignature::kDtypeBits;
  if (std::max(first->rank(), second->rank()) != 2 || first->rank() == 0 || second->rank() == 0 ||
      ((first->signature().word ^ second->signature().word) & kind) != 0) {
    return false;
  }
  Matrix left(*first);
  Matrix right(*second);
  const int64_t inner = left.inner == 1 ? right.inner : left.inner;
  const int64_t outer = left.outer == 1 ? right.outer : left.outer;
  if (inner <= 1 || outer <= 1 || !left.broadcast_to(inner, outer) || !right.broadcast_to(inner, outer)) return false;
  const int64_t sizes[] = {outer, inner};
  const TensorImpl* written = out.impl();
  if (written != nullptr && (!fits(written, first->signature().with_rank(2), sizes) || may_overlap(written, first) ||
                             may_overlap(written, second))) {
    return false;
  }

  DimensionOrder order{inner, outer};
  if (written == nullptr || !order.decide(written->strides().data()[1], written->strides().data()[0])) {
    if (!order.decide(left.inner_step, left.outer_step)) order.decide(right.inner_step, right.outer_step);
  }
  if (order.is_swapped) {
    left.transpose();
    right.transpose();
  }
  const int64_t row = order.is_swapped ? outer : inner;
  if (left.coalesces(row) && right.coalesces(row)) return false;

  // Every check has passed: the iterator changes only from here on.
  num_outputs_ = 1;
  num_operands_ = 3;
  common_dtype_ = first->dtype();
  numel_ = inner * outer;
  form_ = Form::grid;
  few_operands_[0] = &out;
  few_operands_[1] = &a;
  few_operands_[2] = &b;
  if (written != nullptr) {
    mark_output_set(0);
  } else {
    const Tensor* const inputs[] = {&a, &b};
    set_flat_output(inputs, sizes, common_dtype_, order.is_swapped);
    written = few_operands_[0]->impl();
  }

  Matrix result(*written);
  if (order.is_swapped) result.transpose();
  const int shift = item_size_log2(common_dtype_);
  const auto data_of = [shift](const TensorImpl* impl) {
    return static_cast<char*>(impl->storage().data()) + (impl->storage_offset() << shift);
  };
  grid_.data[0] = data_of(written);
  grid_.data[1] = data_of(first);
  grid_.data[2] = data_of(second);
  grid_.strides[0] = result.inner_step;
  grid_.strides[1] = left.inner_step;
  grid_.strides[2] = right.inner_step;
  grid_.strides[3] = result.outer_step;
  grid_.strides[4] = left.outer_step;
  grid_.strides[5] = right.outer_step;
  grid_.inner = row;
  grid_.outer = order.is_swapped ? inner : outer;
  return true;
}

// Operands on one device, of at most two dimensions, with any strides and with dtypes that promote. `out` is undefined,
// or a dense tensor of the resulting shape and dtype.
template <std::size_t N>
bool TensorIteratorBase::build_flat(const Tensor& out, const Tensor* const (&inputs)[N]) {
  const TensorImpl* const first = inputs[0]->impl();
  if (has_plan()) return false;
  for (const Tensor* const input : inputs) {
    if (!is_common(input->impl()) || input->impl()->rank() > 2) return false;
  }
  std::size_t rank = first->rank();
  ScalarType dtype = first->dtype();
  uint32_t differences = 0;
  for (std::size_t i = 1; i < N; ++i) {
    const TensorImpl* const impl = inputs[i]->impl();
    differences |= impl->signature().word ^ first->signature().word;
    rank = std::max(rank, impl->rank());
    if (impl->dtype() == dtype) continue;
    // Zero-dimensional tensors have a lower priority in promotion: build() applies that rule.
    if (impl->rank() == 0 || first->rank() == 0) return false;
    dtype = promote_types(dtype, impl->dtype());
  }
  if ((differences & TensorSignature::kDeviceBits) != 0) return false;

  static_assert(N >= 1 && N <= 3);
  Matrix grids[] = {Matrix(*first), Matrix(*inputs[N > 1 ? 1 : 0]->impl()), Matrix(*inputs[N > 2 ? 2 : 0]->impl())};
  int64_t inner = grids[0].inner;
  int64_t outer = grids[0].outer;
  for (std::size_t i = 1; i < N; ++i) {
    if (inner == 1) inner = grids[i].inner;
    if (outer == 1) outer = grids[i].outer;
  }
  if (inner == 0 || outer == 0) return false;
  for (std::size_t i = 0; i < N; ++i) {
    if (!grids[i].broadcast_to(inner, outer)) return false;
  }
  const int64_t sizes[] = {outer, inner};
  const IntArrayRef common_sizes(sizes + 2 - rank, rank);
  const TensorImpl* written = out.impl();
  if (written != nullptr) {
    if (!fits(written, TensorSignature::make(first->device(), dtype, rank), common_sizes)) return false;
    for (const Tensor* const input : inputs) {
      if (may_overlap(written, input->impl())) return false;
    }
  }

  // Every check has passed: the iterator changes only from here on.
  new (&plan_) detail::IterationPlan;
  form_ = Form::planned;
  plan_.operands.resize(N + 1);
  plan_.strides.resize(2 * (N + 1));
  plan_.data.resize(N + 1);
  detail::Operand* const operands = plan_.operands.data();
  int64_t* const shape = plan_.shape.data();
  int64_t* const strides = plan_.strides.data();
  char** const data = plan_.data.data();
  num_outputs_ = 1;
  num_operands_ = N + 1;
  common_dtype_ = dtype;
  numel_ = inner * outer;
  plan_.device = first->device();
  operands[0] = {&out, dtype, dtype, /*is_output=*/true};
  bool needs_cast = false;
  for (std::size_t i = 0; i < N; ++i) {
    const ScalarType own = inputs[i]->impl()->dtype();
    operands[i + 1] = {inputs[i], own, dtype};
    needs_cast |= own != dtype;
  }
  plan_.needs_cast = needs_cast;

  DimensionOrder order{inner, outer};
  if (rank == 2) {
    bool decided = written != nullptr && order.decide(written->strides()[1], written->strides()[0]);
    for (std::size_t i = 0; i < N && !decided; ++i) decided = order.decide(grids[i].inner_step, grids[i].outer_step);
    // The stride of a dimension of size 1 is arbitrary: it does not decide if all inputs are contiguous and alike.
    if (order.is_swapped && (inner == 1 || outer == 1)) {
      order.is_swapped = !std::ranges::all_of(inputs, [&](const Tensor* input) {
        return is_common_and_contiguous(input->impl()) && input->sizes().equals(common_sizes);
      });
    }
  }
  const bool is_swapped = order.is_swapped;
  if (written != nullptr) {
    mark_output_set(0);
  } else {
    set_flat_output(inputs, common_sizes, dtype, is_swapped);
    written = operands[0].tensor->impl();
  }

  Matrix result(*written);
  const bool is_one = numel_ == 1;
  // A dimension of size 1 coalesces with the other one, whose strides remain.
  const bool has_one_row = inner == 1 || outer == 1;
  const bool takes_outer = has_one_row ? inner == 1 || (is_swapped && outer != 1) : is_swapped;
  if (takes_outer) {
    result.transpose();
    for (Matrix& grid : grids) grid.transpose();
  }
  bool joins = is_one || has_one_row;
  if (!joins) {
    const int64_t row = is_swapped ? outer : inner;
    joins = result.coalesces(row);
    for (std::size_t i = 0; i < N && joins; ++i) joins = grids[i].coalesces(row);
  }
  const auto set_operand = [&](std::size_t i, const Matrix& grid, const TensorImpl& impl) {
    strides[i] = is_one ? int64_t{1} << item_size_log2(impl.dtype()) : grid.inner_step;
    strides[N + 1 + i] = joins ? 0 : grid.outer_step;
    data[i] = static_cast<char*>(impl.data());
  };
  set_operand(0, result, *written);
  for (std::size_t i = 0; i < N; ++i) set_operand(i + 1, grids[i], *inputs[i]->impl());
  plan_.shape.resize(joins && rank == 2 ? 1 : rank);
  shape[0] = joins ? numel_ : takes_outer ? outer : inner;
  shape[1] = takes_outer ? inner : outer;
  return true;
}

template bool TensorIteratorBase::build_flat<1>(const Tensor&, const Tensor* const (&)[1]);
template bool TensorIteratorBase::build_flat<2>(const Tensor&, const Tensor* const (&)[2]);
template bool TensorIteratorBase::build_flat<3>(const Tensor&, const Tensor* const (&)[3]);

}  // namespace structured
