#include "structured/cuda/memory.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/cuda/check.h"
#include "structured/cuda/device.h"
#include "structured/cuda/device_allocator.h"
#include "structured/cuda/stream.h"
#include "structured/cuda/thread_state.h"
#include "structured/kernel/guards.h"
#include "structured/memory/allocator.h"

namespace structured::cuda {
namespace {

constexpr std::size_t kClass = 512;                               // sizes of blocks are multiples
constexpr std::size_t kSmallest = std::size_t{2} << 20;           // segment for blocks up to half of it
constexpr std::size_t kRounding = std::size_t{2} << 20;           // sizes of larger segments are multiples
constexpr std::size_t kSmallestRemainder = std::size_t{1} << 20;  // of a segment for large blocks, to be split off

constexpr std::size_t kFrontClasses = 16;  // sizes of blocks that threads keep: kClass to 16 * kClass
constexpr std::size_t kFrontBlocks = 8;    // of each size

// Number of blocks that record_stream has been called for. Threads keep no blocks meanwhile.
std::atomic<int> recorded_blocks = 0;

// Number of times that segments have been released. Their addresses may have become those of blocks of other streams.
std::atomic<unsigned> releases = 0;

/// A part of a segment, which is one allocation of CUDA. Neighbours in a segment are linked.
struct Block {
  char* data = nullptr;
  std::size_t size = 0;
  int64_t stream = 0;
  bool is_free = false;
  Block* previous = nullptr;
  Block* next = nullptr;
  std::vector<int64_t> users;  ///< streams of record_stream
};

struct BySize {
  bool operator()(const Block* a, const Block* b) const {
    return std::pair(a->size, a->data) < std::pair(b->size, b->data);
  }
};

/// Cache of one device.
class Pool {
 public:
  explicit Pool(int device) : device_(device) {}

  void* allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    reclaim(false);
    const std::size_t size = std::max((bytes + kClass - 1) / kClass * kClass, kClass);
    const int64_t graph = detail::current_graph_memory();
    const int64_t stream = graph != 0 ? graph : current_stream(device_).id();
    Block* block = take(size, stream);
    if (block == nullptr) block = add_segment(size, stream);
    statistics_.allocated_bytes += block->size;
    statistics_.peak_allocated_bytes = std::max(statistics_.peak_allocated_bytes, statistics_.allocated_bytes);
    ++statistics_.allocations;
    block->is_free = false;
    used_[block->data] = block;
    return block->data;
  }

  void deallocate(void* data) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = used_.find(data);
    if (found == used_.end()) return;
    Block* const block = found->second;
    used_.erase(found);
    statistics_.allocated_bytes -= block->size;
    if (block->users.empty()) {
      put(block);
      return;
    }
    recorded_blocks.fetch_sub(1, std::memory_order_relaxed);
    Pending pending{block, {}};
    for (const int64_t user : std::exchange(block->users, {})) {
      pending.events.push_back(std::make_unique<Event>());
      pending.events.back()->record(Stream(cuda_device(), user));
    }
    pending_.push_back(std::move(pending));
  }

  void record(void* data, int64_t stream) {
    const std::lock_guard lock(mutex_);
    // A storage begins at the beginning of its block.
    const auto found = used_.find(data);
    STRUCTURED_CHECK(found != used_.end(), "record_stream: expected memory of the CUDA allocator");
    Block& block = *found->second;
    if (stream != block.stream && std::ranges::find(block.users, stream) == block.users.end()) {
      if (block.users.empty()) recorded_blocks.fetch_add(1, std::memory_order_relaxed);
      block.users.push_back(stream);
    }
  }

  void empty() {
    const std::lock_guard lock(mutex_);
    release_segments();
  }

  /// Lets the default stream use the memory of a graph whose work has ended.
  void adopt(int64_t graph) {
    const std::lock_guard lock(mutex_);
    for (auto& [data, block] : used_) {
      if (block->stream == graph) block->stream = 0;
    }
    for (const bool is_large : {false, true}) {
      const auto found = free_.find({graph, is_large});
      if (found == free_.end()) continue;
      for (Block* const block : found->second) {
        block->stream = 0;
        free_[{0, is_large}].insert(block);
      }
      free_.erase(found);
    }
  }

  MemoryStatistics statistics() {
    const std::lock_guard lock(mutex_);
    return statistics_;
  }
  void reset_peak() {
    const std::lock_guard lock(mutex_);
    statistics_.peak_allocated_bytes = statistics_.allocated_bytes;
  }
  std::size_t set_limit(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    return std::exchange(limit_, bytes);
  }

