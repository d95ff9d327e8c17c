// Steps of recorded calls.
#include "lower/recording_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lower/lowered_library.h"

namespace structured::gen::recording_steps_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

using Kind = RecordedValue::Kind;

Variant variant(Variant::Kind kind, llvm::StringRef schema) {
  Variant result;
  result.kind = kind;
  result.schema = llvm::cantFail(parse_schema(schema));
  return result;
}

// A node with the inputs `self` and, unless the parameters are others, `other`.
LoweredNode node_of(std::size_t results, Positions parameters = {0, 1}) {
  LoweredNode node;
  node.results = results;
  node.is_tensor.assign(results, true);
  for (const std::size_t parameter : parameters) node.inputs.push_back({parameter, false});
  return node;
}

TEST(RecordingSteps, AFunctionalCallReturnsEarlyWithoutGradients) {
  const Variant functional = variant(Variant::Kind::functional, "f(Tensor self, Tensor other) -> Tensor");
  EXPECT_THAT(
      lower_recording(node_of(1), functional),
      ElementsAre(RecordingStep(CallBackend{Result::kept}), RecordingStep(ReturnUnrecorded{{0, 1}, Result::kept}),
                  RecordingStep(MakeNode{}), RecordingStep(ConnectInput{0, 0, RecordedValue{Kind::result, 0}}),
                  RecordingStep(ConnectInput{1, 1, RecordedValue{Kind::result, 0}}),
                  RecordingStep(SetHistory{{Kind::result, 0}, 0, false, true}),
                  RecordingStep(ReturnRecorded{{Kind::result, 0}})));
}

TEST(RecordingSteps, TheLastResultWithAHistoryTakesTheNode) {
  LoweredNode node = node_of(3, {0});
  node.constant_results = {2};
  const std::vector<RecordingStep> steps =
      lower_recording(node, variant(Variant::Kind::functional, "f(Tensor self) -> (Tensor, Tensor, Tensor)"));
  EXPECT_THAT(steps, Contains(RecordingStep(SetHistory{{Kind::element, 0}, 0, false, false})));
  EXPECT_THAT(steps, Contains(RecordingStep(SetHistory{{Kind::element, 1}, 1, false, true})));
}

TEST(RecordingSteps, AnInplaceCallSavesACopyOfWhatItOverwrites) {
  LoweredNode node = node_of(1);
  node.saved.push_back({SavedValue::Kind::input, 0, TensorProperty::sizes, "self", "T", {}});
  node.saved.push_back({SavedValue::Kind::property, 0, TensorProperty::sizes, "self_sizes", "T", {}});
  const std::vector<RecordingStep> steps =
      lower_recording(node, variant(Variant::Kind::inplace, "f_(Tensor(a!) self, Tensor other) -> Tensor(a!)"));
  EXPECT_THAT(steps, Contains(RecordingStep(SaveValue{0, {Kind::copy, 0}, std::nullopt})));
  EXPECT_THAT(steps, Contains(RecordingStep(SaveValue{1, {Kind::parameter, 0}, std::nullopt})));
  EXPECT_THAT(steps, Contains(RecordingStep(RebaseHistory{0})));
}

TEST(RecordingSteps, TheHistoryOfAnOverwrittenTensorCounts) {
  const Variant inplace = variant(Variant::Kind::inplace, "f_(Tensor(a!) self, Tensor value) -> Tensor(a!)");
  EXPECT_EQ(lower_recording(node_of(1, {1}), inplace).front(),
            RecordingStep(ReturnUnrecorded{{0, 1}, Result::returned}));
}

TEST(RecordingSteps, BackwardPassesFailThroughOverwrittenArguments) {
  const Variant functional = variant(Variant::Kind::functional, "f(Tensor self, Tensor(a!) total) -> Tensor");
  LoweredNode node = node_of(1, {0});
  EXPECT_EQ(lower_recording(node, functional).front(), RecordingStep(CheckOverwritten{{1}}));
  EXPECT_THAT(lower_recording(node, functional), Contains(RecordingStep(FailInBackward{{0}, {1}})));
  node.constant_arguments = {1};
  EXPECT_EQ(lower_recording(node, functional).front(), RecordingStep(CheckOverwritten{{1}}));
  EXPECT_THAT(lower_recording(node, functional), Not(Contains(RecordingStep(FailInBackward{{0}, {1}}))));
}

TEST(RecordingSteps, ANodeWithAListCountsItsTensors) {
  LoweredNode node = node_of(1, {0});
  node.inputs.push_back({1, /*is_list=*/true});
  EXPECT_THAT(lower_recording(node, variant(Variant::Kind::functional, "f(Tensor self, Tensor[] more) -> Tensor")),
              Contains(RecordingStep(MakeNode{NodeCounts{1, 1, 1, false}})));
}

TEST(RecordingSteps, ATargetRejectsArgumentsOfDerivativesThatItDoesNotHave) {
  Library library;
  library.schema_namespace = library.cpp_namespace = "acme";
  library.dialect = "native";
  Operator& op = library.operators.emplace_back();
  const std::string tensor = "const structured::Tensor &";
  op.variants.push_back(variant(Variant::Kind::functional, "f(Tensor self) -> Tensor"));
  op.variants.front().kernels.push_back(
      {"CPU", {"acme::f", false, "structured::Tensor", {tensor}, "f.cpp", {}}, false, {}});
  Backward& backward = op.backwards.emplace_back();
  backward.function = {"acme::f_backward", false, "structured::Tensor", {tensor, tensor}, "f.cpp", {}};
  backward.parameters = {"grad", "self"};
  backward.inputs = {"self"};
  const CppTypes& native = *find_dialect("native")->cpp_types();
  LowerOptions options;
  options.target = "toy";
  EXPECT_EQ(llvm::cantFail(lower(library, native, options)).nodes.size(), 1u);
  options.gradient_arguments = {GradientArgument::Kind::gradient};
  EXPECT_EQ(llvm::toString(lower(library, native, options).takeError()),
            "operator `acme::f` has a derivative with the argument `saved`, which the target `toy` does not have");
  options.gradient_arguments.emplace();
  EXPECT_EQ(llvm::toString(lower(library, native, options).takeError()),
            "operator `acme::f` has a derivative, which the target `toy` cannot have; remove its `backward` "
            "functions");
}

}  // namespace
}  // namespace structured::gen::recording_steps_test
