#pragma once
// Walking over several tensors of broadcastable shapes in step: how pointwise operators and reductions are written.
//
// Rules (those of ATen):
// - Shape: that of all inputs, broadcast; given outputs take part unless they may be resized.
// - Dtype: the common dtype follows from the inputs (type_promotion.h). Loops see operands in it; elements are
//   converted on the way, block by block, without whole temporaries.
// - Outputs that the iterator describes have the inputs' order of dimensions: transposed inputs give a transposed
//   output.
// - Dimensions are reordered by strides, smallest first, and adjoining ones that all operands walk in one go are one:
//   the iteration over dense operands has one dimension, or none.
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "structured/core/array_ref.h"
#include "structured/core/device.h"
#include "structured/core/export.h"
#include "structured/core/scalar.h"
#include "structured/core/scalar_type.h"
#include "structured/core/tensor.h"
#include "structured/iterator/config.h"
#include "structured/iterator/function_ref.h"
#include "structured/iterator/operand.h"
#include "structured/iterator/parallel.h"
#include "structured/iterator/plan.h"
#include "structured/kernel/meta_base.h"

namespace structured {

namespace detail {
struct ReadyLoop;  // pointwise.h
}  // namespace detail

/// A loop over `size` elements: `data[i]` is operand i's first one, `strides[i]` its step in bytes.
using Loop1d = FunctionRef<void(char* const* data, const std::int64_t* strides, std::int64_t size)>;
/// A loop over `outer` rows of `inner` elements: `strides[i]` is operand i's step from element to element in bytes,
/// `strides[ntensors + i]` that from row to row.
using Loop2d =
    FunctionRef<void(char* const* data, const std::int64_t* strides, std::int64_t inner, std::int64_t outer)>;

/// What meta functions of pointwise operators receive: a MetaBase with operands. Outputs are set through
/// `set_output_raw_strided`, so that the operator's adaptor allocates, resizes or checks them.
///
/// Borrows its operands; lives on the stack of one call and belongs to one thread, which may run for_each.
class STRUCTURED_API TensorIteratorBase : public MetaBase {
 public:
  /// `build` refuses memory that overlaps in part, and bears an output that is an input: each element is read first.
  static constexpr bool checks_overlap = true;

  TensorIteratorBase() {}  // not `= default`: value-initialisation would zero the whole object

  /// Sets up the iteration. Throws Error if shapes do not broadcast, an output that may not be resized has another
  /// shape, dtypes or devices break the config's rules, or memory overlaps.
  void build(const TensorIteratorConfig& config);

  // An undefined `out` is allocated, one of another shape is resized. Each throws Error as `build` does.

