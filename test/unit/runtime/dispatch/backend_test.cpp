#include "structured/dispatch/backend.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "../../expect_error.h"
#include "structured/core/factory.h"

namespace structured::backend_test {
namespace {

using test::expect_error;

Tensor on(DeviceType device, ScalarType dtype = kFloat) { return empty({2}, TensorOptions(dtype).device(device)); }

TEST(BackendOf, FollowsDevice) {
  EXPECT_EQ(backend_of(on(kCPU)), Backend::CPU);
  EXPECT_EQ(backend_of(on(kMeta)), Backend::Meta);
}

TEST(BackendOf, QuantizedElementsOnCpuHaveTheirOwn) {
  EXPECT_EQ(detail::backend_of(kCPU, kStrided, kQInt8), Backend::QuantizedCPU);
  EXPECT_EQ(detail::backend_of(kMeta, kStrided, kQInt8), Backend::Meta);
}

TEST(BackendOf, SparseLayoutOnCpuHasItsOwn) {
  EXPECT_EQ(detail::backend_of(kCPU, kSparse, kFloat), Backend::SparseCPU);
}

TEST(BackendOf, OtherDevicesServeDenseTensorsOnly) {
  EXPECT_EQ(detail::backend_of(kCUDA, kStrided, kFloat), Backend::CUDA);
  EXPECT_EQ(detail::backend_of(kPrivateUse1, kStrided, kFloat), Backend::PrivateUse1);
  EXPECT_EQ(detail::backend_of(kPrivateUse2, kStrided, kFloat), Backend::PrivateUse2);
  EXPECT_EQ(detail::backend_of(kPrivateUse3, kStrided, kFloat), Backend::PrivateUse3);
  expect_error([&] { detail::backend_of(kCUDA, kSparse, kFloat); }, "no backend serves sparse tensors on `CUDA`");
  expect_error([&] { detail::backend_of(kPrivateUse1, kStrided, kQInt8); },
               "no backend serves quantized tensors on `PrivateUse1`");
}

TEST(DispatchBackend, HighestAmongTensorsWins) {
  const Tensor cpu = on(kCPU);
  const Tensor meta = on(kMeta);
  EXPECT_EQ(dispatch_backend(cpu, cpu), Backend::CPU);
  EXPECT_EQ(dispatch_backend(cpu, 1.5, meta), Backend::Meta);
  EXPECT_EQ(dispatch_backend(meta, cpu, int64_t{3}), Backend::Meta);
}

TEST(DispatchBackend, LooksIntoOptionalsAndLists) {
  const Tensor cpu = on(kCPU);
  const Tensor meta = on(kMeta);
  const std::vector<Tensor> list{cpu, meta};
  const std::vector<std::optional<Tensor>> optionals{std::nullopt, meta};
  EXPECT_EQ(dispatch_backend(cpu, std::optional<Tensor>(meta)), Backend::Meta);
  EXPECT_EQ(dispatch_backend(cpu, std::optional<Tensor>()), Backend::CPU);
  EXPECT_EQ(dispatch_backend(TensorList(list)), Backend::Meta);
  EXPECT_EQ(dispatch_backend(cpu, ArrayRef<std::optional<Tensor>>(optionals)), Backend::Meta);
  EXPECT_EQ(dispatch_backend(TensorList()), Backend::CPU);
}

TEST(DispatchBackend, IgnoresUndefinedTensors) {
  EXPECT_EQ(dispatch_backend(Tensor(), on(kCPU)), Backend::CPU);
  EXPECT_EQ(dispatch_backend(Tensor()), Backend::CPU);
}

TEST(DispatchBackend, RefusesTensorsThatNoBackendServes) {
  const Tensor quantized = Tensor::adopt(TensorImpl::create(Storage(), kPrivateUse1, kQInt8));
  expect_error([&] { backend_of(quantized); }, "no backend serves quantized tensors on `PrivateUse1`");
  expect_error([&] { dispatch_backend(on(kCPU), quantized); }, "no backend serves quantized tensors on `PrivateUse1`");
  const std::vector<std::optional<Tensor>> list{std::nullopt, quantized};
  expect_error([&] { dispatch_backend(ArrayRef<std::optional<Tensor>>(list)); },
               "no backend serves quantized tensors on `PrivateUse1`");
  EXPECT_EQ(dispatch_backend(Tensor::adopt(TensorImpl::create(Storage(), kCPU, kQInt8))), Backend::QuantizedCPU);
}

TEST(DispatchBackend, FactoriesGoWhereTheyAreAsked) {
  const IntArrayRef sizes;
  const std::optional<ScalarType> dtype;
  const std::optional<Layout> layout;
  EXPECT_EQ(dispatch_backend(sizes, dtype, layout, std::optional<Device>()), Backend::CPU);
  EXPECT_EQ(dispatch_backend(sizes, dtype, layout, std::optional<Device>(kMeta)), Backend::Meta);
  EXPECT_EQ(dispatch_backend(sizes, dtype, std::optional<Layout>(kSparse), std::optional<Device>()),
            Backend::SparseCPU);
  EXPECT_EQ(dispatch_backend(sizes, std::optional<ScalarType>(kQInt8), layout, std::optional<Device>()),
            Backend::QuantizedCPU);
  EXPECT_EQ(dispatch_backend(sizes, TensorOptions(kMeta)), Backend::Meta);
  EXPECT_EQ(dispatch_backend(sizes, TensorOptions()), Backend::CPU);
}

TEST(DispatchBackend, ATensorOutweighsTheDeviceAskedFor) {
  EXPECT_EQ(dispatch_backend(on(kCPU), std::optional<Device>(kMeta)), Backend::CPU);
  EXPECT_EQ(dispatch_backend(Tensor(), std::optional<Device>(kMeta)), Backend::CPU);
}

TEST(BackendNames, AreThoseOfAnnotations) {
  EXPECT_EQ(to_string(Backend::CPU), "CPU");
  EXPECT_EQ(to_string(Backend::QuantizedCPU), "QuantizedCPU");
  EXPECT_EQ(to_string(Backend::PrivateUse3), "PrivateUse3");
  EXPECT_EQ(to_string(Backend::Meta), "Meta");
}

}  // namespace
}  // namespace structured::backend_test
