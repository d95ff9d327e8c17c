#include "structured/iterator/copy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "../../expect_error.h"
#include "../kernel/test_support.h"
#include "structured/core/dim_vector.h"
#include "structured/core/factory.h"
#include "structured/number/visit.h"

namespace structured {
namespace {

using test::expect_error;

std::vector<ScalarType> all_types() {
  std::vector<ScalarType> types;
  for (const ScalarType type : kScalarTypes) {
    if (kAllTypes.contains(type)) types.push_back(type);
  }
  return types;
}

/// Address of the element at a row-major position.
char* element(const Tensor& tensor, int64_t position) {
  int64_t offset = 0;
  for (int64_t d = tensor.dim(); d-- > 0;) {
    offset += position % tensor.size(d) * tensor.stride(d);
    position /= tensor.size(d);
  }
  return static_cast<char*>(tensor.data()) + offset * static_cast<int64_t>(tensor.element_size());
}

/// Counts 0, 1, 2, ... up to the largest number that every dtype represents.
void fill(const Tensor& tensor) {
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    const int64_t value = tensor.dtype() == kBool ? i % 2 : i % 100;
    store_scalar(element(tensor, i), tensor.dtype(), value);
  }
}

void expect_counts(const Tensor& tensor, ScalarType from) {
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    int64_t expected = from == kBool ? i % 2 : i % 100;
    if (tensor.dtype() == kBool) {
      expected = expected != 0;
    }
    ASSERT_EQ(load_scalar(element(tensor, i), tensor.dtype()).to<double>(), static_cast<double>(expected))
        << from << " to " << tensor.dtype() << " at " << i;
  }
}

TEST(CopyInto, EveryTypeToEveryType) {
  for (const ScalarType from : all_types()) {
    for (const ScalarType to : all_types()) {
      const Tensor source = empty({3, 7}, from);
      fill(source);
      const Tensor dense = empty({3, 7}, to);
      copy_into(dense, source);
      expect_counts(dense, from);
      const Tensor strided = empty_strided({3, 7}, {2, 6}, to);
      copy_into(strided, source);
      expect_counts(strided, from);
    }
  }
}

TEST(CopyInto, EveryArrangementOfStrides) {
  const std::vector<DimVector> arrangements{{12, 4, 1}, {1, 2, 6}, {4, 8, 1}, {24, 8, 2}, {3, 6, 100}, {1, 30, 7}};
  for (const ScalarType type : {kBool, kHalf, kInt, kDouble, kComplexDouble}) {
    for (const DimVector& from : arrangements) {
      for (const DimVector& to : arrangements) {
        const Tensor source = empty_strided({2, 3, 4}, from, type);
        const Tensor destination = empty_strided({2, 3, 4}, to, type);
        fill(source);
        copy_into(destination, source);
        expect_counts(destination, type);
      }
    }
  }
}

TEST(CopyInto, SizesOfOneAndManyDimensions) {
  for (const DimVector& sizes : {DimVector{}, DimVector{1}, DimVector{1, 5, 1}, DimVector{2, 1, 3, 1, 2, 2, 1, 2}}) {
    const Tensor source = empty(sizes, kFloat);
    const Tensor destination = empty(sizes, kLong);
    fill(source);
    copy_into(destination, source);
    expect_counts(destination, kFloat);
  }
}

TEST(CopyInto, ExpandedSourcesAreRepeated) {
  const Tensor base = tensor<float>({1, 2, 3});
  const Tensor destination = empty({2, 3}, kFloat);
  copy_into(destination, as_strided(base, {2, 3}, {0, 1}, 0));
  EXPECT_EQ(to_vector<float>(destination), (std::vector<float>{1, 2, 3, 1, 2, 3}));
}

