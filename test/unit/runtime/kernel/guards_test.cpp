#include "structured/kernel/guards.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "structured/core/factory.h"
#include "test_support.h"

namespace structured {
namespace {

Tensor on(DeviceType device) { return empty({2}, TensorOptions(kFloat).device(device)); }
Tensor number(DeviceType device) { return empty({}, TensorOptions(kFloat).device(device)); }

TEST(CheckSameDevice, AcceptsOneDevice) {
  const Tensor cpu = on(kCPU);
  const std::vector<Tensor> list{cpu, cpu};
  const std::vector<std::optional<Tensor>> optionals{std::nullopt, cpu};
  EXPECT_EQ(message_of([&] {
              check_same_device("op", cpu, std::optional<Tensor>(cpu), std::optional<Tensor>(), Tensor(),
                                TensorList(list), ArrayRef<std::optional<Tensor>>(optionals));
            }),
            "no error");
  EXPECT_EQ(message_of([&] { check_same_device("op", on(kMeta), on(kMeta)); }), "no error");
  EXPECT_EQ(message_of([&] { check_same_device("op"); }), "no error");
}

TEST(CheckSameDevice, NamesTheArgumentsAndTheirDevices) {
  EXPECT_EQ(message_of([&] { check_same_device("add.Tensor", on(kCPU), Tensor(), on(kMeta)); }),
            "`add.Tensor`: expected all tensors on one device, got meta for argument 3 where argument 1 is on cpu");
}

TEST(CheckSameDevice, LooksIntoOptionalsAndLists) {
  const std::vector<Tensor> mixed{on(kCPU), on(kMeta)};
  EXPECT_EQ(message_of([&] { check_same_device("cat", TensorList(mixed)); }),
            "`cat`: expected all tensors on one device, got meta for argument 1 where argument 1 is on cpu");
  const std::vector<std::optional<Tensor>> optionals{std::nullopt, on(kMeta)};
  EXPECT_NE(message_of([&] { check_same_device("index", on(kCPU), ArrayRef<std::optional<Tensor>>(optionals)); }),
            "no error");
  EXPECT_NE(message_of([&] { check_same_device("op", on(kCPU), std::optional<Tensor>(on(kMeta))); }), "no error");
}

TEST(CheckSameDevice, NumbersOnCpuGoWithAnyDevice) {
  EXPECT_EQ(message_of([&] { check_same_device("op", on(kMeta), number(kCPU)); }), "no error");
  EXPECT_EQ(message_of([&] { check_same_device("op", number(kCPU), on(kMeta)); }), "no error");
  EXPECT_NE(message_of([&] { check_same_device("op", on(kCPU), number(kMeta)); }), "no error");
  EXPECT_EQ(message_of([&] { check_same_device("op", number(kCPU), on(kMeta), on(kCPU)); }),
            "`op`: expected all tensors on one device, got cpu for argument 3 where argument 2 is on meta");
}

TEST(DeviceOf, IsThatOfTheFirstDefinedTensor) {
  const std::vector<Tensor> list{Tensor(), on(kMeta)};
  EXPECT_EQ(device_of(on(kMeta), on(kCPU)), Device(kMeta));
  EXPECT_EQ(device_of(Tensor(), std::optional<Tensor>(), TensorList(list), on(kCPU)), Device(kMeta));
  EXPECT_EQ(device_of(Tensor()), std::nullopt);
  EXPECT_EQ(device_of(), std::nullopt);
}

TEST(DeviceOf, NumbersOnCpuCountOnlyWhereThereIsNothingElse) {
  EXPECT_EQ(device_of(number(kCPU), on(kMeta)), Device(kMeta));
  EXPECT_EQ(device_of(number(kCPU), on(kMeta), number(kCPU)), Device(kMeta));
  EXPECT_EQ(device_of(number(kMeta), on(kCPU)), Device(kMeta));
  EXPECT_EQ(device_of(number(kCPU), on(kCPU)), Device(kCPU));
}

TEST(DeviceOf, IsThatWhichAFactoryIsAskedFor) {
  EXPECT_EQ(device_of(std::optional<Device>(kMeta)), Device(kMeta));
  EXPECT_EQ(device_of(std::optional<Device>()), std::nullopt);
  EXPECT_EQ(device_of(TensorOptions(kMeta)), Device(kMeta));
  EXPECT_EQ(device_of(TensorOptions()), std::nullopt);
  EXPECT_EQ(device_of(on(kCPU), std::optional<Device>(kMeta)), Device(kCPU)) << "a tensor outweighs it";
}

/// Device type with three devices, whose current device is a variable.
class CountingDevices final : public DeviceGuardInterface {
 public:
  int8_t exchange_device(int8_t index) const override {
    ++exchanges;
    const int8_t previous = current;
    if (index >= 0) {
      current = index;
    }
    return previous;
  }

  mutable int8_t current = 0;
  mutable int exchanges = 0;
};

TEST(DeviceGuard, SwitchesAndGoesBack) {
  const CountingDevices devices;
  set_device_guard_interface(kPrivateUse2, &devices);
  {
    const DeviceGuard guard(Device(kPrivateUse2, 2));
    EXPECT_EQ(devices.current, 2);
    {
      const DeviceGuard inner(std::optional<Device>(Device(kPrivateUse2, 1)));
      EXPECT_EQ(devices.current, 1);
    }
    EXPECT_EQ(devices.current, 2);
    try {
      const DeviceGuard inner(Device(kPrivateUse2, 1));
      fail("on the way out");
    } catch (const Error&) {
      EXPECT_EQ(devices.current, 2);
    }
  }
  EXPECT_EQ(devices.current, 0);
  set_device_guard_interface(kPrivateUse2, nullptr);
  {
    const DeviceGuard guard(Device(kPrivateUse2, 1));
  }
  EXPECT_EQ(devices.exchanges, 6) << "the removed interface is not called";
}

TEST(DeviceGuard, OtherDeviceTypesHaveNothingToSwitch) {
  const CountingDevices devices;
  set_device_guard_interface(kPrivateUse2, &devices);
  {
    const DeviceGuard cpu(Device{kCPU});
    const DeviceGuard meta(Device{kMeta});
    const DeviceGuard none(std::optional<Device>{});
    const DeviceGuard cuda(Device{kPrivateUse1});
  }
  EXPECT_EQ(devices.exchanges, 0);
  set_device_guard_interface(kPrivateUse2, nullptr);
}

}  // namespace
}  // namespace structured
