// Connectionist temporal classification on CPU.
#include <structured/base/error.h>
#include <structured/core/array_ref.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

#include "shared/dense.h"

namespace structured::kernels {
namespace {

constexpr const char* kName = "ctc_loss";

template <class T>
constexpr T kNothing = -std::numeric_limits<T>::infinity();  // the logarithm of 0

// log(exp(a) + exp(b)).
template <class T>
T log_add(T a, T b) {
  const T most = std::max(a, b);
  return most == kNothing<T> ? most : most + std::log(std::exp(a - most) + std::exp(b - most));
}

// Checked arguments. The states of a sample are its labels with blanks before, between and after them.
struct Labelling {
  int64_t blank;
  int64_t longest = 0;             // number of labels of the longest target
  ScratchVector<int64_t> labels;   // of all samples
  ScratchVector<int64_t> offsets;  // of the first label of each sample

  int64_t label(int64_t sample, int64_t state) const {
    return state % 2 == 0 ? blank : labels[static_cast<size_t>(offsets[static_cast<size_t>(sample)] + state / 2)];
  }
  // Whether a path may skip the blank between the labels of `state` and `state - 2`.
  bool can_skip(int64_t sample, int64_t state) const {
    return state > 1 && label(sample, state) != label(sample, state - 2);
  }
};

Labelling checked(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths,
                  int64_t blank) {
  STRUCTURED_CHECK(kFloatingTypes.contains(log_probs.scalar_type()), kName, ": expected `log_probs` of dtype ",
                   kFloatingTypes, ", got ", log_probs.scalar_type());
  STRUCTURED_CHECK(log_probs.dim() == 3, kName, ": expected `log_probs` [time, batch, classes], got sizes ",
                   log_probs.sizes());
  STRUCTURED_CHECK(targets.scalar_type() == kLong || targets.scalar_type() == kInt, kName,
                   ": expected `targets` of dtype Long or Int, got ", targets.scalar_type());
  const int64_t batch = log_probs.size(1);
  STRUCTURED_CHECK(blank >= 0 && blank < log_probs.size(2), kName, ": expected `blank` from 0 to ",
                   log_probs.size(2) - 1, ", got ", blank);
  STRUCTURED_CHECK(
      static_cast<int64_t>(input_lengths.size()) == batch && static_cast<int64_t>(target_lengths.size()) == batch,
      kName, ": expected `input_lengths` and `target_lengths` to have ", batch, " elements, got ", input_lengths.size(),
      " and ", target_lengths.size());
  STRUCTURED_CHECK(targets.dim() == 1 || (targets.dim() == 2 && targets.size(0) == batch), kName,
                   ": expected `targets` [batch, labels] or [labels of all], got sizes ", targets.sizes());
  Labelling result{blank, 0, {}, {}};
  int64_t end = 0;
  for (size_t i = 0; i < target_lengths.size(); ++i) {
    STRUCTURED_CHECK(input_lengths[i] >= 0 && input_lengths[i] <= log_probs.size(0), kName,
                     ": expected `input_lengths` from 0 to ", log_probs.size(0), ", got ", input_lengths);
    STRUCTURED_CHECK(target_lengths[i] >= 0, kName, ": expected `target_lengths` of 0 or more, got ", target_lengths);
    result.longest = std::max(result.longest, target_lengths[i]);
    result.offsets.push_back(targets.dim() == 1 ? end : static_cast<int64_t>(i) * targets.size(1));
    end += target_lengths[i];
  }
  STRUCTURED_CHECK(targets.dim() == 1 ? end == targets.numel() : result.longest <= targets.size(1), kName,
                   ": expected `targets` to have the labels of `target_lengths`, ", target_lengths, ", got sizes ",
                   targets.sizes());
  if (!targets.is_meta()) {
    const Tensor labels = dense(targets, kLong);
    result.labels.assign(labels.data_ptr<int64_t>(), labels.data_ptr<int64_t>() + labels.numel());
    for (size_t i = 0; i < target_lengths.size(); ++i) {
      for (int64_t k = 0; k < target_lengths[i]; ++k) {
        const int64_t label = result.labels[static_cast<size_t>(result.offsets[i] + k)];
        STRUCTURED_CHECK(label >= 0 && label < log_probs.size(2), kName, ": expected `targets` from 0 to ",
                         log_probs.size(2) - 1, ", got ", label);
      }
    }
  }
  return result;
}

// The arguments of one sample: rows of log-probabilities, and of the states' sums over paths from the start.
template <class T>
struct Sample {
  const T* log_probs;
  int64_t stride;  // between the rows of `log_probs`
  T* alpha;
  int64_t states;  // in a row of `alpha`
  int64_t steps, labels;

