#pragma once
// Fusion of the layers of quantized programs.
#include "structured/program/graph.h"
#include "structured/program/operator_lookup.h"

namespace structured::program {

/// Replaces layers between `quantized_decomposed::dequantize_*` and `quantize_per_tensor` by operators on integers,
/// `quantized::integer_*`, where `libraries` have these: `linear`, `conv2d`, `addmm` and `convolution` with a quantized
/// weight, sums of two tensors, each with an optional relu or hardtanh, and operators that only move or select
/// elements. A layer without a quantized result computes real numbers from integers.
///
/// Given equal integers, each replaced layer gives integers that differ by at most one, since PyTorch's kernels round
/// real sums, and these operators round exact sums of integers once. Operators that move elements give equal integers.
void fuse_quantized(Graph& graph, const OperatorLookups& libraries);

}  // namespace structured::program
