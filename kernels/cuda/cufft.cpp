#include "cuda/cufft.h"

#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/wrap_dim.h>
#include <structured/cuda/device.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cuda/open_library.h"
#include "cuda/plan_cache.h"

#if __has_include(<cufftXt.h>)
#include <cufftXt.h>
#define STRUCTURED_HAS_CUFFT 1
#endif

namespace structured::kernels {

#if defined(STRUCTURED_HAS_CUFFT)

namespace {

constexpr std::size_t kMaxRank = 3;  // dimensions of one transform of the library

/// Functions of the library. All are null if it cannot be opened.
struct Library {
  decltype(&cufftCreate) create = nullptr;
  decltype(&cufftDestroy) destroy = nullptr;
  decltype(&cufftSetAutoAllocation) set_auto_allocation = nullptr;
  decltype(&cufftXtMakePlanMany) make_plan = nullptr;
  decltype(&cufftSetStream) set_stream = nullptr;
  decltype(&cufftSetWorkArea) set_work_area = nullptr;
  decltype(&cufftXtExec) execute = nullptr;
};

const Library& library() {
  static const Library instance =
      open_functions<Library>("libcufft.so." + std::to_string(CUFFT_VER_MAJOR),
                              "and slower kernels compute Fourier transforms", [](void* opened, Library& found) {
                                return find_function(opened, "cufftCreate", found.create) &&
                                       find_function(opened, "cufftDestroy", found.destroy) &&
                                       find_function(opened, "cufftSetAutoAllocation", found.set_auto_allocation) &&
                                       find_function(opened, "cufftXtMakePlanMany", found.make_plan) &&
                                       find_function(opened, "cufftSetStream", found.set_stream) &&
                                       find_function(opened, "cufftSetWorkArea", found.set_work_area) &&
                                       find_function(opened, "cufftXtExec", found.execute);
                              });
  return instance;
}

void check(cufftResult result, const char* function) {
  STRUCTURED_CHECK(result == CUFFT_SUCCESS, "cuFFT: status ", static_cast<int>(result), " in `", function, "`");
}

cudaDataType_t type_of(ScalarType dtype) {
  switch (dtype) {
    case ScalarType::Float:
      return CUDA_R_32F;
    case ScalarType::Double:
      return CUDA_R_64F;
    case ScalarType::ComplexFloat:
      return CUDA_C_32F;
    default:
      return CUDA_C_64F;
  }
}

/// A batch of transforms of contiguous arrays: [batches, sizes...].
struct Shape {
  int device = 0;
  ScalarType from = ScalarType::Undefined;
  ScalarType to = ScalarType::Undefined;
  int64_t batches = 1;
  std::size_t rank = 0;
  std::array<int64_t, kMaxRank> sizes{};  ///< in real elements, where one side is real

  friend auto operator<=>(const Shape&, const Shape&) = default;
};

/// A transform that can be repeated with other addresses.
struct Plan {
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() { library().destroy(handle); }

  cufftHandle handle = 0;
  std::size_t work_bytes = 0;
  bool is_supported = false;
};

std::unique_ptr<Plan> make_plan(const Shape& shape) {
  using Sizes = std::array<long long, kMaxRank>;
  Sizes sizes{};
  std::copy(shape.sizes.begin(), shape.sizes.end(), sizes.begin());
  // Sizes of the arrays, and the number of elements from one to the next.
  const auto describe = [&](ScalarType dtype, Sizes& array) {
    array = sizes;
    const bool is_half = is_complex(dtype) && !(is_complex(shape.from) && is_complex(shape.to));
    if (is_half) array[shape.rank - 1] = array[shape.rank - 1] / 2 + 1;
    long long count = 1;
    for (std::size_t i = 0; i < shape.rank; ++i) count *= array[i];
    return count;
  };
  Sizes from{};
  Sizes to{};
  const long long from_count = describe(shape.from, from);
  const long long to_count = describe(shape.to, to);
  cufftHandle handle = 0;
  check(library().create(&handle), "cufftCreate");
  auto plan = std::make_unique<Plan>();
  plan->handle = handle;
  check(library().set_auto_allocation(handle, 0), "cufftSetAutoAllocation");
  const cufftResult result =
      library().make_plan(handle, static_cast<int>(shape.rank), sizes.data(), from.data(), 1, from_count,
                          type_of(shape.from), to.data(), 1, to_count, type_of(shape.to), shape.batches,
                          &plan->work_bytes, type_of(is_complex(shape.from) ? shape.from : shape.to));
  plan->is_supported = result == CUFFT_SUCCESS;
  return plan;
}

// Returns false if the library does not support the shape.
bool run(const Shape& shape, const Tensor& from, const Tensor& to, bool forward) {
  static auto& plans = *new PlanCache<Shape, Plan>;
  return plans.use(
      shape, [&] { return make_plan(shape); },
      [&](const Plan& plan) {
        if (!plan.is_supported) return false;
        const Tensor work = empty({static_cast<int64_t>(plan.work_bytes)}, from.options().dtype(kByte));
        check(library().set_stream(plan.handle, cuda::current_handle(shape.device)), "cufftSetStream");
        if (plan.work_bytes != 0) check(library().set_work_area(plan.handle, work.data()), "cufftSetWorkArea");
        check(library().execute(plan.handle, from.data(), to.data(), forward ? CUFFT_FORWARD : CUFFT_INVERSE),
              "cufftXtExec");
        return true;
      });
}

Tensor permuted(const Tensor& tensor, IntArrayRef order) {
  DimVector sizes;
  DimVector strides;
  for (const int64_t d : order) {
    sizes.push_back(tensor.size(d));
    strides.push_back(tensor.stride(d));
  }
  return as_strided(tensor, sizes, strides, tensor.storage_offset());
}

// Returns `tensor`, or a contiguous copy if the library cannot read it or may overwrite it.
Tensor readable(const Tensor& tensor, bool is_overwritten) {
  const std::size_t alignment = 2 * item_size(to_real(tensor.scalar_type()));
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(tensor.data()) % alignment == 0;
  if (tensor.is_contiguous() && is_aligned && !is_overwritten) return tensor;
  const Tensor copy = empty(tensor.sizes(), tensor.options());
  copy_into(copy, tensor);
  return copy;
}

// Returns the order of dimensions in which the library computes: those of the batch as in `like`, from the outermost
// inwards, then those of `group`.
DimVector order_of(const Tensor& like, IntArrayRef group) {
  DimVector order;
  for (int64_t d = 0; d < like.dim(); ++d) {
    if (std::find(group.begin(), group.end(), d) == group.end()) order.push_back(d);
  }
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return like.stride(a) > like.stride(b); });
  for (const int64_t d : group) order.push_back(d);
  return order;
}

