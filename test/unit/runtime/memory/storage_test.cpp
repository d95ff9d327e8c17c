#include <structured/core/exported_memory.h>
#include <structured/core/factory.h>
#include <structured/memory/storage.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "counting_allocator.h"
#include "throws_error.h"

namespace structured {
namespace {

TEST(Storage, PutsHeaderAndDataIntoOneBlock) {
  CountingAllocator counting;
  const ScopedAllocator scope(kCPU, counting);
  {
    const Storage storage(100, kCPU);
    EXPECT_EQ(counting.allocations, 1);
    EXPECT_EQ(storage.nbytes(), 100u);
    EXPECT_EQ(storage.device(), Device(kCPU));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storage.data()) % Allocator::kAlignment, 0u);
    std::memset(storage.data(), 1, 100);
  }
  EXPECT_TRUE(counting.blocks.empty());
}

TEST(Storage, CountsItsHandles) {
  Storage storage(8, kCPU);
  EXPECT_EQ(storage.use_count(), 1u);
  Storage copy = storage;
  EXPECT_EQ(storage.use_count(), 2u);
  EXPECT_TRUE(copy.is_same(storage));
  Storage moved = std::move(copy);
  EXPECT_EQ(storage.use_count(), 2u);
  EXPECT_FALSE(copy);
  EXPECT_EQ(copy.use_count(), 0u);
  moved = Storage(8, kCPU);
  EXPECT_EQ(storage.use_count(), 1u);
  EXPECT_FALSE(moved.is_same(storage));
  storage = *&storage;
  EXPECT_EQ(storage.use_count(), 1u);
}

TEST(Storage, IsSharedByThreads) {
  const Storage storage(8, kCPU);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([copy = storage] {
      for (int j = 0; j < 1000; ++j) const Storage another = copy;
    });
  }
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(storage.use_count(), 1u);
}

TEST(Storage, CountsVersions) {
  const Storage storage(8, kCPU);
  const Storage copy = storage;
  EXPECT_EQ(storage.version(), 0u);
  copy.bump_version();
  EXPECT_EQ(storage.version(), 1u);
}

TEST(Storage, KeepsContentsWhenResized) {
  CountingAllocator counting;
  const ScopedAllocator scope(kCPU, counting);
  {
    const Storage storage(4, kCPU);
    std::memcpy(storage.data(), "abc", 4);
    storage.resize(1000);
    EXPECT_STREQ(static_cast<char*>(storage.data()), "abc");
    EXPECT_EQ(storage.nbytes(), 1000u);
    std::memset(static_cast<char*>(storage.data()) + 4, 1, 996);
    storage.resize(2);
    EXPECT_EQ(storage.nbytes(), 2u);
    const int allocations = counting.allocations;
    storage.resize(1000);  // still fits
    EXPECT_EQ(counting.allocations, allocations);
    storage.resize(2000);
    EXPECT_EQ(std::memcmp(storage.data(), "abc", 4), 0);
    EXPECT_EQ(counting.blocks.size(), 2u);  // header, data
  }
  EXPECT_TRUE(counting.blocks.empty());
}

TEST(Storage, DoesNotMoveExportedMemory) {
  const Tensor tensor = structured::empty({1000}, kFloat);
  const Storage& storage = tensor.storage();
  void* const data = storage.data();
  {
    const ExportedMemory first(tensor);
    const ExportedMemory second(tensor);
    EXPECT_ERROR(storage.resize(1 << 20),
                 "storage: the memory cannot be resized from 4000 to 1048576 bytes while another library uses it");
    storage.resize(8);  // in place
    storage.resize(4000);
    EXPECT_EQ(storage.data(), data);
    const ExportedMemory nothing(structured::empty({0}, kFloat));
  }
  storage.resize(1 << 20);
  EXPECT_EQ(storage.nbytes(), std::size_t{1} << 20);
}

