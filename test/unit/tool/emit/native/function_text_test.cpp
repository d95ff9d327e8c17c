// Printing of steps.
#include "emit/native/function_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace structured::gen {
namespace {

using testing::ElementsAre;

// Returns a function `f(a, b)` of an operator with the base `B`.
LoweredFunction function_with(std::vector<Step> steps, Variant::Kind kind = Variant::Kind::out) {
  LoweredFunction function;
  function.name = "f";
  function.comment = "x.out";
  function.parameters = {"a", "b"};
  function.callees = {"::meta_of_x", "::impl_of_x", "::kernel_of_x", "op_x_out", "x.out"};
  function.body.type = {"R", {"A", "B"}};
  function.body.adaptor = AdaptorClass{kind, "::Base", 1};
  function.body.meta = FunctionType{"void", {"::Base&", "A"}};
  function.body.impl = FunctionType{"void", {"A"}};
  function.body.steps = std::move(steps);
  return function;
}

std::string text_of(const LoweredFunction& function) {
  Writer writer;
  write_function(writer, function);
  return writer.text();
}

// Returns the statements printed for one step.
std::string statements(Step step, Variant::Kind kind = Variant::Kind::out) {
  const std::string text = text_of(function_with({std::move(step), Finish{}}, kind));
  const std::string before = "// x.out\nR f(A a, B b) {\n";
  const std::string after = "  op.finish();\n}\n";
  EXPECT_EQ(text.substr(0, before.size()), before);
  EXPECT_EQ(text.substr(text.size() - after.size()), after);
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

Value parameter(std::size_t index) { return {Value::Kind::parameter, index}; }

TEST(FunctionText, CheckDevices) {
  EXPECT_EQ(statements(CheckDevices{{0, 1}}), "  ::structured::check_same_device(\"x.out\", a, b);\n");
}

TEST(FunctionText, GuardDevice) {
  EXPECT_EQ(statements(GuardDevice{{1}}), "  const ::structured::DeviceGuard guard(::structured::device_of(b));\n");
}

TEST(FunctionText, MakeAdaptor) {
  EXPECT_EQ(statements(MakeAdaptor{{1}}), "  ::structured::Out<::Base, 1> op(b);\n");
  EXPECT_EQ(statements(MakeAdaptor{{0}}, Variant::Kind::inplace), "  ::structured::Inplace<::Base> op(a);\n");
  EXPECT_EQ(statements(MakeAdaptor{}, Variant::Kind::functional), "  ::structured::Functional<::Base, 1> op;\n");
}

TEST(FunctionText, CheckOverlap) {
  EXPECT_EQ(statements(CheckOverlap{0, {1}}), "  op.check_self(a);\n  op.check_inputs(b);\n");
  EXPECT_EQ(statements(CheckOverlap{std::nullopt, {0, 1}}), "  op.check_inputs(a, b);\n");
}

TEST(FunctionText, CheckOutputs) {
  EXPECT_EQ(statements(CheckOutputs{{1}, std::nullopt, {0}, false}),
            "  const ::structured::Outputs outputs(b);\n  outputs.check_inputs(a);\n");
  EXPECT_EQ(statements(CheckOutputs{{1}, std::nullopt, {0}, true}),
            "  const ::structured::Outputs outputs(b);\n  outputs.check_reusable(a);\n");
  EXPECT_EQ(statements(CheckOutputs{{1}, 0, {}, false}),
            "  const ::structured::Outputs outputs(b);\n  outputs.check_reusable(a);\n");
}

TEST(FunctionText, CallMeta) {
  const std::vector<Value> arguments{{Value::Kind::adaptor, 0}, parameter(0)};
  EXPECT_EQ(statements(CallMeta{arguments, Result::ignored}), "  ::meta_of_x(op, a);\n");
  EXPECT_EQ(statements(CallMeta{arguments, Result::kept}), "  const auto precomputed = ::meta_of_x(op, a);\n");
  EXPECT_EQ(statements(CallMeta{arguments, Result::returned}), "  return ::meta_of_x(op, a);\n");
}

TEST(FunctionText, CallImpl) {
  EXPECT_EQ(statements(CallImpl{{parameter(1), {Value::Kind::precomputed, 0}, {Value::Kind::output, 2}}}),
            "  ::impl_of_x(b, precomputed, op.output(2));\n");
}

TEST(FunctionText, CallKernel) {
  const std::vector<Value> both{parameter(0), parameter(1)};
  EXPECT_EQ(statements(CallKernel{both, Result::ignored}), "  ::kernel_of_x(a, b);\n");
  EXPECT_EQ(statements(CallKernel{both, Result::kept}), "  decltype(auto) result = ::kernel_of_x(a, b);\n");
  EXPECT_EQ(statements(CallKernel{both, Result::returned}), "  return ::kernel_of_x(a, b);\n");
  EXPECT_EQ(text_of(function_with({CallKernel{both, Result::returned}})),
            "// x.out\nR f(A a, B b) { return ::kernel_of_x(a, b); }\n");
}

TEST(FunctionText, CallOutVariant) {
  EXPECT_EQ(statements(CallOutVariant{{0, 1}, 2}),
            "  ::structured::Tensor output_0 = op.output(0);\n"
            "  ::structured::Tensor output_1 = op.output(1);\n"
            "  op_x_out.call(::structured::LayerSet(), a, b, output_0, output_1);\n");
}

TEST(FunctionText, BumpVersions) { EXPECT_EQ(statements(BumpVersions{{1}}), "  ::structured::bump_versions(b);\n"); }

TEST(FunctionText, Returns) {
  EXPECT_EQ(statements(ReturnOutputs{1}), "  return std::move(op).take_output();\n");
  EXPECT_EQ(statements(ReturnOutputs{3}), "  return std::move(op).take_outputs();\n");
  EXPECT_EQ(statements(ReturnParameters{{1}}), "  return b;\n");
  EXPECT_EQ(statements(ReturnParameters{{0, 1}}), "  return {a, b};\n");
  EXPECT_EQ(statements(ReturnKept{}), "  return result;\n");
}

TEST(FunctionText, LocalNamesAvoidThoseOfParameters) {
  LoweredFunction function = function_with({MakeAdaptor{{1}}, Finish{}});
  function.parameters = {"op", "op_"};
  EXPECT_EQ(text_of(function),
            "// x.out\nR f(A op, B op_) {\n  ::structured::Out<::Base, 1> op__(op_);\n  op__.finish();\n}\n");
}

TEST(FunctionText, SharedBodiesTakeOnlyTheCalleesThatTheyCall) {
  LoweredFunction function = function_with({MakeAdaptor{{1}}, CallMeta{{{Value::Kind::adaptor, 0}}, Result::ignored}});
  EXPECT_THAT(shared_body_arguments(function), ElementsAre("::meta_of_x", "::impl_of_x"));
  function.body.impl.reset();
  EXPECT_THAT(shared_body_arguments(function), ElementsAre("::meta_of_x"));
  function.body.steps.insert(function.body.steps.begin(), CheckDevices{{0}});
  EXPECT_THAT(shared_body_arguments(function), ElementsAre("::meta_of_x", "\"x.out\""));
}

TEST(FunctionText, HeadersFollowTheSteps) {
  std::set<std::string> headers;
  Body body;
  body.steps = {CallKernel{{}, Result::kept}, BumpVersions{{0}}, ReturnKept{}};
  add_body_headers(body, headers);
  EXPECT_THAT(headers, ElementsAre("<structured/kernel/versions.h>"));
  headers.clear();
  body.steps = {GuardDevice{{0}}, CallOutVariant{{0}, 1}};
  add_body_headers(body, headers);
  EXPECT_THAT(headers, ElementsAre("<structured/dispatch/operator.h>", "<structured/kernel/guards.h>"));
}

}  // namespace
}  // namespace structured::gen
