// Backward passes on several threads at once. Also run under ThreadSanitizer.
#include <thread>

#include "functions.h"

namespace structured::test {
namespace {

using Threads = Autograd;

TEST_F(Threads, RunPassesOverOneGraph) {
  const Tensor x = leaf(1);
  Tensor y = x;
  for (int i = 0; i < 100; ++i) y = Multiply::apply(y, x);
  const auto run = [&] {
    for (int i = 0; i < 50; ++i) y.backward(Tensor(), /*retain_graph=*/true);
  };
  std::thread other(run);
  run();
  other.join();
  EXPECT_EQ(value_of(x.grad()), 100 * 101);
}

TEST_F(Threads, UseResultsOfOthers) {
  const Tensor x = leaf(2);
  Tensor y;
  std::thread([&] {
    Tensor unrelated = x;
    for (int i = 0; i < 1000; ++i) unrelated = Multiply::apply(unrelated, x);
    y = Multiply::apply(x, x);
  }).join();
  const Tensor z = Multiply::apply(y, x);
  Multiply::apply(z, y).backward();  // x^5
  EXPECT_EQ(value_of(x.grad()), 80);
}

}  // namespace
}  // namespace structured::test