TEST(CopyInto, LeavesTheGapsAlone) {
  const Tensor base = tensor<float>({9, 9, 9, 9, 9, 9});
  copy_into(as_strided(base, {3}, {2}, 0), tensor<float>({1, 2, 3}));
  EXPECT_EQ(to_vector<float>(base), (std::vector<float>{1, 9, 2, 9, 3, 9}));
}

TEST(CopyInto, NothingIsCopiedOfNothing) {
  const Tensor destination = empty({0, 3}, kFloat);
  copy_into(destination, empty({0, 3}, kLong));
  EXPECT_EQ(destination.version(), 0u);
}

TEST(CopyInto, DoesNotBumpTheVersion) {
  const Tensor destination = tensor<float>({1, 2});
  copy_into(destination, tensor<float>({3, 4}));
  EXPECT_EQ(destination.version(), 0u);
}

TEST(CopyInto, ASourceThatIsTheDestinationIsFine) {
  const Tensor same = tensor<float>({1, 2, 3});
  copy_into(same, same);
  EXPECT_EQ(to_vector<float>(same), (std::vector<float>{1, 2, 3}));
}

template <class To, class From>
To copied(From value) {
  const Tensor destination = empty({1}, scalar_type_of<To>);
  copy_into(destination, tensor<From>({value}));
  return *destination.data_ptr<To>();
}

TEST(CopyInto, FractionsAreCutOffAndIntegersWrap) {
  EXPECT_EQ((copied<int64_t, float>(-2.75f)), -2);
  EXPECT_EQ((copied<uint8_t, float>(-1.0f)), 255);
  EXPECT_EQ((copied<uint8_t, int32_t>(300)), 44);
  EXPECT_EQ((copied<int8_t, int64_t>(200)), -56);
}

