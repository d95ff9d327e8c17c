// Products of matrices and vectors on CUDA.
//
// cuBLASLt computes products of floating-point and complex matrices, where it can be opened. Otherwise a block computes
// a tile of 32 x 32 elements of the product, in steps of 16 along the inner dimension, from tiles of both operands in
// shared memory. Each of its 256 threads computes four elements.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/cuda/check.h>
#include <structured/cuda/pointwise.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>
#include <structured/kernel/guards.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/conj.h>
#include <structured/ops/fill.h>
#include <structured/ops/mul.h>
#include <structured/ops/sum.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cuda/blas.h"
#include "math/accumulate_type.h"

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kProductTypes = kRealTypes | kComplexTypes;
constexpr int kTile = 32;
constexpr int kDepth = 16;
constexpr int kRows = kTile / 2;  // rows of threads

/// Sizes and steps in elements of a batch of products: [batch] x [rows, inner] x [inner, columns].
struct ProductShape {
  int64_t rows;
  int64_t columns;
  int64_t inner;
  int64_t a_steps[3];  ///< batch, row, column
  int64_t b_steps[3];
  int64_t out_steps[3];
};

/// Sets `out` to beta * out + alpha * (a @ b). `out` is not read if beta is 0.
template <class T>
__global__ __launch_bounds__(kRows* kRows) void product_kernel(const T* a, const T* b, T* out,
                                                               const __grid_constant__ ProductShape shape,
                                                               const AccumulateType<T> beta,
                                                               const AccumulateType<T> alpha, const bool reads_out) {
  using C = AccumulateType<T>;
  __shared__ alignas(16) unsigned char left_memory[kTile * (kDepth + 1) * sizeof(C)];
  __shared__ alignas(16) unsigned char right_memory[kDepth * (kTile + 1) * sizeof(C)];
  auto* const left = reinterpret_cast<C(*)[kDepth + 1]>(left_memory);
  auto* const right = reinterpret_cast<C(*)[kTile + 1]>(right_memory);
  const int64_t batch = blockIdx.z;
  const int64_t row_start = static_cast<int64_t>(blockIdx.y) * kTile;
  const int64_t column_start = static_cast<int64_t>(blockIdx.x) * kTile;
  const int x = static_cast<int>(threadIdx.x) % kRows;
  const int y = static_cast<int>(threadIdx.x) / kRows;
  a += batch * shape.a_steps[0];
  b += batch * shape.b_steps[0];
  C sums[2][2] = {{C(0), C(0)}, {C(0), C(0)}};
#pragma unroll 1
  for (int64_t start = 0; start < shape.inner; start += kDepth) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const int64_t row = row_start + y + k * kRows;
      const bool is_inside = row < shape.rows && start + x < shape.inner;
      C value(0);
      if (is_inside) value = cuda::detail::converted<C>(a[row * shape.a_steps[1] + (start + x) * shape.a_steps[2]]);
      left[y + k * kRows][x] = value;
    }
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const int64_t column = column_start + x + k * kRows;
      const bool is_inside = column < shape.columns && start + y < shape.inner;
      C value(0);
      if (is_inside) value = cuda::detail::converted<C>(b[(start + y) * shape.b_steps[1] + column * shape.b_steps[2]]);
      right[y][x + k * kRows] = value;
    }
    __syncthreads();
    const int depth = shape.inner - start < kDepth ? static_cast<int>(shape.inner - start) : kDepth;
#pragma unroll 4
    for (int i = 0; i < depth; ++i) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
#pragma unroll
        for (int c = 0; c < 2; ++c) sums[r][c] += left[y + r * kRows][i] * right[i][x + c * kRows];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      const int64_t row = row_start + y + r * kRows;
      const int64_t column = column_start + x + c * kRows;
      if (row >= shape.rows || column >= shape.columns) continue;
      T* const to = out + batch * shape.out_steps[0] + row * shape.out_steps[1] + column * shape.out_steps[2];
      C sum = alpha * sums[r][c];
      if (reads_out) sum += beta * cuda::detail::converted<C>(*to);
      *to = cuda::detail::converted<T>(sum);
    }
  }
}

// Converts `alpha` or `beta`. Fractions are truncated for integer dtypes, as in ATen.
template <class T>
AccumulateType<T> factor(const Scalar& scalar) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<uint64_t>(scalar.converted<int64_t>());
  } else {
    return scalar.converted<AccumulateType<T>>();
  }
}

bool is_zero(const Scalar& scalar) { return scalar.converted<Complex<double>>() == Complex<double>(0); }

