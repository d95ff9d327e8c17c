// Recurrent layers: LSTM and GRU.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/memory/scratch.h>
#include <structured/ops/add.h>
#include <structured/ops/addcmul.h>
#include <structured/ops/cat.h>
#include <structured/ops/dropout.h>
#include <structured/ops/linear.h>
#include <structured/ops/mul.h>
#include <structured/ops/select.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/slice.h>
#include <structured/ops/stack.h>
#include <structured/ops/sub.h>
#include <structured/ops/tanh.h>
#include <structured/ops/transpose.h>
#include <structured/structured.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace structured::kernels {
namespace {

/// Weights of one layer in one direction.
struct LayerWeights {
  Tensor input;
  Tensor hidden;
  std::optional<Tensor> input_bias;
  std::optional<Tensor> hidden_bias;
};

/// Shape of a recurrent network.
struct Layers {
  const char* name;
  int64_t gates;  // number for each unit
  TensorList params;
  bool has_biases;
  int64_t num_layers;
  bool bidirectional;

  std::size_t directions() const { return bidirectional ? 2 : 1; }
  std::size_t count() const { return static_cast<std::size_t>(num_layers) * directions(); }
  LayerWeights weights(std::size_t index) const {
    const std::size_t at = index * (has_biases ? 4 : 2);
    if (!has_biases) return {params[at], params[at + 1], std::nullopt, std::nullopt};
    return {params[at], params[at + 1], params[at + 2], params[at + 3]};
  }
  void check(const Tensor& input, const Tensor& state) const {
    STRUCTURED_CHECK(input.dim() == 3 && state.dim() == 3, name,
                     ": expected an input and states with 3 dimensions, got ", input.dim(), " and ", state.dim());
    STRUCTURED_CHECK(num_layers > 0 && params.size() == count() * (has_biases ? 4 : 2), name, ": expected ",
                     count() * (has_biases ? 4 : 2), " weights for ", num_layers, " layers, got ", params.size());
    STRUCTURED_CHECK(state.size(0) == static_cast<int64_t>(count()), name, ": expected states for ", count(),
                     " layers and directions, got ", state.size(0));
    STRUCTURED_CHECK(input.size(0) > 0, name, ": expected a sequence of 1 step or more, got none");
  }
  void check_weights(int64_t size) const {
    for (std::size_t i = 0; i < count(); ++i) {
      const Tensor& hidden = weights(i).hidden;
      STRUCTURED_CHECK(hidden.dim() == 2 && hidden.size(0) == gates * size && hidden.size(1) == size, name,
                       ": expected weights [", gates * size, ", ", size, "] for hidden states of size ", size, ", got ",
                       hidden.sizes());
    }
  }
};

/// Hidden state of a step, and the cell state of an LSTM.
struct State {
  Tensor hidden;
  Tensor cell;
};

/// Gate number `index` of `gates` [B, n * H]: a view [B, H].
Tensor gate(const Tensor& gates, int64_t index, const State& state) {
  const int64_t size = state.hidden.size(1);
  return structured::slice(gates, 1, index * size, (index + 1) * size);
}

/// One step of an LSTM; `gates` [B, 4 * H] are the products of the input.
State lstm_step(const Tensor& gates, const State& state, const LayerWeights& weights) {
  const Tensor sum = structured::add(gates, structured::linear(state.hidden, weights.hidden, weights.hidden_bias));
  const Tensor kept = structured::mul(structured::sigmoid(gate(sum, 1, state)), state.cell);
  const Tensor cell =
      structured::addcmul(kept, structured::sigmoid(gate(sum, 0, state)), structured::tanh(gate(sum, 2, state)));
  return {structured::mul(structured::sigmoid(gate(sum, 3, state)), structured::tanh(cell)), cell};
}

/// One step of a GRU; `gates` [B, 3 * H] are the products of the input.
State gru_step(const Tensor& gates, const State& state, const LayerWeights& weights) {
  const Tensor hidden = structured::linear(state.hidden, weights.hidden, weights.hidden_bias);
  const Tensor reset = structured::sigmoid(structured::add(gate(gates, 0, state), gate(hidden, 0, state)));
  const Tensor update = structured::sigmoid(structured::add(gate(gates, 1, state), gate(hidden, 1, state)));
  const Tensor proposed = structured::tanh(structured::addcmul(gate(gates, 2, state), reset, gate(hidden, 2, state)));
  return {structured::addcmul(proposed, update, structured::sub(state.hidden, proposed)), {}};
}

using Step = State (*)(const Tensor& gates, const State& state, const LayerWeights& weights);

/// Runs one layer in one direction over `input` [T, B, I]. Returns the hidden states of all steps [T, B, H]; `state`
/// becomes the last one.
Tensor run_layer(const Tensor& input, State& state, const LayerWeights& weights, bool is_reverse, Step step) {
  const int64_t steps = input.size(0);
  const Tensor gates = structured::linear(input, weights.input, weights.input_bias);
  ScratchVector<Tensor> outputs(static_cast<std::size_t>(steps));
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t t = is_reverse ? steps - 1 - i : i;
    state = step(structured::select(gates, 0, t), state, weights);
    outputs[static_cast<std::size_t>(t)] = state.hidden;
  }
  return structured::stack(outputs);
}

