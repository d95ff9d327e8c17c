// Devices, streams, memory and copies of the CUDA backend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/cuda/device.h>
#include <structured/cuda/graph.h>
#include <structured/cuda/memory.h>
#include <structured/cuda/pinned.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>
#include <structured/structured.h>

#include <numeric>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "emulator.h"
#include "expect_error.h"
#include "skip.h"

namespace {

using namespace structured;
using test::expect_error;

const Device kFirst(kCUDA, 0);
const Device kSecond(kCUDA, 1);

Tensor range(IntArrayRef sizes, ScalarType dtype = kFloat) {
  std::vector<float> values(
      static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>())));
  std::iota(values.begin(), values.end(), 0.0f);
  const Tensor result = empty(sizes, TensorOptions(dtype, kCPU));
  copy_into(result, tensor(ArrayRef<float>(values), sizes));
  return result;
}
Tensor copy_to(Device device, const Tensor& source) {
  const Tensor result = empty(source.sizes(), source.options().device(device));
  copy_into(result, source);
  return result;
}
std::vector<float> values_of(const Tensor& tensor) {
  const Tensor result = empty(tensor.sizes(), TensorOptions(kFloat, kCPU));
  copy_into(result, tensor);
  return to_vector<float>(result);
}

TEST(CudaDevice, HasProperties) {
  STRUCTURED_NEED_EMULATOR("its devices are known");
  EXPECT_EQ(cuda::device_count(), 2);
  EXPECT_EQ(cuda::device_properties(1).name, "Emulated device 1");
  expect_error([] { cuda::device_properties(2); }, "expected a CUDA device below 2, got 2");
}

TEST(CudaDevice, IsCurrentInAScope) {
  STRUCTURED_NEED_DEVICES(2);
  EXPECT_EQ(cuda::current_device(), 0);
  {
    const DeviceGuard guard(kSecond);
    EXPECT_EQ(cuda::current_device(), 1);
    EXPECT_EQ(empty({2}, kCUDA).device(), kSecond);
  }
  EXPECT_EQ(cuda::current_device(), 0);
  EXPECT_EQ(empty({2}, kCUDA).device(), kFirst);
}

TEST(CudaDevice, IsMissedWithAClearError) {
  STRUCTURED_NEED_EMULATOR("its devices can be removed");
  emulator::set_device_count(0);
  expect_error([] { empty({30 << 20}, kFirst); },
               "expected a CUDA device, found none: the program needs NVIDIA's driver and a GPU");
  emulator::set_device_count(2);
  EXPECT_EQ(empty({2}, kFirst).device(), kFirst);
}

TEST(CudaMemory, IsReusedWithinAStream) {
  const void* first = empty({100}, kFirst).data();
  const uint64_t before = cuda::memory_statistics(0).device_allocations;
  EXPECT_EQ(empty({100}, kFirst).data(), first);
  EXPECT_EQ(cuda::memory_statistics(0).device_allocations, before);
}

TEST(CudaMemory, OfSmallTensorsIsUsedByOtherThreads) {
  cuda::empty_cache();
  const uint64_t before = cuda::memory_statistics(0).allocations;
  std::thread([] {
    for (int i = 0; i < 10; ++i) empty({100}, kFirst);
  }).join();
  EXPECT_EQ(cuda::memory_statistics(0).allocations, before + 10);
  const uint64_t taken = cuda::memory_statistics(0).device_allocations;
  Tensor kept = empty({100}, kFirst);
  EXPECT_EQ(cuda::memory_statistics(0).device_allocations, taken) << "the thread has returned its block";
  std::thread([&kept] { kept.reset(); }).join();
  EXPECT_EQ(cuda::memory_statistics(0).allocated_bytes, 0u);
}

TEST(CudaMemory, IsNotSharedBetweenStreams) {
  const void* first = empty({100}, kFirst).data();
  const cuda::StreamGuard guard(cuda::new_stream(0));
  EXPECT_NE(empty({100}, kFirst).data(), first);
}