// Copies `self`, which `beta` multiplies, to `out`, broadcast.
void broadcast_into(const Tensor& out, const Tensor& self) {
  if (out.is_same(self)) return;
  DimVector strides(out.sizes().size(), 0);
  const std::size_t missing = out.sizes().size() - self.sizes().size();
  for (std::size_t d = 0; d < self.sizes().size(); ++d) {
    strides[missing + d] = self.sizes()[d] == 1 ? 0 : self.strides()[d];
  }
  copy_into(out, as_strided(self, out.sizes(), strides, self.storage_offset()));
}

// Returns a batch of matrices: steps of `tensor`, which has 1 to 3 dimensions. A vector is a column.
void set_steps(int64_t (&steps)[3], const Tensor& tensor) {
  steps[0] = tensor.dim() == 3 ? tensor.stride(0) : 0;
  steps[1] = tensor.stride(tensor.dim() == 1 ? 0 : -2);
  steps[2] = tensor.dim() == 1 ? 1 : tensor.stride(-1);
}

// Computes the product by cuBLASLt, with a vector `bias` that is added to each row unless it is undefined. Returns
// false if that is not possible.
bool multiply_by_library(const ProductShape& shape, int64_t batches, const Tensor& a, const Tensor& b,
                         const Tensor& out, const Scalar& beta, const Scalar& alpha, const Tensor& bias = Tensor()) {
  BatchedProduct product;
  product.dtype = out.scalar_type();
  product.batches = batches;
  product.rows = shape.rows;
  product.columns = shape.columns;
  product.inner = shape.inner;
  product.a = a.data();
  product.b = b.data();
  product.out = out.data();
  std::copy_n(shape.a_steps, 3, product.a_steps);
  std::copy_n(shape.b_steps, 3, product.b_steps);
  std::copy_n(shape.out_steps, 3, product.out_steps);
  if (bias.defined()) product.bias = bias.data();
  const DeviceGuard guard(out.device());
  return multiply_by_cublaslt(product, beta, alpha);
}

ProductShape shape_of(const Tensor& a, const Tensor& b, const Tensor& out) {
  ProductShape shape{};
  shape.rows = a.size(a.dim() == 3 ? 1 : 0);
  shape.columns = b.dim() == 1 ? 1 : b.size(-1);
  shape.inner = a.size(-1);
  set_steps(shape.a_steps, a);
  set_steps(shape.b_steps, b);
  set_steps(shape.out_steps, out);
  return shape;
}

// Sets `out`, which holds the summand, to beta * out + alpha * (a @ b).
void multiply(const char* name, const Tensor& a, const Tensor& b, const Tensor& out, const Scalar& beta,
              const Scalar& alpha) {
  if (out.numel() == 0) return;
  if (a.numel() == 0 || b.numel() == 0) {  // the inner size is 0, and operands may have any dtype
    Tensor result = out;
    if (is_zero(beta)) {
      structured::fill_(result, 0);
    } else if (out.scalar_type() != kBool) {
      structured::mul_(result, beta);
    }
    return;
  }
  const ProductShape shape = shape_of(a, b, out);
  const int64_t batches = out.dim() == 3 ? out.size(0) : 1;
  if (multiply_by_library(shape, batches, a, b, out, beta, alpha)) return;
  constexpr int64_t kMaxBlocks = 65535;  // in the second and third dimension of a grid
  STRUCTURED_CHECK(shape.rows <= kMaxBlocks * kTile, name, ": expected at most ", kMaxBlocks * kTile, " rows, got ",
                   shape.rows);
  visit<kProductTypes>(name, out.scalar_type(), [&]<class T>() {
    for (int64_t first = 0; first < batches; first += kMaxBlocks) {
      const dim3 blocks(static_cast<unsigned>((shape.columns + kTile - 1) / kTile),
                        static_cast<unsigned>((shape.rows + kTile - 1) / kTile),
                        static_cast<unsigned>(batches - first < kMaxBlocks ? batches - first : kMaxBlocks));
      product_kernel<T><<<blocks, kRows * kRows, 0, cuda::current_handle(out.device().index())>>>(
          a.data_ptr<T>() + first * shape.a_steps[0], b.data_ptr<T>() + first * shape.b_steps[0],
          out.data_ptr<T>() + first * shape.out_steps[0], shape, factor<T>(beta), factor<T>(alpha), !is_zero(beta));
      STRUCTURED_CUDA_CHECK(cudaGetLastError());
    }
  });
}

void add_product(const char* name, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                 const Scalar& alpha, const Tensor& out) {
  if (out.numel() == 0) return;
  if (!is_zero(beta)) broadcast_into(out, self);
  multiply(name, a, b, out, beta, alpha);
}

