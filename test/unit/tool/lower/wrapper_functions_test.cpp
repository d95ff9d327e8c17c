// Steps of wrappers by kind of variant and by backend.
#include "lower/wrapper_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../sample_library.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class WrapperFunctions : public testing::Test {
 protected:
  // Returns the function of the wrapper with this name.
  const LoweredFunction& function(llvm::StringRef wrapper, WrapperPart part = WrapperPart::call) const {
    for (const LoweredWrapper& candidate : lowered_.wrappers) {
      if (candidate.name == wrapper) {
        const LoweredFunction* found = candidate.find(part);
        EXPECT_NE(found, nullptr) << wrapper.str();
        return *found;
      }
    }
    ADD_FAILURE() << "no wrapper " << wrapper.str();
    return lowered_.wrappers.front().functions.front();
  }

  static Value parameter(std::size_t index) { return {Value::Kind::parameter, index}; }
  static Value output(std::size_t index) { return {Value::Kind::output, index}; }
  static Value adaptor() { return {Value::Kind::adaptor, 0}; }
  static Value precomputed() { return {Value::Kind::precomputed, 0}; }

  const Library library_ = sample_library();
  const LoweredLibrary lowered_ = llvm::cantFail(lower(library_, *find_dialect("native")->cpp_types(), LowerOptions()));
};

TEST_F(WrapperFunctions, FunctionalVariant) {
  const LoweredFunction& add = function("wrapper_cpu_add_Tensor");
  EXPECT_THAT(add.body.steps,
              ElementsAre(Step(CheckDevices{{0, 1}}), Step(MakeAdaptor{}),
                          Step(CallMeta{{adaptor(), parameter(0), parameter(1), parameter(2)}, Result::ignored}),
                          Step(CallImpl{{adaptor(), parameter(0), parameter(1), parameter(2), output(0)}}),
                          Step(ReturnOutputs{1})));
  EXPECT_EQ(add.body.adaptor,
            (AdaptorClass{Variant::Kind::functional, "::structured::TensorIteratorBase", /*outputs=*/1}));
  EXPECT_THAT(add.parameters, ElementsAre("self", "other", "alpha"));
  EXPECT_EQ(add.callees.meta, "::acme::kernels::add_meta");
  EXPECT_EQ(add.callees.impl, "::acme::kernels::add_cpu");
  EXPECT_EQ(add.callees.operator_name, "add.Tensor");
}

TEST_F(WrapperFunctions, InplaceVariantChecksOnlyOtherInputsForOverlap) {
  EXPECT_THAT(function("wrapper_cpu_add__Tensor").body.steps,
              ElementsAre(Step(CheckDevices{{0, 1}}), Step(MakeAdaptor{{0}}), Step(CheckOverlap{std::nullopt, {1}}),
                          testing::_, testing::_, Step(Finish{}), Step(ReturnParameters{{0}})));
}

TEST_F(WrapperFunctions, OutVariantMayReuseTheInputThatTheInplaceVariantOverwrites) {
  EXPECT_THAT(function("wrapper_cpu_add_out").body.steps,
              ElementsAre(Step(CheckDevices{{0, 1, 3}}), Step(MakeAdaptor{{3}}), Step(CheckOverlap{0, {1}}), testing::_,
                          testing::_, Step(Finish{}), Step(ReturnParameters{{3}})));
}

TEST_F(WrapperFunctions, MetaRunsNoImplAndChecksNoOverlap) {
  EXPECT_THAT(function("wrapper_meta_add_out").body.steps,
              ElementsAre(Step(CheckDevices{{0, 1, 3}}), Step(MakeAdaptor{{3}}),
                          Step(CallMeta{{adaptor(), parameter(0), parameter(1), parameter(2)}, Result::ignored}),
                          Step(Finish{}), Step(ReturnParameters{{3}})));
}

TEST_F(WrapperFunctions, ABackendWithDevicesGuardsThem) {
  EXPECT_EQ(function("wrapper_cuda_max_dim").body.steps.front(), Step(GuardDevice{{0}}));
}

TEST_F(WrapperFunctions, APrecomputedValueReplacesAnInput) {
  const LoweredFunction& mean = function("wrapper_cpu_mean_dim");
  EXPECT_EQ(mean.body.precomputed, "::acme::MeanDims");
  EXPECT_THAT(mean.body.steps, testing::IsSupersetOf(
                                   {Step(CallMeta{{adaptor(), parameter(0), parameter(1), parameter(2)}, Result::kept}),
                                    Step(CallImpl{{parameter(0), parameter(2), precomputed(), output(0)}})}));
}

TEST_F(WrapperFunctions, AVariantServedViaOutDispatchesToIt) {
  const LoweredFunction& add = function("wrapper_meta_add_Tensor", WrapperPart::via_out);
  EXPECT_EQ(add.name, "wrapper_via_out_add_Tensor");
  EXPECT_EQ(add.callees.out_variant, "op_add_out");
  EXPECT_THAT(add.body.steps, ElementsAre(Step(CheckDevices{{0, 1}}), Step(GuardDevice{{0, 1}}), Step(MakeAdaptor{}),
                                          testing::_, Step(CallOutVariant{{0, 1, 2}, 1}), Step(ReturnOutputs{1})));
}

TEST_F(WrapperFunctions, APreparedOperatorChecksOnceAndGuardsAtEachRun) {
  const Body& body = function("wrapper_cuda_max_dim_max", WrapperPart::prepared).body;
  EXPECT_EQ(body.steps.front(), Step(CheckDevices{{0, 3, 4}}));
  EXPECT_THAT(
      body.run_steps,
      ElementsAre(Step(GuardDevice{{0, 3, 4}}),
                  Step(CallImpl{{parameter(0), parameter(1), parameter(2), output(0), output(1)}}), Step(Finish{})));
  EXPECT_THAT(body.compute_steps, IsEmpty());
}

TEST_F(WrapperFunctions, AKernelWithMutableArgumentsBumpsTheirVersions) {
  EXPECT_THAT(function("wrapper_cpu_copy_").body.steps,
              ElementsAre(Step(CheckDevices{{0, 1}}),
                          Step(CallKernel{{parameter(0), parameter(1), parameter(2)}, Result::kept}),
                          Step(BumpVersions{{0}}), Step(ReturnKept{})));
  EXPECT_THAT(function("wrapper_cpu__foreach_add__Scalar").body.steps,
              ElementsAre(Step(CallKernel{{parameter(0), parameter(1)}, Result::ignored}), Step(BumpVersions{{0}})));
}

TEST_F(WrapperFunctions, AKernelThatTheDispatcherCallsHasNone) {
  const auto view = llvm::find_if(
      lowered_.wrappers, [](const LoweredWrapper& wrapper) { return wrapper.name == "::acme::kernels::view"; });
  ASSERT_NE(view, lowered_.wrappers.end());
  EXPECT_EQ(view->entry, LoweredWrapper::Entry::kernel);
  EXPECT_THAT(view->functions, IsEmpty());
}

}  // namespace
}  // namespace structured::gen
