// Checked calls of operators with faults: what each report says.
#include <faults/find_operator.h>
#include <faults/operators.h>
#include <structured/structured.h>

#include <gtest/gtest.h>

#include "../expect_error.h"
#include "faults.h"

namespace structured {
namespace {

using test::expect_error;

class Checked : public testing::Test {
 protected:
  const Tensor self_ = tensor<float>({{1, 2, 3}, {4, 5, 6}});
};

TEST_F(Checked, CallsOperatorsWithoutFaults) {
  EXPECT_EQ(to_vector<float>(faults::twice(self_)), (std::vector<float>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(to_vector<float>(faults::cpu::twice(self_)), (std::vector<float>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(to_vector<float>(faults::four_times(self_)), (std::vector<float>{4, 8, 12, 16, 20, 24}));
  EXPECT_TRUE(faults::whole(self_).storage().is_same(self_.storage()));
}

TEST_F(Checked, WritesTheTensorsOfTheCaller) {
  Tensor self = tensor<float>({1, 2});
  EXPECT_TRUE(faults::twice_(self).is_same(self));
  EXPECT_EQ(to_vector<float>(self), (std::vector<float>{2, 4}));
  Tensor out = empty({2, 3});
  EXPECT_TRUE(faults::twice_out(out, self_).is_same(out));
  EXPECT_EQ(to_vector<float>(out), (std::vector<float>{2, 4, 6, 8, 10, 12}));
}

TEST_F(Checked, PassesErrorsOfTheOperatorOn) {
  expect_error([] { faults::twice(tensor<int64_t>({1})); }, "Long");
}

TEST_F(Checked, ReportsWrittenInputs) {
  const std::string message = "`faults::writes_input`: the kernel writes its input `self`";
  expect_error([&] { faults::writes_input(self_); }, message);
  expect_error([&] { faults::cpu::writes_input(self_); }, message);
  EXPECT_EQ(to_vector<float>(self_), (std::vector<float>{1, 2, 3, 4, 5, 6})) << "the check wrote the caller's tensor";
}

TEST_F(Checked, ReportsUnwrittenElements) {
  expect_error([&] { faults::leaves_unwritten(self_); },
               "the kernel leaves an element of result unwritten, at index [1, 2]");
}

TEST_F(Checked, ReportsReadsOfTheOutput) {
  expect_error([&] { faults::reads_output(self_); },
               "result depends on memory that the kernel reads before it writes it, at index [0, 0]");
}

TEST_F(Checked, ReportsReadsOfNewMemory) {
  expect_error([&] { faults::reads_scratch(self_); }, "depends on memory that the kernel reads before it writes it");
}

TEST_F(Checked, ReportsThreadLocalState) {
  faults::set_thread_factor(3);
  expect_error([&] { faults::uses_thread_state(self_); },
               "result differs on another thread: the kernel depends on thread-local state");
  faults::set_thread_factor(1);
  EXPECT_EQ(to_vector<float>(faults::uses_thread_state(self_))[2], 3);
}

TEST_F(Checked, ReportsResultsThatDependOnEarlierCalls) {
  expect_error([&] { faults::counts_calls(self_); }, "result differs between two calls with equal arguments");
}

TEST_F(Checked, ReportsWritesBetweenElements) {
  Tensor out = empty_strided({2, 3}, {8, 2});
  expect_error([&] { faults::ignores_strides_out(out, self_); },
               "the kernel writes outside the elements of argument `out`, of sizes [2, 3] and strides [8, 2]");
}

TEST_F(Checked, ReportsReshapedInputs) {
  expect_error([&] { faults::reshapes_input(self_); }, "the kernel changes the shape of its input `self`");
}

TEST_F(Checked, ReportsReshapedOutputs) {
  expect_error([&] { faults::reshapes_output(self_); },
               "the result has sizes [6], but the Meta backend returns [2, 3]");
}

TEST_F(Checked, ReportsMetaFunctionsThatVary) {
  expect_error([&] { faults::varies_meta(self_); }, ", but a second call on Meta returns");
}

TEST_F(Checked, ReportsDifferencesFromTheMetaKernel) {
  expect_error([&] { faults::wrong_dtype(self_); }, "the result has dtype Double, but the Meta backend returns Float");
  expect_error([&] { faults::wrong_sizes(self_); }, "the result has sizes [6], but the Meta backend returns [2, 3]");
  expect_error([&] { faults::wrong_strides(self_); },
               "the result has strides [1, 2], but the Meta backend returns [3, 1]");
}

TEST_F(Checked, ReportsUndeclaredAliases) {
  expect_error([&] { faults::hides_alias(self_); },
               "result shares memory with argument `self`, but the schema declares no alias");
  Tensor self = tensor<float>({{1, 2, 3}, {4, 5, 6}});
  expect_error([&] { faults::returns_other_(self); }, "result is another tensor than argument `self`");
}

TEST_F(Checked, ChecksBoxedCalls) {
  Stack stack{self_};
  expect_error([&] { faults::find_operator("faults::writes_input")->call(stack); }, "writes its input `self`");
  EXPECT_EQ(stack.size(), 1U);
}

}  // namespace
}  // namespace structured