  T probability(int64_t step, int64_t label) const { return log_probs[step * stride + label]; }
  T& at(int64_t step, int64_t state) const { return alpha[step * states + state]; }
};

// Sums the probabilities of the paths to each state, as logarithms, and returns the negative one of all paths.
template <class T>
T sum_paths(const Sample<T>& sample, const Labelling& labelling, int64_t index) {
  const int64_t last = 2 * sample.labels;
  std::fill(sample.alpha, sample.alpha + sample.steps * sample.states, kNothing<T>);
  if (sample.steps == 0) return sample.labels == 0 ? T(0) : -kNothing<T>;
  sample.at(0, 0) = sample.probability(0, labelling.blank);
  if (last > 0) sample.at(0, 1) = sample.probability(0, labelling.label(index, 1));
  for (int64_t step = 1; step < sample.steps; ++step) {
    for (int64_t state = 0; state <= last; ++state) {
      T sum = sample.at(step - 1, state);
      if (state > 0) sum = log_add(sum, sample.at(step - 1, state - 1));
      if (labelling.can_skip(index, state)) sum = log_add(sum, sample.at(step - 1, state - 2));
      sample.at(step, state) = sum + sample.probability(step, labelling.label(index, state));
    }
  }
  const T at_end = sample.at(sample.steps - 1, last);
  return -(last == 0 ? at_end : log_add(at_end, sample.at(sample.steps - 1, last - 1)));
}

// Adds the probabilities of the paths through each label at each step, as logarithms, to `sums`, whose rows are those
// of the log-probabilities.
template <class T>
void sum_paths_through(const Sample<T>& sample, const Labelling& labelling, int64_t index, T* sums) {
  const int64_t last = 2 * sample.labels;
  ScratchVector<T> beta(static_cast<size_t>(last + 1), kNothing<T>);  // sums over paths from a state to the end
  ScratchVector<T> later = beta;
  for (int64_t step = sample.steps; step-- > 0;) {
    std::swap(beta, later);
    for (int64_t state = last; state >= 0; --state) {
      const auto at = static_cast<size_t>(state);
      const int64_t label = labelling.label(index, state);
      T sum = kNothing<T>;
      if (step == sample.steps - 1) {
        sum = state >= last - 1 ? T(0) : kNothing<T>;
      } else {
        sum = later[at];
        if (state < last) sum = log_add(sum, later[at + 1]);
        if (state + 2 <= last && labelling.can_skip(index, state + 2)) sum = log_add(sum, later[at + 2]);
      }
      beta[at] = sum + sample.probability(step, label);
      T& total = sums[step * sample.stride + label];
      total = log_add(total, sample.at(step, state) + beta[at]);
    }
  }
}

}  // namespace

/// Negative log-likelihoods [N] of the labels `targets` given the log-probabilities `log_probs` [T, N, C], summed over
/// all alignments, and the intermediate sums log_alpha [N, T, 2 * S + 1] for the longest target of S labels.
///
/// `targets` (Long or Int) is [N, S], or [sum of the lengths]. Sample i has `input_lengths[i]` steps and
/// `target_lengths[i]` labels; `blank` is the class between labels. `zero_infinity` concerns gradients only. Float and
/// Double only. Source: A. Graves et al., "Connectionist temporal classification", 2006.
[[structured::kernel("_ctc_loss", "CPU", "Meta"), structured::variants("_ctc_loss.out")]]
std::tuple<Tensor, Tensor> ctc_loss_cpu(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                                        IntArrayRef target_lengths, int64_t blank = 0,
                                        [[maybe_unused]] bool zero_infinity = false) {
  const Labelling labelling = checked(log_probs, targets, input_lengths, target_lengths, blank);
  const int64_t steps = log_probs.size(0);
  const int64_t batch = log_probs.size(1);
  const int64_t states = 2 * labelling.longest + 1;
  const Tensor losses = empty({batch}, log_probs.options());
  const Tensor log_alpha = empty({batch, steps, states}, log_probs.options());
  if (log_probs.is_meta()) return {losses, log_alpha};
  const Tensor rows = dense(log_probs, log_probs.scalar_type());
  visit<kFloatingTypes>(kName, log_probs.scalar_type(), [&]<class T>() {
    std::fill(log_alpha.data_ptr<T>(), log_alpha.data_ptr<T>() + log_alpha.numel(), kNothing<T>);
    parallel_for(0, batch, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto at = static_cast<size_t>(i);
        const Sample<T> sample{rows.data_ptr<T>() + i * rows.size(2),
                               batch * rows.size(2),
                               log_alpha.data_ptr<T>() + i * steps * states,
                               states,
                               input_lengths[at],
                               target_lengths[at]};
        losses.data_ptr<T>()[i] = sum_paths(sample, labelling, i);
      }
    });
  });
  return {losses, log_alpha};
}

