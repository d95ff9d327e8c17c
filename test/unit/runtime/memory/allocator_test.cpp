#include <structured/device/device_library.h>
#include <structured/memory/allocator.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "counting_allocator.h"
#include "throws_error.h"

#if defined(__SANITIZE_ADDRESS__)
// AddressSanitizer would otherwise end the process when an allocation exceeds the available memory.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace structured {
namespace {

TEST(CpuAllocator, GivesAlignedBlocks) {
  Allocator& cpu = allocator(kCPU);
  EXPECT_TRUE(cpu.is_host_accessible());
  for (const std::size_t bytes : {1, 63, 64, 65, 1 << 20}) {
    void* const block = cpu.allocate(bytes, kCPU);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % Allocator::kAlignment, 0u);
    std::memset(block, 1, bytes);
    cpu.deallocate(block, bytes, kCPU);
  }
}

TEST(CpuAllocator, SaysThatMemoryIsShort) {
  EXPECT_ERROR(allocator(kCPU).allocate(std::size_t{1} << 62, kCPU),
               "cpu allocator: expected room for 4611686018427387904 bytes, got none");
}

TEST(CpuAllocator, Copies) {
  const int from = 5;
  int to = 0;
  allocator(kCPU).copy(&to, &from, sizeof(int));
  EXPECT_EQ(to, 5);
}

TEST(SetAllocator, ReplacesAndRestores) {
  Allocator* const first = &allocator(kCPU);
  CountingAllocator counting;
  EXPECT_EQ(set_allocator(kCPU, &counting), first);
  EXPECT_EQ(&allocator(kCPU), &counting);
  EXPECT_EQ(set_allocator(kCPU, nullptr), &counting);
  EXPECT_EQ(&allocator(kCPU), first);
}

TEST(SetAllocator, ServesOtherDevices) {
  EXPECT_ERROR(allocator(kPrivateUse2),
               "expected a device type with an allocator, got privateusetwo; see `set_allocator`");
  CountingAllocator counting;
  EXPECT_EQ(set_allocator(kPrivateUse2, &counting), nullptr);
  EXPECT_EQ(&allocator(kPrivateUse2), &counting);
  EXPECT_EQ(set_allocator(kPrivateUse2, nullptr), &counting);
}

TEST(SetAllocator, IsDoneByTheLibraryOfCudaDevices) {
  const char* const reason = detail::open_device_library(kCUDA);
  if (reason == nullptr) {  // built with CUDA
    EXPECT_FALSE(allocator(kCUDA).is_host_accessible());
  } else {
    EXPECT_ERROR(allocator(kCUDA), (std::string("expected a library for cuda devices: ") + reason).c_str());
    EXPECT_NE(std::string(reason).find("libstructured_cuda.so"), std::string::npos);
  }
}

TEST(SetAllocator, RefusesMeta) {
  CountingAllocator counting;
  EXPECT_ERROR(set_allocator(kMeta, &counting), "expected a device type with memory, got meta");
  EXPECT_ERROR(allocator(kMeta), "expected a device type with an allocator, got meta; see `set_allocator`");
}

}  // namespace
}  // namespace structured
