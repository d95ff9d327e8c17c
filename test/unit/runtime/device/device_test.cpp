#include <structured/core/layout.h>
#include <structured/core/reduction.h>
#include <structured/device/device.h>
#include <structured/format/print.h>

#include "../../expect_error.h"
#include "throws_error.h"

namespace structured {
namespace {

using test::expect_error;

TEST(Device, ParsesWhatItPrints) {
  for (const char* text : {"cpu", "cpu:0", "cuda", "cuda:0", "cuda:12", "cuda:127", "meta", "privateuseone",
                           "privateusetwo:1", "privateusethree"}) {
    EXPECT_EQ(to_string(Device(text)), text);
  }
}

TEST(Device, KnowsItsTypeAndIndex) {
  const Device device("cuda:1");
  EXPECT_EQ(device, Device(kCUDA, 1));
  EXPECT_EQ(device.type(), DeviceType::CUDA);
  EXPECT_EQ(device.index(), 1);
  EXPECT_TRUE(device.has_index());
  EXPECT_TRUE(device.is_cuda());
  EXPECT_FALSE(device.is_cpu());
  EXPECT_TRUE(Device(kCPU).is_cpu());
  EXPECT_TRUE(Device(kMeta).is_meta());
  EXPECT_FALSE(Device(kCUDA).has_index());
  EXPECT_NE(Device(kCUDA), device);
}

TEST(Device, RefusesOtherText) {
  EXPECT_ERROR(Device("gpu"), "expected a device such as `cpu`, `cuda:0`, `meta` or `privateuseone`, got `gpu`");
  EXPECT_ERROR(Device(""), "expected a device such as `cpu`, `cuda:0`, `meta` or `privateuseone`, got ``");
  for (const char* text : {"cuda:", "cuda:a", "cuda:-1", "cuda:01", "cuda:1 ", "cuda:128", "cuda:1000"}) {
    EXPECT_ERROR(Device{text},
                 (std::string("expected a device index from 0 to 127 behind `cuda:`, got `") + text + "`").c_str());
  }
}

TEST(Device, RefusesIndicesThatTheTypeLacks) {
  EXPECT_ERROR(Device(kCUDA, -2),
               "expected a device index of 0 or more, or -1 for the current device, got -2 for cuda");
  EXPECT_ERROR(Device(kCPU, 1), "expected cpu to have index 0 or none, got 1");
  EXPECT_ERROR(Device("meta:3"), "expected meta to have index 0 or none, got 3");
}

TEST(Layout, Prints) {
  EXPECT_EQ(to_string(kStrided), std::string("Strided"));
  EXPECT_EQ(to_string(kSparse), std::string("Sparse"));
  EXPECT_EQ(to_string(kSparseBsc), std::string("SparseBsc"));
}

TEST(Reduction, IsAnInteger) {
  const int64_t mean = Reduction::Mean;
  EXPECT_EQ(mean, 1);
  EXPECT_EQ(int64_t{Reduction::None}, 0);
  EXPECT_EQ(int64_t{Reduction::Sum}, 2);
}

TEST(RenameDeviceType, ChangesWhatDevicesArePrintedAndReadAs) {
  rename_device_type(kPrivateUse3, "npu");
  EXPECT_EQ(to_string(Device(kPrivateUse3, 1)), "npu:1");
  EXPECT_EQ(Device("npu:0"), Device(kPrivateUse3, 0));
  expect_error([&] { Device("privateusethree"); }, "got `privateusethree`");
  rename_device_type(kPrivateUse3, "npu");
  expect_error([&] { rename_device_type(kPrivateUse2, "npu"); },
               "cannot rename privateusetwo to `npu`: another device type has this name");
  expect_error([&] { rename_device_type(kPrivateUse2, "cuda"); },
               "cannot rename privateusetwo to `cuda`: another device type has this name");
  expect_error([&] { rename_device_type(kPrivateUse2, "N P U"); },
               "expected lowercase letters, digits and `_` after a letter");
  expect_error([&] { rename_device_type(kCPU, "cpu2"); }, "expected a PrivateUse device type to rename, got cpu");
  rename_device_type(kPrivateUse3, "privateusethree");
}

}  // namespace
}  // namespace structured