TEST(Storage, StaysAsItWasIfResizingFails) {
  CountingAllocator counting;
  const ScopedAllocator scope(kCPU, counting);
  const Storage storage(4, kCPU);
  std::memcpy(storage.data(), "abc", 4);
  counting.limit = 100;
  EXPECT_ERROR(storage.resize(1000), "counting allocator: full");
  EXPECT_EQ(storage.nbytes(), 4u);
  EXPECT_STREQ(static_cast<char*>(storage.data()), "abc");
}

TEST(Storage, MayHaveNoBytes) {
  const Storage storage(0, kCPU);
  EXPECT_EQ(storage.data(), nullptr);
  storage.resize(8);
  ASSERT_NE(storage.data(), nullptr);
  std::memset(storage.data(), 1, 8);
}

TEST(Storage, HasNoDataOnMeta) {
  const Storage storage(std::size_t{1} << 50, kMeta);
  EXPECT_EQ(storage.data(), nullptr);
  EXPECT_EQ(storage.nbytes(), std::size_t{1} << 50);
  storage.resize(std::size_t{1} << 51);
  EXPECT_EQ(storage.nbytes(), std::size_t{1} << 51);
  EXPECT_EQ(storage.data(), nullptr);
}

TEST(Storage, KeepsTheHeaderOnTheHost) {
  CountingAllocator counting(/*is_host_accessible=*/false);
  const ScopedAllocator scope(kPrivateUse1, counting);
  {
    const Storage storage(100, Device(kPrivateUse1, 1));
    EXPECT_EQ(counting.blocks, (std::map<void*, std::size_t>{{storage.data(), 100}}));
    EXPECT_EQ(storage.device(), Device(kPrivateUse1, 1));
    storage.resize(200);
    EXPECT_EQ(counting.blocks, (std::map<void*, std::size_t>{{storage.data(), 200}}));
    const Storage empty(0, kPrivateUse1);
    EXPECT_EQ(empty.data(), nullptr);
  }
  EXPECT_TRUE(counting.blocks.empty());
}

TEST(Storage, LeaksNothingIfTheDeviceIsFull) {
  CountingAllocator counting(/*is_host_accessible=*/false);
  counting.limit = 10;
  const ScopedAllocator scope(kPrivateUse1, counting);
  EXPECT_ERROR(Storage(100, kPrivateUse1), "counting allocator: full");
}

TEST(Storage, StaysAsItIsIfItsDataCannotBeCopied) {
  CountingAllocator counting(/*is_host_accessible=*/false);
  const ScopedAllocator scope(kPrivateUse1, counting);
  const Storage storage(8, kPrivateUse1);
  const void* const data = storage.data();
  const std::size_t blocks = counting.blocks.size();
  counting.can_copy = false;
  EXPECT_ERROR(storage.resize(1000), "counting allocator: cannot copy");
  EXPECT_EQ(storage.data(), data);
  EXPECT_EQ(storage.nbytes(), 8u);
  EXPECT_EQ(counting.blocks.size(), blocks);
}

TEST(Storage, RefusesDevicesWithoutAllocator) {
  EXPECT_ERROR(Storage(8, kPrivateUse3),
               "expected a device type with an allocator, got privateusethree; see `set_allocator`");
}

TEST(Storage, RefusesMoreThanMemory) {
  EXPECT_ERROR(Storage(SIZE_MAX, kCPU),
               "storage: expected a number of bytes that fits memory, got 18446744073709551615");
}

TEST(Storage, UsesMemoryOfSomeoneElse) {
  char memory[16] = "mine";
  int releases = 0;
  {
    const Storage storage(memory, sizeof(memory), kCPU, [](void* count) { ++*static_cast<int*>(count); }, &releases);
    const Storage copy = storage;
    EXPECT_EQ(copy.data(), memory);
    storage.resize(8);
    EXPECT_EQ(storage.nbytes(), 8u);
    EXPECT_ERROR(storage.resize(9), "storage: expected at most the 8 bytes of the memory it was created from, got 9");
    EXPECT_EQ(releases, 0);
  }
  EXPECT_EQ(releases, 1);
  {
    const Storage unowned(memory, sizeof(memory), kCPU, nullptr, nullptr);
  }
  EXPECT_STREQ(memory, "mine");
}

}  // namespace
}  // namespace structured