TEST(CudaMemory, JoinsFreedNeighbours) {
  cuda::empty_cache();
  const uint64_t before = cuda::memory_statistics(0).device_allocations;
  {
    const Tensor a = empty({100000}, kFirst), b = empty({100000}, kFirst), c = empty({100000}, kFirst);
    EXPECT_EQ(static_cast<char*>(b.data()) - static_cast<char*>(a.data()), 400384);
  }
  const Tensor whole = empty({250000}, kFirst);
  EXPECT_EQ(cuda::memory_statistics(0).device_allocations, before + 1);
}

TEST(CudaMemory, CountsBytes) {
  cuda::empty_cache();
  cuda::reset_peak_memory(0);
  const std::size_t before = cuda::memory_statistics(0).allocated_bytes;
  {
    const Tensor large = empty({10 << 20}, kFirst);
  }
  EXPECT_EQ(cuda::memory_statistics(0).allocated_bytes, before);
  EXPECT_EQ(cuda::memory_statistics(0).peak_allocated_bytes, before + (40 << 20));
  EXPECT_GE(cuda::memory_statistics(0).reserved_bytes, std::size_t{40} << 20);
  cuda::empty_cache();
  EXPECT_EQ(cuda::memory_statistics(0).reserved_bytes, 0u);
}

TEST(CudaMemory, HasALimit) {
  cuda::empty_cache();
  const std::size_t before = cuda::set_memory_limit(std::size_t{16} << 20, 0);
  expect_error([] { empty({10 << 20}, kFirst); }, "CUDA: out of memory on cuda:0: cannot allocate 41943040 bytes");
  EXPECT_EQ(cuda::set_memory_limit(before, 0), std::size_t{16} << 20);
  EXPECT_EQ(empty({10 << 20}, kFirst).device(), kFirst);
}

TEST(CudaMemory, IsReleasedBeforeAnAllocationFails) {
  cuda::empty_cache();
  const std::size_t before = cuda::set_memory_limit(std::size_t{64} << 20, 0);
  {
    const Tensor first = empty({10 << 20}, kFirst);
  }
  const Tensor second = empty({15 << 20}, kFirst);  // fits only without the cached 40 MiB
  EXPECT_NE(second.data(), nullptr);
  cuda::set_memory_limit(before, 0);
}

// A small block that the thread has allocated, and another one freed, is released, and its address becomes that of a
// block of another stream. If the thread frees this one, it must not keep it for its own stream.
TEST(CudaMemory, OfAnotherStreamIsNotKeptForReleasedMemory) {
  STRUCTURED_NEED_EMULATOR("its addresses are used again");
  cuda::empty_cache();
  emulator::set_reuses_addresses(true);
  Tensor own = empty({100}, kFirst), other;
  const void* const address = own.data();
  std::thread([&own] { own.reset(); }).join();
  cuda::empty_cache();
  std::thread([&other] {
    const cuda::StreamGuard guard(cuda::new_stream(0));
    other = empty({100}, kFirst);
  }).join();
  EXPECT_EQ(other.data(), address) << "the test cannot fail";
  other.reset();
  EXPECT_NE(empty({100}, kFirst).data(), address);
  emulator::set_reuses_addresses(false);
  cuda::empty_cache();
}

// Frees a tensor while another stream still reads it, and writes to the next one of the same size.
float read_in_other_stream(bool is_recorded, unsigned seed) {
  const Tensor result = empty({64}, kFirst);
  emulator::set_late_streams(true, seed);
  const Stream reader = cuda::new_stream(0);
  {
    Tensor input = copy_to(kFirst, full({64}, 1));
    const cuda::StreamGuard guard(reader);
    copy_into(result, input);
    if (is_recorded) cuda::record_stream(input, reader);
  }
  const Tensor next = empty({64}, kFirst);
  copy_into(next, full({64}, 2));
  cuda::synchronize();
  const float value = values_of(result).front();
  emulator::set_late_streams(false);
  return value;
}

TEST(CudaMemory, IsKeptForRecordedStreams) {
  STRUCTURED_NEED_EMULATOR("its streams run late");
  int wrong = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(read_in_other_stream(true, seed), 1);
    wrong += read_in_other_stream(false, seed) != 1;
  }
  EXPECT_GT(wrong, 0) << "the test cannot fail";
}

