#pragma once
// Iteration over several tensors of broadcastable shapes, the basis of pointwise operators and reductions.
//
// Rules (those of ATen):
// - Shape: the broadcast shape of all inputs, and of outputs that must not be resized.
// - Dtype: the common dtype is promoted from the inputs (type_promotion.h). Loops see operands in it; elements are
//   converted in blocks, without temporaries for whole tensors.
// - Layout: outputs that are allocated have the order of dimensions of the inputs, so that transposed inputs give a
//   transposed output.
// - Walk: dimensions are sorted by stride, smallest first, and coalesced if every operand allows it. Dense operands
//   leave one dimension, or none.
//
// After build() an iterator is in one of five forms. An accessor that needs more than a form stores makes a plan, which
// turns dense, dense_with_casts and grid into planned; a recorded iteration must not make a plan.
//
// | form             | operands                                   | stores                     | made by           |
// | ---------------- | ------------------------------------------ | -------------------------- | ----------------- |
// | dense            | 1 to 3 inputs and 1 output of one shape    | tensors, numel, dtype      | set_up_dense      |
// |                  | and dtype, all contiguous                  |                            |                   |
// | dense_with_casts | dense, but dtypes in memory differ from    | tensors, numel, dtype      | build_mixed,      |
// |                  | the common one (mixed inputs, Bool output) |                            | comparisons       |
// | recorded         | dense; elementwise functions store their   | ReadyLoop, tensors         | record(), until   |
// |                  | loop instead of running it                 |                            | stop_recording()  |
// | grid             | 2 inputs and 1 dense output of one dtype;  | Grid: pointers and strides | build_grid        |
// |                  | 2 dimensions > 1 that do not coalesce      |                            |                   |
// | planned          | any                                        | IterationPlan (plan.h)     | build, build_flat |
//
// `mark_output_set` or `set_output_*` has been called for every output in every form. Before build(), the form is
// dense with no operands.
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "structured/base/argument_part.h"
#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/device/device.h"
#include "structured/iterator/config.h"
#include "structured/iterator/function_ref.h"
#include "structured/iterator/operand.h"
#include "structured/iterator/parallel.h"
#include "structured/iterator/plan.h"
#include "structured/kernel/meta_base.h"
#include "structured/number/scalar.h"
#include "structured/number/scalar_type.h"

namespace structured {

namespace detail {
struct ReadyLoop;  // pointwise.h
}  // namespace detail

/// Loop over `size` elements: `data[i]` is the first element of operand i, `strides[i]` its step in bytes.
using Loop1d = FunctionRef<void(char* const* data, const int64_t* strides, int64_t size)>;
/// Loop over `outer` rows of `inner` elements: `strides[i]` is the step of operand i between elements in bytes,
/// `strides[ntensors + i]` the one between rows.
using Loop2d = FunctionRef<void(char* const* data, const int64_t* strides, int64_t inner, int64_t outer)>;

/// Base of pointwise operators: a MetaBase with operands. Outputs are set through `set_output_raw_strided`, so that the
/// adaptor of the operator allocates, resizes or checks them.
///
/// Borrows its operands. Lives on the stack of one call and belongs to one thread, which may run for_each.
class STRUCTURED_API TensorIteratorBase : public MetaBase {
 public:
  /// `build` rejects partial overlap, and accepts an output that is an input: loops read each element before they
  /// write it.
  static constexpr bool checks_overlap = true;

  TensorIteratorBase() {}  // not `= default`: value-initialization would zero the whole object

  /// Builds the iteration. Throws Error if shapes do not broadcast, if an output that must not be resized has another
  /// shape, if dtypes or devices break a rule of the configuration, or if memory overlaps.
  void build(const TensorIteratorConfig& config);

  // Builders allocate an undefined `out` and resize one of another shape. Each throws Error as `build` does.

