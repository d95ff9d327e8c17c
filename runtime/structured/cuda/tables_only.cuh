#pragma once
// The first include of a source for nvcc whose host side is only tables of kernels, as emitted sources are. g++ then
// spends less time on this side: on the launch functions that nvcc adds for each kernel, which nobody calls, since
// run_pointwise launches kernels by address. Device code is not affected.
#if !defined(__CUDA_ARCH__) && defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__)
#pragma nv_diag_suppress 1675  // nvcc passes the next line on to g++, but does not know it
#pragma GCC optimize("O1")
#endif