TEST(CudaStream, IsCurrentInAScope) {
  STRUCTURED_NEED_DEVICES(2);
  EXPECT_EQ(cuda::current_stream(0), cuda::default_stream(0));
  const Stream own = cuda::new_stream(0);
  {
    const cuda::StreamGuard guard(own);
    EXPECT_EQ(cuda::current_stream(0), own);
    EXPECT_EQ(cuda::current_stream(1), cuda::default_stream(1));
    EXPECT_NE(cuda::current_handle(0), nullptr);
  }
  EXPECT_EQ(cuda::current_stream(0), cuda::default_stream(0));
  expect_error([] { cuda::handle(Stream(Device(kCPU))); }, "expected a stream of a CUDA device, got stream 0 on cpu");
}

TEST(CudaStream, WaitsForEvents) {
  STRUCTURED_NEED_EMULATOR("its streams run late");
  for (unsigned seed = 0; seed < 20; ++seed) {
    emulator::set_late_streams(true, seed);
    const Tensor a = empty({64}, kFirst), b = empty({64}, kFirst);
    const Stream first = cuda::new_stream(0), second = cuda::new_stream(0);
    cuda::Event written;
    EXPECT_TRUE(written.has_passed());
    {
      const cuda::StreamGuard guard(first);
      copy_into(a, copy_to(kFirst, range({64})));
      written.record();
    }
    EXPECT_FALSE(written.has_passed());
    EXPECT_FALSE(cuda::is_idle(first));
    {
      const cuda::StreamGuard guard(second);
      written.block(second);
      copy_into(b, a);
    }
    cuda::synchronize(second);
    EXPECT_TRUE(written.has_passed());
    EXPECT_EQ(values_of(b).back(), 63);
    cuda::synchronize();
  }
  emulator::set_late_streams(false);
}

TEST(CudaCopy, KeepsElements) {
  const Tensor source = range({3, 5, 7});
  EXPECT_EQ(values_of(copy_to(kFirst, source)), to_vector<float>(source));
}

TEST(CudaCopy, ConvertsDtypesAndStrides) {
  const Tensor source = copy_to(kFirst, range({6, 10}, kInt));
  const Tensor transposed = as_strided(source, {10, 6}, {1, 10}, 0);
  const Tensor result = empty({10, 6}, TensorOptions(kHalf, kFirst));
  copy_into(result, transposed);
  const std::vector<float> values = values_of(result);
  EXPECT_EQ(values[1], 10);
  EXPECT_EQ(values[6], 1);
  EXPECT_EQ(values[59], 59);
}

TEST(CudaCopy, ReadsEveryDtype) {
  for (const ScalarType dtype : {kByte, kChar, kShort, kInt, kLong, kHalf, kFloat, kDouble, kComplexHalf, kComplexFloat,
                                 kComplexDouble, kBFloat16, kBool}) {
    const Tensor on_device = empty({5}, TensorOptions(dtype, kFirst));
    copy_into(on_device, copy_to(kFirst, range({5})));
    const std::vector<float> expected =
        dtype == kBool ? std::vector<float>{0, 1, 1, 1, 1} : std::vector<float>{0, 1, 2, 3, 4};
    const Tensor back = empty({5}, kFirst);
    copy_into(back, on_device);
    EXPECT_EQ(values_of(back), expected) << dtype;
  }
}

TEST(CudaCopy, MovesBetweenDevicesAfterTheirWork) {
  STRUCTURED_NEED_DEVICES(2);
  for (unsigned seed = 0; seed < 10; ++seed) {
    emulator::set_late_streams(true, seed);
    const cuda::StreamGuard guard(cuda::new_stream(0));
    const Tensor source = copy_to(kFirst, range({4, 4}));
    const Tensor target = empty({4, 4}, TensorOptions(kDouble, kSecond));
    copy_into(target, as_strided(source, {4, 4}, {1, 4}, 0));
    EXPECT_EQ(values_of(target)[1], 4);
  }
  emulator::set_late_streams(false);
}

