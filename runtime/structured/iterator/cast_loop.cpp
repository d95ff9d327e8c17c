#include "structured/iterator/cast_loop.h"

#include <algorithm>
#include <memory>

namespace structured::detail {
namespace {

// Buffers of a typical loop fit into the L1 cache, and the cost of the calls is amortized.
constexpr int64_t kBlock = 256;
constexpr std::size_t kBufferSize = kBlock * 16;
constexpr std::size_t kBuffersOnStack = 4;

}  // namespace

CastLoop::CastLoop(const TensorIteratorBase& iterator, Loop2d loop)
    : loop_(loop), num_operands_(iterator.ntensors()), num_outputs_(iterator.noutputs()) {
  for (std::size_t i = 0; i < num_operands_; ++i) {
    const ScalarType in_memory = iterator.tensor(i).scalar_type();
    const ScalarType in_loop = iterator.dtype(i);
    if (in_memory == in_loop) continue;
    conversions_.emplace_back(i, int64_t{1} << item_size_log2(in_loop),
                              i < num_outputs_ ? convert_row(in_memory, in_loop) : convert_row(in_loop, in_memory));
  }
}

void CastLoop::operator()(char* const* data, const int64_t* strides, int64_t inner, int64_t outer) const {
  alignas(64) char on_stack[kBuffersOnStack * kBufferSize];
  std::unique_ptr<char[]> on_heap;
  char* buffers = on_stack;
  if (conversions_.size() > kBuffersOnStack) {
    on_heap.reset(new char[conversions_.size() * kBufferSize]);
    buffers = on_heap.get();
  }
  InlineVector<char*, 8> row;
  row.resize(num_operands_);
  for (std::size_t i = 0; i < num_operands_; ++i) row[i] = data[i];
  for (int64_t k = 0; k < outer; ++k) {
    run_row(row.data(), strides, inner, buffers);
    for (std::size_t i = 0; i < num_operands_ && k + 1 < outer; ++i) row[i] += strides[num_operands_ + i];
  }
}

void CastLoop::run_row(char* const* data, const int64_t* strides, int64_t size, char* buffers) const {
  InlineVector<char*, 8> pointers;
  InlineVector<int64_t, 16> steps;
  pointers.resize(num_operands_);
  steps.resize(2 * num_operands_);
  for (std::size_t i = 0; i < num_operands_; ++i) {
    steps[i] = strides[i];
    steps[num_operands_ + i] = 0;
  }
  for (int64_t begin = 0; begin < size; begin += kBlock) {
    const int64_t count = std::min(kBlock, size - begin);
    for (std::size_t i = 0; i < num_operands_; ++i) pointers[i] = data[i] + begin * strides[i];
    char* buffer = buffers;
    for (const Conversion& conversion : conversions_) {
      const std::size_t i = conversion.operand;
      if (i >= num_outputs_) {
        // A broadcast element is converted once and keeps stride 0, which loops exploit.
        const bool is_repeated = strides[i] == 0;
        steps[i] = is_repeated ? 0 : conversion.target_size;
        conversion.convert(buffer, conversion.target_size, pointers[i], strides[i], is_repeated ? 1 : count);
      } else {
        steps[i] = conversion.target_size;
      }
      pointers[i] = buffer;
      buffer += kBufferSize;
    }
    loop_(pointers.data(), steps.data(), count, 1);
    for (const Conversion& conversion : conversions_) {
      const std::size_t i = conversion.operand;
      if (i >= num_outputs_) continue;
      conversion.convert(data[i] + begin * strides[i], strides[i], pointers[i], conversion.target_size, count);
    }
  }
}

void cast_few_elements(const IterationPlan& plan, std::size_t num_outputs, int64_t count, Loop2d loop) {
  alignas(64) char buffers[kFewOperands][kFewElements * 16];
  char* pointers[kFewOperands];
  int64_t steps[2 * kFewOperands];
  const std::size_t num_operands = plan.operands.size();
  for (std::size_t i = 0; i < num_operands; ++i) {
    const Operand& op = plan.operands[i];
    pointers[i] = plan.data[i];
    steps[i] = plan.strides[i];
    steps[num_operands + i] = 0;
    if (op.dtype == op.target_dtype) continue;
    pointers[i] = buffers[i];
    steps[i] = int64_t{1} << item_size_log2(op.target_dtype);
    if (i >= num_outputs) {
      convert_row(op.target_dtype, op.dtype)(buffers[i], steps[i], plan.data[i], plan.strides[i], count);
    }
  }
  loop(pointers, steps, count, 1);
  for (std::size_t i = 0; i < num_outputs; ++i) {
    const Operand& op = plan.operands[i];
    if (op.dtype == op.target_dtype) continue;
    convert_row(op.dtype, op.target_dtype)(plan.data[i], plan.strides[i], buffers[i], steps[i], count);
  }
}

}  // namespace structured::detail
