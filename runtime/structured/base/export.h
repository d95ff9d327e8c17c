#pragma once
// Symbol visibility, inlining and device attributes.
#include "structured/annotate.h"
#include "structured/schema/export.h"

// STRUCTURED_COLD is for functions that only unusual calls reach. g++ moves their calls, with the code around them, to
// a part of the caller that is no longer found by the caller's address. Functions that throw for inlined code which
// operators share are therefore not STRUCTURED_COLD: their messages name the operator (base/error_context.h).
#if defined(__GNUC__)
#define STRUCTURED_ALWAYS_INLINE inline __attribute__((always_inline))
#define STRUCTURED_COLD __attribute__((cold, noinline))
#else
#define STRUCTURED_ALWAYS_INLINE inline
#define STRUCTURED_COLD
#endif

// STRUCTURED_THREAD_LOCAL declares a thread-local variable with a constant initial value and without a destructor. With
// the initial-exec TLS model an access costs a single load even in a shared library. nvcc warns about the attribute on
// `thread_local`, but not on `__thread`.
#if defined(__GNUC__)
#define STRUCTURED_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) constinit __thread
#else
#define STRUCTURED_THREAD_LOCAL constinit thread_local
#endif

// STRUCTURED_NOINLINE_ON_DEVICE is for functions of a hundred instructions and more that scalar functions call, or for
// such scalar functions themselves. A dense kernel computes up to 32 elements in a thread, and would have a copy of the
// function for each, which nvcc takes up to minutes to compile.
#if defined(__CUDACC__)
#define STRUCTURED_HOST_DEVICE __host__ __device__
#define STRUCTURED_NOINLINE_ON_DEVICE __attribute__((noinline))
#else
#define STRUCTURED_HOST_DEVICE
#define STRUCTURED_NOINLINE_ON_DEVICE
#endif
