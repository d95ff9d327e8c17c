// Printed graphs and checkpoints.
#include <structured/autograd/checkpoint.h>
#include <structured/autograd/print_graph.h>
#include <structured/ops/add.h>
#include <structured/ops/dropout.h>
#include <structured/ops/exp.h>
#include <structured/ops/ones.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/sum.h>

#include <cmath>
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

TEST_F(Checkpoint, NeedsNoInputsThatRequireGradients) {
  const Tensor weight = leaf(3);
  int calls = 0;
  const auto function = [&](const std::vector<Tensor>& in) {
    ++calls;
    return std::vector<Tensor>{mul(exp(mul(in[0], weight)), weight)};
  };
  checkpoint(function, {full({}, 2, kDouble)})[0].backward();
  EXPECT_EQ(calls, 2);
  EXPECT_NEAR(value_of(weight.grad()), std::exp(6.0) * (1 + 6), 1e-9);
}

TEST_F(Checkpoint, AcceptsFunctionsThatModifyInputsOfSavedResults) {
  const Tensor x = leaf(38);
  const auto function = [](const std::vector<Tensor>& in) {
    Tensor input = mul(in[0], 1);
    const Tensor result = sigmoid(input);
    mul_(input, 2);
    return std::vector<Tensor>{result};
  };
  checkpoint(function, {x})[0].backward();
  EXPECT_NEAR(value_of(x.grad()) / std::exp(-38.0), 1, 1e-13);
}

TEST_F(Checkpoint, HasSecondDerivatives) {
  const Tensor x = leaf(2);
  const auto cube = [](const std::vector<Tensor>& in) { return std::vector<Tensor>{mul(mul(in[0], in[0]), in[0])}; };
  const Tensor y = checkpoint(cube, {x})[0];
  const Tensor first = grad({y}, {x}, {}, {.create_graph = true})[0];
  EXPECT_EQ(value_of(first), 12);
  EXPECT_EQ(value_of(grad({first}, {x})[0]), 12);
}

TEST_F(Checkpoint, Nests) {
  const Tensor x = leaf(0.5);
  int calls = 0;
  const auto inner = [&](const std::vector<Tensor>& in) {
    ++calls;
    return std::vector<Tensor>{exp(exp(in[0]))};
  };
  const auto outer = [&](const std::vector<Tensor>& in) { return checkpoint(inner, {exp(mul(in[0], in[0]))}); };
  checkpoint(outer, {x})[0].backward();
  EXPECT_EQ(calls, 3);
  const double middle = std::exp(0.25);
  EXPECT_NEAR(value_of(x.grad()), std::exp(std::exp(middle)) * std::exp(middle) * middle * 2 * 0.5, 1e-9);
}

TEST_F(Checkpoint, RejectsFunctionsThatSaveOtherNumbersOfTensors) {
  const Tensor x = leaf(2);
  int calls = 0;
  const auto function = [&](const std::vector<Tensor>& in) {
    return std::vector<Tensor>{++calls == 1 ? exp(in[0]) : exp(exp(in[0]))};
  };
  const Tensor y = checkpoint(function, {x})[0];
  expect_error([&] { y.backward(); }, "the function saved 1 tensors at first and 2 in the backward pass");
}

TEST_F(Checkpoint, RejectsInputsThatWereModified) {
  const Tensor x = leaf(2);
  Tensor y = mul(x, 2);
  const Tensor z = checkpoint([](const std::vector<Tensor>& in) { return std::vector<Tensor>{exp(in[0])}; }, {y})[0];
  mul_(y, 2);
  expect_error([&] { z.backward(); }, "has been modified by an inplace operation");
}

}  // namespace
}  // namespace structured::test