TEST(CopyInto, WhatIsNotZeroIsTrue) {
  EXPECT_TRUE((copied<bool, float>(0.25f)));
  EXPECT_TRUE((copied<bool, float>(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_FALSE((copied<bool, float>(-0.0f)));
  EXPECT_TRUE((copied<bool, int64_t>(int64_t{1} << 40)));
  EXPECT_TRUE((copied<bool, Complex<float>>({0, 1})));
}

TEST(CopyInto, ComplexLosesOrGainsItsImaginaryPart) {
  EXPECT_EQ((copied<float, Complex<double>>({1.5, 2})), 1.5f);
  EXPECT_EQ((copied<int32_t, Complex<float>>({-3.5f, 2})), -3);
  EXPECT_TRUE((copied<bool, Complex<float>>({1, 0})));
  EXPECT_EQ((copied<Complex<double>, float>(2.5f)), Complex<double>(2.5, 0));
  EXPECT_EQ((copied<Complex<float>, Complex<double>>({1.5, -2.5})), Complex<float>(1.5f, -2.5f));
}

TEST(CopyInto, SmallFloatsRound) {
  EXPECT_EQ(float(copied<Half, float>(65504.0f)), 65504.0f);
  EXPECT_TRUE(std::isinf(float(copied<Half, float>(1e6f))));
  EXPECT_EQ(float(copied<BFloat16, float>(1.00390625f)), 1.0f) << "ties to even";
  EXPECT_EQ((copied<double, Half>(Half(0.5f))), 0.5);
  EXPECT_TRUE(std::isnan((copied<float, BFloat16>(BFloat16(std::numeric_limits<float>::quiet_NaN())))));
}

TEST(CopyInto, QuantizedElementsAreOnlyCopiedAsTheyAre) {
  const Tensor quantized = empty({2}, kQInt8);
  std::memset(quantized.data(), 7, 2);
  const Tensor same = empty_strided({2}, {2}, kQInt8);
  copy_into(same, quantized);
  EXPECT_EQ(static_cast<int8_t*>(same.data())[2], 7);
  expect_error([&] { copy_into(empty({2}, kFloat), quantized); }, "cannot copy elements from QInt8 to Float");
  expect_error([&] { copy_into(quantized, empty({2}, kFloat)); }, "cannot copy elements from Float to QInt8");
}

TEST(CopyInto, SizesMustAgree) {
  EXPECT_EQ(message_of([] { copy_into(empty({2, 3}, kFloat), empty({3, 2}, kFloat)); }),
            "expected a source of sizes [2, 3] to copy from, got [3, 2]");
}

TEST(CopyInto, BetweenTensorsWithoutDataThereIsNothingToDo) {
  const Tensor meta = empty({2}, TensorOptions(kFloat).device(kMeta));
  EXPECT_EQ(message_of([&] { copy_into(meta, empty({2}, TensorOptions(kLong).device(kMeta))); }), "no error");
  EXPECT_EQ(message_of([&] { copy_into(tensor<float>({1, 2}), meta); }),
            "no copy is registered from `meta` to `cpu`; see set_device_copy()");
}

/// Memory that is reported as inaccessible to the host.
class RemoteAllocator final : public Allocator {
 public:
  explicit RemoteAllocator(bool host_accessible) : host_accessible_(host_accessible) {}
  void* allocate(std::size_t bytes, Device) override { return ::operator new(bytes, std::align_val_t(kAlignment)); }
  void deallocate(void* block, std::size_t, Device) noexcept override {
    ::operator delete(block, std::align_val_t(kAlignment));
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    ++copies;
    std::memcpy(to, from, bytes);
  }
  bool is_host_accessible() const noexcept override { return host_accessible_; }

  int copies = 0;

 private:
  bool host_accessible_;
};

class Remote : public testing::TestWithParam<bool> {
 protected:
  Remote() { set_allocator(kPrivateUse3, &allocator_); }
  ~Remote() override { set_allocator(kPrivateUse3, nullptr); }
  static Tensor make(IntArrayRef strides) {
    return empty_strided({2, 3}, strides, TensorOptions(kFloat).device(kPrivateUse3));
  }

  RemoteAllocator allocator_{GetParam()};
};

TEST_P(Remote, HostReadableMemoryIsCopiedByTheHost) {
  const Tensor destination = make({3, 1});
  const std::string message = message_of([&] { copy_into(destination, tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3})); });
  EXPECT_EQ(message,
            GetParam() ? "no error" : "no copy is registered from `cpu` to `privateusethree`; see set_device_copy()");
  if (GetParam()) {
    EXPECT_EQ(static_cast<float*>(destination.data())[5], 6);
  }
}

TEST_P(Remote, TheAllocatorCopiesWhatIsLaidOutAlike) {
  const Tensor source = make({1, 2});
  const Tensor destination = make({1, 2});
  std::iota(static_cast<float*>(source.data()), static_cast<float*>(source.data()) + 6, 0.0f);
  copy_into(destination, source);
  EXPECT_EQ(static_cast<float*>(destination.data())[5], 5);
  EXPECT_EQ(allocator_.copies, GetParam() ? 0 : 1);
}

int installed_calls = 0;

TEST_P(Remote, AnInstalledFunctionComesFirst) {
  set_device_copy(kPrivateUse3, [](const Tensor& destination, const Tensor&) {
    ++installed_calls;
    static_cast<float*>(destination.data())[0] = 42;
  });
  installed_calls = 0;
  const Tensor destination = make({3, 1});
  copy_into(destination, make({1, 2}));
  EXPECT_EQ(installed_calls, 1);
  EXPECT_EQ(static_cast<float*>(destination.data())[0], 42);
  set_device_copy(kPrivateUse3, nullptr);
}

INSTANTIATE_TEST_SUITE_P(HostAccess, Remote, testing::Bool());

TEST(SetDeviceCopy, CpuAndMetaAreOurs) {
  expect_error([&] { set_device_copy(kCPU, nullptr); }, "expected a device type other than cpu and meta, got cpu");
  expect_error([&] { set_device_copy(kMeta, nullptr); }, "expected a device type other than cpu and meta, got meta");
}

}  // namespace
}  // namespace structured
