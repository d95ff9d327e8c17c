// Trains a convolutional network on the handwritten digits of scikit-learn: two thirds of them for training, one third
// to measure the accuracy. Prints the progress, draws the losses as an SVG, and can continue from a checkpoint.
//
//     digits digits.npz --epochs=15 --svg=loss.svg --checkpoint=digits.ckpt.npz
//     digits digits.npz --epochs=20 --resume=digits.ckpt.npz
//
// digits.npz was made by export_data.py.
#include <structured/autograd/grad_mode.h>
#include <structured/ops/argmax.h>
#include <structured/ops/eq.h>
#include <structured/ops/index_select.h>
#include <structured/ops/log_softmax.h>
#include <structured/ops/mul.h>
#include <structured/ops/narrow.h>
#include <structured/ops/nll_loss.h>
#include <structured/ops/sum.h>
#include <structured/ops/to.h>
#include <structured/optim.h>
#include <structured/structured.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "network.h"

using structured::Tensor;

namespace {

struct Options {
  std::string data;
  std::string svg;
  std::string losses;
  std::string checkpoint;
  std::string resume;
  std::string initial;
  int epochs = 15;
};

struct Samples {
  Tensor images;  // Float [count, 1, 8, 8] from 0 to 1
  Tensor labels;  // Long [count]

  int64_t size() const { return images.size(0); }
  Samples part(int64_t start, int64_t count) const {
    return {structured::narrow(images, 0, start, count), structured::narrow(labels, 0, start, count)};
  }
  Samples at(const Tensor& indices) const {
    return {structured::index_select(images, 0, indices), structured::index_select(labels, 0, indices)};
  }
};

Tensor named(const structured::NamedTensors& tensors, const std::string& name) {
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.first == name; });
  STRUCTURED_CHECK(found != tensors.end(), "the file has no `", name, "`");
  return found->second;
}

Samples read_samples(const std::string& path) {
  const structured::NamedTensors file = structured::load_npz(path);
  return {structured::mul(structured::to(named(file, "images"), structured::kFloat), 1.0 / 16),
          structured::to(named(file, "labels"), structured::kLong)};
}

// The order of the samples in an epoch, the same on every machine.
Tensor shuffled(int64_t count, uint64_t epoch) {
  std::vector<int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 engine(epoch);
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[engine() % (i + 1)]);
  return structured::tensor<int64_t>(order);
}

double accuracy(const DigitsNetwork& network, const Samples& samples) {
  const structured::NoGradGuard guard;
  const Tensor guesses = structured::argmax(network.forward(samples.images), 1);
  const auto hits = structured::sum(structured::eq(guesses, samples.labels)).item<int64_t>();
  return static_cast<double>(hits) / static_cast<double>(samples.size());
}

void draw(const std::string& path, const std::vector<double>& losses) {
  constexpr double width = 640;
  constexpr double height = 240;
  constexpr double margin = 40;
  const double highest = *std::max_element(losses.begin(), losses.end());
  std::ofstream out(path);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << " " << height
      << "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      << "<path d=\"M" << margin << " 10V" << height - margin << "H" << width - 10
      << "\" fill=\"none\" stroke=\"gray\"/>\n<text x=\"" << width / 2 << "\" y=\"" << height - 10
      << "\">step</text>\n<text x=\"4\" y=\"" << height / 2 << "\">loss</text>\n<text x=\"4\" y=\"16\">" << highest
      << "</text>\n<polyline fill=\"none\" stroke=\"steelblue\" points=\"";
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const double x = margin + (width - margin - 10) * static_cast<double>(i) / static_cast<double>(losses.size());
    out << x << "," << height - margin - (height - margin - 10) * losses[i] / highest << " ";
  }
  out << "\"/>\n</svg>\n";
}

class Training {
 public:
  Training(const Options& options, const Samples& samples)
      : options_(options),
        train_(samples.part(0, samples.size() * 2 / 3)),
        test_(samples.part(train_.size(), samples.size() - train_.size())) {
    if (!options.resume.empty()) resume();
    if (!options.initial.empty()) structured::save_npz(options.initial, network_.parameters());
  }

