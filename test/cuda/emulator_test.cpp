// The emulator finds planted mistakes, and computes correct kernels.
#include "emulator.h"

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "planted_faults.h"

namespace {

using testing::HasSubstr;

class Emulator : public testing::Test {
 protected:
  ~Emulator() override {
    emulator::clear_fault();
    emulator::set_late_streams(false);
    for (void* const each : memory_) cudaFree(each);
  }

  template <class T>
  T* allocate(std::size_t count) {
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, count * sizeof(T)), cudaSuccess);
    memory_.push_back(memory);
    return static_cast<T*>(memory);
  }
  template <class T>
  T* upload(const std::vector<T>& values) {
    T* const to = allocate<T>(values.size());
    EXPECT_EQ(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    return to;
  }
  template <class T>
  std::vector<T> download(const T* from, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  std::vector<void*> memory_;
};

std::vector<float> numbers(std::size_t count) {
  std::vector<float> result(count);
  std::iota(result.begin(), result.end(), 1.0f);
  return result;
}

TEST_F(Emulator, RunsKernels) {
  int* const data = allocate<int>(1000);
  cudatest::fill_indices(data, 1000);
  EXPECT_EQ(download(data, 1000).back(), 999);
  EXPECT_EQ(emulator::fault(), "");
}

TEST_F(Emulator, FindsStoresOutOfBounds) {
  int* const data = allocate<int>(1000);
  cudatest::fill_indices(data, 1001);
  EXPECT_THAT(emulator::fault(), HasSubstr("is byte 4000 of a block of 4000 bytes"));
  EXPECT_THAT(emulator::fault(), HasSubstr("block (3, 0, 0), thread (232, 0, 0), instruction `st.global.u32"));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

TEST_F(Emulator, FindsUseAfterFree) {
  void* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 40), cudaSuccess);
  cudaFree(data);
  cudatest::fill_indices(static_cast<int*>(data), 1);
  EXPECT_THAT(emulator::fault(), HasSubstr("of a block of 40 bytes that has been freed"));
}

TEST_F(Emulator, FindsHostMemoryInKernels) {
  int on_host[4];
  cudatest::fill_indices(on_host, 4);
  EXPECT_THAT(emulator::fault(), HasSubstr("is not an address of device memory"));
}

TEST_F(Emulator, RunsBarriers) {
  float* const data = upload(numbers(128));
  cudatest::reverse_blocks(data, 2, true);
  const std::vector<float> reversed = download(data, 128);
  EXPECT_EQ(reversed.front(), 64);
  EXPECT_EQ(reversed.back(), 65);
  EXPECT_EQ(emulator::fault(), "");
}

TEST_F(Emulator, FindsMissingBarriers) {
  cudatest::reverse_blocks(upload(numbers(64)), 1, false);
  EXPECT_THAT(emulator::fault(), HasSubstr("race: byte "));
  EXPECT_THAT(emulator::fault(), HasSubstr("without a barrier between the two"));
}

TEST_F(Emulator, FindsDeadlocks) {
  cudatest::wait_apart();
  EXPECT_THAT(emulator::fault(), HasSubstr("deadlock: the thread waits for threads that wait elsewhere"));
}

TEST_F(Emulator, FindsMisalignedVectors) {
  float* const data = upload(numbers(8));
  float* const to = allocate<float>(1);
  cudatest::load_vector(data, 4, to);
  EXPECT_EQ(download(to, 1).front(), 5 + 6 + 7 + 8);
  cudatest::load_vector(data, 1, to);
  EXPECT_THAT(emulator::fault(), HasSubstr("misaligned access: 16 bytes at 0x"));
}

TEST_F(Emulator, RunsShufflesAndAtomics) {
  float* const to = upload(std::vector<float>{0});
  cudatest::sum(upload(numbers(256)), to);
  EXPECT_EQ(download(to, 1).front(), 256 * 257 / 2);
  EXPECT_EQ(emulator::fault(), "");
}

TEST_F(Emulator, EnforcesLaunchBounds) {
  cudatest::launch_too_many();
  EXPECT_THAT(emulator::fault(), HasSubstr("a block of 64 threads; expected 1 to 32"));
}

// Two streams write the same numbers. The second is right only if it waits for the first.
int last_written(bool waits, unsigned seed) {
  emulator::set_late_streams(true, seed);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  void* data = nullptr;
  cudaMalloc(&data, sizeof(int));
  cudatest::fill_indices(static_cast<int*>(data), 1, streams[0]);
  cudaEventRecord(event, streams[0]);
  if (waits) cudaStreamWaitEvent(streams[1], event, 0);
  cudaMemsetAsync(data, 1, sizeof(int), streams[1]);
  cudaDeviceSynchronize();
  int result = 0;
  cudaMemcpy(&result, data, sizeof(int), cudaMemcpyDeviceToHost);
  for (cudaStream_t& stream : streams) cudaStreamDestroy(stream);
  cudaEventDestroy(event);
  cudaFree(data);
  emulator::set_late_streams(false);
  return result;
}

TEST_F(Emulator, ShowsMissingEvents) {
  int wrong = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(last_written(true, seed), 0x01010101);
    wrong += last_written(false, seed) != 0x01010101;
  }
  EXPECT_GT(wrong, 0);
}

}  // namespace