// Transforms along at most kMaxRank dimensions to a result of these sizes, in the memory of `out` if that has the dtype
// and the order of the result. Returns nothing if the library does not support the shape.
std::optional<Tensor> transform_group(const Tensor& from, IntArrayRef group, ScalarType to_dtype, IntArrayRef to_sizes,
                                      bool forward, const Tensor* out) {
  const DimVector order = order_of(out != nullptr ? *out : from, group);
  const bool is_to_real = !is_complex(to_dtype);
  const Tensor source = readable(permuted(from, order), is_to_real);  // cuFFT overwrites the input of these
  Tensor target;
  if (out != nullptr && out->scalar_type() == to_dtype) target = permuted(*out, order);
  if (!target.defined() || !target.is_contiguous()) {
    DimVector sizes;
    for (const int64_t d : order) sizes.push_back(to_sizes[static_cast<std::size_t>(d)]);
    target = empty(sizes, from.options().dtype(to_dtype));
  }
  const Tensor& signal = is_to_real ? target : source;
  Shape shape{cuda::current_device(), from.scalar_type(), to_dtype, 1, group.size(), {}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int64_t size = signal.size(static_cast<int64_t>(i));
    if (i < order.size() - group.size()) {
      shape.batches *= size;
    } else {
      shape.sizes[i - (order.size() - group.size())] = size;
    }
  }
  if (!run(shape, source, target, forward)) return std::nullopt;
  DimVector strides(order.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    strides[static_cast<std::size_t>(order[i])] = target.stride(static_cast<int64_t>(i));
  }
  return as_strided(target, to_sizes, strides, target.storage_offset());
}

}  // namespace

bool transform_by_cufft(const Tensor& self, IntArrayRef dim, bool forward, const Tensor& out) {
  if (self.dim() == 0 || dim.empty() || library().execute == nullptr) return false;
  DimVector dims;
  for (const int64_t d : dim) dims.push_back(wrap_dim(d, self.dim()));
  const bool is_from_real = !is_complex(self.scalar_type());
  const bool is_to_real = !is_complex(out.scalar_type());
  const ScalarType complex = to_complex(self.scalar_type());
  if (!is_from_real && !is_to_real) {  // any order gives the result: that of `out` saves copies
    std::stable_sort(dims.begin(), dims.end(), [&](int64_t a, int64_t b) { return out.stride(a) > out.stride(b); });
  }
  // Groups from the innermost one outwards, because the last dimension of real elements is halved; from the outermost
  // one inwards if the result is real.
  const std::size_t last_size = std::min(dims.size(), kMaxRank);
  const std::size_t rest = dims.size() - last_size;
  DimVector starts;
  for (std::size_t start = 0; start < rest; start += kMaxRank) starts.push_back(static_cast<int64_t>(start));
  const auto last = static_cast<int64_t>(rest);
  starts.insert(is_to_real ? starts.size() : 0, last);
  Tensor result = self;
  for (std::size_t pass = 0; pass < starts.size(); ++pass) {
    const auto start = static_cast<std::size_t>(starts[pass]);
    const IntArrayRef group =
        IntArrayRef(dims).slice(start, start == rest ? last_size : std::min(kMaxRank, rest - start));
    const bool is_last_pass = pass + 1 == starts.size();
    const bool is_real_result = is_last_pass && is_to_real;
    const bool changes_sizes = is_real_result || (pass == 0 && is_from_real);
    const std::optional<Tensor> done =
        transform_group(result, group, is_real_result ? to_real(complex) : complex,
                        changes_sizes ? out.sizes() : result.sizes(), forward, is_last_pass ? &out : nullptr);
    if (!done) return false;
    result = *done;
  }
  if (result.data() != out.data()) copy_into(out, result);
  return true;
}

#else

bool transform_by_cufft(const Tensor&, IntArrayRef, bool, const Tensor&) { return false; }

#endif

}  // namespace structured::kernels