// Returns the tensor in the type that its products are summed in.
Tensor in_accumulate_type(const Tensor& tensor) {
  if (item_size(tensor.scalar_type()) != 2 || !is_floating(tensor.scalar_type())) return tensor;
  const Tensor wide = empty(tensor.sizes(), tensor.options().dtype(kFloat));
  copy_into(wide, tensor);
  return wide;
}

void dot(const Tensor& a, const Tensor& b, const Tensor& out) {
  const Tensor products = structured::mul(in_accumulate_type(a), in_accumulate_type(b));
  Tensor result = out;
  if (products.scalar_type() == out.scalar_type()) {
    structured::sum_out(result, products, out.scalar_type());
  } else {
    copy_into(out, structured::sum(products));
  }
}

template <class T>
struct Addr {
  T old_factor;
  T new_factor;
  bool ignores_self;
  __device__ T operator()(T x, T a, T b) const {
    using Wide = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;
    const Wide product = static_cast<Wide>(new_factor) * static_cast<Wide>(a) * static_cast<Wide>(b);
    return static_cast<T>(ignores_self ? product : static_cast<Wide>(old_factor) * static_cast<Wide>(x) + product);
  }
};
const cuda::PointwiseTable addr_table = cuda::pointwise_table<kAllTypes, true, Addr>();

}  // namespace

[[structured::impl("mm.out", "CUDA")]]
void mm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  multiply("mm", self, mat2, out, 0, 1);
}

[[structured::impl("addmm.out", "CUDA")]]
void addmm_cuda(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha,
                const Tensor& out) {
  // The bias of a linear layer is a part of the product.
  const bool is_bias = self.dim() == 1 && self.size(0) == out.size(1) && self.stride(0) == 1 && beta == Scalar(1) &&
                       mat1.numel() != 0 && mat2.numel() != 0;
  if (is_bias && multiply_by_library(shape_of(mat1, mat2, out), 1, mat1, mat2, out, 0, alpha, self)) return;
  add_product("addmm", self, mat1, mat2, beta, alpha, out);
}

[[structured::impl("bmm.out", "CUDA")]]
void bmm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  multiply("bmm", self, mat2, out, 0, 1);
}

[[structured::impl("baddbmm.out", "CUDA")]]
void baddbmm_cuda(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                  const Scalar& alpha, const Tensor& out) {
  add_product("baddbmm", self, batch1, batch2, beta, alpha, out);
}

[[structured::impl("addbmm.out", "CUDA")]]
void addbmm_cuda(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                 const Scalar& alpha, const Tensor& out) {
  if (out.numel() == 0) return;
  if (!is_zero(beta)) broadcast_into(out, self);
  const auto matrix = [](const Tensor& batch, int64_t i) {
    return as_strided(batch, {batch.size(1), batch.size(2)}, {batch.stride(1), batch.stride(2)},
                      batch.storage_offset() + i * batch.stride(0));
  };
  if (batch1.size(0) == 0) {  // an empty sum
    const Tensor nothing = empty({batch1.size(1), 0}, batch1.options());
    return multiply("addbmm", nothing, empty({0, batch2.size(2)}, batch2.options()), out, beta, alpha);
  }
  Scalar old_factor = beta;
  for (int64_t i = 0; i < batch1.size(0); ++i) {
    multiply("addbmm", matrix(batch1, i), matrix(batch2, i), out, old_factor, alpha);
    old_factor = 1;
  }
}

[[structured::impl("mv.out", "CUDA")]]
void mv_cuda(const Tensor& self, const Tensor& vec, const Tensor& out) {
  multiply("mv", self, vec, out, 0, 1);
}

[[structured::impl("addmv.out", "CUDA")]]
void addmv_cuda(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha,
                const Tensor& out) {
  add_product("addmv", self, mat, vec, beta, alpha, out);
}

[[structured::impl("addr.out", "CUDA")]]
void addr_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
               const Scalar& alpha, const Tensor& out) {
  cuda::pointwise_kernel<kAllTypes>("addr", op, addr_table, [&]<class T>() {
    return Addr<T>{beta.converted<T>(), alpha.converted<T>(), is_zero(beta)};
  });
}

[[structured::impl("dot.out", "CUDA")]]
void dot_cuda(const Tensor& self, const Tensor& tensor, const Tensor& out) {
  dot(self, tensor, out);
}

[[structured::impl("vdot.out", "CUDA")]]
void vdot_cuda(const Tensor& self, const Tensor& other, const Tensor& out) {
  dot(self.is_complex() ? structured::conj(self) : self, other, out);
}

}  // namespace structured::kernels
