// Slow-path calls: through layers, and to fallbacks of backends.
#include "structured/dispatch/fallback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "../core/counting_allocator.h"
#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/dispatch/slow_path.h"

namespace structured::fallback_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string message_of(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

thread_local std::vector<std::string> events;

// Operators with each kind of result.

using Plus = int64_t(const Tensor& self, int64_t number);
SlowPath<Plus> slow_path_plus;
int64_t plus_cpu(const Tensor&, int64_t number) {
  events.push_back("cpu");
  return number + 1;
}
constinit Operator<Plus> op_plus{
    "test::plus", "plus(Tensor self, int number) -> int", {{Backend::CPU, plus_cpu}}, {.slow_path = slow_path_plus}};
int64_t slow_path_plus(DispatchState state, const Tensor& self, int64_t number) {
  return run_slow_path(op_plus, state, self, number);
}

using Split = std::tuple<Tensor, std::vector<int64_t>>(const Tensor& self, IntArrayRef sizes,
                                                       std::optional<double> scale, std::string_view mode);
SlowPath<Split> slow_path_split;
std::tuple<Tensor, std::vector<int64_t>> split_cpu(const Tensor& self, IntArrayRef sizes, std::optional<double> scale,
                                                   std::string_view mode) {
  events.push_back(std::string(mode) + (scale ? " scaled" : ""));
  return {self, std::vector<int64_t>(sizes.begin(), sizes.end())};
}
constinit Operator<Split> op_split{
    "test::split",
    "split(Tensor self, int[] sizes, float? scale=None, str mode=\"a\") -> (Tensor, int[])",
    {{Backend::CPU, split_cpu}},
    {.slow_path = slow_path_split}};
std::tuple<Tensor, std::vector<int64_t>> slow_path_split(DispatchState state, const Tensor& self, IntArrayRef sizes,
                                                         std::optional<double> scale, std::string_view mode) {
  return run_slow_path(op_split, state, self, sizes, scale, mode);
}

using Swap = std::tuple<Tensor&, Tensor&>(const Tensor& self, Tensor& first, Tensor& second);
SlowPath<Swap> slow_path_swap;
std::tuple<Tensor&, Tensor&> swap_cpu(const Tensor&, Tensor& first, Tensor& second) {
  first.data_ptr<float>()[0] = 1;
  second.data_ptr<float>()[0] = 2;
  return {first, second};
}
constinit Operator<Swap> op_swap{
    "test::swap.out",
    "swap.out(Tensor self, *, Tensor(a!) first, Tensor(b!) second) -> (Tensor(a!), Tensor(b!))",
    {{Backend::CPU, swap_cpu}},
    {.slow_path = slow_path_swap}};
std::tuple<Tensor&, Tensor&> slow_path_swap(DispatchState state, const Tensor& self, Tensor& first, Tensor& second) {
  return run_slow_path(op_swap, state, self, first, second);
}

constinit Operator<Plus> op_unboxed{
    "test::unboxed", "unboxed(Tensor self, int number) -> int", {{Backend::CPU, plus_cpu}}};

Tensor on(DeviceType device) { return empty({2}, TensorOptions(device)); }

/// Registers a fallback during one test.
template <class T>
class Registered {
 public:
  Registered(T where, BoxedKernel kernel) : where_(where) { register_fallback(where, kernel, "test.cpp", 5); }
  ~Registered() { deregister_fallback(where_); }

 private:
  T where_;
};

void log_and_proceed(const BoxedCall& call, Stack& stack) {
  events.push_back(call.intercepted_by() + " " + std::string(call.op().name()) + " " + std::to_string(stack.size()));
  call.proceed(stack);
}

class Layers : public testing::Test {
 protected:
  Layers() { events.clear(); }
};

TEST_F(Layers, SeeNothingUnlessTheyAreActive) {
  const Registered layer(Layer::Private1, log_and_proceed);
  EXPECT_EQ(op_plus(on(kCPU), 1), 2);
  EXPECT_THAT(events, ElementsAre("cpu"));
}

TEST_F(Layers, SeeCallsFromTheHighestOnDown) {
  const Registered one(Layer::Private1, log_and_proceed);
  const Registered two(Layer::Private2, log_and_proceed);
  const IncludeLayers include(Layer::Private1 | Layer::Private2 | Layer::Private3);
  EXPECT_EQ(op_plus(on(kCPU), 1), 2);
  EXPECT_THAT(events, ElementsAre("layer `Private2` test::plus 2", "layer `Private1` test::plus 2", "cpu"));
}

TEST_F(Layers, SeeBoxedCallsToo) {
  const Registered layer(Layer::Private1, log_and_proceed);
  const IncludeLayers include(Layer::Private1);
  Stack stack{on(kCPU), 4};
  call_boxed<op_plus>(stack);
  EXPECT_EQ(stack.at(0).to_int(), 5);
  EXPECT_THAT(events, ElementsAre("layer `Private1` test::plus 2", "cpu"));
}

TEST_F(Layers, AreLeftOutByExclusionAndByDirectCalls) {
  const Registered layer(Layer::Private1, log_and_proceed);
  const IncludeLayers include(Layer::Private1);
  op_plus.call(Backend::CPU, on(kCPU), 1);
  const ExcludeLayers exclude(Layer::Private1);
  op_plus(on(kCPU), 1);
  EXPECT_THAT(events, ElementsAre("cpu", "cpu"));
}

TEST_F(Layers, MayAnswerThemselves) {
  const Registered layer(Layer::Private1, [](const BoxedCall&, Stack& stack) { stack = {Value(42)}; });
  const IncludeLayers include(Layer::Private1);
  EXPECT_EQ(op_plus(on(kCPU), 1), 42);
  EXPECT_THAT(events, ElementsAre());
}

TEST_F(Layers, PassOnArgumentsAndResultsOfEveryShape) {
  const Registered layer(Layer::Private1, log_and_proceed);
  const IncludeLayers include(Layer::Private1);
  const Tensor self = on(kCPU);
  const auto [tensor, sizes] = op_split(self, {3, 4}, 2.0, "mode");
  EXPECT_TRUE(tensor.is_same(self));
  EXPECT_THAT(sizes, ElementsAre(3, 4));
  EXPECT_THAT(events, ElementsAre("layer `Private1` test::split 4", "mode scaled"));
}

TEST_F(Layers, GiveBackTheVeryTensorsThatAreWritten) {
  const Registered layer(Layer::Private1, log_and_proceed);
  const IncludeLayers include(Layer::Private1);
  Tensor first = tensor<float>({0}), second = tensor<float>({0});
  const std::tuple<Tensor&, Tensor&> result = op_swap(on(kCPU), first, second);
  EXPECT_EQ(&std::get<0>(result), &first);
  EXPECT_EQ(&std::get<1>(result), &second);
  EXPECT_EQ(first.item<float>(), 1);
  EXPECT_EQ(second.item<float>(), 2);
}

TEST_F(Layers, ErrorsOfKernelsPassThrough) {
  const Registered layer(Layer::Private1, log_and_proceed);
  const IncludeLayers include(Layer::Private1);
  EXPECT_THAT(message_of([] { op_plus(on(kMeta), 1); }), HasSubstr("no kernel for backend `Meta`"));
}

TEST_F(Layers, WrongResultsAreErrorsThatNameTheLayer) {
  const IncludeLayers include(Layer::Private1);
  {
    const Registered layer(Layer::Private1, [](const BoxedCall&, Stack&) {});
    EXPECT_EQ(message_of([] { op_plus(on(kCPU), 1); }), "`test::plus`: expected 1 result from layer `Private1`, got 2");
  }
  const Registered layer(Layer::Private1, [](const BoxedCall&, Stack& stack) { stack = {Value("text")}; });
  EXPECT_EQ(message_of([] { op_plus(on(kCPU), 1); }),
            "`test::plus`: result 1 from layer `Private1`: expected `int`, got `str`");
}

TEST_F(Layers, AnOperatorWithoutBoxedCallsCannotPassThem) {
  EXPECT_EQ(op_unboxed(on(kCPU), 1), 2);
  const IncludeLayers include(Layer::Private1);
  EXPECT_EQ(message_of([] { op_unboxed(on(kCPU), 1); }),
            "`test::unboxed` cannot be called while layers are active, or with tensors that require gradients: its "
            "library was built without layers");
}

int64_t plus_in_layer(LayerSet rest, const Tensor& self, int64_t number) {
  events.push_back("own kernel");
  return op_plus.call(rest, self, number * 10);
}

TEST_F(Layers, AnOperatorsOwnKernelComesBeforeTheFallback) {
  const Registered one(Layer::Private1, log_and_proceed);
  const Registered two(Layer::Private2, log_and_proceed);
  op_plus.register_layer_kernel(Layer::Private2, plus_in_layer, "own.cpp", 7);
  {
    const IncludeLayers include(Layer::Private1 | Layer::Private2);
    EXPECT_EQ(op_plus(on(kCPU), 1), 11);
    EXPECT_THAT(events, ElementsAre("own kernel", "layer `Private1` test::plus 2", "cpu"));
    EXPECT_THAT(message_of([] { op_plus.register_layer_kernel(Layer::Private2, plus_in_layer, "other.cpp", 9); }),
                AllOf(HasSubstr("at other.cpp:9"), HasSubstr("registered at own.cpp:7"), HasSubstr("`Private2`")));
    EXPECT_THAT(dispatch_table(op_plus), HasSubstr("  layer Private2: registered at own.cpp:7\n"));
  }
  op_plus.deregister_layer_kernel(Layer::Private2);
  EXPECT_THAT(message_of([] { op_plus.deregister_layer_kernel(Layer::Private2); }), HasSubstr("no kernel was"));
}

TEST_F(Layers, FallThroughForAnOperator) {
  const Registered layer(Layer::Private1, log_and_proceed);
  op_plus.register_fallthrough(Layer::Private1, "own.cpp", 8);
  const IncludeLayers include(Layer::Private1);
  EXPECT_EQ(op_plus(on(kCPU), 1), 2);
  EXPECT_THAT(events, ElementsAre("cpu"));
  EXPECT_THAT(dispatch_table(op_plus), HasSubstr("  layer Private1: falls through, registered at own.cpp:8\n"));
  op_plus.deregister_layer_kernel(Layer::Private1);
  op_plus(on(kCPU), 1);
  EXPECT_THAT(events, ElementsAre("cpu", "layer `Private1` test::plus 2", "cpu"));
}

// Computes calls for another backend on CPU.
void run_on_cpu(const BoxedCall& call, Stack& stack) {
  events.push_back(call.intercepted_by());
  stack.at(0) = on(kCPU);
  call.proceed(stack);
}

class BackendFallbacks : public Layers {
 private:
  CountingAllocator allocator_;
  const ScopedAllocator scope_{DeviceType::PrivateUse1, allocator_};
};

TEST_F(BackendFallbacks, ServeWhatHasNoKernel) {
  const Registered backend(Backend::PrivateUse1, run_on_cpu);
  const Tensor self = on(DeviceType::PrivateUse1);
  EXPECT_EQ(op_plus(self, 1), 2);
  EXPECT_THAT(events, ElementsAre("backend `PrivateUse1`", "cpu"));
  EXPECT_THAT(dispatch_table(op_plus), HasSubstr("  PrivateUse1   the backend's fallback, registered at test.cpp:5\n"));
  EXPECT_THAT(message_of([] { op_plus(on(kMeta), 1); }), HasSubstr("no kernel for backend `Meta`"));
}

TEST_F(BackendFallbacks, ComeAfterLayers) {
  const Registered backend(Backend::PrivateUse1, run_on_cpu);
  const Registered layer(Layer::Private1, log_and_proceed);
  const IncludeLayers include(Layer::Private1);
  op_plus(on(DeviceType::PrivateUse1), 1);
  EXPECT_THAT(events, ElementsAre("layer `Private1` test::plus 2", "backend `PrivateUse1`", "cpu"));
}

TEST_F(Layers, ASecondFallbackIsAnErrorThatNamesBothPlaces) {
  const Registered layer(Layer::Private1, log_and_proceed);
  EXPECT_EQ(
      message_of([] { register_fallback(Layer::Private1, run_on_cpu, "other.cpp", 6); }),
      "fallback registered for layer `Private1` at other.cpp:6, but it already has one: registered at test.cpp:5");
  EXPECT_EQ(message_of([] { deregister_fallback(Backend::CUDA); }), "no fallback was registered for backend `CUDA`");
  EXPECT_THAT(message_of([] { register_fallback(Layer::Private2, nullptr, "other.cpp", 6); }), HasSubstr("is null"));
}

TEST_F(Layers, MayBeRegisteredWhileOthersCall) {
  std::atomic<bool> done = false;
  std::thread caller([&done] {
    const IncludeLayers include(Layer::Private1);
    const Tensor self = on(kCPU);
    while (!done) {
      EXPECT_EQ(op_plus(self, 1) % 10, 2);
    }
  });
  for (int i = 0; i < 200; ++i) {
    const Registered layer(Layer::Private1, [](const BoxedCall& call, Stack& stack) { call.proceed(stack); });
    op_plus.register_layer_kernel(
        Layer::Private1, [](LayerSet rest, const Tensor& self, int64_t n) { return op_plus.call(rest, self, n); },
        "own.cpp", 1);
    op_plus.deregister_layer_kernel(Layer::Private1);
  }
  done = true;
  caller.join();
}

}  // namespace
}  // namespace structured::fallback_test
