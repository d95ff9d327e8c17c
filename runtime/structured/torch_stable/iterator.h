#pragma once
// Elementwise operators on the stable ABI, which has no TensorIterator: broadcasting, type promotion, the strides of
// the result, and the walk over the elements, as ATen has them.
#include <torch/csrc/stable/ops.h>
#include <torch/headeronly/util/Exception.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "structured/torch_stable/calls.h"
#include "structured/torch_stable/meta_base.h"
#include "structured/torch_stable/overlap.h"
#include "structured/torch_stable/promotion.h"

namespace structured::torch_stable {

namespace detail {

/// Elements that one thread computes at least; the same as in ATen.
inline constexpr int64_t grain_size = 32768;

/// Returns the sizes to which tensors broadcast. Throws if there are none.
inline std::vector<int64_t> broadcast_sizes(std::span<const Tensor* const> tensors) {
  std::vector<int64_t> sizes;
  for (const Tensor* tensor : tensors) {
    const IntHeaderOnlyArrayRef own = tensor->sizes();
    if (own.size() > sizes.size()) sizes.insert(sizes.begin(), own.size() - sizes.size(), 1);
    const std::size_t first = sizes.size() - own.size();
    for (std::size_t i = 0; i < own.size(); ++i) {
      int64_t& size = sizes[first + i];
      STD_TORCH_CHECK(size == own[i] || size == 1 || own[i] == 1, "The size of tensor a (", size,
                      ") must match the size of tensor b (", own[i], ") at non-singleton dimension ", first + i);
      if (size == 1) size = own[i];
    }
  }
  return sizes;
}

/// Returns the strides of a tensor that is broadcast to these sizes, in bytes.
inline std::vector<int64_t> broadcast_strides(const Tensor& tensor, IntHeaderOnlyArrayRef sizes) {
  std::vector<int64_t> strides(sizes.size());
  const IntHeaderOnlyArrayRef own = tensor.sizes();
  const std::size_t first = sizes.size() - own.size();
  const int64_t bytes = element_size(tensor.scalar_type());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const bool is_repeated = own[i] == 1 && sizes[first + i] != 1;
    strides[first + i] = is_repeated ? 0 : tensor.stride(static_cast<int64_t>(i)) * bytes;
  }
  return strides;
}

/// Dimensions of a walk over operands, the innermost one first. All strides are in bytes.
struct Walk {
  std::vector<int64_t> sizes;
  std::vector<std::vector<int64_t>> strides;  ///< for each operand

  /// Whether dimension `outer` should be nearer to the elements than `inner`; nullopt if no operand decides. Operands
  /// decide in their order; one that repeats elements along either dimension does not count.
  std::optional<bool> should_swap(int64_t inner, int64_t outer) const {
    const auto below = static_cast<std::size_t>(inner), above = static_cast<std::size_t>(outer);
    for (const std::vector<int64_t>& operand : strides) {
      if (operand[below] == 0 || operand[above] == 0) continue;
      if (operand[below] != operand[above]) return operand[below] > operand[above];
      if (sizes[below] > sizes[above]) return true;
    }
    return std::nullopt;
  }

  /// Returns the dimensions in the order of their strides, the innermost one first. Dimensions that no operand decides
  /// about keep their order.
  std::vector<int64_t> order() const {
    std::vector<int64_t> dims(sizes.size());
    for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = static_cast<int64_t>(dims.size() - 1 - i);
    for (std::size_t i = 1; i < dims.size(); ++i) {
      std::size_t moved = i;
      for (std::size_t below = i; below-- > 0;) {
        const std::optional<bool> swaps = should_swap(dims[below], dims[moved]);
        if (!swaps) continue;
        if (!*swaps) break;
        std::swap(dims[below], dims[moved]);
        moved = below;
      }
    }
    return dims;
  }

  /// Puts the dimensions into this order, and joins those that every operand walks with one stride.
  void arrange(const std::vector<int64_t>& dims) {
    Walk arranged;
    arranged.strides.resize(strides.size());
    for (const int64_t dim : dims) {
      const auto at = static_cast<std::size_t>(dim);
      if (sizes[at] == 1) continue;
      bool joins = !arranged.sizes.empty();
      for (std::size_t i = 0; i < strides.size() && joins; ++i) {
        joins = strides[i][at] == arranged.strides[i].back() * arranged.sizes.back();
      }
      if (joins) {
        arranged.sizes.back() *= sizes[at];
        continue;
      }
      arranged.sizes.push_back(sizes[at]);
      for (std::size_t i = 0; i < strides.size(); ++i) arranged.strides[i].push_back(strides[i][at]);
    }
    if (arranged.sizes.empty()) {
      arranged.sizes.push_back(1);
      for (std::vector<int64_t>& operand : arranged.strides) operand.push_back(0);
    }
    *this = std::move(arranged);
  }

