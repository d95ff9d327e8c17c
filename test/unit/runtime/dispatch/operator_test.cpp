#include "structured/dispatch/operator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "../../expect_error.h"
#include "structured/base/error.h"
#include "structured/core/factory.h"

namespace structured::operator_test {
namespace {

using test::expect_error;
using testing::HasSubstr;

int64_t scale_cpu(const Tensor&, int64_t factor) { return factor * 10; }
int64_t scale_meta(const Tensor&, int64_t factor) { return factor * 20; }
int64_t scale_other(const Tensor&, int64_t factor) { return factor * 30; }
int64_t scale_composite(const Tensor&, int64_t factor) { return factor * 40; }

using ScaleSignature = int64_t(const Tensor&, int64_t);
using Scale = Operator<ScaleSignature>;

// Together with `constinit` on these globals, the assertion proves that they need no code at load or exit.
static_assert(std::is_trivially_destructible_v<Scale>);

constinit Scale op_scale{"test::scale.int",
                         "scale.int(Tensor self, int factor) -> int",
                         {{Backend::CPU, scale_cpu}, {Backend::Meta, scale_meta}}};
constinit Scale op_composite{
    "test::composite", "composite(Tensor self, int factor) -> int", {{Backend::CPU, scale_cpu}}, scale_composite};
constinit Scale op_empty{"test::empty", "empty(Tensor self, int factor) -> int", {}};

Tensor on(DeviceType device) { return empty({2}, TensorOptions(device)); }

std::string message_of(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Operator, KnowsItsNameAndSchema) {
  EXPECT_EQ(op_scale.name(), "test::scale.int");
  EXPECT_EQ(op_scale.schema(), "scale.int(Tensor self, int factor) -> int");
}

TEST(Operator, CallsTheKernelOfTheBackend) {
  const Tensor self = on(kCPU);
  EXPECT_EQ(op_scale.call(Backend::CPU, self, 2), 20);
  EXPECT_EQ(op_scale.call(Backend::Meta, self, 2), 40);
}

TEST(Operator, ChoosesTheBackendFromTheArguments) {
  EXPECT_EQ(op_scale(on(kCPU), 3), 30);
  EXPECT_EQ(op_scale(on(kMeta), 3), 60);
}

TEST(Operator, CompositeFillsWhatHasNoKernelOfItsOwn) {
  EXPECT_EQ(op_composite(on(kCPU), 1), 10);
  EXPECT_EQ(op_composite(on(kMeta), 1), 40);
  EXPECT_EQ(op_composite.origin(Backend::CPU), KernelOrigin::emitted);
  EXPECT_EQ(op_composite.origin(Backend::Meta), KernelOrigin::composite);
}

TEST(Operator, MissingKernelNamesOperatorAndThoseThatExist) {
  EXPECT_EQ(message_of([] { op_scale.call(Backend::CUDA, Tensor(), 1); }),
            "`test::scale.int` has no kernel for backend `CUDA`; it has kernels for `CPU`, `Meta`");
  EXPECT_EQ(message_of([] { op_empty.call(Backend::CPU, Tensor(), 1); }),
            "`test::empty` has no kernel for backend `CPU` nor for any other");
}

TEST(Operator, HasNoKernelForWhatIsNoBackend) {
  EXPECT_EQ(op_composite.kernel(Backend::count), nullptr);
  const Tensor quantized = Tensor::adopt(TensorImpl::create(Storage(), kPrivateUse1, kQInt8));
  EXPECT_EQ(message_of([&] { op_composite(quantized, 1); }), "no backend serves quantized tensors on `PrivateUse1`");
  EXPECT_EQ(message_of([&] { op_composite.call(quantized.backend(), Tensor(), 1); }),
            "`test::composite`: expected a backend, got the number 8, which stands for tensors that no backend serves");
}

TEST(Operator, RefusesWhatIsNoLayer) {
  EXPECT_EQ(message_of([] { op_scale.layer_kernel(Layer::count); }), "expected a layer, got the number 7");
  EXPECT_EQ(message_of([] { op_scale.call(LayerSet(Layer::count), on(kCPU), 1); }),
            "expected a layer, got the number 7");
}

TEST(Operator, DispatchTableSaysWhyEachSlotHoldsWhatItHolds) {
  static constinit Scale op{"test::table", "table(Tensor self, int factor) -> int", {{Backend::CPU, scale_cpu}}};
  op.register_kernel(Backend::CUDA, scale_other, "kernels/f.cu", 12);
  EXPECT_EQ(dispatch_table(op),
            "test::table: table(Tensor self, int factor) -> int\n"
            "  CPU           emitted\n"
            "  QuantizedCPU  none\n"
            "  SparseCPU     none\n"
            "  CUDA          registered at kernels/f.cu:12\n"
            "  PrivateUse1   none\n"
            "  PrivateUse2   none\n"
            "  PrivateUse3   none\n"
            "  Meta          none\n");
  op.deregister_kernel(Backend::CUDA);
  EXPECT_THAT(dispatch_table(op), HasSubstr("  CUDA          none\n"));
  EXPECT_THAT(dispatch_table(op_composite), HasSubstr("  CUDA          composite\n"));
}

TEST(Registration, FillsAnEmptySlotAndEmptiesItAgain) {
  static constinit Scale op{"test::fill", "fill(Tensor self, int factor) -> int", {}};
  op.register_kernel(Backend::PrivateUse1, scale_other, "f.cpp", 1);
  EXPECT_EQ(op.call(Backend::PrivateUse1, Tensor(), 1), 30);
  EXPECT_EQ(op.origin(Backend::PrivateUse1), KernelOrigin::registered);
  op.deregister_kernel(Backend::PrivateUse1);
  expect_error([&] { op.call(Backend::PrivateUse1, Tensor(), 1); },
               "`test::fill` has no kernel for backend `PrivateUse1`");
  EXPECT_EQ(op.kernel(Backend::PrivateUse1), nullptr);
}

TEST(Registration, TakesTheCompositesPlaceAndGivesItBack) {
  op_composite.register_kernel(Backend::Meta, scale_meta, "f.cpp", 1);
  EXPECT_EQ(op_composite(on(kMeta), 1), 20);
  op_composite.deregister_kernel(Backend::Meta);
  EXPECT_EQ(op_composite(on(kMeta), 1), 40);
  EXPECT_EQ(op_composite.origin(Backend::Meta), KernelOrigin::composite);
}

TEST(Registration, SecondOneNamesBothPlaces) {
  static constinit Scale op{"test::twice", "twice(Tensor self, int factor) -> int", {}};
  op.register_kernel(Backend::CPU, scale_cpu, "first.cpp", 12);
  EXPECT_EQ(
      message_of([] { op.register_kernel(Backend::CPU, scale_other, "second.cpp", 34); }),
      "kernel registered for `test::twice` on `CPU` at second.cpp:34, but that backend already has one: registered "
      "at first.cpp:12");
  EXPECT_EQ(op.call(Backend::CPU, Tensor(), 1), 10) << "the first one still serves";
  op.deregister_kernel(Backend::CPU);
  op.register_kernel(Backend::CPU, scale_other, "second.cpp", 34);
  EXPECT_EQ(op.call(Backend::CPU, Tensor(), 1), 30);
}

TEST(Registration, EmittedKernelsAreNotReplaced) {
  EXPECT_THAT(
      message_of([] { op_scale.register_kernel(Backend::CPU, scale_other, "mine.cpp", 7); }),
      testing::MatchesRegex("kernel registered for `test::scale.int` on `CPU` at mine.cpp:7, but that backend "
                            "already has one: emitted with the operator's own library .*runtime_dispatch_test."));
  EXPECT_EQ(op_scale.call(Backend::CPU, Tensor(), 1), 10);
}

TEST(Registration, RefusesNullAndUnknownBackends) {
  expect_error([&] { op_scale.register_kernel(Backend::CUDA, nullptr, "f.cpp", 1); },
               "registered for `test::scale.int` on `CUDA` at f.cpp:1 is null");
  expect_error([&] { op_scale.register_kernel(Backend::count, scale_other, "f.cpp", 1); },
               "expected a backend, got the number 8");
}

TEST(Registration, OnlyWhatWasRegisteredIsTakenBack) {
  EXPECT_EQ(message_of([] { op_scale.deregister_kernel(Backend::CPU); }),
            "no kernel was registered for `test::scale.int` on `CPU`: its slot holds `emitted`");
  EXPECT_EQ(message_of([] { op_scale.deregister_kernel(Backend::CUDA); }),
            "no kernel was registered for `test::scale.int` on `CUDA`: its slot holds `none`");
  static constinit Scale op{"test::take", "take(Tensor self, int factor) -> int", {}};
  op.register_kernel(Backend::CUDA, scale_other, "mine.cpp", 7);
  EXPECT_EQ(message_of([] { op.deregister_kernel(Backend::CUDA, "mine.cpp", 8); }),
            "no kernel was registered for `test::take` on `CUDA` at mine.cpp:8: its slot holds `registered at "
            "mine.cpp:7`");
  op.deregister_kernel(Backend::CUDA, "mine.cpp", 7);
  EXPECT_EQ(op.kernel(Backend::CUDA), nullptr);
}

}  // namespace
}  // namespace structured::operator_test
