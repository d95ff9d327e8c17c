#pragma once
// Walking over several tensors of broadcastable shapes in step: how pointwise operators and reductions are written.
//
// Rules (those of ATen):
// - Shape: that of all inputs, broadcast; given outputs take part unless they may be resized.
// - Dtype: the common dtype follows from the inputs (type_promotion.h). Loops see operands in it; elements are
// converted on
//   the way, block by block, without whole temporaries.
// - Outputs that the iterator describes have the inputs' order of dimensions: transposed inputs give a transposed
// output.
// - Dimensions are reordered by strides, smallest first, and adjoining ones that all operands walk in one go are one:
// the
//   iteration over dense operands has one dimension, or none.
#include <cstddef>
#include <cstdint>

#include "structured/core/array_ref.h"
#include "structured/core/device.h"
#include "structured/core/export.h"
#include "structured/core/scalar.h"
#include "structured/core/scalar_type.h"
#include "structured/core/tensor.h"
#include "structured/iterator/config.h"
#include "structured/iterator/function_ref.h"
#include "structured/iterator/inline_vector.h"
#include "structured/iterator/operand.h"
#include "structured/iterator/parallel.h"
#include "structured/kernel/meta_base.h"

namespace structured {

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

  // The iteration, after build().

  /// Sizes after reordering and coalescing, innermost first.
  IntArrayRef shape() const { return shape_; }
  std::size_t ndim() const { return shape_.size(); }
  std::int64_t numel() const { return numel_; }
  bool is_reduction() const { return is_reduction_; }
  /// In bytes. `dim` is a dimension of shape().
  std::int64_t stride(std::size_t operand, std::size_t dim) const { return strides_[dim * ntensors() + operand]; }
  /// Strides of all operands as Loop2d takes them: always two dimensions at least.
  const std::int64_t* strides() const { return strides_.data(); }
  /// One dimension at most, and each operand dense in it.
  bool is_contiguous() const;

  // Operands: outputs first, then inputs.

  std::size_t ntensors() const { return operands_.size(); }
  std::size_t noutputs() const { return num_outputs_; }
  std::size_t ninputs() const { return ntensors() - num_outputs_; }
  const Tensor& tensor(std::size_t operand) const { return operands_[operand].tensor(); }
  const Tensor& output(std::size_t i = 0) const { return tensor(i); }
  const Tensor& input(std::size_t i = 0) const { return tensor(num_outputs_ + i); }
  /// First elements; null on meta.
  char* const* data() const { return data_.data(); }

  /// What loops see of an operand. The tensor itself may have another dtype, see needs_cast().
  ScalarType dtype(std::size_t operand = 0) const { return operands_[operand].target_dtype; }
  ScalarType input_dtype(std::size_t i = 0) const { return dtype(num_outputs_ + i); }
  /// The dtype to compute in; Undefined where inputs differ and no rule asked for one.
  ScalarType common_dtype() const { return common_dtype_; }
  Device device() const { return common_device_; }
  /// Some operand's elements are converted on the way to and from loops.
  bool needs_cast() const { return needs_cast_; }

  // Loops.

  /// Runs `loop` over all elements, on several threads when there are more than `grain` of them. Pieces come in no
  /// particular order. Not for reductions whose loops write one element from several places.
  void for_each(Loop2d loop, std::int64_t grain = kGrainSize) const;
  void for_each(Loop1d loop, std::int64_t grain = kGrainSize) const;
  /// Runs `loop` over elements number [begin, end), in order and on this thread.
  void serial_for_each(Loop2d loop, std::int64_t begin, std::int64_t end) const;

  /// Called by adaptors once output `index` is there.
  void set_output_raw_strided(std::int64_t index, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override;

 protected:
  ~TensorIteratorBase() = default;

  detail::Operand& operand(std::size_t index) { return operands_[index]; }

 private:
  template <std::size_t N>
  bool build_dense(const Tensor& out, const Tensor* const (&inputs)[N]);

  void populate_operands(const TensorIteratorConfig& config);
  void check_overlap() const;
  void compute_shape(const TensorIteratorConfig& config);
  void mark_resized_outputs(const TensorIteratorConfig& config);
  void compute_types(const TensorIteratorConfig& config);
  void check_same_dtype() const;
  void check_devices(const TensorIteratorConfig& config) const;
  bool set_up_dense(const TensorIteratorConfig& config);
  void compute_strides(const TensorIteratorConfig& config);
  void compute_operand_strides(std::size_t operand, const DimVector& order);
  DimVector reorder_dimensions(bool keep_order);
  int compare_dimensions(std::size_t a, std::size_t b) const;
  void set_outputs(const TensorIteratorConfig& config, const DimVector& order);
  void set_output(const TensorIteratorConfig& config, std::size_t index, IntArrayRef sizes, IntArrayRef strides);
  void coalesce_dimensions();
  void make_one_dimensional();
  void collect_data();

  detail::InlineVector<char*, 4> data_;
  detail::InlineVector<std::int64_t, 24> strides_;  // in bytes; [dimension][operand]
  detail::InlineVector<std::int64_t, 6> shape_;
  detail::InlineVector<detail::Operand, 4> operands_;
  std::size_t num_outputs_ = 0;
  std::int64_t numel_ = 0;
  Device common_device_ = Device(DeviceType::CPU);
  ScalarType common_dtype_ = ScalarType::Undefined;
  bool is_reduction_ = false;
  bool needs_cast_ = false;
  bool all_same_shape_ = false;
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