  /// Calls `loop(pointers, strides, size)` for the rows of the elements from `begin` to `end`.
  template <class Loop>
  void run(const Loop& loop, char* const* first, int64_t begin, int64_t end) const {
    const std::size_t operands = strides.size();
    std::vector<int64_t> inner(operands), index(sizes.size());
    std::vector<char*> data(operands);
    for (std::size_t i = 0; i < operands; ++i) inner[i] = strides[i][0];
    int64_t rest = begin;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
      index[dim] = rest % sizes[dim];
      rest /= sizes[dim];
    }
    while (begin < end) {
      for (std::size_t i = 0; i < operands; ++i) {
        data[i] = first[i];
        for (std::size_t dim = 0; dim < sizes.size(); ++dim) data[i] += index[dim] * strides[i][dim];
      }
      const int64_t size = std::min(sizes[0] - index[0], end - begin);
      loop(data.data(), inner.data(), size);
      begin += size;
      index[0] = 0;
      for (std::size_t dim = 1; dim < sizes.size() && ++index[dim] == sizes[dim]; ++dim) index[dim] = 0;
    }
  }
};

}  // namespace detail

/// Base of operators that one scalar function defines. Emitted meta functions call `build`, and emitted kernels
/// `for_each` and `cast_outputs`. Several threads compute large outputs.
class ElementwiseIterator : public MetaBase {
 public:
  using ChecksOverlap = void;

  /// Describes the output: the inputs broadcast to its sizes. Its dtype is Bool if `is_boolean`, otherwise the common
  /// one, which is the default dtype in place of integers if `is_floating`. The caller's output may have another dtype
  /// of the same or a larger category. The inputs must outlive this object. Throws if the tensors do not fit together.
  void build(std::initializer_list<const Tensor*> inputs, bool is_boolean, bool is_floating) {
    STD_TORCH_CHECK(inputs.size() <= kMaxInputs, "a scalar function has at most ", kMaxInputs, " tensors");
    std::copy(inputs.begin(), inputs.end(), storage_.begin());
    count_ = inputs.size();
    common_dtype_ = detail::common_dtype(this->inputs());
    if (is_floating && detail::category_of(common_dtype_) <= detail::Category::integral) {
      common_dtype_ = detail::default_dtype();
    }
    const Tensor& given = maybe_get_output(0);
    OutputOptions options = options_of(*storage_[0]);
    for (const Tensor* input : this->inputs().subspan(1)) {
      const OutputOptions own = options_of(*input);
      STD_TORCH_CHECK(own.device_type == options.device_type && own.device_index == options.device_index,
                      "Expected all tensors to be on the same device");
    }
    options.scalar_type = is_boolean ? ScalarType::Bool : common_dtype_;
    dtype_ = options.scalar_type;
    if (given.defined()) {
      const ScalarType wanted = given.scalar_type();
      STD_TORCH_CHECK(is_boolean || detail::can_cast(common_dtype_, wanted), "result type ",
                      ::torch::headeronly::toString(common_dtype_), " can't be cast to the desired output type ",
                      ::torch::headeronly::toString(wanted));
      if (is_boolean && wanted != ScalarType::Bool) dtype_ = common_dtype_;
      options.scalar_type = wanted;
      detail::assert_no_internal_overlap(given);
      for (const Tensor* input : this->inputs()) detail::assert_no_partial_overlap(given, *input);
    }
    if (is_flat(given)) {
      return set_output_raw_strided(0, storage_[0]->sizes(), {}, options);
    }
    const std::vector<int64_t> sizes = detail::broadcast_sizes(this->inputs());
    set_output_raw_strided(0, sizes, strides_for(sizes), options);
  }

  /// Returns the dtype to which all inputs are converted.
  ScalarType common_dtype() const { return common_dtype_; }
  /// Returns the dtype of the elements that `for_each` writes.
  ScalarType dtype(int /*output*/) const { return dtype_; }