  /// The common dtype of a and b, which `out` must be able to hold; cpu scalars go with any device.
  void build_binary_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b);
  /// The same where `b` is a number: it takes part in type promotion as numbers do, and is no operand; the kernel has
  /// it anyhow.
  void build_binary_op(BorrowedTensor out, BorrowedTensor a, const Scalar& b);
  /// The same with integers computed in the default dtype, as true division does.
  void build_binary_float_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b);
  /// As build_binary_op, for results that are Bool unless `out` says otherwise.
  void build_comparison_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b);
  void build_comparison_op(BorrowedTensor out, BorrowedTensor a, const Scalar& b);
  /// As build_binary_op with three inputs.
  void build_ternary_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b, BorrowedTensor c);
  /// `out` has the dtype of `a`.
  void build_unary_op(BorrowedTensor out, BorrowedTensor a);
  /// Integers are computed in the default dtype; `out` must be able to hold the result.
  void build_unary_float_op(BorrowedTensor out, BorrowedTensor a);
  /// A Bool result, or one of `out`'s dtype, from `a` in its own dtype.
  void build_unary_force_boolean_op(BorrowedTensor out, BorrowedTensor a);
  /// No inputs; `out` is defined and keeps its shape.
  void build_nullary_op(BorrowedTensor out);
  /// Any number of inputs, and of numbers that take part in type promotion, null for those that are not given. Results
  /// are Bool if `is_boolean`, as those of comparisons; integers are computed in the default dtype if `is_floating`.
  void build_elementwise_op(BorrowedTensor out, std::initializer_list<BorrowedTensor> inputs,
                            std::initializer_list<const Scalar*> numbers, bool is_boolean, bool is_floating);

  // The iteration, after build().

  /// All operands are of common_dtype(), and element i of each lies i elements behind its first one: they are walked
  /// as if they had one dimension. Loops need not ask, it only lets them find out fast.
  bool is_dense() const { return form_ == Form::dense; }
  /// The same but for dtypes in memory, which loops do not see.
  bool is_dense_with_casts() const { return form_ == Form::dense_with_casts; }
  /// Three operands of common_dtype() and two dimensions. Null for any other iteration.
  const detail::Grid* grid() const { return form_ == Form::grid ? &grid_ : nullptr; }

  /// Sizes after reordering and coalescing, innermost first.
  IntArrayRef shape() const { return plan().shape; }
  std::size_t ndim() const { return plan().shape.size(); }
  std::int64_t numel() const { return numel_; }
  bool is_reduction() const { return has_plan() && plan_.is_reduction; }
  /// In bytes. `dim` is a dimension of shape().
  std::int64_t stride(std::size_t operand, std::size_t dim) const { return plan().strides[dim * ntensors() + operand]; }
  /// Strides of all operands as Loop2d takes them: always two dimensions at least.
  const std::int64_t* strides() const { return plan().strides.data(); }
  /// One dimension at most, and each operand dense in it.
  bool is_contiguous() const;

  // Operands: outputs first, then inputs.

  std::size_t ntensors() const { return num_operands_; }
  std::size_t noutputs() const { return num_outputs_; }
  std::size_t ninputs() const { return ntensors() - noutputs(); }
  const Tensor& tensor(std::size_t operand) const {
    return has_plan() ? *plan_.operands[operand].tensor : *few_operands_[operand];
  }
  /// The same where is_dense() or is_dense_with_casts().
  const Tensor& dense_tensor(std::size_t operand) const { return *few_operands_[operand]; }
  const Tensor& output(std::size_t i = 0) const { return tensor(i); }
  const Tensor& input(std::size_t i = 0) const { return tensor(num_outputs_ + i); }
  /// First elements; null on meta.
  char* const* data() const { return plan().data.data(); }

  /// What loops see of an operand. The tensor itself may have another dtype, see needs_cast().
  ScalarType dtype(std::size_t operand = 0) const {
    if (has_plan()) return plan_.operands[operand].target_dtype;
    return operand < num_outputs_ ? few_operands_[operand]->scalar_type() : common_dtype_;
  }
  ScalarType input_dtype(std::size_t i = 0) const { return dtype(num_outputs_ + i); }
  /// The dtype to compute in; Undefined where inputs differ and no rule asked for one.
  ScalarType common_dtype() const { return common_dtype_; }
  Device device() const { return plan().device; }
  /// Some operand's elements are converted on the way to and from loops.
  bool needs_cast() const { return has_plan() ? plan_.needs_cast : form_ == Form::dense_with_casts; }

  // Loops.

  /// From here to stop_recording(), elementwise functions are not run: what it takes to run them goes to `ready`, see
  /// there. Only for iterations that are dense.
  void record(detail::ReadyLoop& ready) {
    form_ = Form::recorded;
    recorded_ = &ready;
  }
  void stop_recording() { form_ = Form::dense; }
  detail::ReadyLoop* recorded() const { return form_ == Form::recorded ? recorded_ : nullptr; }

  /// Runs `loop` over all elements, on several threads when there are more than `grain` of them. Pieces come in no
  /// particular order. Not for reductions whose loops write one element from several places.
  void for_each(Loop2d loop, std::int64_t grain = kGrainSize) const;
  void for_each(Loop1d loop, std::int64_t grain = kGrainSize) const;
  /// The same for loops that convert elements by themselves: what they see is what is in memory.
  void for_each_in_memory(Loop2d loop, std::int64_t grain = kGrainSize) const;
  /// Runs `loop` over elements number [begin, end), in order and on this thread.
  void serial_for_each(Loop2d loop, std::int64_t begin, std::int64_t end) const;

  /// Called once output `index` is there: by adaptors, and by overriding functions of derived classes.
  void notify_output(std::int64_t index, const Tensor& output) {
    (has_plan() ? plan_.operands[static_cast<std::size_t>(index)].tensor
                : few_operands_[static_cast<std::size_t>(index)]) = &output;
  }
  void set_output_raw_strided(std::int64_t index, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override;

 protected:
  ~TensorIteratorBase() {
    if (has_plan()) [[unlikely]]
      plan_.~IterationPlan();
  }

  detail::Operand& operand(std::size_t index) { return plan_.operands[index]; }
  /// Keeps a tensor as operand `index`.
  const Tensor& own(std::size_t index, Tensor tensor);

 private:
  // What the dtypes of a pointwise operator follow from.
  enum class Pointwise : std::uint8_t {
    keeping,    // all are equal
    promoting,  // the inputs promote to one, which the output must be able to hold
    floating,   // the same, and integers become the default dtype
  };

  // Ways past the general machinery, for operands that cannot break a rule (fast_build.cpp). They return false, with
  // nothing done, where they do not know that.
  template <class... Inputs>
  bool set_up_dense(const Tensor& out, const Tensor& first, const Inputs&... rest);
  void finish_dense_output(const Tensor& out, const Tensor& like);
  template <class... Inputs>
  bool set_up_dense_comparison(const Tensor& out, const Tensor& first, const Inputs&... rest);
  bool build_mixed(const Tensor& out, const Tensor& a, const Tensor& b);
  bool build_grid(const Tensor& out, const Tensor& a, const Tensor& b);
  template <std::size_t N>
  bool build_flat(const Tensor& out, const Tensor* const (&inputs)[N]);
  template <std::size_t N>
  void set_flat_output(const Tensor* const (&inputs)[N], IntArrayRef sizes, ScalarType dtype, bool is_swapped);
  template <class... Inputs>
  void build_general(Pointwise kind, const Tensor& out, const Inputs&... inputs);

  void build_pointwise(Pointwise kind, const Tensor& out, std::initializer_list<const Tensor*> inputs,
                       const Scalar* number = nullptr);
  void build_elementwise(const Tensor& out, std::initializer_list<BorrowedTensor> inputs,
                         std::initializer_list<const Scalar*> numbers, bool is_boolean, bool is_floating);
  void build_with_number(const Tensor& out, const Tensor& a, const Scalar& b);

  const detail::IterationPlan& plan() const {
    if (!has_plan()) [[unlikely]]
      make_plan();
    return plan_;
  }
  bool has_plan() const { return form_ == Form::planned; }
  void begin_plan();
  void make_plan() const;
  void describe_dense() const;
  void describe_grid() const;

  void populate_operands(const TensorIteratorConfig& config);
  void check_overlap() const;
  void compute_shape(const TensorIteratorConfig& config);
  bool mark_resized_outputs(const TensorIteratorConfig& config);  // whether there is one that the caller gave
  void compute_types(const TensorIteratorConfig& config);
  void check_same_dtype() const;
  void check_devices(const TensorIteratorConfig& config) const;
  bool set_up_same_layout(const TensorIteratorConfig& config);
  void compute_strides(const TensorIteratorConfig& config);
  void compute_operand_strides(std::size_t operand, const DimVector& order);
  DimVector reorder_dimensions(bool keep_order);
  int compare_dimensions(std::size_t a, std::size_t b) const;
  void set_outputs(const TensorIteratorConfig& config, const DimVector& order);
  void set_output(const TensorIteratorConfig& config, std::size_t index, IntArrayRef sizes, IntArrayRef strides);
  void coalesce_dimensions();
  void make_one_dimensional();
  void collect_data();

  // What is known of the iteration. Dense operands and grids need no plan; who asks for one gets it made then.
  enum class Form : std::uint8_t { dense, dense_with_casts, grid, recorded, planned };
  static constexpr std::size_t kFewOperands = 4;

  union {
    mutable detail::IterationPlan plan_;
    mutable detail::Grid grid_;
    detail::ReadyLoop* recorded_;
  };
  const Tensor* few_operands_[kFewOperands];  // without a plan
  std::int64_t numel_;
  std::uint16_t num_operands_ = 0;
  std::uint16_t num_outputs_ = 0;
  ScalarType common_dtype_ = ScalarType::Undefined;
  mutable Form form_ = Form::dense;
};

/// An iterator for use inside kernels. It allocates and resizes outputs itself.
class STRUCTURED_API TensorIterator final : public TensorIteratorBase {
 public:
  explicit TensorIterator(const TensorIteratorConfig& config) { build(config); }

  // As the builders of TensorIteratorBase.
  static TensorIterator binary_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b);
  static TensorIterator comparison_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b);
  static TensorIterator unary_op(BorrowedTensor out, BorrowedTensor a);
  static TensorIterator unary_float_op(BorrowedTensor out, BorrowedTensor a);
  static TensorIterator nullary_op(BorrowedTensor out);
  /// `out` has the dimensions of `in`, with size 1 where it is reduced.
  static TensorIterator reduce_op(BorrowedTensor out, BorrowedTensor in);

  void set_output_raw_strided(std::int64_t index, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override;
  const Tensor& maybe_get_output(std::int64_t index) override;
};

}  // namespace structured