/// Runs all layers over `input` [T, B, I]. `states` has one entry for each layer and direction, and receives the last
/// states.
Tensor run_layers(const Layers& layers, Tensor input, ScratchVector<State>& states, double dropout, bool train,
                  Step step) {
  for (std::size_t layer = 0; layer < static_cast<std::size_t>(layers.num_layers); ++layer) {
    ScratchVector<Tensor> outputs;
    for (std::size_t direction = 0; direction < layers.directions(); ++direction) {
      const std::size_t index = layer * layers.directions() + direction;
      outputs.push_back(run_layer(input, states[index], layers.weights(index), direction == 1, step));
    }
    input = outputs.size() == 1 ? outputs[0] : structured::cat(outputs, -1);
    const bool is_last = layer + 1 == static_cast<std::size_t>(layers.num_layers);
    if (dropout > 0 && train && !is_last) input = structured::dropout(input, dropout, true);
  }
  return input;
}

Tensor stacked(const ScratchVector<State>& states, Tensor State::* member) {
  ScratchVector<Tensor> tensors;
  for (const State& state : states) tensors.push_back(state.*member);
  return structured::stack(tensors);
}

}  // namespace

/// Long short-term memory over `input` [T, B, I], or [B, T, I] if `batch_first`. `hx` are the hidden and the cell
/// states [L * D, B, H] before the first step, for L = `num_layers` layers and D = 2 directions if `bidirectional`,
/// else 1. Returns the hidden states of the last layer at all steps [T, B, D * H] (or [B, T, D * H]), and the hidden
/// and cell states after the last step.
///
/// `params` lists for each layer and direction the weights [4 * H, I] and [4 * H, H] and, if `has_biases`, two biases
/// [4 * H]; rows belong to the input, forget, cell and output gates in this order. If `train`, outputs of all layers
/// but the last are dropped with probability `dropout`. Projections are not supported.
[[structured::composite("lstm.input"), structured::tags("nondeterministic_seeded")]]
std::tuple<Tensor, Tensor, Tensor> lstm_input(const Tensor& input, TensorList hx, TensorList params, bool has_biases,
                                              int64_t num_layers, double dropout, bool train, bool bidirectional,
                                              bool batch_first) {
  STRUCTURED_CHECK(hx.size() == 2, "lstm: expected a hidden and a cell state, got ", hx.size(), " states");
  const Layers layers{"lstm", 4, params, has_biases, num_layers, bidirectional};
  const Tensor sequence = batch_first ? structured::transpose(input, 0, 1) : input;
  layers.check(sequence, hx[0]);
  layers.check(sequence, hx[1]);
  STRUCTURED_CHECK(hx[0].size(2) == hx[1].size(2), "lstm: expected hidden and cell states of one size, got ",
                   hx[0].size(2), " and ", hx[1].size(2));
  layers.check_weights(hx[0].size(2));
  ScratchVector<State> states;
  for (std::size_t i = 0; i < layers.count(); ++i) {
    const auto index = static_cast<int64_t>(i);
    states.push_back({structured::select(hx[0], 0, index), structured::select(hx[1], 0, index)});
  }
  const Tensor output = run_layers(layers, sequence, states, dropout, train, lstm_step);
  return {batch_first ? structured::transpose(output, 0, 1) : output, stacked(states, &State::hidden),
          stacked(states, &State::cell)};
}

/// Gated recurrent unit over `input` [T, B, I], or [B, T, I] if `batch_first`. `hx` are the hidden states [L * D, B, H]
/// before the first step, for L = `num_layers` layers and D = 2 directions if `bidirectional`, else 1. Returns the
/// hidden states of the last layer at all steps [T, B, D * H] (or [B, T, D * H]), and those after the last step.
///
/// `params` lists for each layer and direction the weights [3 * H, I] and [3 * H, H] and, if `has_biases`, two biases
/// [3 * H]; rows belong to the reset and update gates and the proposed state in this order. If `train`, outputs of all
/// layers but the last are dropped with probability `dropout`.
[[structured::composite("gru.input"), structured::tags("nondeterministic_seeded")]]
std::tuple<Tensor, Tensor> gru_input(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                                     int64_t num_layers, double dropout, bool train, bool bidirectional,
                                     bool batch_first) {
  const Layers layers{"gru", 3, params, has_biases, num_layers, bidirectional};
  const Tensor sequence = batch_first ? structured::transpose(input, 0, 1) : input;
  layers.check(sequence, hx);
  layers.check_weights(hx.size(2));
  ScratchVector<State> states;
  for (std::size_t i = 0; i < layers.count(); ++i) {
    states.push_back({structured::select(hx, 0, static_cast<int64_t>(i)), {}});
  }
  const Tensor output = run_layers(layers, sequence, states, dropout, train, gru_step);
  return {batch_first ? structured::transpose(output, 0, 1) : output, stacked(states, &State::hidden)};
}

}  // namespace structured::kernels