  /// Calls `loop(pointers, strides, size)` for rows of elements until all are covered, with the output first and then
  /// the inputs. Strides are in bytes. Several threads may call it at once.
  template <class Loop>
  void for_each(const Loop& loop) {
    const Tensor& out = prepare();
    const int64_t count = out.numel();
    if (count == 0) return;
    std::array<char*, kMaxInputs + 1> data{static_cast<char*>(out.data_ptr())};
    for (std::size_t i = 0; i < count_; ++i) data[i + 1] = static_cast<char*>(storage_[i]->data_ptr());
    if (is_flat(out)) {
      std::array<int64_t, kMaxInputs + 1> strides;
      strides.fill(detail::element_size(common_dtype_));
      strides[0] = detail::element_size(dtype_);
      return in_parallel(count, [&](int64_t begin, int64_t end) {
        std::array<char*, kMaxInputs + 1> row = data;
        for (std::size_t i = 0; i <= count_; ++i) row[i] += begin * strides[i];
        loop(row.data(), strides.data(), end - begin);
      });
    }
    const IntHeaderOnlyArrayRef sizes = out.sizes();
    detail::Walk walk{detail::to_vector(sizes), {detail::broadcast_strides(out, sizes)}};
    for (const Tensor* input : inputs()) walk.strides.push_back(detail::broadcast_strides(*input, sizes));
    walk.arrange(walk.order());
    in_parallel(count, [&](int64_t begin, int64_t end) { walk.run(loop, data.data(), begin, end); });
  }

  /// Copies what `for_each` computed to an output of another dtype.
  void cast_outputs() {
    if (!computed_) return;
    Tensor out = maybe_get_output(0);
    ::torch::stable::copy_(out, *computed_);
  }

 protected:
  ~ElementwiseIterator() = default;

 private:
  static constexpr std::size_t kMaxInputs = 7;  // derivatives take the gradient, too

  std::span<const Tensor* const> inputs() const { return {storage_.data(), count_}; }

  /// Calls `run(begin, end)` for ranges of elements, in several threads if there are many.
  template <class Run>
  static void in_parallel(int64_t count, const Run& run) {
    if (count <= detail::grain_size) return run(0, count);
    ::torch::stable::parallel_for(0, count, detail::grain_size, run);
  }

  /// Whether the inputs, and the output if there is one, are contiguous and of the same sizes.
  bool is_flat(const Tensor& out) const {
    const Tensor& first = *storage_[0];
    const auto fits = [&](const Tensor& tensor) {
      return tensor.is_contiguous() && detail::is_equal(tensor.sizes(), first.sizes());
    };
    const std::span<const Tensor* const> all = inputs();
    return (!out.defined() || fits(out)) &&
           std::all_of(all.begin(), all.end(), [&](const Tensor* input) { return fits(*input); });
  }

  /// Returns strides of a dense output in whose memory the dimensions have the order that they have in the inputs.
  std::vector<int64_t> strides_for(const std::vector<int64_t>& sizes) const {
    detail::Walk walk;
    walk.sizes = sizes;
    for (const Tensor* input : inputs()) walk.strides.push_back(detail::broadcast_strides(*input, sizes));
    std::vector<int64_t> strides(sizes.size());
    int64_t stride = 1;
    for (const int64_t dim : walk.order()) {
      const auto at = static_cast<std::size_t>(dim);
      strides[at] = stride;
      stride *= std::max<int64_t>(sizes[at], 1);
    }
    return strides;
  }

  /// Converts the inputs to the common dtype, and returns the tensor that the loop writes.
  const Tensor& prepare() {
    for (std::size_t i = 0; i < count_; ++i) {
      const Tensor*& input = storage_[i];
      if (input->scalar_type() == common_dtype_) continue;
      converted_.reserve(count_);  // `storage_` refers to its elements
      converted_.push_back(call_operator<Tensor>("aten::to", "dtype", *input, common_dtype_, /*non_blocking=*/false,
                                                 /*copy=*/false, std::nullopt));
      input = &converted_.back();
    }
    const Tensor& out = maybe_get_output(0);
    if (out.scalar_type() == dtype_) return out;
    return computed_.emplace(detail::allocate(out.sizes(), out.strides(), options_of(out).dtype(dtype_)));
  }

  std::array<const Tensor*, kMaxInputs> storage_{};
  std::size_t count_ = 0;
  std::vector<Tensor> converted_;
  std::optional<Tensor> computed_;
  ScalarType common_dtype_ = ScalarType::Undefined;
  ScalarType dtype_ = ScalarType::Undefined;
};

}  // namespace structured::torch_stable
