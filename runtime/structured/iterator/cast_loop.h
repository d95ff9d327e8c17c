#pragma once
// Loops over operands whose elements have another dtype in memory than in the loop.
#include <cstddef>
#include <cstdint>

#include "structured/iterator/convert_row.h"
#include "structured/iterator/inline_vector.h"
#include "structured/iterator/tensor_iterator.h"

namespace structured::detail {

/// Converts a block of elements at a time into buffers on the stack, runs the loop there, and converts results back: no
/// operand is ever converted as a whole. Made once for an iteration and shared by its threads.
class CastLoop {
 public:
  CastLoop(const TensorIteratorBase& iterator, Loop2d loop);

  /// Takes what a Loop2d takes, of the elements in memory.
  void operator()(char* const* data, const std::int64_t* strides, std::int64_t inner, std::int64_t outer) const;

 private:
  struct Conversion {
    std::size_t operand;
    std::int64_t target_size;
    ConvertRow convert;  // into the loop for an input, out of it for an output
  };

  void run_row(char* const* data, const std::int64_t* strides, std::int64_t size, char* buffers) const;

  Loop2d loop_;
  std::size_t num_operands_;
  std::size_t num_outputs_;
  InlineVector<Conversion, 4> conversions_;
};

/// The same as a whole iteration over a few elements: at most kFewElements in one dimension, of at most kFewOperands
/// operands. Nothing is set up for it.
inline constexpr std::int64_t kFewElements = 32;
inline constexpr std::size_t kFewOperands = 4;
void cast_few_elements(const IterationPlan& plan, std::size_t num_outputs, std::int64_t count, Loop2d loop);

}  // namespace structured::detail