  void run() {
    const auto start = std::chrono::steady_clock::now();
    for (; epoch_ < options_.epochs; ++epoch_) {
      const double loss = train_epoch();
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      std::printf("epoch %2d: loss %.4f, accuracy %.2f %%, %.1f s\n", epoch_ + 1, loss, 100 * accuracy(network_, test_),
                  elapsed.count());
    }
    if (!options_.checkpoint.empty()) save();
    if (!options_.svg.empty() && !losses_.empty()) draw(options_.svg, losses_);
    if (!options_.losses.empty()) {
      std::ofstream out(options_.losses);
      out.precision(9);
      for (const double loss : losses_) out << loss << "\n";
    }
    std::printf("accuracy on %d held-out digits: %.2f %%\n", static_cast<int>(test_.size()),
                100 * accuracy(network_, test_));
  }

 private:
  static constexpr int64_t kBatch = 32;

  double train_epoch() {
    const Tensor order = shuffled(train_.size(), static_cast<uint64_t>(epoch_));
    double sum = 0;
    int steps = 0;
    for (int64_t first = 0; first + kBatch <= train_.size(); first += kBatch) {
      const Samples batch = train_.at(structured::narrow(order, 0, first, kBatch));
      optimizer_.zero_grad();
      const Tensor loss =
          structured::nll_loss(structured::log_softmax(network_.forward(batch.images), 1), batch.labels);
      loss.backward();
      optimizer_.step();
      losses_.push_back(loss.item<double>());
      sum += losses_.back();
      ++steps;
    }
    return sum / steps;
  }

  // A checkpoint has the weights, the optimiser's state and the number of epochs.
  void save() const {
    structured::NamedTensors file = network_.parameters();
    for (auto& [name, tensor] : file) tensor = tensor.detach();
    for (const auto& [name, tensor] : optimizer_.state()) file.emplace_back("optimizer." + name, tensor);
    file.emplace_back("epoch", structured::full({}, epoch_, structured::kLong));
    structured::save_npz(options_.checkpoint, file);
  }

  void resume() {
    const structured::NamedTensors file = structured::load_npz(options_.resume);
    constexpr std::string_view prefix = "optimizer.";
    structured::NamedTensors state;
    for (const auto& [name, tensor] : file) {
      if (name.starts_with(prefix)) state.emplace_back(name.substr(prefix.size()), tensor);
    }
    network_.load(file);
    optimizer_.load_state(state);
    epoch_ = static_cast<int>(named(file, "epoch").item<int64_t>());
  }

  Options options_;
  Samples train_;
  Samples test_;
  DigitsNetwork network_{2024};
  structured::optim::Adam optimizer_{network_.tensors(), {.learning_rate = 3e-3}};
  int epoch_ = 0;
  std::vector<double> losses_;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto is = [&](std::string_view name, std::string& value) {
      if (!argument.starts_with(name)) return false;
      value = argument.substr(name.size());
      return true;
    };
    std::string epochs;
    if (is("--svg=", options.svg) || is("--losses=", options.losses) || is("--checkpoint=", options.checkpoint) ||
        is("--resume=", options.resume) || is("--initial=", options.initial)) {
      continue;
    }
    if (is("--epochs=", epochs)) {
      options.epochs = std::stoi(epochs);
    } else {
      options.data = argument;
    }
  }
  if (options.data.empty()) {
    structured::fail(
        "usage: digits DATA.npz [--epochs=N] [--svg=FILE] [--losses=FILE] [--checkpoint=FILE] [--resume=FILE] "
        "[--initial=FILE]");
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = read_options(argc, argv);
    Training(options, read_samples(options.data)).run();
  } catch (const std::exception& error) {
    std::cerr << "digits: " << error.what() << "\n";
    return 1;
  }
}
