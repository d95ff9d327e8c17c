// Takes the place of cuBLASLt: products by loops, done in the order of the stream. Supports what kernels/cuda/blas.cpp
// asks for, and checks that layouts fit into the memory that they describe.
#include <cublasLt.h>

#include <complex>
#include <cstdint>
#include <cstring>

#include "elements.h"
#include "emulator.h"

namespace {

using emulator::load;
using emulator::Number;
using emulator::read;
using emulator::size_of;
using emulator::store;

struct Operation {
  cudaDataType_t scale = CUDA_R_32F;
  cublasOperation_t transposed[2] = {CUBLAS_OP_N, CUBLAS_OP_N};
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
};
struct Layout {
  cudaDataType_t type = CUDA_R_32F;
  uint64_t rows = 0;
  uint64_t columns = 0;
  int64_t leading = 0;
  int32_t batches = 1;
  int64_t batch_step = 0;
};

const Operation& operation_of(cublasLtMatmulDesc_t desc) { return *reinterpret_cast<const Operation*>(desc); }
const Layout& layout_of(cublasLtMatrixLayout_t layout) { return *reinterpret_cast<const Layout*>(layout); }

/// The host's pointer to the elements of all matrices of a layout.
char* elements_of(const void* data, const Layout& layout) {
  const auto last = static_cast<int64_t>(layout.columns - 1) * layout.leading + static_cast<int64_t>(layout.rows - 1) +
                    (layout.batches - 1) * layout.batch_step;
  return emulator::device_memory(data, static_cast<std::size_t>(last + 1) * size_of(layout.type));
}

bool are_products(const Operation& operation, const Layout& a, const Layout& b, const Layout& out) {
  const bool ta = operation.transposed[0] == CUBLAS_OP_T;
  const bool tb = operation.transposed[1] == CUBLAS_OP_T;
  return (ta ? a.columns : a.rows) == out.rows && (ta ? a.rows : a.columns) == (tb ? b.columns : b.rows) &&
         (tb ? b.rows : b.columns) == out.columns && a.batches == out.batches && b.batches == out.batches;
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = reinterpret_cast<cublasLtHandle_t>(new int);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t, cudaDataType_t scale) {
  *desc = reinterpret_cast<cublasLtMatmulDesc_t>(new Operation{scale});
  emulator::count_plans(1);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  delete reinterpret_cast<Operation*>(desc);
  emulator::count_plans(-1);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, std::size_t size) {
  auto& operation = *reinterpret_cast<Operation*>(desc);
  const auto set = [&](auto& field) {
    if (size != sizeof field) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&field, value, size);
    return CUBLAS_STATUS_SUCCESS;
  };
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set(operation.transposed[0]);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set(operation.transposed[1]);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return set(operation.epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return set(operation.bias);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t type, uint64_t rows,
                                          uint64_t columns, int64_t leading) {
  if (leading < static_cast<int64_t>(rows)) return CUBLAS_STATUS_INVALID_VALUE;
  *layout = reinterpret_cast<cublasLtMatrixLayout_t>(new Layout{type, rows, columns, leading, 1, 0});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete reinterpret_cast<Layout*>(layout);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t desc, cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, std::size_t) {
  auto& layout = *reinterpret_cast<Layout*>(desc);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) {
    std::memcpy(&layout.batches, value, sizeof layout.batches);
  } else if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET) {
    std::memcpy(&layout.batch_step, value, sizeof layout.batch_step);
  } else {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = reinterpret_cast<cublasLtMatmulPreference_t>(new int);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete reinterpret_cast<int*>(preference);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
                                                    const void*, std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                              cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t out, cublasLtMatmulPreference_t, int,
                                              cublasLtMatmulHeuristicResult_t* result, int* count) {
  *result = {};
  *count = are_products(operation_of(desc), layout_of(a), layout_of(b), layout_of(out));
  return *count != 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t desc, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_desc, const void* b, cublasLtMatrixLayout_t b_desc,
                              const void* beta, const void* c, cublasLtMatrixLayout_t, void* d,
                              cublasLtMatrixLayout_t d_desc, const cublasLtMatmulAlgo_t*, void*, std::size_t,
                              cudaStream_t stream) {
  const Operation operation = operation_of(desc);
  const Layout first = layout_of(a_desc);
  const Layout second = layout_of(b_desc);
  const Layout out = layout_of(d_desc);
  if (c != d || !are_products(operation, first, second, out)) return CUBLAS_STATUS_INVALID_VALUE;
  const Number new_factor = load(operation.scale, static_cast<const char*>(alpha));
  const Number old_factor = load(operation.scale, static_cast<const char*>(beta));
  emulator::count_product();
  emulator::enqueue(stream, [=] {
    const char* const x = elements_of(a, first);
    const char* const y = elements_of(b, second);
    char* const to = elements_of(d, out);
    const auto size = static_cast<int64_t>(size_of(out.type));
    const bool has_bias = operation.epilogue == CUBLASLT_EPILOGUE_BIAS;
    const char* const bias = has_bias ? emulator::device_memory(operation.bias, out.rows * size_of(out.type)) : nullptr;
    const bool is_first_transposed = operation.transposed[0] == CUBLAS_OP_T;
    const bool is_second_transposed = operation.transposed[1] == CUBLAS_OP_T;
    const uint64_t inner = is_first_transposed ? first.rows : first.columns;
    const auto at = [size](const char* data, const Layout& layout, int batch, uint64_t row, uint64_t column) {
      return data + size * (batch * layout.batch_step + static_cast<int64_t>(row) +
                            static_cast<int64_t>(column) * layout.leading);
    };
    for (int batch = 0; batch < out.batches; ++batch) {
      for (uint64_t row = 0; row < out.rows; ++row) {
        for (uint64_t column = 0; column < out.columns; ++column) {
          Number sum = 0;
          for (uint64_t k = 0; k < inner; ++k) {
            sum += load(out.type, is_first_transposed ? at(x, first, batch, k, row) : at(x, first, batch, row, k)) *
                   load(out.type,
                        is_second_transposed ? at(y, second, batch, column, k) : at(y, second, batch, k, column));
          }
          char* const element = const_cast<char*>(at(to, out, batch, row, column));
          Number result = new_factor * sum;
          if (old_factor != Number(0)) result += old_factor * load(out.type, element);
          if (has_bias) result += load(out.type, bias + size * static_cast<int64_t>(row));
          store(out.type, element, result);
        }
      }
    }
  });
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
