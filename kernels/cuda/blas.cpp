#include "cuda/blas.h"

#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/cuda/check.h>
#include <structured/cuda/stream.h>

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include "cuda/open_library.h"
#include "cuda/plan_cache.h"

#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#define STRUCTURED_HAS_CUBLASLT 1
#endif

namespace structured::kernels {

#if defined(STRUCTURED_HAS_CUBLASLT)

namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;

/// Functions of the library. All are null if it cannot be opened.
struct Library {
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtMatmul) matmul = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) find_algorithms = nullptr;
  decltype(&cublasLtMatmulDescCreate) create_operation = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) set_operation = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) create_layout = nullptr;
  decltype(&cublasLtMatrixLayoutSetAttribute) set_layout = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) create_preference = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) set_preference = nullptr;
  decltype(&cublasLtMatmulDescDestroy) destroy_operation = nullptr;
  decltype(&cublasLtMatrixLayoutDestroy) destroy_layout = nullptr;
  decltype(&cublasLtMatmulPreferenceDestroy) destroy_preference = nullptr;
};

const Library& library() {
  static const Library instance = open_functions<Library>(
      "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR), "and slower kernels compute matrix products",
      [](void* opened, Library& found) {
        return find_function(opened, "cublasLtCreate", found.create) &&
               find_function(opened, "cublasLtMatmul", found.matmul) &&
               find_function(opened, "cublasLtMatmulAlgoGetHeuristic", found.find_algorithms) &&
               find_function(opened, "cublasLtMatmulDescCreate", found.create_operation) &&
               find_function(opened, "cublasLtMatmulDescSetAttribute", found.set_operation) &&
               find_function(opened, "cublasLtMatrixLayoutCreate", found.create_layout) &&
               find_function(opened, "cublasLtMatrixLayoutSetAttribute", found.set_layout) &&
               find_function(opened, "cublasLtMatmulPreferenceCreate", found.create_preference) &&
               find_function(opened, "cublasLtMatmulPreferenceSetAttribute", found.set_preference) &&
               find_function(opened, "cublasLtMatmulDescDestroy", found.destroy_operation) &&
               find_function(opened, "cublasLtMatrixLayoutDestroy", found.destroy_layout) &&
               find_function(opened, "cublasLtMatmulPreferenceDestroy", found.destroy_preference);
      });
  return instance;
}

void check(cublasStatus_t status, const char* function) {
  STRUCTURED_CHECK(status == CUBLAS_STATUS_SUCCESS, "cuBLASLt: status ", static_cast<int>(status), " in `", function,
                   "`");
}

/// A matrix as the library sees it: column-major, perhaps transposed.
struct Layout {
  bool is_transposed = false;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t leading = 0;
};

// Describes a matrix with steps of rows and columns, or returns false if it has neither adjacent rows nor columns.
bool describe(int64_t rows, int64_t columns, int64_t row_step, int64_t column_step, Layout& layout) {
  if (rows == 1 || row_step == 1) {
    const int64_t leading = columns == 1 ? rows : column_step;
    if (leading >= rows) {
      layout = {false, rows, columns, leading};
      return true;
    }
  }
  if (columns == 1 || column_step == 1) {
    const int64_t leading = rows == 1 ? columns : row_step;
    if (leading >= columns) {
      layout = {true, columns, rows, leading};
      return true;
    }
  }
  return false;
}

struct Types {
  cudaDataType_t element;
  cudaDataType_t scale;
  cublasComputeType_t compute;
};