 private:
  using FreeBlocks = std::set<Block*, BySize>;
  struct Pending {
    Block* block;
    std::vector<std::unique_ptr<Event>> events;
  };

  Device cuda_device() const { return Device(DeviceType::CUDA, static_cast<int8_t>(device_)); }

  // Small and large blocks come from segments of their own, so that a small one does not keep a large segment.
  FreeBlocks& free_blocks(int64_t stream, std::size_t size) { return free_[{stream, size > kSmallest / 2}]; }

  Block* take(std::size_t size, int64_t stream) {
    FreeBlocks& blocks = free_blocks(stream, size);
    Block key;
    key.size = size;
    const auto found = blocks.lower_bound(&key);
    if (found == blocks.end()) return nullptr;
    Block* const block = *found;
    const bool is_small = size <= kSmallest / 2;
    if (!is_small && block->size - size > block->size / 2) return nullptr;  // would waste a large segment
    blocks.erase(found);
    split(block, size, is_small ? kClass : kSmallestRemainder);
    return block;
  }

  void split(Block* block, std::size_t size, std::size_t smallest_rest) {
    if (block->size - size < smallest_rest) return;
    auto* const rest = new Block;
    rest->data = block->data + size;
    rest->size = block->size - size;
    rest->stream = block->stream;
    rest->is_free = true;
    rest->previous = block;
    rest->next = block->next;
    if (rest->next != nullptr) rest->next->previous = rest;
    block->next = rest;
    block->size = size;
    group_of(rest).insert(rest);
  }

  // The free blocks of a segment form a part of one group.
  FreeBlocks& group_of(const Block* block) {
    const Block* first = block;
    while (first->previous != nullptr) first = first->previous;
    return free_[{block->stream, segments_.at(first->data) > kSmallest}];
  }

  Block* add_segment(std::size_t size, int64_t stream) {
    const int count = device_count();
    STRUCTURED_CHECK(count > 0, "expected a CUDA device, found none: the program needs NVIDIA's driver and a GPU");
    STRUCTURED_CHECK(device_ < count, "expected a CUDA device below ", count, ", got ", cuda_device());
    const bool is_small = size <= kSmallest / 2;
    const std::size_t bytes = is_small ? kSmallest : (size + kRounding - 1) / kRounding * kRounding;
    void* data = reserve(bytes);
    if (data == nullptr) {
      reclaim(true);
      if (Block* const block = take(size, stream)) return block;
      release_segments();
      data = reserve(bytes);
    }
    STRUCTURED_CHECK(data != nullptr, "CUDA: out of memory on cuda:", device_, ": cannot allocate ", size, " bytes; ",
                     statistics_.allocated_bytes, " bytes are in use and ",
                     statistics_.reserved_bytes - statistics_.allocated_bytes, " bytes are cached");
    segments_[static_cast<char*>(data)] = bytes;
    auto* const block = new Block;
    block->data = static_cast<char*>(data);
    block->size = bytes;
    block->stream = stream;
    split(block, size, is_small ? kClass : kSmallestRemainder);
    return block;
  }

  // Null if CUDA has no memory, or beyond the limit.
  void* reserve(std::size_t bytes) {
    if (bytes > limit_ || statistics_.reserved_bytes > limit_ - bytes) return nullptr;
    const DeviceGuard guard(cuda_device());
    void* data = nullptr;
    const cudaError_t error = cudaMalloc(&data, bytes);
    if (error == cudaErrorMemoryAllocation) {
      static_cast<void>(cudaGetLastError());
      return nullptr;
    }
    if (error != cudaSuccess) detail::fail_call("cudaMalloc", error);
    statistics_.reserved_bytes += bytes;
    ++statistics_.device_allocations;
    return data;
  }

  // Makes a block free, joined with its free neighbours.
  void put(Block* block) {
    FreeBlocks& group = group_of(block);
    block->is_free = true;
    if (Block* const next = block->next; next != nullptr && next->is_free) {
      group.erase(next);
      block->size += next->size;
      block->next = next->next;
      if (block->next != nullptr) block->next->previous = block;
      delete next;
    }
    if (Block* const previous = block->previous; previous != nullptr && previous->is_free) {
      group.erase(previous);
      previous->size += block->size;
      previous->next = block->next;
      if (previous->next != nullptr) previous->next->previous = previous;
      delete block;
      block = previous;
    }
    group.insert(block);
  }

