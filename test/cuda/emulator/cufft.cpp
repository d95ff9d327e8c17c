// Takes the place of cuFFT: transforms by their definition, done in the order of the stream. Supports what
// kernels/cuda/cufft.cpp asks for. Overwrites the input of transforms to real elements, as cuFFT may, and the work
// area.
#include <cufftXt.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <utility>
#include <vector>

#include "elements.h"
#include "emulator.h"

namespace {

using emulator::load;
using emulator::Number;
using emulator::size_of;
using emulator::store;

constexpr std::size_t kWorkBytes = 1000;
constexpr int kFirstHandle = 7;

struct Array {
  cudaDataType type = CUDA_C_32F;
  std::vector<long long> sizes;  // in memory, innermost last
  long long distance = 0;        // elements from one transform of the batch to the next
};
struct Plan {
  std::vector<long long> sizes;
  Array from;
  Array to;
  long long batch = 0;
  bool allocates_work_area = true;
  void* work_area = nullptr;
  cudaStream_t stream = nullptr;
  std::shared_ptr<const bool> life;  // until the plan is destroyed
};

std::mutex mutex;
std::map<cufftHandle, Plan> plans;
cufftHandle next_handle = kFirstHandle;

bool is_real(cudaDataType type) { return type == CUDA_R_32F || type == CUDA_R_64F; }
std::size_t alignment_of(cudaDataType type) { return type == CUDA_R_32F || type == CUDA_C_32F ? 8 : 16; }

long long count_of(const std::vector<long long>& sizes) {
  long long count = 1;
  for (const long long size : sizes) count *= size;
  return count;
}

// Position in an array of `sizes` of the element that has position `i` in an array of `of`.
long long place_of(long long i, const std::vector<long long>& of, const std::vector<long long>& sizes) {
  long long result = 0;
  long long step = 1;
  for (std::size_t d = of.size(); d-- > 0;) {
    result += i % of[d] * step;
    step *= sizes[d];
    i /= of[d];
  }
  return result;
}

// Transforms a contiguous array along one dimension.
void transform(std::vector<Number>& elements, const std::vector<long long>& sizes, std::size_t dim, int direction) {
  const long long length = sizes[dim];
  long long inner = 1;
  for (std::size_t d = dim + 1; d < sizes.size(); ++d) inner *= sizes[d];
  std::vector<Number> line(static_cast<std::size_t>(length));
  for (long long start = 0; start < static_cast<long long>(elements.size()); ++start) {
    if (start / inner % length != 0) continue;
    const auto at = [&](long long i) -> Number& { return elements[static_cast<std::size_t>(start + i * inner)]; };
    for (long long i = 0; i < length; ++i) {
      Number sum = 0;
      for (long long k = 0; k < length; ++k) {
        const double turn = static_cast<double>(i * k % length) / static_cast<double>(length);
        sum += at(k) * std::polar(1.0, direction * 2 * std::numbers::pi * turn);
      }
      line[static_cast<std::size_t>(i)] = sum;
    }
    for (long long i = 0; i < length; ++i) at(i) = line[static_cast<std::size_t>(i)];
  }
}

// Returns the elements that a transform reads. For real results they are transformed along all dimensions, because only
// the last one is halved.
std::vector<Number> read(const Plan& plan, const char* from, int direction) {
  std::vector<long long> sizes = plan.sizes;
  const bool is_half = is_real(plan.to.type);
  if (is_half) sizes.back() = sizes.back() / 2 + 1;
  std::vector<Number> elements(static_cast<std::size_t>(count_of(sizes)));
  const auto size = static_cast<long long>(size_of(plan.from.type));
  for (long long i = 0; i < count_of(sizes); ++i) {
    elements[static_cast<std::size_t>(i)] = load(plan.from.type, from + size * place_of(i, sizes, plan.from.sizes));
  }
  if (!is_half) return elements;
  for (std::size_t d = 0; d + 1 < sizes.size(); ++d) transform(elements, sizes, d, direction);
  const long long length = plan.sizes.back();
  const long long half = sizes.back();
  std::vector<Number> whole(static_cast<std::size_t>(count_of(plan.sizes)));
  for (long long i = 0; i < count_of(plan.sizes); ++i) {
    const long long place = i % length;
    const auto at = [&](long long k) { return elements[static_cast<std::size_t>(i / length * half + k)]; };
    Number& element = whole[static_cast<std::size_t>(i)];
    element = place < half ? at(place) : std::conj(at(length - place));
    if (place == 0 || 2 * place == length) element = element.real();
  }
  transform(whole, plan.sizes, plan.sizes.size() - 1, direction);
  return whole;
}

void run(const Plan& plan, char* from, char* to, int direction) {
  std::vector<Number> elements = read(plan, from, direction);
  if (!is_real(plan.to.type)) {
    for (std::size_t d = 0; d < plan.sizes.size(); ++d) transform(elements, plan.sizes, d, direction);
  }
  std::vector<long long> sizes = plan.sizes;
  if (is_real(plan.from.type)) sizes.back() = sizes.back() / 2 + 1;
  const auto size = static_cast<long long>(size_of(plan.to.type));
  for (long long i = 0; i < count_of(sizes); ++i) {
    const Number value = elements[static_cast<std::size_t>(place_of(i, sizes, plan.sizes))];
    store(plan.to.type, to + size * place_of(i, sizes, plan.to.sizes), value);
  }
}

}  // namespace

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) {
  const std::lock_guard lock(mutex);
  *handle = next_handle++;
  plans[*handle].life = std::make_shared<const bool>(true);
  emulator::count_plans(1);
  return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle handle) {
  const std::lock_guard lock(mutex);
  if (plans.erase(handle) == 0) return CUFFT_INVALID_PLAN;
  emulator::count_plans(-1);
  return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates) {
  const std::lock_guard lock(mutex);
  plans.at(handle).allocates_work_area = allocates != 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long* sizes, long long* from, long long from_stride,
                                long long from_distance, cudaDataType from_type, long long* to, long long to_stride,
                                long long to_distance, cudaDataType to_type, long long batch, std::size_t* work_bytes,
                                cudaDataType execution_type) {
  const std::lock_guard lock(mutex);
  Plan& plan = plans.at(handle);
  if (rank < 1 || rank > 3 || from_stride != 1 || to_stride != 1 || batch < 1) return CUFFT_INVALID_VALUE;
  if (is_real(execution_type) || (is_real(from_type) && is_real(to_type))) return CUFFT_INVALID_TYPE;
  if (alignment_of(from_type) != alignment_of(to_type)) return CUFFT_INVALID_TYPE;
  plan.sizes.assign(sizes, sizes + rank);
  plan.from = {from_type, {from, from + rank}, from_distance};
  plan.to = {to_type, {to, to + rank}, to_distance};
  plan.batch = batch;
  *work_bytes = kWorkBytes;
  return sizes[rank - 1] == 13 ? CUFFT_INVALID_SIZE : CUFFT_SUCCESS;  // for a test: a size without a plan
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  const std::lock_guard lock(mutex);
  plans.at(handle).stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void* work_area) {
  const std::lock_guard lock(mutex);
  plans.at(handle).work_area = work_area;
  return CUFFT_SUCCESS;
}
cufftResult cufftXtExec(cufftHandle handle, void* from, void* to, int direction) {
  Plan plan;
  {
    const std::lock_guard lock(mutex);
    plan = plans.at(handle);
  }
  const auto is_aligned = [](const void* data, cudaDataType type) {
    return reinterpret_cast<std::uintptr_t>(data) % alignment_of(type) == 0;
  };
  if (!is_aligned(from, plan.from.type) || !is_aligned(to, plan.to.type)) return CUFFT_INVALID_VALUE;
  if (!plan.allocates_work_area && plan.work_area == nullptr) return CUFFT_NO_WORKSPACE;
  if (is_real(plan.to.type) ? direction != CUFFT_INVERSE : is_real(plan.from.type) && direction != CUFFT_FORWARD) {
    return CUFFT_INVALID_VALUE;
  }
  emulator::count_transform();
  const std::weak_ptr<const bool> life = std::exchange(plan.life, nullptr);
  emulator::enqueue(plan.stream, [plan, life, from, to, direction] {
    if (life.expired()) emulator::fail("cuFFT: a plan was destroyed before its work was done");
    const auto memory = [&](void* data, const Array& array) {
      const long long count = (plan.batch - 1) * array.distance + count_of(array.sizes);
      return emulator::device_memory(data, static_cast<std::size_t>(count) * size_of(array.type));
    };
    char* const source = memory(from, plan.from);
    char* const target = memory(to, plan.to);
    const auto from_step = plan.from.distance * static_cast<long long>(size_of(plan.from.type));
    const auto to_step = plan.to.distance * static_cast<long long>(size_of(plan.to.type));
    for (long long i = 0; i < plan.batch; ++i) run(plan, source + i * from_step, target + i * to_step, direction);
    std::memset(emulator::device_memory(plan.work_area, kWorkBytes), 0xff, kWorkBytes);
    if (is_real(plan.to.type)) {
      std::memset(source, 0xff,
                  static_cast<std::size_t>(plan.batch * count_of(plan.from.sizes)) * size_of(plan.from.type));
    }
  });
  return CUFFT_SUCCESS;
}

}  // extern "C"