bool types_of(ScalarType dtype, Types& types) {
  switch (dtype) {
    case ScalarType::Float:
      types = {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
      return true;
    case ScalarType::Double:
      types = {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
      return true;
    case ScalarType::Half:
      types = {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
      return true;
    case ScalarType::BFloat16:
      types = {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
      return true;
    case ScalarType::ComplexFloat:
      types = {CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F};
      return true;
    case ScalarType::ComplexDouble:
      types = {CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F};
      return true;
    default:
      return false;
  }
}

/// Prepared product: everything but addresses and factors.
struct Plan {
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() {
    if (operation != nullptr) library().destroy_operation(operation);
    for (const cublasLtMatrixLayout_t each : {first, second, out}) {
      if (each != nullptr) library().destroy_layout(each);
    }
  }

  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t first = nullptr;
  cublasLtMatrixLayout_t second = nullptr;
  cublasLtMatrixLayout_t out = nullptr;
  cublasLtMatmulAlgo_t algorithm = {};
  bool is_supported = false;
};

using Key = std::array<int64_t, 16>;

cublasLtMatrixLayout_t make_layout(const Types& types, const Layout& layout, int64_t batches, int64_t step) {
  cublasLtMatrixLayout_t result = nullptr;
  check(library().create_layout(&result, types.element, static_cast<uint64_t>(layout.rows),
                                static_cast<uint64_t>(layout.columns), layout.leading),
        "cublasLtMatrixLayoutCreate");
  const auto count = static_cast<int32_t>(batches);
  check(library().set_layout(result, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count),
        "cublasLtMatrixLayoutSetAttribute");
  check(library().set_layout(result, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step, sizeof step),
        "cublasLtMatrixLayoutSetAttribute");
  return result;
}

cublasLtHandle_t handle_of(int device) {
  static cublasLtHandle_t handles[cuda::kMaxDevices] = {};
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (handles[device] == nullptr) check(library().create(&handles[device]), "cublasLtCreate");
  return handles[device];
}

std::unique_ptr<Plan> make_plan(int device, const Types& types, const Layout& first, const Layout& second,
                                const Layout& out, const BatchedProduct& product, const int64_t (&steps)[3]) {
  auto plan = std::make_unique<Plan>();
  const Library& lt = library();
  check(lt.create_operation(&plan->operation, types.compute, types.scale), "cublasLtMatmulDescCreate");
  const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
    check(lt.set_operation(plan->operation, attribute, &value, sizeof value), "cublasLtMatmulDescSetAttribute");
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, first.is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(CUBLASLT_MATMUL_DESC_TRANSB, second.is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  if (product.bias != nullptr) {
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, product.bias);  // its alignment matters to the choice
  }
  plan->first = make_layout(types, first, product.batches, steps[0]);
  plan->second = make_layout(types, second, product.batches, steps[1]);
  plan->out = make_layout(types, out, product.batches, steps[2]);
  cublasLtMatmulPreference_t preference = nullptr;
  check(lt.create_preference(&preference), "cublasLtMatmulPreferenceCreate");
  const std::unique_ptr<std::remove_pointer_t<cublasLtMatmulPreference_t>, decltype(lt.destroy_preference)> owner(
      preference, lt.destroy_preference);
  const std::size_t bytes = kWorkspaceBytes;
  check(lt.set_preference(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes),
        "cublasLtMatmulPreferenceSetAttribute");
  cublasLtMatmulHeuristicResult_t result = {};
  int count = 0;
  const cublasStatus_t status = lt.find_algorithms(handle_of(device), plan->operation, plan->first, plan->second,
                                                   plan->out, plan->out, preference, 1, &result, &count);
  plan->is_supported = status == CUBLAS_STATUS_SUCCESS && count == 1;
  plan->algorithm = result.algo;
  return plan;
}

// Calls `run` with pointers to the factors in the type that the library expects.
template <class Run>
void with_factors(cudaDataType_t scale, const Scalar& beta, const Scalar& alpha, const Run& run) {
  const auto call = [&]<class T>() {
    const T a = alpha.converted<T>();
    const T b = beta.converted<T>();
    run(&a, &b);
  };
  switch (scale) {
    case CUDA_R_32F:
      return call.template operator()<float>();
    case CUDA_R_64F:
      return call.template operator()<double>();
    case CUDA_C_32F:
      return call.template operator()<Complex<float>>();
    default:
      return call.template operator()<Complex<double>>();
  }
}

// Exchanges rows and columns of all matrices: (a @ b)^T is b^T @ a^T.
BatchedProduct transposed(const BatchedProduct& product) {
  BatchedProduct result = product;
  std::swap(result.rows, result.columns);
  std::swap(result.a, result.b);
  const auto exchange = [](const int64_t(&from)[3], int64_t(&to)[3]) {
    to[0] = from[0];
    to[1] = from[2];
    to[2] = from[1];
  };
  exchange(product.b_steps, result.a_steps);
  exchange(product.a_steps, result.b_steps);
  exchange(product.out_steps, result.out_steps);
  return result;
}

}  // namespace

bool multiply_by_cublaslt(const BatchedProduct& given, const Scalar& beta, const Scalar& alpha) {
  Types types{};
  if (!types_of(given.dtype, types) || library().matmul == nullptr) return false;
  // The library's results are column-major, and a bias has an element for each of its rows: a row-major result equals
  // the transposed product.
  BatchedProduct product = transposed(given);
  Layout out;
  if (!describe(product.rows, product.columns, product.out_steps[1], product.out_steps[2], out)) return false;
  if (out.is_transposed) {
    if (given.bias != nullptr) return false;
    product = given;
    if (!describe(product.rows, product.columns, product.out_steps[1], product.out_steps[2], out) ||
        out.is_transposed) {
      return false;
    }
  }
  Layout first;
  Layout second;
  if (!describe(product.rows, product.inner, product.a_steps[1], product.a_steps[2], first) ||
      !describe(product.inner, product.columns, product.b_steps[1], product.b_steps[2], second)) {
    return false;
  }
  const int device = cuda::current_device();
  const int64_t steps[3] = {product.a_steps[0], product.b_steps[0], product.out_steps[0]};
  const auto alignment = [](const void* data) {
    return static_cast<int64_t>(reinterpret_cast<std::uintptr_t>(data) % 16);
  };
  const Key key = {device,
                   static_cast<int64_t>(product.dtype),
                   product.batches,
                   product.rows,
                   product.columns,
                   product.inner,
                   first.leading,
                   second.leading,
                   out.leading,
                   first.is_transposed * 2 + second.is_transposed,
                   steps[0],
                   steps[1],
                   steps[2],
                   product.bias != nullptr,
                   alignment(product.a) * 16 + alignment(product.b),
                   alignment(product.out) * 16 + alignment(product.bias)};
  static auto& plans = *new PlanCache<Key, Plan>;
  return plans.use(
      key, [&] { return make_plan(device, types, first, second, out, product, steps); },
      [&](const Plan& plan) {
        if (!plan.is_supported) return false;
        if (product.bias != nullptr) {
          check(library().set_operation(plan.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &product.bias,
                                        sizeof product.bias),
                "cublasLtMatmulDescSetAttribute");
        }
        const Tensor workspace = empty({static_cast<int64_t>(kWorkspaceBytes)},
                                       TensorOptions(kByte, Device(kCUDA, static_cast<int8_t>(device))));
        with_factors(types.scale, beta, alpha, [&](const void* alpha_data, const void* beta_data) {
          check(library().matmul(handle_of(device), plan.operation, alpha_data, product.a, plan.first, product.b,
                                 plan.second, beta_data, product.out, plan.out, product.out, plan.out, &plan.algorithm,
                                 workspace.data(), kWorkspaceBytes, cuda::current_handle(device)),
                "cublasLtMatmul");
        });
        return true;
      });
}

#else

bool multiply_by_cublaslt(const BatchedProduct&, const Scalar&, const Scalar&) { return false; }

#endif

}  // namespace structured::kernels