  /// Computes in the common dtype of a and b, which must cast to the dtype of `out`. CPU scalars work with any device.
  void build_binary_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b);
  /// build_binary_op with a number as `b`: it takes part in type promotion as a number, but not in the iteration.
  void build_binary_op(BorrowedTensor out, BorrowedTensor a, const Scalar& b);
  /// build_binary_op with integers computed in the default dtype, as in true division.
  void build_binary_float_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b);
  /// build_binary_op with a Bool result, unless `out` has another dtype.
  void build_comparison_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b);
  void build_comparison_op(BorrowedTensor out, BorrowedTensor a, const Scalar& b);
  /// build_binary_op with three inputs.
  void build_ternary_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b, BorrowedTensor c);
  /// Computes in the dtype of `a`, which must be the dtype of `out`.
  void build_unary_op(BorrowedTensor out, BorrowedTensor a);
  /// Computes integers in the default dtype; the dtype of the result must cast to the dtype of `out`.
  void build_unary_float_op(BorrowedTensor out, BorrowedTensor a);
  /// Computes in the dtype of `a`, with a Bool result unless `out` has another dtype.
  void build_unary_force_boolean_op(BorrowedTensor out, BorrowedTensor a);
  /// For `out` alone, which is defined and keeps its shape.
  void build_nullary_op(BorrowedTensor out);
  /// For any number of inputs, and of numbers that take part in type promotion (null: absent). Results are Bool if
  /// `is_boolean`, as in comparisons; integers are computed in the default dtype if `is_floating`.
  void build_elementwise_op(BorrowedTensor out, std::initializer_list<BorrowedTensor> inputs,
                            std::initializer_list<const Scalar*> numbers, bool is_boolean, bool is_floating);

  // Properties of the iteration, valid after build().

  /// Form `dense`: all operands have common_dtype(), and element i of each is at offset i from its first element. Loops
  /// need not test it; it selects a faster path.
  bool is_dense() const { return form_ == Form::dense; }
  /// Form `dense_with_casts`: dense except that dtypes in memory differ.
  bool is_dense_with_casts() const { return form_ == Form::dense_with_casts; }
  /// Form `grid`: three operands of common_dtype() and two dimensions. Null for any other form.
  const detail::Grid* grid() const { return form_ == Form::grid ? &grid_ : nullptr; }

  /// Sizes after reordering and coalescing, innermost first.
  IntArrayRef shape() const { return plan().shape; }
  std::size_t ndim() const { return plan().shape.size(); }
  int64_t numel() const { return numel_; }
  bool is_reduction() const { return has_plan() && plan_.is_reduction; }
  /// In bytes. `dim` is a dimension of shape().
  int64_t stride(std::size_t operand, std::size_t dim) const { return plan().strides[dim * ntensors() + operand]; }
  /// Strides of all operands as for Loop2d, always of at least two dimensions.
  const int64_t* strides() const { return plan().strides.data(); }
  /// Whether there is at most one dimension and every operand is dense in it.
  bool is_contiguous() const;

  // Operands: outputs first, then inputs.

  std::size_t ntensors() const { return num_operands_; }
  std::size_t noutputs() const { return num_outputs_; }
  std::size_t ninputs() const { return ntensors() - noutputs(); }
  const Tensor& tensor(std::size_t operand) const {
    return has_plan() ? *plan_.operands[operand].tensor : *few_operands_[operand];
  }
  /// tensor() for the forms dense and dense_with_casts.
  const Tensor& dense_tensor(std::size_t operand) const { return *few_operands_[operand]; }
  const Tensor& output(std::size_t i = 0) const { return tensor(i); }
  const Tensor& input(std::size_t i = 0) const { return tensor(num_outputs_ + i); }
  /// First element of each operand; null on meta.
  char* const* data() const { return plan().data.data(); }

  /// Dtype that loops see. The tensor may have another one; see needs_cast().
  ScalarType dtype(std::size_t operand = 0) const {
    if (has_plan()) return plan_.operands[operand].target_dtype;
    return operand < num_outputs_ ? few_operands_[operand]->scalar_type() : common_dtype_;
  }
  ScalarType input_dtype(std::size_t i = 0) const { return dtype(num_outputs_ + i); }
  /// Dtype of the computation; Undefined if dtypes of inputs differ and no rule requires a common one.
  ScalarType common_dtype() const { return common_dtype_; }
  Device device() const { return plan().device; }
  /// Whether elements of some operand are converted for loops.
  bool needs_cast() const { return has_plan() ? plan_.needs_cast : form_ == Form::dense_with_casts; }

  // Loops.

  /// Form `recorded`, until stop_recording(): elementwise functions store their loop and its arguments in `ready`
  /// instead of running. Precondition: is_dense().
  void record(detail::ReadyLoop& ready) {
    form_ = Form::recorded;
    recorded_ = &ready;
  }
  void stop_recording() { form_ = Form::dense; }
  detail::ReadyLoop* recorded() const { return form_ == Form::recorded ? recorded_ : nullptr; }

  /// Runs `loop` over all elements, on several threads if there are more than `grain`, in unspecified order. Not for
  /// reductions, where several iterations write one element.
  void for_each(Loop2d loop, int64_t grain = kGrainSize) const;
  void for_each(Loop1d loop, int64_t grain = kGrainSize) const;
  /// for_each for loops that convert elements themselves: they see the dtypes in memory.
  void for_each_in_memory(Loop2d loop, int64_t grain = kGrainSize) const;
  /// Runs `loop` over elements number [begin, end), in order and on this thread.
  void serial_for_each(Loop2d loop, int64_t begin, int64_t end) const;

  /// Receives output `index` once it exists: called by adaptors and by overriding functions of derived classes.
  void notify_output(int64_t index, const Tensor& output) {
    (has_plan() ? plan_.operands[static_cast<std::size_t>(index)].tensor
                : few_operands_[static_cast<std::size_t>(index)]) = &output;
  }
  void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override;

 protected:
  ~TensorIteratorBase() {
    if (has_plan()) [[unlikely]]
      plan_.~IterationPlan();
  }

  detail::Operand& operand(std::size_t index) { return plan_.operands[index]; }
  /// Takes ownership of the tensor of operand `index`.
  const Tensor& own(std::size_t index, Tensor tensor);
  // The argument that an operand is, for messages.
  detail::ArgumentPart argument(std::size_t operand) const;

 private:
  // Dtype rule of a pointwise operator.
  enum class Pointwise : uint8_t {
    keeping,    // all dtypes are equal
    promoting,  // inputs promote to a common dtype, which casts to the dtype of the output
    floating,   // like promoting, but integers become the default dtype
  };

  // Fast builds (fast_build.cpp, fast_build_strided.cpp) for operands that cannot break a rule. They return false, with
  // no effect, for other operands.
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
  bool mark_resized_outputs(const TensorIteratorConfig& config);  // returns whether the caller passed one
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

  // See the table at the top of this file.
  enum class Form : uint8_t { dense, dense_with_casts, grid, recorded, planned };
  static constexpr std::size_t kFewOperands = 4;

  union {
    mutable detail::IterationPlan plan_;
    mutable detail::Grid grid_;
    detail::ReadyLoop* recorded_;
  };
  const Tensor* few_operands_[kFewOperands];  // tensors in every form but planned
  int64_t numel_;
  uint16_t num_operands_ = 0;
  uint16_t num_outputs_ = 0;
  ScalarType common_dtype_ = ScalarType::Undefined;
  mutable Form form_ = Form::dense;
};

/// Iterator for use inside kernels. Allocates and resizes outputs itself.
class STRUCTURED_API TensorIterator final : public TensorIteratorBase {
 public:
  explicit TensorIterator(const TensorIteratorConfig& config) { build(config); }

  // Builders of TensorIteratorBase.
  static TensorIterator binary_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b);
  static TensorIterator comparison_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b);
  static TensorIterator unary_op(BorrowedTensor out, BorrowedTensor a);
  static TensorIterator unary_float_op(BorrowedTensor out, BorrowedTensor a);
  static TensorIterator nullary_op(BorrowedTensor out);
  /// `out` has the dimensions of `in`, with size 1 where it is reduced.
  static TensorIterator reduce_op(BorrowedTensor out, BorrowedTensor in);

  void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override;
  const Tensor& maybe_get_output(int64_t index) override;
};

}  // namespace structured
