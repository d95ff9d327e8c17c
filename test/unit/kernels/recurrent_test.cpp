#include <structured/ops/gru.h>
#include <structured/ops/lstm.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "kernels/expect.h"

namespace structured::recurrent_test {
namespace {

using namespace test;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Tensor wave(IntArrayRef sizes, double phase) {
  return filled<double>(sizes, [phase](int64_t i) { return std::sin(phase + 1.7 * static_cast<double>(i)); });
}

/// One layer in one direction, by loops: input [T, B, I] gives hidden states of all steps [T][B][H].
struct Reference {
  int64_t steps, batch, inputs, hidden;
  bool is_lstm;
  bool is_reverse;
  Tensor w_input, w_hidden, b_input, b_hidden, h, c;

  double gate(const std::function<double(int64_t)>& x, const Tensor& weight, const Tensor& bias, int64_t row,
              int64_t count) const {
    double sum = bias.defined() ? at<double>(bias, {row}) : 0;
    for (int64_t i = 0; i < count; ++i) sum += at<double>(weight, {row, i}) * x(i);
    return sum;
  }

  std::vector<Tensor> run(const Tensor& input) {
    std::vector<Tensor> states(static_cast<size_t>(steps));
    for (int64_t s = 0; s < steps; ++s) {
      const int64_t t = is_reverse ? steps - 1 - s : s;
      const Tensor next = empty({batch, hidden}, kDouble), cell = empty({batch, hidden}, kDouble);
      for (int64_t b = 0; b < batch; ++b) {
        const auto x = [&](int64_t i) { return at<double>(input, {t, b, i}); };
        const auto own = [&](int64_t i) { return at<double>(h, {b, i}); };
        for (int64_t k = 0; k < hidden; ++k) {
          const auto from_input = [&](int64_t g) { return gate(x, w_input, b_input, g * hidden + k, inputs); };
          const auto from_hidden = [&](int64_t g) { return gate(own, w_hidden, b_hidden, g * hidden + k, hidden); };
          double& result = next.data_ptr<double>()[b * hidden + k];
          if (is_lstm) {
            const auto sum = [&](int64_t g) { return from_input(g) + from_hidden(g); };
            const double value = sigmoid(sum(1)) * at<double>(c, {b, k}) + sigmoid(sum(0)) * std::tanh(sum(2));
            cell.data_ptr<double>()[b * hidden + k] = value;
            result = sigmoid(sum(3)) * std::tanh(value);
          } else {
            const double reset = sigmoid(from_input(0) + from_hidden(0));
            const double update = sigmoid(from_input(1) + from_hidden(1));
            const double proposed = std::tanh(from_input(2) + reset * from_hidden(2));
            result = (1 - update) * proposed + update * own(k);
          }
        }
      }
      h = next;
      c = cell;
      states[static_cast<size_t>(t)] = next;
    }
    return states;
  }
};

TEST(Lstm, ComputesTwoDirectionsOfOneLayer) {
  const Tensor x = wave({3, 2, 4}, 0), h = wave({2, 2, 5}, 1), c = wave({2, 2, 5}, 2);
  std::vector<Tensor> params;
  for (int d = 0; d < 2; ++d) {
    params.push_back(wave({20, 4}, 3 + d));
    params.push_back(wave({20, 5}, 5 + d));
    params.push_back(wave({20}, 7 + d));
    params.push_back(wave({20}, 9 + d));
  }
  const auto [output, last_h, last_c] = lstm(x, {h, c}, params, true, 1, 0.0, false, true, false);
  ASSERT_EQ(output.sizes(), IntArrayRef({3, 2, 10}));
  for (int64_t d = 0; d < 2; ++d) {
    const size_t p = static_cast<size_t>(d) * 4;
    const auto part = [&](const Tensor& state) { return as_strided(state, {2, 5}, {5, 1}, d * 10); };
    Reference reference{3,       2,      4, 5, true, d == 1, params[p], params[p + 1], params[p + 2], params[p + 3],
                        part(h), part(c)};
    const std::vector<Tensor> states = reference.run(x);
    for_each_index({3, 2, 5}, [&](const Index& i) {
      EXPECT_NEAR(at<double>(output, {i[0], i[1], d * 5 + i[2]}),
                  at<double>(states[static_cast<size_t>(i[0])], {i[1], i[2]}), 1e-12);
    });
    for_each_index({2, 5}, [&](const Index& i) {
      EXPECT_NEAR(at<double>(last_h, {d, i[0], i[1]}), at<double>(reference.h, i), 1e-12);
      EXPECT_NEAR(at<double>(last_c, {d, i[0], i[1]}), at<double>(reference.c, i), 1e-12);
    });
  }
}

TEST(Gru, ComputesTwoLayersWithBatchesFirst) {
  const Tensor x = wave({3, 2, 4}, 0), h = wave({2, 2, 5}, 1);
  std::vector<Tensor> params = {wave({15, 4}, 3), wave({15, 5}, 5), wave({15, 5}, 4), wave({15, 5}, 6)};
  const Tensor swapped = as_strided(x, {2, 3, 4}, {4, 8, 1});
  const auto [output, last] = gru(swapped, h, params, false, 2, 0.5, false, false, true);
  Tensor input = x;
  for (int64_t layer = 0; layer < 2; ++layer) {
    const size_t p = static_cast<size_t>(layer) * 2;
    Reference reference{3,
                        2,
                        layer == 0 ? 4 : 5,
                        5,
                        false,
                        false,
                        params[p],
                        params[p + 1],
                        {},
                        {},
                        as_strided(h, {2, 5}, {5, 1}, layer * 10),
                        {}};
    const std::vector<Tensor> states = reference.run(input);
    for_each_index({2, 5}, [&](const Index& i) {
      EXPECT_NEAR(at<double>(last, {layer, i[0], i[1]}), at<double>(reference.h, i), 1e-12);
    });
    input = empty({3, 2, 5}, kDouble);
    for_each_index({3, 2, 5}, [&](const Index& i) {
      input.data_ptr<double>()[(i[0] * 2 + i[1]) * 5 + i[2]] =
          at<double>(states[static_cast<size_t>(i[0])], {i[1], i[2]});
    });
  }
  ASSERT_EQ(output.sizes(), IntArrayRef({2, 3, 5}));
  for_each_index({2, 3, 5}, [&](const Index& i) {
    EXPECT_NEAR(at<double>(output, i), at<double>(input, {i[1], i[0], i[2]}), 1e-12);
  });
}

TEST(Lstm, RejectsWrongShapes) {
  const Tensor x = wave({3, 2, 4}, 0), h = wave({1, 2, 5}, 1);
  const std::vector<Tensor> params = {wave({20, 4}, 3), wave({20, 5}, 5)};
  const auto call = [&](const Tensor& input, const std::vector<Tensor>& states, int64_t layers) {
    lstm(input, states, params, false, layers, 0.0, false, false, false);
  };
  expect_error([&] { call(x, {h}, 1); }, "lstm: expected a hidden and a cell state, got 1 states");
  expect_error([&] { call(wave({3, 4}, 0), {h, h}, 1); }, "lstm: expected an input and states with 3 dimensions");
  expect_error([&] { call(x, {h, h}, 2); }, "lstm: expected 4 weights for 2 layers, got 2");
  expect_error([&] { call(x, {wave({2, 2, 5}, 0), h}, 1); },
               "lstm: expected states for 1 layers and directions, got 2");
  expect_error([&] { call(x, {h, wave({1, 2, 6}, 0)}, 1); }, "lstm: expected hidden and cell states of one size");
  expect_error([&] { call(x, {wave({1, 2, 4}, 0), wave({1, 2, 4}, 0)}, 1); },
               "lstm: expected weights [16, 4] for hidden states of size 4, got [20, 5]");
}

}  // namespace
}  // namespace structured::recurrent_test
