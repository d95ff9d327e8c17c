// Small tensors share a block with their storage. Tests that either may be destroyed before the other.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/memory/allocator.h>

#include <cstring>
#include <thread>
#include <vector>

#include "throws_error.h"

namespace structured {
namespace {

uint64_t allocations() { return host_cache_statistics().system_allocations; }

TEST(StorageBlock, HoldsASmallTensor) {
  for (const Device device : {Device(kCPU), Device(kMeta)}) {
    empty_host_cache();
    const uint64_t before = allocations();
    const std::vector<Tensor> tensors{empty({3}, device), empty({3, 4}, device), empty_strided({2, 2}, {1, 2}, device)};
    EXPECT_EQ(allocations() - before, 3u) << device;
  }
  empty_host_cache();
  const uint64_t before = allocations();
  const Tensor large = empty({4096});
  EXPECT_EQ(allocations() - before, 2u) << "a large tensor's data goes as soon as its storage does";
}

TEST(StorageBlock, IsAlignedAndApart) {
  const Tensor tensor = empty({16});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data()) % Allocator::kAlignment, 0u);
  std::memset(tensor.data(), 0xff, tensor.nbytes());
  EXPECT_EQ(tensor.numel(), 16);
  EXPECT_EQ(tensor.storage().nbytes(), 64u);
  EXPECT_EQ(tensor.storage().use_count(), 1u);
}

TEST(StorageBlock, OutlivesItsTensor) {
  Storage storage;
  {
    const Tensor tensor = structured::tensor<float>({1, 2});
    storage = tensor.storage();
    EXPECT_EQ(storage.use_count(), 2u);
  }
  EXPECT_EQ(storage.use_count(), 1u);
  EXPECT_EQ(static_cast<float*>(storage.data())[1], 2.0f);
  storage.resize(10000);
  EXPECT_EQ(static_cast<float*>(storage.data())[1], 2.0f);
}

TEST(StorageBlock, StaysWhileItsTensorHasAnotherStorage) {
  const Storage other(8, kCPU);
  Tensor tensor = structured::tensor<float>({1, 2});
  Storage own = tensor.storage();
  tensor.impl()->set_storage(other);
  EXPECT_EQ(other.use_count(), 2u);
  own = Storage();
  const Tensor next = structured::tensor<float>({5, 6});  // would reuse the block if it were free
  EXPECT_EQ(tensor.numel(), 2);
  EXPECT_TRUE(tensor.storage().is_same(other));
  tensor.reset();
  EXPECT_EQ(other.use_count(), 1u);
}

TEST(StorageBlock, IsGivenToItsTensorAgain) {
  const Storage other(8, kCPU);
  Tensor tensor = structured::tensor<float>({1, 2});
  Storage own = tensor.storage();
  tensor.impl()->set_storage(other);
  tensor.impl()->set_storage(own);
  EXPECT_EQ(other.use_count(), 1u);
  EXPECT_EQ(own.use_count(), 2u);
  tensor.impl()->set_storage(own);
  EXPECT_EQ(own.use_count(), 2u);
  tensor.reset();
  EXPECT_EQ(own.use_count(), 1u);
  EXPECT_EQ(static_cast<float*>(own.data())[0], 1.0f);
}

TEST(StorageBlock, GoesWithDataThatHasOutgrownIt) {
  Tensor tensor = structured::tensor<float>({1, 2});
  tensor.storage().resize(10000);
  EXPECT_EQ(tensor.data_ptr<float>()[1], 2.0f);
  tensor.reset();
}

TEST(StorageBlock, MayBeDroppedByAnotherThread) {
  for (int i = 0; i < 100; ++i) {
    Tensor tensor = structured::tensor<float>({1, 2});
    std::thread thread([storage = tensor.storage()]() mutable { storage = Storage(); });
    tensor.reset();
    thread.join();
  }
}

}  // namespace
}  // namespace structured
