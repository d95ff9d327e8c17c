#include "structured/iterator/cpu_fallback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "../core/counting_allocator.h"
#include "../core/throws_error.h"
#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/core/names.h"
#include "structured/dispatch/slow_path.h"
#include "structured/iterator/copy.h"
#include "structured/kernel/resize.h"

namespace structured {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Double = Tensor&(const Tensor& self, Tensor& out);
SlowPath<Double> slow_path_double;
Tensor& double_cpu(const Tensor& self, Tensor& out) {
  EXPECT_TRUE(self.is_cpu() && out.is_cpu());
  if (out.sizes() != self.sizes()) resize_strided(out, self.sizes(), self.strides());
  for (int64_t i = 0; i < self.numel(); ++i) out.data_ptr<float>()[i] = 2 * self.data_ptr<float>()[i];
  return out;
}
constinit Operator<Double> op_double{"test::double.out",
                                     "double.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
                                     {{Backend::CPU, double_cpu}},
                                     {.slow_path = slow_path_double}};
Tensor& slow_path_double(DispatchState state, const Tensor& self, Tensor& out) {
  return run_slow_path(op_double, state, self, out);
}

using Join = Tensor(TensorList tensors);
SlowPath<Join> slow_path_join;
Tensor join_cpu(TensorList tensors) {
  std::vector<float> values;
  for (const Tensor& tensor : tensors) values.push_back(tensor.item<float>());
  return tensor<float>(values, {static_cast<int64_t>(values.size())});
}
constinit Operator<Join> op_join{
    "test::join", "join(Tensor[] tensors) -> Tensor", {{Backend::CPU, join_cpu}}, {.slow_path = slow_path_join}};
Tensor slow_path_join(DispatchState state, TensorList tensors) { return run_slow_path(op_join, state, tensors); }

using View = Tensor(const Tensor& self);
SlowPath<View> slow_path_view;
constinit Operator<View> op_view{"test::view", "view(Tensor(a) self) -> Tensor(a)", {}, {.slow_path = slow_path_view}};
Tensor slow_path_view(DispatchState state, const Tensor& self) { return run_slow_path(op_view, state, self); }

using Make = Tensor(int64_t size, std::optional<Device> device);
SlowPath<Make> slow_path_make;
Tensor make_cpu(int64_t size, std::optional<Device> device) {
  EXPECT_EQ(device, Device(kCPU));
  return tensor<float>(std::vector<float>(static_cast<std::size_t>(size), 7), {size});
}
constinit Operator<Make> op_make{"test::make",
                                 "make(int size, *, Device? device=None) -> Tensor",
                                 {{Backend::CPU, make_cpu}},
                                 {.slow_path = slow_path_make}};
Tensor slow_path_make(DispatchState state, int64_t size, std::optional<Device> device) {
  return run_slow_path(op_make, state, size, device);
}

class CpuFallback : public testing::Test {
 protected:
  CpuFallback() {
    register_fallback(Backend::PrivateUse1, &cpu_fallback, "test.cpp", 1);
    set_device_copy(DeviceType::PrivateUse1, [](const Tensor& to, const Tensor& from) {
      if (to.nbytes() != 0) std::memcpy(to.data(), from.data(), to.nbytes());
      ++copies;
    });
    copies = 0;
  }
  ~CpuFallback() override {
    set_device_copy(DeviceType::PrivateUse1, nullptr);
    deregister_fallback(Backend::PrivateUse1);
  }

  static Tensor there(const std::vector<float>& values) {
    const Tensor host = tensor<float>(values, {static_cast<int64_t>(values.size())});
    const Tensor result = empty(host.sizes(), DeviceType::PrivateUse1);
    if (host.nbytes() != 0) std::memcpy(result.data(), host.data(), host.nbytes());
    return result;
  }
  static std::vector<float> values(const Tensor& tensor) {
    const auto* const elements = static_cast<const float*>(tensor.data());
    return {elements, elements + tensor.numel()};
  }

  static inline int copies = 0;

 private:
  CountingAllocator allocator_;
  const ScopedAllocator scope_{DeviceType::PrivateUse1, allocator_};
};

TEST_F(CpuFallback, WritesBackWhatWasWritten) {
  const Tensor self = there({1, 2});
  Tensor out = there({0, 0});
  const uint32_t version = out.version();
  EXPECT_EQ(&op_double(self, out), &out);
  EXPECT_THAT(values(out), ElementsAre(2, 4));
  EXPECT_THAT(values(self), ElementsAre(1, 2));
  EXPECT_EQ(out.version(), version + 1);
  EXPECT_EQ(copies, 3);
}

TEST_F(CpuFallback, IsNotForWhatIsOnTheCpu) {
  register_fallback(Backend::QuantizedCPU, &cpu_fallback, "test.cpp", 1);
  const Tensor self = empty({2}, kQInt8);
  Tensor out = empty({2}, kQInt8);
  EXPECT_ERROR(op_double(self, out),
               "`test::double.out` has no kernel on backend `QuantizedCPU`, and cpu_fallback cannot compute it: its "
               "arguments are on cpu already");
  deregister_fallback(Backend::QuantizedCPU);
}

TEST_F(CpuFallback, ResizesWhatWasResized) {
  Tensor out = there({});
  op_double(there({1, 2, 3}), out);
  EXPECT_THAT(values(out), ElementsAre(2, 4, 6));
}

TEST_F(CpuFallback, OneTensorTwiceIsOneCopy) {
  Tensor both = there({3});
  op_double(both, both);
  EXPECT_THAT(values(both), ElementsAre(6));
  EXPECT_EQ(copies, 2);
}

TEST_F(CpuFallback, NamesOfDimensionsComeAlong) {
  const Tensor self = there({1, 2});
  set_names(self, Dimname("N"));
  Tensor out = there({0, 0});
  op_double(self, out);
  EXPECT_FALSE(out.has_names()) << "which this kernel does not pass on";
  set_names(out, Dimname("C"));
  op_double(self, out);
  EXPECT_EQ(out.names(), DimnameList(Dimname("C")));
}

TEST_F(CpuFallback, BringsResultsToTheDevice) {
  const Tensor result = op_join({{there({1}), tensor<float>({5}), there({3})}});
  EXPECT_EQ(result.device().type(), DeviceType::PrivateUse1);
  EXPECT_THAT(values(result), ElementsAre(1, 5, 3));
}

TEST_F(CpuFallback, ServesFactories) {
  const Tensor result = op_make(2, Device(DeviceType::PrivateUse1, 1));
  EXPECT_EQ(result.device(), Device(DeviceType::PrivateUse1, 1));
  EXPECT_THAT(values(result), ElementsAre(7, 7));
}

TEST_F(CpuFallback, CannotMakeViews) {
  try {
    op_view(there({1}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("`test::view` has no kernel on backend `PrivateUse1`"));
    EXPECT_THAT(error.what(), HasSubstr("returns a view"));
  }
}

}  // namespace
}  // namespace structured
