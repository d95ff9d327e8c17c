// The block cache of the host allocator.
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/memory/allocator.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
constexpr bool keeps_blocks = false;
bool is_poisoned(void* block) { return __asan_address_is_poisoned(block) != 0; }
#else
constexpr bool keeps_blocks = true;
bool is_poisoned(void*) { return false; }
#endif

namespace structured {
namespace {

constexpr std::size_t kSizes[] = {1, 64, 65, 4096, 4097, 5120, 5121, 200'000, 262'144, 262'145, 3'000'000, 64 << 20};

void* allocate(std::size_t bytes) { return allocator(kCPU).allocate(bytes, kCPU); }
void deallocate(void* block, std::size_t bytes) { allocator(kCPU).deallocate(block, bytes, kCPU); }

TEST(HostCache, ServesABlockAgain) {
  for (const std::size_t bytes : kSizes) {
    empty_host_cache();
    void* const block = allocate(bytes);
    std::memset(block, 1, bytes);
    deallocate(block, bytes);
    if (keeps_blocks) {
      const uint64_t before = host_cache_statistics().system_allocations;
      void* const again = allocate(bytes);
      EXPECT_EQ(again, block) << bytes;
      EXPECT_EQ(host_cache_statistics().system_allocations, before) << bytes;
      deallocate(again, bytes);
    } else {
      EXPECT_TRUE(is_poisoned(block)) << bytes;
    }
  }
}

TEST(HostCache, GivesBackWhatItKeeps) {
  empty_host_cache();
  const HostCacheStatistics before = host_cache_statistics();
  std::vector<std::pair<void*, std::size_t>> blocks;
  for (const std::size_t bytes : kSizes) blocks.emplace_back(allocate(bytes), bytes);
  const HostCacheStatistics full = host_cache_statistics();
  EXPECT_EQ(full.cached_bytes, before.cached_bytes);
  EXPECT_GE(full.system_bytes, before.system_bytes + (64 << 20));
  for (const auto& [block, bytes] : blocks) deallocate(block, bytes);
  const HostCacheStatistics freed = host_cache_statistics();
  if (keeps_blocks) {
    EXPECT_EQ(freed.system_bytes, full.system_bytes);
    EXPECT_EQ(freed.cached_bytes - before.cached_bytes, full.system_bytes - before.system_bytes);
  }
  empty_host_cache();
  EXPECT_EQ(host_cache_statistics().system_bytes, before.system_bytes);
  EXPECT_EQ(host_cache_statistics().cached_bytes, before.cached_bytes);
}

TEST(HostCache, LimitsWhatThreadsKeep) {
  empty_host_cache();
  const std::size_t before = host_cache_statistics().cached_bytes;
  std::vector<void*> blocks;
  for (int i = 0; i < 10'000; ++i) blocks.push_back(allocate(1000));
  for (void* const block : blocks) deallocate(block, 1000);
  EXPECT_LE(host_cache_statistics().cached_bytes, before + 64 * 1024);
}

TEST(HostCache, LimitsLargeBlocks) {
  constexpr std::size_t size = 3 << 20;
  empty_host_cache();
  const std::size_t before = host_cache_statistics().cached_bytes;
  const std::size_t limit = set_host_cache_limit(2 * size);
  void* const blocks[] = {allocate(size), allocate(size), allocate(size)};
  for (void* const block : blocks) deallocate(block, size);
  EXPECT_LE(host_cache_statistics().cached_bytes, before + 2 * size);
  if (keeps_blocks) {
    EXPECT_EQ(host_cache_statistics().cached_bytes, before + 2 * size);
    void* const newest = allocate(size);  // the oldest block was evicted
    EXPECT_EQ(newest, blocks[2]);
    deallocate(newest, size);
  }
  EXPECT_EQ(set_host_cache_limit(0), 2 * size);
  EXPECT_EQ(host_cache_statistics().cached_bytes, before);
  EXPECT_EQ(set_host_cache_limit(limit), 0u);
}

TEST(HostCache, TakesBlocksFromOtherThreads) {
  empty_host_cache();
  const HostCacheStatistics before = host_cache_statistics();
  void* block = nullptr;
  std::thread([&] { block = allocate(100); }).join();
  std::memset(block, 1, 100);
  std::thread([&] {
    deallocate(block, 100);
    EXPECT_EQ(host_cache_statistics().cached_bytes > before.cached_bytes, keeps_blocks);
  }).join();
  // A thread returns its blocks when it ends.
  EXPECT_EQ(host_cache_statistics().cached_bytes, before.cached_bytes);
  EXPECT_EQ(host_cache_statistics().system_bytes, before.system_bytes);
}

// Destroyed with its thread's thread_local variables, possibly after the thread's cache was closed.
struct LateTensor {
  Tensor tensor;
};
TEST(HostCache, AllowsTensorsThatOutliveTheThread) {
  empty_host_cache();
  const HostCacheStatistics before = host_cache_statistics();
  std::thread([] {
    static thread_local LateTensor late;
    late.tensor = empty({4});
    empty({4}).reset();  // opens the thread's cache
  }).join();
  EXPECT_EQ(host_cache_statistics().system_bytes, before.system_bytes);
}

TEST(HostCache, HandsNoBlockOutTwice) {
  struct Block {
    unsigned char* memory;
    std::size_t bytes;
    unsigned char mark;
  };
  std::mutex mutex;
  std::vector<Block> shared;  // blocks that may be freed by any thread
  const auto check = [](const Block& block) {
    for (std::size_t i = 0; i < block.bytes; i += 61) ASSERT_EQ(block.memory[i], block.mark);
    ASSERT_EQ(block.memory[block.bytes - 1], block.mark);
  };
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 3000; ++i) {
      const int magnitude = 4 + static_cast<int>(random() % 16);
      const std::size_t bytes = 1 + random() % (std::size_t{1} << magnitude);
      Block block{static_cast<unsigned char*>(allocate(bytes)), bytes, static_cast<unsigned char>(random())};
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block.memory) % Allocator::kAlignment, 0u);
      std::memset(block.memory, block.mark, bytes);
      {
        const std::lock_guard lock(mutex);
        shared.push_back(block);
        if (shared.size() < 64) continue;
        std::swap(shared[random() % shared.size()], shared.back());
        block = shared.back();
        shared.pop_back();
      }
      check(block);
      deallocate(block.memory, block.bytes);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  for (const Block& block : shared) {
    check(block);
    deallocate(block.memory, block.bytes);
  }
}

TEST(HostCache, LivesOnInAForkedProcess) {
  if (!keeps_blocks) GTEST_SKIP() << "AddressSanitizer's allocator does not survive fork() beside another thread";
  std::vector<Tensor> tensors(4, empty({1 << 20}));
  std::thread busy([] {
    for (int i = 0; i < 2000; ++i) empty({1 << 18});
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      empty({1 << 20});
      empty({4});
      _exit(7);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
  busy.join();
}

}  // namespace
}  // namespace structured