  // Frees blocks whose users have ended; waits for them if `waits`.
  void reclaim(bool waits) {
    std::erase_if(pending_, [&](Pending& pending) {
      for (const std::unique_ptr<Event>& event : pending.events) {
        if (waits) event->synchronize();
        if (!event->has_passed()) return false;
      }
      put(pending.block);
      return true;
    });
  }

  void release_segments() {
    reclaim(true);
    releases.fetch_add(1, std::memory_order_relaxed);
    const DeviceGuard guard(cuda_device());
    for (auto& [key, group] : free_) {
      std::erase_if(group, [&](Block* block) {
        if (block->previous != nullptr || block->next != nullptr) return false;
        STRUCTURED_CUDA_CHECK(cudaFree(block->data));
        statistics_.reserved_bytes -= segments_.at(block->data);
        segments_.erase(block->data);
        delete block;
        return true;
      });
    }
  }

  int device_;
  std::mutex mutex_;
  std::map<std::pair<int64_t, bool>, FreeBlocks> free_;  // by stream, and whether the segment is large
  std::unordered_map<void*, Block*> used_;
  std::unordered_map<char*, std::size_t> segments_;
  std::vector<Pending> pending_;
  MemoryStatistics statistics_;
  std::size_t limit_ = std::numeric_limits<std::size_t>::max();
};

Pool& pool(int device) {
  // Never destroyed: tensors in static variables may be freed after any destructor here would have run.
  static std::vector<Pool*>* const pools = [] {
    auto* const made = new std::vector<Pool*>;
    for (int i = 0; i < kMaxDevices; ++i) made->push_back(new Pool(i));
    return made;
  }();
  return *(*pools)[static_cast<std::size_t>(device < 0 ? current_device() : device)];
}

/// Small freed blocks that a thread keeps for its next allocations in the same stream, without a lock. To the pool they
/// are in use.
class Front {
 public:
  Front() {
    const std::lock_guard lock(registry().mutex);
    registry().fronts.push_back(this);
  }
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;
  ~Front() {
    flush();
    const std::lock_guard lock(registry().mutex);
    std::erase(registry().fronts, this);
    registry().allocations[device_] += allocations_.load(std::memory_order_relaxed);
  }

  /// Null if there is no block.
  void* take(int device, int64_t stream, std::size_t bytes) {
    if (device != device_ || stream != stream_) return nullptr;
    const std::size_t size_class = class_of(bytes);
    if (size_class >= kFrontClasses || counts_[size_class] == 0) return nullptr;
    void* const data = blocks_[size_class][--counts_[size_class]];
    remember(data);
    add(held_bytes_, -static_cast<int64_t>((size_class + 1) * kClass));
    add(allocations_, 1);
    return data;
  }
  /// Whether the thread keeps the block.
  bool put(int device, void* data, std::size_t bytes) {
    const std::size_t size_class = class_of(bytes);
    void*& known = known_[place_of(data)];
    if (known != data || device != device_ || size_class >= kFrontClasses || counts_[size_class] == kFrontBlocks ||
        recorded_blocks.load(std::memory_order_relaxed) != 0 ||
        releases.load(std::memory_order_relaxed) != releases_known_) {
      return false;
    }
    known = nullptr;
    blocks_[size_class][counts_[size_class]++] = data;
    add(held_bytes_, static_cast<int64_t>((size_class + 1) * kClass));
    return true;
  }
  /// A block that the pool has handed to the thread.
  void add_block(int device, int64_t stream, void* data) {
    if (const unsigned now = releases.load(std::memory_order_relaxed); now != releases_known_) {
      std::ranges::fill(known_, nullptr);
      releases_known_ = now;
    }
    if (device != device_ || stream != stream_) {
      flush();
      std::ranges::fill(known_, nullptr);
      const std::lock_guard lock(registry().mutex);
      registry().allocations[device_] += allocations_.exchange(0, std::memory_order_relaxed);
      device_ = device;
      stream_ = stream;
    }
    remember(data);
  }
  void flush() {
    for (std::size_t size_class = 0; size_class < kFrontClasses; ++size_class) {
      while (counts_[size_class] != 0) pool(device_).deallocate(blocks_[size_class][--counts_[size_class]]);
    }
    held_bytes_.store(0, std::memory_order_relaxed);
  }

  /// Statistics of a device, with the blocks that threads keep.
  static MemoryStatistics statistics(int device) {
    MemoryStatistics result = pool(device).statistics();
    const std::lock_guard lock(registry().mutex);
    result.allocations += registry().allocations[device];
    for (const Front* const front : registry().fronts) {
      if (front->device_ != device) continue;
      result.allocated_bytes -= static_cast<std::size_t>(front->held_bytes_.load(std::memory_order_relaxed));
      result.allocations += front->allocations_.load(std::memory_order_relaxed);
    }
    return result;
  }

