#include <structured/core/tensor.h>

#include <structured/core/factory.h>
#include <structured/format/print.h>

#include <thread>
#include <utility>
#include <vector>

#include "counting_allocator.h"
#include "throws_error.h"

namespace structured {
namespace {

TEST(Tensor, IsUndefinedByDefault) {
  const Tensor tensor;
  EXPECT_FALSE(tensor.defined());
  EXPECT_EQ(tensor.use_count(), 0u);
  EXPECT_TRUE(tensor.is_same(Tensor()));
  EXPECT_EQ(tensor.impl(), nullptr);
  constexpr const char* message = "expected a defined tensor, got an undefined one";
  EXPECT_ERROR(tensor.sizes(), message);
  EXPECT_ERROR(tensor.size(0), message);
  EXPECT_ERROR(tensor.dim(), message);
  EXPECT_ERROR(tensor.numel(), message);
  EXPECT_ERROR(tensor.dtype(), message);
  EXPECT_ERROR(tensor.device(), message);
  EXPECT_ERROR(tensor.options(), message);
  EXPECT_ERROR(tensor.data(), message);
  EXPECT_ERROR(tensor.data_ptr<float>(), message);
  EXPECT_ERROR(tensor.is_contiguous(), message);
  EXPECT_ERROR(tensor.is_contiguous(MemoryFormat::ChannelsLast), message);
  EXPECT_ERROR(tensor.item(), message);
  EXPECT_ERROR(tensor.version(), message);
  EXPECT_ERROR(tensor.bump_version(), message);
  EXPECT_ERROR(tensor.base(), message);
}

TEST(Tensor, CountsItsHandles) {
  Tensor a = empty({2});
  EXPECT_EQ(a.use_count(), 1u);
  Tensor b = a;
  EXPECT_EQ(a.use_count(), 2u);
  EXPECT_TRUE(a.is_same(b));
  Tensor c = std::move(b);
  EXPECT_EQ(a.use_count(), 2u);
  EXPECT_FALSE(b.defined());
  c = empty({3});
  EXPECT_EQ(a.use_count(), 1u);
  EXPECT_FALSE(a.is_same(c));
  c = a;
  a = *&a;
  EXPECT_EQ(a.use_count(), 2u);
  c = std::move(a);
  EXPECT_EQ(c.use_count(), 1u);
  c.reset();
  EXPECT_FALSE(c.defined());
}

TEST(Tensor, SwapsWithoutCounting) {
  Tensor a = empty({2});
  Tensor b;
  a.swap(b);
  EXPECT_FALSE(a.defined());
  EXPECT_EQ(b.use_count(), 1u);
}

TEST(Tensor, FreesEverythingWithTheLastHandle) {
  CountingAllocator counting;
  const ScopedAllocator scope(kCPU, counting);
  {
    const Tensor a = empty({2});
    const Tensor b = a;
    const Tensor view = as_strided(b, {1}, {1}, 1);
    EXPECT_EQ(counting.blocks.size(), 1u);
  }
  EXPECT_TRUE(counting.blocks.empty());
}

TEST(Tensor, IsSharedByThreads) {
  const Tensor tensor = empty({2});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([copy = tensor] {
      for (int j = 0; j < 1000; ++j) {
        const Tensor another = copy;
        const Tensor view = as_strided(another, {1}, {1}, 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(tensor.use_count(), 1u);
  EXPECT_EQ(tensor.storage().use_count(), 1u);
}

TEST(Tensor, KnowsItsGeometry) {
  const Tensor tensor = empty({2, 3, 4}, kInt);
  EXPECT_EQ(tensor.dim(), 3);
  EXPECT_EQ(tensor.sizes(), IntArrayRef({2, 3, 4}));
  EXPECT_EQ(tensor.strides(), IntArrayRef({12, 4, 1}));
  EXPECT_EQ(tensor.numel(), 24);
  EXPECT_EQ(tensor.element_size(), 4u);
  EXPECT_EQ(tensor.nbytes(), 96u);
  EXPECT_EQ(tensor.size(0), 2);
  EXPECT_EQ(tensor.size(-1), 4);
  EXPECT_EQ(tensor.stride(-3), 12);
  EXPECT_ERROR(tensor.size(3), "expected a dimension from -3 to 2, got 3");
  EXPECT_ERROR(tensor.stride(-4), "expected a dimension from -3 to 2, got -4");
  EXPECT_ERROR(empty({}).size(0), "expected a tensor with dimensions, got dimension 0 of a tensor without any");
}

TEST(Tensor, KnowsItsKind) {
  const Tensor tensor = empty({2}, TensorOptions(kComplexFloat).device(kMeta));
  EXPECT_EQ(tensor.dtype(), kComplexFloat);
  EXPECT_EQ(tensor.scalar_type(), kComplexFloat);
  EXPECT_EQ(tensor.device(), Device(kMeta));
  EXPECT_EQ(tensor.layout(), kStrided);
  EXPECT_TRUE(tensor.is_meta() && tensor.is_complex());
  EXPECT_FALSE(tensor.is_cpu() || tensor.is_cuda() || tensor.is_floating_point() || tensor.is_quantized());
  EXPECT_EQ(to_string(tensor.options()), "TensorOptions(dtype=ComplexFloat, layout=Strided, device=meta)");
  EXPECT_TRUE(empty({2}, kHalf).is_floating_point());
  EXPECT_TRUE(empty({2}, kQInt8).is_quantized());
}

TEST(Tensor, KeepsTheDeviceIndex) {
  CountingAllocator counting;
  const ScopedAllocator scope(kPrivateUse1, counting);
  EXPECT_EQ(empty({2}, Device(kPrivateUse1, 3)).device(), Device(kPrivateUse1, 3));
  EXPECT_EQ(empty({2}, Device(kPrivateUse1)).device(), Device(kPrivateUse1));
  EXPECT_EQ(empty({2}, Device(kPrivateUse1, 127)).device().index(), 127);
}

TEST(Tensor, ChecksTheTypeOfItsData) {
  const Tensor tensor = structured::tensor<float>({1, 2});
  EXPECT_EQ(tensor.data_ptr<float>()[1], 2.0f);
  EXPECT_EQ(tensor.data_ptr<const float>(), tensor.data());
  EXPECT_ERROR(tensor.data_ptr<int>(), "data_ptr: expected a tensor of dtype Int, got Float");
  const Tensor meta = empty({2}, kMeta);
  EXPECT_EQ(meta.data(), nullptr);
  EXPECT_ERROR(meta.data_ptr<float>(), "data_ptr: expected a tensor with data, got one on meta");
}

TEST(Tensor, GivesItsOneElement) {
  EXPECT_EQ(tensor<float>({2.5}, IntArrayRef()).item(), Scalar(2.5));
  EXPECT_EQ(tensor<int64_t>({7}, {1, 1, 1}).item<int>(), 7);
  EXPECT_EQ(tensor<bool>({true}).item().type(), kBool);
  EXPECT_EQ(tensor<Half>({1.5}).item<double>(), 1.5);
  EXPECT_EQ(tensor<Complex<double>>({Complex<double>(1, 2)}).item<Complex<double>>(), Complex<double>(1, 2));
  EXPECT_ERROR(tensor<float>({1, 2}).item(), "item: expected a tensor with one element, got sizes [2]");
  EXPECT_ERROR(empty({0}).item(), "item: expected a tensor with one element, got sizes [0]");
  EXPECT_ERROR(empty({1}, kMeta).item(), "item: expected a tensor on cpu, got meta");
  EXPECT_ERROR(tensor<int64_t>({300}).item<uint8_t>(), "expected a number that fits Byte, got 300");
}

TEST(Tensor, HoldsManyDimensions) {
  for (const std::size_t rank : {5, 6, 7, 64}) {
    const DimVector sizes(rank, 1);
    const Tensor tensor = empty(sizes);
    EXPECT_EQ(tensor.sizes(), IntArrayRef(sizes));
    EXPECT_EQ(tensor.strides(), IntArrayRef(sizes));
  }
  EXPECT_ERROR(structured::empty(std::vector<int64_t>(65, 1)), "expected at most 64 dimensions, got 65");
}

TEST(TensorImpl, ChangesItsRankInPlace) {
  const Tensor tensor = empty({8});
  TensorImpl& impl = *tensor.impl();
  for (const std::size_t rank : {2, 6, 7, 9, 6, 64, 7, 0, 8}) {
    DimVector sizes(rank, 1);
    if (rank > 0) sizes[rank - 1] = 3;
    impl.set_sizes_contiguous(sizes);
    EXPECT_EQ(tensor.sizes(), IntArrayRef(sizes));
    EXPECT_EQ(tensor.strides(), IntArrayRef(contiguous_strides(sizes)));
    EXPECT_EQ(tensor.numel(), rank > 0 ? 3 : 1);
  }
}

TEST(TensorImpl, TakesItsOwnSizes) {
  const Tensor tensor = empty({1, 2, 3, 4, 5, 6, 7, 8});
  tensor.impl()->set_sizes_contiguous(tensor.sizes().slice(1, 3));  // frees the block that the argument refers to
  EXPECT_EQ(tensor.sizes(), IntArrayRef({2, 3, 4}));
  tensor.impl()->set_sizes_contiguous(tensor.sizes().drop_front());
  EXPECT_EQ(tensor.sizes(), IntArrayRef({3, 4}));
  EXPECT_EQ(tensor.strides(), IntArrayRef({4, 1}));
  tensor.impl()->set_sizes_and_strides(tensor.strides(), tensor.sizes());
  EXPECT_EQ(tensor.sizes(), IntArrayRef({4, 1}));
  EXPECT_EQ(tensor.strides(), IntArrayRef({3, 4}));
}

TEST(TensorImpl, StaysAsItWasIfTheShapeIsWrong) {
  const Tensor tensor = empty({2, 3});
  TensorImpl& impl = *tensor.impl();
  EXPECT_ERROR(impl.set_sizes_contiguous({2, -1}), "expected sizes of 0 or more, got [2, -1]");
  EXPECT_ERROR(impl.set_sizes_and_strides({2, 2}, {1}),
               "expected as many strides as sizes, got sizes [2, 2] and strides [1]");
  EXPECT_ERROR(impl.set_sizes_and_strides({2}, {-1}), "expected strides of 0 or more, got [-1]");
  const int64_t large = int64_t{1} << 32;
  EXPECT_ERROR(impl.set_sizes_contiguous({large, large}),
               "expected a number of elements that fits int64_t, got sizes [4294967296, 4294967296]");
  EXPECT_ERROR(impl.set_sizes_contiguous({large, 0, large}),
               "expected a number of elements that fits int64_t, got sizes [4294967296, 0, 4294967296]");
  EXPECT_EQ(tensor.sizes(), IntArrayRef({2, 3}));
}

TEST(TensorImpl, KeepsFlagsOfItsGeometry) {
  const auto flags = [](IntArrayRef sizes, IntArrayRef strides) {
    const Tensor tensor = empty_strided(sizes, strides, kMeta);
    std::string text;
    if (tensor.is_contiguous()) text += "contiguous ";
    if (tensor.is_contiguous(MemoryFormat::ChannelsLast)) text += "channels_last ";
    if (tensor.is_contiguous(MemoryFormat::ChannelsLast3d)) text += "channels_last_3d ";
    if (tensor.is_non_overlapping_and_dense()) text += "dense ";
    return text;
  };
  EXPECT_EQ(flags({2, 3}, {3, 1}), "contiguous dense ");
  EXPECT_EQ(flags({2, 3}, {1, 2}), "dense ");
  EXPECT_EQ(flags({2, 3}, {6, 2}), "");
  EXPECT_EQ(flags({2, 3}, {0, 1}), "");
  EXPECT_EQ(flags({}, {}), "contiguous dense ");
  EXPECT_EQ(flags({2, 3, 4, 5}, {60, 1, 15, 3}), "channels_last dense ");
  EXPECT_EQ(flags({2, 1, 4, 5}, {20, 20, 5, 1}), "contiguous channels_last dense ");
  EXPECT_EQ(flags({2, 3, 4, 5, 6}, {360, 1, 90, 18, 3}), "channels_last_3d dense ");
  EXPECT_EQ(flags({2, 1, 2, 3, 4}, {24, 24, 12, 4, 1}), "contiguous channels_last_3d dense ");
}

TEST(TensorImpl, RecomputesFlagsWithTheShape) {
  const Tensor tensor = empty({2, 3, 4, 5}, {}, MemoryFormat::ChannelsLast);
  EXPECT_FALSE(tensor.is_contiguous());
  tensor.impl()->set_sizes_contiguous({6, 20});
  EXPECT_TRUE(tensor.is_contiguous());
  EXPECT_FALSE(tensor.is_contiguous(MemoryFormat::ChannelsLast));
  tensor.impl()->set_sizes_contiguous({2, 1, 4, 5});
  EXPECT_TRUE(tensor.is_contiguous() && tensor.is_contiguous(MemoryFormat::ChannelsLast));
  EXPECT_ERROR(tensor.is_contiguous(MemoryFormat::Preserve),
               "is_contiguous: expected a memory format with an order of its own, got Preserve");
}

TEST(TensorImpl, ComparesKindsInOneWord) {
  const auto signature = [](IntArrayRef sizes, TensorOptions options) {
    return empty(sizes, options).impl()->signature();
  };
  EXPECT_EQ(signature({2, 3}, kFloat), signature({4, 5}, kFloat));
  EXPECT_FALSE(signature({2, 3}, kFloat) == signature({2}, kFloat));
  EXPECT_FALSE(signature({2}, kFloat) == signature({2}, kInt));
  EXPECT_FALSE(signature({2}, kFloat) == signature({2}, kMeta));
}

TEST(TensorImpl, MarksWhatFastPathsLeaveOut) {
  const Tensor plain = empty({2});
  EXPECT_EQ(plain.impl()->flags() & TensorFlags::kUncommon, 0u);
  EXPECT_NE(empty({2}, kQInt8).impl()->flags() & TensorFlags::kUncommon, 0u);
  plain.impl()->set_wrapped_number(true);
  EXPECT_TRUE(plain.is_wrapped_number());
  EXPECT_NE(plain.impl()->flags() & TensorFlags::kUncommon, 0u);
  plain.impl()->set_wrapped_number(false);
  EXPECT_FALSE(plain.is_wrapped_number());
  EXPECT_TRUE(plain.is_contiguous());
}

TEST(Tensor, SuggestsAMemoryFormat) {
  EXPECT_EQ(empty({2, 3, 4, 5}).suggest_memory_format(), MemoryFormat::Contiguous);
  EXPECT_EQ(empty({2, 3, 4, 5}, {}, MemoryFormat::ChannelsLast).suggest_memory_format(), MemoryFormat::ChannelsLast);
  EXPECT_EQ(empty({2, 3, 4, 5, 6}, {}, MemoryFormat::ChannelsLast3d).suggest_memory_format(),
            MemoryFormat::ChannelsLast3d);
  EXPECT_EQ(empty({2, 3}).suggest_memory_format(), MemoryFormat::Contiguous);
}

}  // namespace
}  // namespace structured
