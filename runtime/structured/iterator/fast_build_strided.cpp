// Setting up an iteration over a few operands of two dimensions at most that are broadcast, transposed or strided; as
// fast_build.cpp does it for dense ones.
#include <algorithm>
#include <new>
#include <utility>

#include "structured/iterator/fast_build.h"

namespace structured {

using detail::is_common;
using detail::is_common_and_contiguous;
using detail::may_overlap;
using detail::Operand;

namespace {

// A tensor of two dimensions at most as if it had two; steps in bytes.
struct Matrix {
  std::int64_t inner = 1;
  std::int64_t outer = 1;
  std::int64_t inner_step = 0;
  std::int64_t outer_step = 0;

  void turn() { std::swap(inner_step, outer_step); }

  STRUCTURED_ALWAYS_INLINE explicit Matrix(const TensorImpl& impl) {
    const std::size_t rank = impl.rank();
    if (rank == 0) return;
    const std::int64_t* const sizes = impl.sizes().data();
    const std::int64_t* const strides = impl.strides().data();
    const int shift = item_size_log2(impl.dtype());
    inner = sizes[rank - 1];
    inner_step = strides[rank - 1] << shift;
    if (rank == 2) {
      outer = sizes[0];
      outer_step = strides[0] << shift;
    }
  }
};

}  // namespace

// Two inputs of one dtype that are broadcast, transposed or strided in two dimensions, which are larger than 1 and not
// walked in one go: build_flat for the commonest of its cases, where all stays in registers. Its rules are the same.
bool TensorIteratorBase::build_grid(const Tensor& out, const Tensor& a, const Tensor& b) {
  const TensorImpl* const first = a.impl();
  const TensorImpl* const second = b.impl();
  if (has_plan() || !is_common(first) || !is_common(second)) return false;
  const std::uint32_t kind = first->signature().word & (TensorSignature::kDeviceBits | TensorSignature::kDtypeBits);
  const std::size_t rank_a = first->rank();
  const std::size_t rank_b = second->rank();
  if (std::max(rank_a, rank_b) != 2 || rank_a == 0 || rank_b == 0 ||
      ((second->signature().word ^ kind) & (TensorSignature::kDeviceBits | TensorSignature::kDtypeBits)) != 0) {
    return false;
  }
  const std::int64_t* const sizes_a = first->sizes().data() + rank_a;  // behind the last one
  const std::int64_t* const sizes_b = second->sizes().data() + rank_b;
  const std::int64_t* const strides_a = first->strides().data() + rank_a;
  const std::int64_t* const strides_b = second->strides().data() + rank_b;
  const std::int64_t inner_a = sizes_a[-1];
  const std::int64_t inner_b = sizes_b[-1];
  const std::int64_t outer_a = rank_a == 2 ? sizes_a[-2] : 1;
  const std::int64_t outer_b = rank_b == 2 ? sizes_b[-2] : 1;
  const std::int64_t inner = inner_a == 1 ? inner_b : inner_a;
  const std::int64_t outer = outer_a == 1 ? outer_b : outer_a;
  if (inner <= 1 || outer <= 1 || (inner_a != inner && inner_a != 1) || (inner_b != inner && inner_b != 1) ||
      (outer_a != outer && outer_a != 1) || (outer_b != outer && outer_b != 1)) {
    return false;
  }
  std::int64_t inner_step_a = inner_a == 1 ? 0 : strides_a[-1];
  std::int64_t inner_step_b = inner_b == 1 ? 0 : strides_b[-1];
  std::int64_t outer_step_a = outer_a == 1 ? 0 : strides_a[-2];
  std::int64_t outer_step_b = outer_b == 1 ? 0 : strides_b[-2];
  const TensorImpl* written = out.impl();
  const std::int64_t sizes[] = {outer, inner};
  if (written != nullptr) {
    if (!is_common(written) || written->signature().word != (kind | 2u << 24) ||
        (written->flags() & TensorFlags::kDense) == 0 || written->sizes().data()[0] != outer ||
        written->sizes().data()[1] != inner || may_overlap(written, first) || may_overlap(written, second)) {
      return false;
    }
  }

  bool is_swapped = false;
  const auto is_decided = [&](std::int64_t inner_step, std::int64_t outer_step) {
    if (inner_step == 0 || outer_step == 0) return false;
    is_swapped = inner_step > outer_step || (inner_step == outer_step && inner > outer);
    return inner_step < outer_step || is_swapped;
  };
  if (written == nullptr || !is_decided(written->strides().data()[1], written->strides().data()[0])) {
    if (!is_decided(inner_step_a, outer_step_a)) is_decided(inner_step_b, outer_step_b);
  }
  if (is_swapped) {
    std::swap(inner_step_a, outer_step_a);
    std::swap(inner_step_b, outer_step_b);
  }
  const std::int64_t row = is_swapped ? outer : inner;
  if (row * inner_step_a == outer_step_a && row * inner_step_b == outer_step_b) return false;

  // Nothing can go wrong from here on.
  num_outputs_ = 1;
  num_operands_ = 3;
  common_dtype_ = first->dtype();
  numel_ = inner * outer;
  form_ = Form::grid;
  few_operands_[0] = &out;
  few_operands_[1] = &a;
  few_operands_[2] = &b;
  const std::uint32_t layout = is_swapped ? TensorFlags::kDense : TensorFlags::kContiguous | TensorFlags::kDense;
  const auto is_laid_out = [&](const TensorImpl* impl) {
    return (impl->flags() & (TensorFlags::kContiguous | TensorFlags::kDense)) == layout;
  };
  if (written != nullptr) {
    mark_output_set(0);
  } else if (is_laid_out(first) && rank_a == 2 && inner_a == inner && outer_a == outer) {
    set_output_like(0, a);
  } else if (is_laid_out(second) && rank_b == 2 && inner_b == inner && outer_b == outer) {
    set_output_like(0, b);
  } else {
    const std::int64_t column_major[] = {1, outer};
    set_output_raw_strided(0, sizes, is_swapped ? IntArrayRef(column_major) : IntArrayRef(),
                           TensorOptions(common_dtype_, first->device()));
  }
  written = few_operands_[0]->impl();

  const int shift = item_size_log2(common_dtype_);
  const auto data_of = [shift](const TensorImpl* impl) {
    return static_cast<char*>(impl->storage().data()) + (impl->storage_offset() << shift);
  };
  const std::int64_t* const strides = written->strides().data();
  grid_.data[0] = data_of(written);
  grid_.data[1] = data_of(first);
  grid_.data[2] = data_of(second);
  grid_.strides[0] = strides[is_swapped ? 0 : 1] << shift;
  grid_.strides[1] = inner_step_a << shift;
  grid_.strides[2] = inner_step_b << shift;
  grid_.strides[3] = strides[is_swapped ? 1 : 0] << shift;
  grid_.strides[4] = outer_step_a << shift;
  grid_.strides[5] = outer_step_b << shift;
  grid_.inner = row;
  grid_.outer = is_swapped ? inner : outer;
  return true;
}

// The cheapest way: like an input that is laid out as the output is to be.
template <std::size_t N>
STRUCTURED_ALWAYS_INLINE void TensorIteratorBase::set_flat_output(const Tensor* const (&inputs)[N], IntArrayRef sizes,
                                                                  ScalarType dtype, bool is_swapped) {
  const std::uint32_t layout = is_swapped ? TensorFlags::kDense : TensorFlags::kContiguous | TensorFlags::kDense;
  for (const Tensor* const input : inputs) {
    const TensorImpl& impl = *input->impl();
    if ((impl.flags() & (TensorFlags::kContiguous | TensorFlags::kDense)) == layout && impl.rank() == sizes.size() &&
        impl.dtype() == dtype && impl.sizes().equals(sizes)) {
      return set_output_like(0, *input);
    }
  }
  const std::int64_t column_major[] = {1, sizes[0]};
  set_output_raw_strided(0, sizes, is_swapped ? IntArrayRef(column_major) : IntArrayRef(),
                         TensorOptions(dtype, inputs[0]->device()));
}

// Operands on one device, of two dimensions at most, that are broadcast, strided in any way, or of dtypes that promote.
// `out` is undefined, or a dense tensor of the resulting shape and dtype.
template <std::size_t N>
bool TensorIteratorBase::build_flat(const Tensor& out, const Tensor* const (&inputs)[N]) {
  const TensorImpl* const first = inputs[0]->impl();
  if (has_plan()) return false;
  for (const Tensor* const input : inputs) {
    if (!is_common(input->impl()) || input->impl()->rank() > 2) return false;
  }
  std::size_t rank = first->rank();
  ScalarType dtype = first->dtype();
  std::uint32_t differences = 0;
  for (std::size_t i = 1; i < N; ++i) {
    const TensorImpl* const impl = inputs[i]->impl();
    differences |= impl->signature().word ^ first->signature().word;
    rank = std::max(rank, impl->rank());
    if (impl->dtype() == dtype) continue;
    // Tensors without dimensions count less in promotion.
    if (impl->rank() == 0 || first->rank() == 0) return false;
    dtype = promote_types(dtype, impl->dtype());
  }
  if ((differences & TensorSignature::kDeviceBits) != 0) return false;

  static_assert(N >= 1 && N <= 3);
  Matrix grids[] = {Matrix(*first), Matrix(*inputs[N > 1 ? 1 : 0]->impl()), Matrix(*inputs[N > 2 ? 2 : 0]->impl())};
  std::int64_t inner = grids[0].inner;
  std::int64_t outer = grids[0].outer;
  for (std::size_t i = 1; i < N; ++i) {
    if (inner == 1) inner = grids[i].inner;
    if (outer == 1) outer = grids[i].outer;
  }
  if (inner == 0 || outer == 0) return false;
  for (std::size_t i = 0; i < N; ++i) {
    if (grids[i].inner != inner) {
      if (grids[i].inner != 1) return false;
      grids[i].inner_step = 0;
    }
    if (grids[i].outer != outer) {
      if (grids[i].outer != 1) return false;
      grids[i].outer_step = 0;
    }
  }
  const std::int64_t sizes[] = {outer, inner};
  const IntArrayRef common_sizes(sizes + 2 - rank, rank);
  const TensorImpl* written = out.impl();
  if (written != nullptr) {
    if (!is_common(written) || written->signature() != TensorSignature::make(first->device(), dtype, rank) ||
        (written->flags() & TensorFlags::kDense) == 0 || !written->sizes().equals(common_sizes)) {
      return false;
    }
    for (const Tensor* const input : inputs) {
      if (may_overlap(written, input->impl())) return false;
    }
  }

  // Nothing can go wrong from here on.
  new (&plan_) detail::IterationPlan;
  form_ = Form::planned;
  plan_.operands.resize(N + 1);
  plan_.strides.resize(2 * (N + 1));
  plan_.data.resize(N + 1);
  detail::Operand* const operands = plan_.operands.data();
  std::int64_t* const shape = plan_.shape.data();
  std::int64_t* const strides = plan_.strides.data();
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

  // Which dimension comes first, by the rules of compare_dimensions; the output that is there comes before the inputs.
  bool is_swapped = false;
  if (rank == 2) {
    const auto is_decided = [&](std::int64_t inner_step, std::int64_t outer_step) {
      if (inner_step == 0 || outer_step == 0) return false;
      is_swapped = inner_step > outer_step || (inner_step == outer_step && inner > outer);
      return inner_step < outer_step || is_swapped;
    };
    bool decided = written != nullptr && is_decided(written->strides()[1], written->strides()[0]);
    for (std::size_t i = 0; i < N && !decided; ++i) decided = is_decided(grids[i].inner_step, grids[i].outer_step);
    // The stride of a dimension of size 1 may be anything, and decides nothing where all inputs are contiguous alike.
    if (is_swapped && (inner == 1 || outer == 1)) {
      is_swapped = !std::ranges::all_of(inputs, [&](const Tensor* input) {
        return is_common_and_contiguous(input->impl()) && input->sizes().equals(common_sizes);
      });
    }
  }
  if (written != nullptr) {
    mark_output_set(0);
  } else {
    set_flat_output(inputs, common_sizes, dtype, is_swapped);
    written = operands[0].tensor->impl();
  }

  Matrix result(*written);
  const bool is_one = numel_ == 1;
  bool joins = is_one || inner == 1 || outer == 1;  // by the rules of coalesce_dimensions
  if (!joins) {
    joins =
        is_swapped ? outer * result.outer_step == result.inner_step : inner * result.inner_step == result.outer_step;
    for (std::size_t i = 0; i < N && joins; ++i) {
      joins = is_swapped ? outer * grids[i].outer_step == grids[i].inner_step
                         : inner * grids[i].inner_step == grids[i].outer_step;
    }
  }
  // A dimension of size 1 gives way to the other one.
  const bool takes_outer = joins ? inner == 1 || (is_swapped && outer != 1) : is_swapped;
  if (takes_outer) {
    result.turn();
    for (Matrix& grid : grids) grid.turn();
  }
  const auto set_operand = [&](std::size_t i, const Matrix& grid, const TensorImpl& impl) {
    strides[i] = is_one ? std::int64_t{1} << item_size_log2(impl.dtype()) : grid.inner_step;
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
