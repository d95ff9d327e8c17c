#pragma once
// Reductions over dimensions.
//
// A block has 256 threads. A power of two of them, the lanes, share one result: lane l combines the elements l,
// l + lanes, ... in order, then a tree in shared memory combines lanes. Lanes are adjacent threads if the reduced
// elements are adjacent in memory, otherwise threads of adjacent results are adjacent. If there are few results, the
// elements are split into parts, whose results a second kernel combines in order. The scheme depends on sizes and
// strides only, so that results are the same in every run.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/cuda/check.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/number/convert.h>
#include <structured/number/visit.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cstdint>

#include "cuda/walk.h"

namespace structured::kernels {

inline constexpr unsigned kReduceThreads = 256;
inline constexpr int kReduceUnroll = 4;

struct ReducePlan {
  uint32_t part_size = 0;  ///< elements of a part
  uint32_t parts = 1;
  int32_t lanes_log2 = 0;
  bool has_adjacent_lanes = true;
};

/// Results of a reduction: the addresses of one or two outputs. An unused one is null.
struct ReduceOutputs {
  char* data[2];
};

/// `Op` is a structure with types Element (in memory) and Accumulator (trivially copyable), and device functions
/// identity(), lift(element, index), combine(a, b) and store(accumulator, first output, second output).
template <class Op>
__global__ __launch_bounds__(kReduceThreads) void reduce_kernel(const __grid_constant__ Op op, const char* const in,
                                                                const __grid_constant__ cuda::StridedWalk<3> results,
                                                                const __grid_constant__ cuda::StridedWalk<1> reduced,
                                                                const ReducePlan plan, const ReduceOutputs outputs,
                                                                typename Op::Accumulator* const partial) {
  using Element = typename Op::Element;
  using Accumulator = typename Op::Accumulator;
  __shared__ alignas(16) unsigned char memory[kReduceThreads * sizeof(Accumulator)];
  auto* const shared = reinterpret_cast<Accumulator*>(memory);
  const unsigned lanes = 1u << plan.lanes_log2;
  const unsigned slots = kReduceThreads >> plan.lanes_log2;
  const unsigned lane = plan.has_adjacent_lanes ? threadIdx.x & (lanes - 1) : threadIdx.x / slots;
  const unsigned slot = plan.has_adjacent_lanes ? threadIdx.x >> plan.lanes_log2 : threadIdx.x & (slots - 1);
  const unsigned result = blockIdx.x * slots + slot;
  const bool is_active = result < results.size;
  int64_t offsets[3] = {};
  Accumulator sum = op.identity();
  if (is_active) {
    results.add_offsets(result, offsets);
    const char* const from = in + offsets[0];
    const uint32_t begin = blockIdx.y * plan.part_size;
    const uint32_t end = min(begin + plan.part_size, reduced.size);
    uint32_t i = begin + lane;
#pragma unroll 1
    for (; i + (kReduceUnroll - 1) * lanes < end; i += kReduceUnroll * lanes) {
      Element elements[kReduceUnroll];
#pragma unroll
      for (int k = 0; k < kReduceUnroll; ++k) {
        int64_t offset[1] = {};
        reduced.add_offsets(i + k * lanes, offset);
        elements[k] = *reinterpret_cast<const Element*>(from + offset[0]);
      }
#pragma unroll
      for (int k = 0; k < kReduceUnroll; ++k) sum = op.combine(sum, op.lift(elements[k], i + k * lanes));
    }
#pragma unroll 1
    for (; i < end; i += lanes) {
      int64_t offset[1] = {};
      reduced.add_offsets(i, offset);
      sum = op.combine(sum, op.lift(*reinterpret_cast<const Element*>(from + offset[0]), i));
    }
  }
  if (lanes > 1) {
    Accumulator* const own = shared + slot * lanes + lane;
    *own = sum;
#pragma unroll 1
    for (unsigned step = lanes / 2; step != 0; step /= 2) {
      __syncthreads();
      if (lane < step) *own = op.combine(*own, own[step]);
    }
    sum = *own;
  }
  if (!is_active || lane != 0) return;
  if (plan.parts == 1) {
    op.store(sum, outputs.data[0] + offsets[1], outputs.data[1] + offsets[2]);
  } else {
    partial[static_cast<int64_t>(blockIdx.y) * results.size + result] = sum;
  }
}

/// Combines the parts of each result in order.
template <class Op>
__global__ __launch_bounds__(kReduceThreads) void combine_parts_kernel(
    const __grid_constant__ Op op, const __grid_constant__ cuda::StridedWalk<3> results, const uint32_t parts,
    const ReduceOutputs outputs, const typename Op::Accumulator* const partial) {
  const unsigned result = blockIdx.x * kReduceThreads + threadIdx.x;
  if (result >= results.size) return;
  typename Op::Accumulator sum = partial[result];
#pragma unroll 1
  for (uint32_t part = 1; part < parts; ++part) {
    sum = op.combine(sum, partial[static_cast<int64_t>(part) * results.size + result]);
  }
  int64_t offsets[3] = {};
  results.add_offsets(result, offsets);
  op.store(sum, outputs.data[0] + offsets[1], outputs.data[1] + offsets[2]);
}

inline ReducePlan plan_reduction(const cuda::StridedWalk<3>& results, const cuda::StridedWalk<1>& reduced) {
  constexpr uint32_t kManyBlocks = 512;  // enough for every device
  constexpr uint32_t kWorthAPart = 16;   // elements of a lane
  constexpr int32_t kLog2OfThreads = 8;
  constexpr int32_t kLog2OfColumnLanes = 3;  // leaves 32 adjacent results
  ReducePlan plan;
  plan.has_adjacent_lanes = results.dims == 0 || (reduced.dims != 0 && reduced.strides[0][0] <= results.strides[0][0]);
  const int32_t most = plan.has_adjacent_lanes ? kLog2OfThreads : kLog2OfColumnLanes;
  while (plan.lanes_log2 < most && static_cast<uint32_t>(kReduceUnroll << plan.lanes_log2) < reduced.size) {
    ++plan.lanes_log2;
  }
  const uint32_t slots = kReduceThreads >> plan.lanes_log2;
  const uint32_t blocks = (results.size + slots - 1) / slots;
  const uint32_t work = (reduced.size >> plan.lanes_log2) / kWorthAPart;
  if (blocks < kManyBlocks && work > 1) plan.parts = std::min(kManyBlocks / blocks, work);
  plan.part_size = (reduced.size + plan.parts - 1) / plan.parts;
  plan.parts = plan.part_size == 0 ? 1 : (reduced.size + plan.part_size - 1) / plan.part_size;
  return plan;
}

/// Reduces the dimensions `mask` of `self` into `first` and, if it is not null, `second`, which have the sizes of
/// reduced_sizes, with or without keepdim. Elements are converted to Op::Element first.
template <class Op>
void reduce(const Op& op, const Tensor& self, DimMask mask, const Tensor& first, const Tensor* second = nullptr) {
  using Element = typename Op::Element;
  using Accumulator = typename Op::Accumulator;
  if (first.numel() == 0) return;
  Tensor in = self;
  if (in.scalar_type() != scalar_type_of<Element>) {
    in = empty(self.sizes(), self.options().dtype(scalar_type_of<Element>));
    copy_into(in, self);
  }
  cuda::StridedWalk<3> results;
  cuda::StridedWalk<1> reduced;
  int64_t to = first.dim() - 1;
  const bool keeps = first.dim() == in.dim();
  for (int64_t d = in.dim() - 1; d >= 0; --d) {
    if ((mask >> d & 1) != 0) {
      reduced.add_dim(in.size(d), {byte_stride(in, d)});
      if (keeps) --to;
    } else {
      results.add_dim(in.size(d), {byte_stride(in, d), byte_stride(first, to), second ? byte_stride(*second, to) : 0});
      --to;
    }
  }
  const ReducePlan plan = plan_reduction(results, reduced);
  const ReduceOutputs outputs = {
      {static_cast<char*>(first.data()), second ? static_cast<char*>(second->data()) : nullptr}};
  Tensor partial;
  if (plan.parts > 1) {
    const auto bytes = static_cast<int64_t>(sizeof(Accumulator) * plan.parts * results.size);
    partial = empty({bytes}, self.options().dtype(kByte));
  }
  auto* const parts = plan.parts > 1 ? static_cast<Accumulator*>(partial.data()) : nullptr;
  const unsigned slots = kReduceThreads >> plan.lanes_log2;
  const dim3 blocks((results.size + slots - 1) / slots, plan.parts);
  cudaStream_t const stream = cuda::current_handle(first.device().index());
  reduce_kernel<Op><<<blocks, kReduceThreads, 0, stream>>>(op, static_cast<const char*>(in.data()), results, reduced,
                                                           plan, outputs, parts);
  STRUCTURED_CUDA_CHECK(cudaGetLastError());
  if (plan.parts == 1) return;
  combine_parts_kernel<Op><<<(results.size + kReduceThreads - 1) / kReduceThreads, kReduceThreads, 0, stream>>>(
      op, results, plan.parts, outputs, parts);
  STRUCTURED_CUDA_CHECK(cudaGetLastError());
}

/// Number of elements that each result combines.
inline int64_t count_reduced(const Tensor& self, DimMask mask) {
  int64_t count = 1;
  for (int64_t d = 0; d < self.dim(); ++d) count *= (mask >> d & 1) != 0 ? self.size(d) : 1;
  return count;
}

}  // namespace structured::kernels
