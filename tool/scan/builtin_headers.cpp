#include "scan/builtin_headers.h"

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// Clang predefines the attributes but not their macros. It translates `<<<>>>` to calls of the last two functions.
constexpr llvm::StringLiteral cuda_runtime = R"text(#pragma once
#include <stddef.h>
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define CUDART_CB
#define CUDART_VERSION 12000

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

typedef enum cudaError { cudaSuccess = 0 } cudaError_t;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};

extern "C" {
cudaError_t __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
cudaError_t cudaMalloc(void** pointer, size_t size);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemsetAsync(void* to, int value, size_t size, cudaStream_t stream = 0);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
}
__device__ void __syncthreads();
)text";

constexpr llvm::StringLiteral cuda_half = R"text(#pragma once
#include "cuda_runtime.h"
struct __half {
  unsigned short bits;
};
struct __half2 {
  __half x, y;
};
typedef __half half;
typedef __half2 half2;
)text";

constexpr llvm::StringLiteral cuda_bfloat16 = R"text(#pragma once
#include "cuda_runtime.h"
struct __nv_bfloat16 {
  unsigned short bits;
};
struct __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
)text";

constexpr llvm::StringLiteral only_runtime = "#pragma once\n#include \"cuda_runtime.h\"\n";

constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> shim[] = {
    {"cuda_runtime.h", cuda_runtime}, {"cuda_runtime_api.h", only_runtime},
    {"cuda.h", only_runtime},         {"driver_types.h", only_runtime},
    {"vector_types.h", only_runtime}, {"device_launch_parameters.h", only_runtime},
    {"cuda_fp16.h", cuda_half},       {"cuda_bf16.h", cuda_bfloat16},
};

// Standard headers that kernels include most. A missing one costs more than all unneeded ones together. <functional>,
// <memory> and <complex> are left out: they lengthen precompilation by half, and few kernels need them.
#define USUAL_STANDARD_HEADERS                                                                              \
  "#include <algorithm>\n#include <array>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n"      \
  "#include <limits>\n#include <numeric>\n#include <optional>\n#include <string>\n#include <string_view>\n" \
  "#include <tuple>\n#include <type_traits>\n#include <utility>\n#include <vector>\n"

}  // namespace

llvm::ArrayRef<DialectHeader> dialect_headers() {
  static constexpr DialectHeader headers[] = {
      {"native", "/structured-gen/native.h",
       "#include <structured/structured.h>\n" USUAL_STANDARD_HEADERS
       // Common default arguments: their conversions are instantiated here once.
       "namespace structured_gen {\n"
       "void usual_defaults(const structured::Scalar& = 1, const structured::Scalar& = 1.0,\n"
       "                    const structured::Scalar& = true, std::optional<structured::Tensor> = std::nullopt,\n"
       "                    std::optional<structured::Scalar> = std::nullopt, std::optional<double> = {},\n"
       "                    std::optional<int64_t> = {}, std::optional<bool> = {},\n"
       "                    structured::IntArrayRef = {}, structured::IntArrayRef = 0, structured::IntArrayRef = {0, "
       "1},\n"
       "                    std::optional<structured::ScalarType> = std::nullopt, std::string_view = \"\");\n"
       "}\n"},
      {"aten", "/structured-gen/aten.h", "#include <ATen/ATen.h>\n" USUAL_STANDARD_HEADERS},
      {"torch", "/structured-gen/torch.h", "#include <structured/torch.h>\n" USUAL_STANDARD_HEADERS},
      {"torch_stable", "/structured-gen/torch_stable.h",
       "#include <structured/torch_stable.h>\n" USUAL_STANDARD_HEADERS},
  };
  return headers;
}

llvm::ArrayRef<llvm::StringRef> cuda_shim_headers() {
  static const std::vector<llvm::StringRef> names = [] {
    std::vector<llvm::StringRef> result;
    for (const auto& [name, text] : shim) result.push_back(name);
    return result;
  }();
  return names;
}

llvm::StringRef cuda_shim_text(llvm::StringRef header) {
  const auto* found = llvm::find_if(shim, [&](const auto& file) { return file.first == header; });
  return found == std::end(shim) ? llvm::StringRef() : llvm::StringRef(found->second);
}

}  // namespace structured::gen
