#include "structured/autograd/engine.h"

#include "expect_error.h"
#include "functions.h"

namespace structured::test {
namespace {

using Engine = Autograd;

TEST_F(Engine, FollowsAChain) {
  const Tensor x = leaf(3);
  Multiply::apply(Multiply::apply(x, x), x).backward();
  EXPECT_EQ(value_of(x.grad()), 27);
}

TEST_F(Engine, SumsTheGradientsOfAllUses) {
  const Tensor x = leaf(2);
  const Tensor y = Multiply::apply(x, x);
  const Tensor left = Multiply::apply(y, x);
  Multiply::apply(left, y).backward();  // x^5
  EXPECT_EQ(value_of(x.grad()), 80);
}

TEST_F(Engine, AddsToEarlierGradients) {
  const Tensor x = leaf(2);
  Multiply::apply(x, x).backward();
  const Tensor first = x.grad();
  Multiply::apply(x, x).backward();
  EXPECT_EQ(value_of(x.grad()), 8);
  EXPECT_TRUE(first.is_same(x.grad()));  // in place
}

TEST_F(Engine, FreesTheGraphUnlessRetained) {
  const Tensor x = leaf(2);
  const Tensor y = Multiply::apply(x, x);
  y.backward(Tensor(), /*retain_graph=*/true);
  y.backward();
  EXPECT_EQ(value_of(x.grad()), 8);
  expect_error([&] { y.backward(); }, "Trying to backward through the graph a second time");
  EXPECT_EQ(value_of(x.grad()), 8);
}

TEST_F(Engine, WeightsOutputs) {
  const Tensor x = tensor<double>({1, 2, 3}).requires_grad_();
  const Tensor y = Multiply::apply(x, x);
  expect_error([&] { y.backward(); }, "grad can be implicitly created only for scalar outputs");
  expect_error([&] { y.backward(tensor<double>({1})); }, "Mismatch in shape: grad_output[0] has a shape of [1]");
  y.backward(tensor<double>({1, 10, 100}));
  EXPECT_EQ(x.grad().data_ptr<double>()[0], 2);
  EXPECT_EQ(x.grad().data_ptr<double>()[1], 40);
  EXPECT_EQ(x.grad().data_ptr<double>()[2], 600);
}

TEST_F(Engine, DifferentiatesGradients) {
  const Tensor x = leaf(2);
  const Tensor y = leaf(5);
  const Tensor z = Multiply::apply(Multiply::apply(x, y), leaf(7));
  const Tensor first = grad(z, x, {}, {.create_graph = true})[0];
  EXPECT_EQ(value_of(first), 35);
  EXPECT_TRUE(first.requires_grad());
  EXPECT_EQ(value_of(grad(first, y)[0]), 7);
  EXPECT_FALSE(x.grad().defined());
}

TEST_F(Engine, ComputesGradientsOfSomeInputs) {
  const Tensor x = leaf(2);
  const Tensor y = leaf(5);
  const Tensor unused = leaf(1);
  const Tensor product = Multiply::apply(x, y);
  const Tensor result = Multiply::apply(product, x);
  const std::vector<Tensor> found = grad(result, std::vector{product, y}, {}, {.retain_graph = true});
  EXPECT_EQ(value_of(found[0]), 2);
  EXPECT_EQ(value_of(found[1]), 4);
  expect_error([&] { grad(result, unused, {}, {.retain_graph = true}); }, "appears to not have been used in the graph");
  EXPECT_FALSE(grad(result, unused, {}, {.allow_unused = true})[0].defined());
  expect_error([&] { grad(result, full({}, 1, kDouble)); }, "does not require grad");
}

TEST_F(Engine, RunsOnlyNodesThatLeadToAnInput) {
  struct Never : AutogradFunction<Never> {
    static Tensor forward(AutogradContext&, const Tensor& x) { return mul(x, x); }
    static std::vector<Tensor> backward(AutogradContext&, std::vector<Tensor>) { fail("never is not never"); }
  };
  const Tensor x = leaf(2);
  const Tensor y = leaf(3);
  const Tensor result = Multiply::apply(Never::apply(x), y);
  EXPECT_EQ(value_of(grad(result, y, {}, {.retain_graph = true})[0]), 4);
  expect_error([&] { result.backward(); }, "never is not never");
  EXPECT_FALSE(x.grad().defined());
}

TEST_F(Engine, CanRunAgainAfterAnError) {
  struct FailsOnce : AutogradFunction<FailsOnce> {
    static Tensor forward(AutogradContext&, const Tensor& x) { return mul(x, x); }
    static std::vector<Tensor> backward(AutogradContext&, std::vector<Tensor> gradients) {
      static bool has_failed = false;
      if (!std::exchange(has_failed, true)) fail("the first time");
      return gradients;
    }
  };
  const Tensor x = leaf(2);
  const Tensor y = leaf(3);
  const Tensor result = Multiply::apply(FailsOnce::apply(x), FailsOnce::apply(y));
  expect_error([&] { result.backward(Tensor(), /*retain_graph=*/true); }, "the first time");
  x.set_grad(Tensor());
  y.set_grad(Tensor());
  result.backward();
  EXPECT_EQ(value_of(x.grad()), 9);
  EXPECT_EQ(value_of(y.grad()), 4);
}

TEST_F(Engine, RunsAndFreesThreeMillionNodes) {
  class Pass final : public autograd::NodeOf<1> {
   public:
    std::string_view name() const override { return "Pass"; }
    void apply(autograd::Gradients results, autograd::Gradients inputs) override { inputs[0] = std::move(results[0]); }
  };
  const Tensor x = leaf(1);
  Tensor y = x;
  for (int i = 0; i < 3'000'000; ++i) {
    const autograd::NodePtr node = autograd::NodePtr::adopt(new Pass);
    node->connect(0, y);
    y = full({}, 1, kDouble);
    autograd::set_history(y, node);
  }
  y.backward();
  EXPECT_EQ(value_of(x.grad()), 1);
}

TEST_F(Engine, FreesAGraphThatNeverRan) {
  Tensor y = leaf(1);
  for (int i = 0; i < 300'000; ++i) y = Multiply::apply(y, y);
  y.reset();
}

TEST_F(Engine, IsReentrant) {
  struct Inner : AutogradFunction<Inner> {
    static Tensor forward(AutogradContext& context, const Tensor& x) {
      context.save_for_backward(x);
      return mul(x, x);
    }
    static std::vector<Tensor> backward(AutogradContext& context, std::vector<Tensor> gradients) {
      const EnableGradGuard enable;
      const Tensor x = context.saved_tensors()[0].detach().requires_grad_();
      Multiply::apply(x, x).backward(gradients[0]);
      return {x.grad()};
    }
  };
  const Tensor x = leaf(3);
  Multiply::apply(Inner::apply(x), x).backward();
  EXPECT_EQ(value_of(x.grad()), 27);
}

TEST_F(Engine, RefusesTensorsThatRequireNoGradients) {
  expect_error([] { full({}, 1, kDouble).backward(); },
               "element 0 of tensors does not require grad and does not have a grad_fn");
  const Tensor x = leaf(1);
  {
    const NoGradGuard guard;
    EXPECT_FALSE(Multiply::apply(x, x).requires_grad());
    const EnableGradGuard enable;
    EXPECT_TRUE(Multiply::apply(x, x).requires_grad());
  }
  EXPECT_TRUE(is_grad_enabled());
}

TEST_F(Engine, CallsHooksBeforeNodes) {
  const Tensor x = leaf(2);
  const Tensor y = Multiply::apply(x, x);
  y.retain_grad();
  register_hook(y, [](const Tensor& gradient) { return mul(gradient, full({}, 10, kDouble)); });
  double seen = 0;
  register_hook(x, [&](const Tensor& gradient) {
    seen = value_of(gradient);
    return Tensor();
  });
  Multiply::apply(y, y).backward();
  EXPECT_EQ(value_of(y.grad()), 80);
  EXPECT_EQ(seen, 320);
  EXPECT_EQ(value_of(x.grad()), 320);
}

TEST_F(Engine, CallsHooksOfNodesBeforeAndAfterThem) {
  const Tensor x = leaf(2);
  const Tensor y = Multiply::apply(x, x);
  std::vector<double> seen;
  const autograd::NodePtr node = grad_fn(y);
  node->add_hook([&](autograd::Gradients inputs, autograd::Gradients results) {
    seen = {value_of(results[0]), value_of(inputs[0]), value_of(inputs[1])};
    inputs[0] = full({}, 100, kDouble);
  });
  node->add_prehook([](autograd::Gradients results) { results[0] = full({}, 10, kDouble); });
  y.backward();
  EXPECT_EQ(seen, (std::vector<double>{10, 20, 20}));
  EXPECT_EQ(value_of(x.grad()), 120);
}

TEST_F(Engine, CallsHooksOfLeavesAfterTheyHaveTheirGradient) {
  const Tensor x = leaf(2);
  const Tensor y = Multiply::apply(x, x);
  double seen = 0;
  grad_fn(y)->next_edge(0).node->add_hook([&](autograd::Gradients inputs, autograd::Gradients results) {
    EXPECT_TRUE(inputs.empty());
    seen = value_of(results[0]) + value_of(x.grad());
  });
  y.backward();
  EXPECT_EQ(seen, 8);
}

}  // namespace
}  // namespace structured::test