 private:
  struct Registry {
    std::mutex mutex;
    std::vector<Front*> fronts;
    uint64_t allocations[kMaxDevices] = {};  // threads that have ended or changed their device
  };
  static Registry& registry() {
    static Registry* const instance = new Registry;  // never destroyed, as the pools
    return *instance;
  }

  static std::size_t class_of(std::size_t bytes) { return bytes == 0 ? 0 : (bytes - 1) / kClass; }
  static std::size_t place_of(const void* data) { return reinterpret_cast<std::uintptr_t>(data) / kClass % kKnown; }
  void remember(void* data) { known_[place_of(data)] = data; }
  // Only the thread writes.
  template <class Number, class Change>
  static void add(std::atomic<Number>& number, Change change) {
    number.store(number.load(std::memory_order_relaxed) + static_cast<Number>(change), std::memory_order_relaxed);
  }

  static constexpr std::size_t kKnown = 256;
  int device_ = 0;
  int64_t stream_ = 0;
  uint32_t counts_[kFrontClasses] = {};
  void* blocks_[kFrontClasses][kFrontBlocks];
  void* known_[kKnown] = {};  // blocks of the thread's device and stream that are in use, or were
  unsigned releases_known_ = 0;
  std::atomic<int64_t> held_bytes_ = 0;
  std::atomic<uint64_t> allocations_ = 0;
};

// The thread's front, from its first allocation until the thread ends.
struct FrontOwner {
  // Not a part of this object: thread-local memory of libraries that are opened later is scarce.
  const std::unique_ptr<Front> instance = std::make_unique<Front>();
  FrontOwner() { detail::device_thread_state.allocator_front = instance.get(); }
  ~FrontOwner() { detail::device_thread_state.allocator_front = nullptr; }
};
Front* thread_front() { return static_cast<Front*>(detail::device_thread_state.allocator_front); }

class DeviceAllocator final : public Allocator {
 public:
  void* allocate(std::size_t bytes, Device device) override {
    const int64_t stream = detail::device_thread_state.stream_ids[device.index()];
    Front* const front = thread_front();
    if (front != nullptr && detail::current_graph_memory() == 0) [[likely]] {
      if (void* const data = front->take(device.index(), stream, bytes)) [[likely]]
        return data;
    }
    return allocate_from_pool(bytes, device.index(), stream);
  }
  void deallocate(void* block, std::size_t bytes, Device device) noexcept override {
    if (Front* const front = thread_front(); front != nullptr && front->put(device.index(), block, bytes)) [[likely]]
      return;
    pool(device.index()).deallocate(block);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    STRUCTURED_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, current_handle()));
    synchronize(current_stream());
  }
  bool is_host_accessible() const noexcept override { return false; }

 private:
  __attribute__((noinline)) static void* allocate_from_pool(std::size_t bytes, int device, int64_t stream) {
    thread_local const FrontOwner owner;
    void* const data = pool(device).allocate(bytes);
    Front* const front = thread_front();
    if (detail::current_graph_memory() == 0 && front != nullptr && bytes <= kFrontClasses * kClass) {
      front->add_block(device, stream, data);
    }
    return data;
  }
};

}  // namespace

Allocator& detail::device_allocator() {
  static DeviceAllocator* const instance = new DeviceAllocator;
  return *instance;
}

void detail::release_graph_memory(int device, int64_t number) noexcept {
  const DeviceGuard guard(Device(DeviceType::CUDA, static_cast<int8_t>(device)));
  static_cast<void>(cudaDeviceSynchronize());
  pool(device).adopt(number);
}

MemoryStatistics memory_statistics(int device) { return Front::statistics(device < 0 ? current_device() : device); }
void reset_peak_memory(int device) { pool(device).reset_peak(); }
std::size_t set_memory_limit(std::size_t bytes, int device) { return pool(device).set_limit(bytes); }

void empty_cache() {
  if (Front* const front = thread_front()) front->flush();
  for (int i = 0; i < device_count(); ++i) pool(i).empty();
}

void record_stream(const Tensor& tensor, Stream stream) {
  STRUCTURED_CHECK(tensor.is_cuda() && tensor.device() == stream.device(), "record_stream: expected a tensor on ",
                   stream.device(), ", got one on ", tensor.device());
  if (tensor.storage().data() == nullptr) return;
  pool(stream.device().index()).record(tensor.storage().data(), stream.id());
}

}  // namespace structured::cuda