TEST(CudaPinned, IsCopiedWhileTheHostGoesOn) {
  STRUCTURED_NEED_EMULATOR("its streams run late");
  const Tensor pinned = cuda::empty_pinned({64});
  EXPECT_TRUE(pinned.is_cpu());
  EXPECT_TRUE(cuda::is_pinned(pinned));
  EXPECT_FALSE(cuda::is_pinned(range({64})));
  const Tensor on_device = copy_to(kFirst, range({64}));
  copy_into(pinned, full({64}, 7));
  emulator::set_late_streams(true);
  cuda::copy_async(pinned, on_device);
  EXPECT_EQ(span<float>(pinned)[63], 7) << "the copy has not waited";
  cuda::synchronize(cuda::current_stream(0));
  EXPECT_EQ(span<float>(pinned)[63], 63);
  emulator::set_late_streams(false);
  expect_error([&] { cuda::copy_async(range({64}), on_device); }, "expected a CPU tensor in pinned memory");
  expect_error([&] { cuda::copy_async(cuda::empty_pinned({63}), on_device); }, "and the same sizes, got Float [64] to");
}

TEST(CudaPinned, IsUsedAgainAfterItsCopies) {
  STRUCTURED_NEED_EMULATOR("its streams run late");
  const Tensor on_device = empty({64}, kFirst);
  emulator::set_late_streams(true);
  const void* first = nullptr;
  {
    const Tensor pinned = cuda::empty_pinned({64});
    first = pinned.data();
    cuda::copy_async(on_device, pinned);
  }
  EXPECT_NE(cuda::empty_pinned({64}).data(), first);
  cuda::synchronize();
  const Tensor one = cuda::empty_pinned({64}), other = cuda::empty_pinned({64});
  EXPECT_TRUE(one.data() == first || other.data() == first);
  emulator::set_late_streams(false);
}

TEST(CudaGraph, RepeatsItsWorkWithNewInputs) {
  const Tensor input = copy_to(kFirst, range({8}));
  const Tensor result = empty({8}, TensorOptions(kHalf, kFirst));
  copy_into(result, input);
  cuda::Graph graph;
  expect_error([&] { graph.launch(); }, "expected a graph with work");
  Tensor made;
  graph.capture([&] {
    made = empty({8}, TensorOptions(kDouble, kFirst));
    copy_into(made, input);
    copy_into(result, made);
  });
  EXPECT_EQ(values_of(result)[7], 7);
  copy_into(input, full({8}, 5));
  EXPECT_EQ(values_of(result)[7], 7) << "the work was recorded, not done";
  for (int i = 0; i < 2; ++i) {
    graph.launch();
    EXPECT_EQ(values_of(result)[7], 5 + i);
    copy_into(input, full({8}, 6));
  }
  expect_error([&] { graph.capture([] {}); }, "expected a graph without work");
}

TEST(CudaGraph, KeepsTheMemoryOfItsTensors) {
  const Tensor input = copy_to(kFirst, range({8}));
  const Tensor result = empty({8}, kFirst);
  std::optional<cuda::Graph> graph(std::in_place);
  const void* inside = nullptr;
  graph->capture([&] {
    const Tensor made = empty({8}, TensorOptions(kDouble, kFirst));
    inside = made.data();
    copy_into(made, input);
    copy_into(result, made);
  });
  std::vector<Tensor> others;
  for (int i = 0; i < 64; ++i) {
    others.push_back(empty({8}, TensorOptions(kDouble, kFirst)));
    EXPECT_NE(others.back().data(), inside);
  }
  graph->launch();
  EXPECT_EQ(values_of(result)[7], 7);
  const std::size_t reserved = cuda::memory_statistics(0).reserved_bytes;
  graph.reset();
  cuda::empty_cache();
  EXPECT_LT(cuda::memory_statistics(0).reserved_bytes, reserved);
}

TEST(CudaGraph, RefusesWorkThatWaits) {
  const Tensor input = copy_to(kFirst, range({8}));
  cuda::Graph graph;
  expect_error([&] { graph.capture([&] { values_of(input); }); }, "operation not permitted when stream is capturing");
  EXPECT_EQ(values_of(input)[7], 7);
  const Tensor result = empty({8}, kFirst);
  graph.capture([&] { copy_into(result, input); });
  graph.launch();
  EXPECT_EQ(values_of(result)[7], 7);
}

}  // namespace
