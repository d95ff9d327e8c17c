#include "structured/cuda/pinned.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/cuda/check.h"
#include "structured/cuda/stream.h"
#include "structured/kernel/guards.h"

namespace structured::cuda {
namespace {

constexpr std::size_t kSmallestBlock = 512;

/// Cache of blocks, whose sizes are powers of two.
class Pool {
 public:
  void* allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    reclaim();
    const std::size_t size = std::bit_ceil(std::max(bytes, kSmallestBlock));
    void* data = nullptr;
    if (std::vector<void*>& free = free_[size]; !free.empty()) {
      data = free.back();
      free.pop_back();
    } else {
      STRUCTURED_CUDA_CHECK(cudaHostAlloc(&data, size, cudaHostAllocPortable));
    }
    used_[data].size = size;
    return data;
  }

  void deallocate(void* data) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = used_.find(data);
    if (found == used_.end()) return;
    pending_.push_back({data, std::move(found->second)});
    used_.erase(found);
  }

  /// The block that begins at `data` is used by the work that is in `stream` now. Returns whether there is one.
  bool record(void* data, Stream stream) {
    const std::lock_guard lock(mutex_);
    const auto found = used_.find(data);
    if (found == used_.end()) return false;
    std::erase_if(found->second.events, [](const auto& event) { return event->has_passed(); });
    found->second.events.push_back(std::make_unique<Event>());
    found->second.events.back()->record(stream);
    return true;
  }

  bool contains(void* data) {
    const std::lock_guard lock(mutex_);
    return used_.contains(data);
  }

 private:
  struct Block {
    std::size_t size = 0;
    std::vector<std::unique_ptr<Event>> events;
  };
  struct Pending {
    void* data;
    Block block;
  };

  void reclaim() {
    std::erase_if(pending_, [this](const Pending& pending) {
      const auto has_passed = [](const auto& event) { return event->has_passed(); };
      if (!std::ranges::all_of(pending.block.events, has_passed)) return false;
      free_[pending.block.size].push_back(pending.data);
      return true;
    });
  }

  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> free_;
  std::unordered_map<void*, Block> used_;
  std::vector<Pending> pending_;
};

Pool& pool() {
  // Never destroyed: tensors in static variables may be freed after any destructor here would have run.
  static Pool* const instance = new Pool;
  return *instance;
}

}  // namespace

Tensor empty_pinned(IntArrayRef sizes, TensorOptions options) {
  STRUCTURED_CHECK(options.device().is_cpu(), "empty_pinned: expected device cpu, got ", options.device());
  const std::size_t bytes =
      structured::detail::storage_nbytes(sizes, contiguous_strides(sizes), item_size(options.dtype()));
  return from_blob(pool().allocate(bytes), sizes, options, [](void* data) { pool().deallocate(data); });
}

bool is_pinned(const Tensor& tensor) { return tensor.is_cpu() && pool().contains(tensor.storage().data()); }

void copy_async(const Tensor& destination, const Tensor& source) {
  STRUCTURED_CHECK(destination.is_cuda() != source.is_cuda(),
                   "copy_async: expected a CUDA tensor and a CPU tensor, got ", source.device(), " to ",
                   destination.device());
  STRUCTURED_CHECK(destination.scalar_type() == source.scalar_type() && destination.sizes() == source.sizes() &&
                       destination.is_contiguous() && source.is_contiguous(),
                   "copy_async: expected contiguous tensors of one dtype and the same sizes, got ",
                   source.scalar_type(), " ", source.sizes(), " to ", destination.scalar_type(), " ",
                   destination.sizes());
  const Tensor& on_host = destination.is_cuda() ? source : destination;
  STRUCTURED_CHECK(is_pinned(on_host), "copy_async: expected a CPU tensor in pinned memory; see empty_pinned()");
  const int device = (destination.is_cuda() ? destination : source).device().index();
  const DeviceGuard guard(Device(kCUDA, static_cast<int8_t>(device)));
  STRUCTURED_CUDA_CHECK(cudaMemcpyAsync(destination.data(), source.data(), destination.nbytes(), cudaMemcpyDefault,
                                        current_handle(device)));
  pool().record(on_host.storage().data(), current_stream(device));
  destination.bump_version();
}

}  // namespace structured::cuda
