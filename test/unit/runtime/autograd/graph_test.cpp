// Printed graphs and checkpoints.
#include <structured/autograd/checkpoint.h>
#include <structured/autograd/print_graph.h>
#include <structured/ops/add.h>
#include <structured/ops/dropout.h>
#include <structured/ops/exp.h>
#include <structured/ops/ones.h>
#include <structured/ops/sum.h>

#include <sstream>

#include "expect_error.h"
#include "functions.h"

namespace structured::test {
namespace {

using PrintGraph = Autograd;

std::string printed(const Tensor& tensor, GraphFormat format = GraphFormat::text) {
  std::ostringstream out;
  print_graph(out, tensor, format);
  return out.str();
}

TEST_F(PrintGraph, NumbersNodesInTheOrderOfABackwardPass) {
  const Tensor x = leaf(2);
  const Tensor y = leaf(3);
  const Tensor z = add(mul(exp(x), y), x);
  EXPECT_EQ(printed(z),
            "0 AddBackward0 -> 1, 3\n"
            "1 MulBackward0 -> 2, 4\n"
            "2 ExpBackward0 -> 3\n"
            "3 AccumulateGrad\n"
            "4 AccumulateGrad\n");
}

TEST_F(PrintGraph, MarksInputsThatNeedNoGradient) {
  EXPECT_EQ(printed(mul(leaf(2), full({}, 1, kDouble))), "0 MulBackward0 -> 1, -\n1 AccumulateGrad\n");
}

TEST_F(PrintGraph, WritesGraphviz) {
  EXPECT_EQ(printed(exp(leaf(2)), GraphFormat::graphviz),
            "digraph {\n"
            "  n0 [label=\"ExpBackward0\"];\n"
            "  n0 -> n1;\n"
            "  n1 [label=\"AccumulateGrad\"];\n"
            "}\n");
}

TEST_F(PrintGraph, NeedsAGraph) {
  expect_error([] { printed(full({}, 1, kDouble)); }, "expected a tensor that requires gradients");
}

using Checkpoint = Autograd;

TEST_F(Checkpoint, ComputesTheGradientsOfInputsAndOfOtherLeaves) {
  const Tensor x = leaf(2);
  const Tensor constant = full({}, 5, kDouble);
  const Tensor weight = leaf(3);
  int calls = 0;
  const auto function = [&](const std::vector<Tensor>& in) {
    ++calls;
    return std::vector<Tensor>{mul(mul(in[0], in[0]), weight), mul(in[0], in[1])};
  };
  const std::vector<Tensor> results = checkpoint(function, {x, constant});
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(grad_fn(results[0])->name(), "CheckpointBackward");
  add(results[0], results[1]).backward();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(value_of(x.grad()), 2 * 2 * 3 + 5);
  EXPECT_EQ(value_of(weight.grad()), 4);
  EXPECT_FALSE(constant.grad().defined());
}

TEST_F(Checkpoint, DrawsEqualRandomNumbersAgain) {
  const Tensor x = ones({64}, kDouble).requires_grad_();
  const Tensor y =
      checkpoint([](const std::vector<Tensor>& in) { return std::vector<Tensor>{dropout(in[0], 0.5, true)}; }, {x})[0];
  sum(y).backward();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(x.grad().data_ptr<double>()[i], y.data_ptr<double>()[i]);
}

TEST_F(Checkpoint, IsAnOrdinaryCallWithoutInputsThatRequireGradients) {
  const Tensor weight = leaf(3);
  const auto function = [&](const std::vector<Tensor>& in) { return std::vector<Tensor>{mul(in[0], weight)}; };
  const Tensor result = checkpoint(function, {full({}, 2, kDouble)})[0];
  EXPECT_EQ(grad_fn(result)->name(), "MulBackward0");
}

TEST_F(Checkpoint, RejectsDerivativesOfGradients) {
  const Tensor x = leaf(2);
  const Tensor y = checkpoint([](const std::vector<Tensor>& in) { return std::vector<Tensor>{exp(in[0])}; }, {x})[0];
  expect_error([&] { grad({y}, {x}, {}, {.create_graph = true}); }, "cannot be computed with `create_graph`");
}

}  // namespace
}  // namespace structured::test
