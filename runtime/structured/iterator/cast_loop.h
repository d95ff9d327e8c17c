#pragma once
// Loops over operands whose dtype in memory differs from the one that the loop takes.
#include <cstddef>
#include <cstdint>

#include "structured/iterator/convert_row.h"
#include "structured/iterator/inline_vector.h"
#include "structured/iterator/tensor_iterator.h"

namespace structured::detail {

/// Converts a block of elements at a time into buffers on the stack, runs the loop there, and converts the results
/// back: no operand is converted as a whole. Made once for an iteration and shared by its threads.
class CastLoop {
 public:
  CastLoop(const TensorIteratorBase& iterator, Loop2d loop);

  /// Has the signature of a Loop2d, over the elements in memory.
  void operator()(char* const* data, const int64_t* strides, int64_t inner, int64_t outer) const;

 private:
  struct Conversion {
    std::size_t operand;
    int64_t target_size;
    ConvertRow convert;  // to the dtype of the loop for an input, from it for an output
  };

  void run_row(char* const* data, const int64_t* strides, int64_t size, char* buffers) const;

  Loop2d loop_;
  std::size_t num_operands_;
  std::size_t num_outputs_;
  InlineVector<Conversion, 4> conversions_;
};

/// Whole iteration over at most kFewElements in one dimension and kFewOperands operands, without a CastLoop.
inline constexpr int64_t kFewElements = 32;
inline constexpr std::size_t kFewOperands = 4;
void cast_few_elements(const IterationPlan& plan, std::size_t num_outputs, int64_t count, Loop2d loop);

}  // namespace structured::detail