/// Gradient of `_ctc_loss`, from the gradient `grad` [N] of the losses `neg_log_likelihood` [N] and the sums
/// `log_alpha`: [T, N, C], the gradient with respect to logits whose log_softmax is `log_probs`. With `zero_infinity`,
/// samples with infinite losses have gradients of 0. Other arguments are those of `_ctc_loss`.
[[structured::kernel("_ctc_loss_backward", "CPU", "Meta"), structured::variants("_ctc_loss_backward.out")]]
Tensor ctc_loss_backward_cpu(const Tensor& grad, const Tensor& log_probs, const Tensor& targets,
                             IntArrayRef input_lengths, IntArrayRef target_lengths, const Tensor& neg_log_likelihood,
                             const Tensor& log_alpha, int64_t blank, bool zero_infinity = false) {
  const Labelling labelling = checked(log_probs, targets, input_lengths, target_lengths, blank);
  const int64_t steps = log_probs.size(0);
  const int64_t batch = log_probs.size(1);
  const int64_t classes = log_probs.size(2);
  const int64_t states = 2 * labelling.longest + 1;
  STRUCTURED_CHECK(log_alpha.sizes() == IntArrayRef({batch, steps, states}) &&
                       neg_log_likelihood.sizes() == IntArrayRef(batch) && grad.sizes() == IntArrayRef(batch),
                   kName, ": expected the results of `_ctc_loss` and a gradient of ", batch, " elements, got sizes ",
                   neg_log_likelihood.sizes(), ", ", log_alpha.sizes(), " and ", grad.sizes());
  const Tensor result = empty(log_probs.sizes(), log_probs.options());
  if (log_probs.is_meta()) return result;
  const ScalarType dtype = log_probs.scalar_type();
  const Tensor rows = dense(log_probs, dtype);
  const Tensor losses = dense(neg_log_likelihood, dtype);
  const Tensor sums = dense(log_alpha, dtype);
  const Tensor factors = dense(grad, dtype);
  visit<kFloatingTypes>(kName, dtype, [&]<class T>() {
    std::fill(result.data_ptr<T>(), result.data_ptr<T>() + result.numel(), kNothing<T>);
    parallel_for(0, batch, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto at = static_cast<size_t>(i);
        const T loss = losses.data_ptr<T>()[i];
        const bool is_ignored = zero_infinity && loss == -kNothing<T>;
        const Sample<T> sample{rows.data_ptr<T>() + i * classes,        batch * classes,
                               sums.data_ptr<T>() + i * steps * states, states,
                               is_ignored ? 0 : input_lengths[at],      target_lengths[at]};
        T* const gradient = result.data_ptr<T>() + i * classes;
        sum_paths_through(sample, labelling, i, gradient);
        for (int64_t step = 0; step < steps; ++step) {
          for (int64_t c = 0; c < classes; ++c) {
            const T probability = sample.probability(step, c);
            T& element = gradient[step * sample.stride + c];
            // Each path's probability has the factor of the step twice: in alpha and in beta.
            element = step < sample.steps
                          ? (std::exp(probability) - std::exp(element + loss - probability)) * factors.data_ptr<T>()[i]
                          : T(0);
          }
        }
      }
    });
  });
  return result;
}

}  // namespace structured::kernels
