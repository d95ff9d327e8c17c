// Classifies random images by a residual network with random parameters, using operators of this library only:
//
//     resnet18 [--batch=N] [--size=N] [--passes=N] [--seed=N] [--dump=FILE]
//
// prints the called operators and the number of images per second. --dump writes the parameters, the images and their
// scores to FILE, for compare_with_torch.py.
#include <structured/ops/normal.h>
#include <structured/structured.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "network.h"

using structured::Tensor;

namespace {

struct Options {
  int64_t batch = 8;
  int64_t size = 224;
  int64_t passes = 10;
  int64_t seed = 0;
  std::string dump;
};

// Reads the number that follows `name` in `argument`. Returns false if `argument` does not start with `name`.
bool read_number(std::string_view argument, std::string_view name, int64_t least, int64_t& number) {
  if (!argument.starts_with(name)) return false;
  argument.remove_prefix(name.size());
  const auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), number);
  if (error != std::errc() || end != argument.data() + argument.size() || number < least) {
    throw std::runtime_error("expected a number of " + std::to_string(least) + " or more behind `" + std::string(name) +
                             "`, got `" + std::string(argument) + "`");
  }
  return true;
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    constexpr std::string_view dump = "--dump=";
    if (argument.starts_with(dump)) {
      options.dump = argument.substr(dump.size());
    } else if (!read_number(argument, "--batch=", 1, options.batch) &&
               !read_number(argument, "--size=", 32, options.size) &&
               !read_number(argument, "--passes=", 1, options.passes) &&
               !read_number(argument, "--seed=", 0, options.seed)) {
      throw std::runtime_error("unknown option `" + std::string(argument) +
                               "`; there are --batch, --size, --passes, --seed and --dump");
    }
  }
  return options;
}

// Writes a line with the name and the sizes, and the elements.
void write_tensor(std::ostream& out, const std::string& name, const Tensor& tensor) {
  out << name;
  for (const int64_t size : tensor.sizes()) out << ' ' << size;
  out << '\n';
  out.write(static_cast<const char*>(tensor.data()), static_cast<std::streamsize>(tensor.nbytes()));
}

void dump(const std::string& path, const ResNet18& network, const Tensor& images, const Tensor& scores) {
  std::ofstream out(path, std::ios::binary);
  for (const auto& [name, parameter] : network.parameters()) write_tensor(out, name, parameter);
  write_tensor(out, "images", images);
  write_tensor(out, "scores", scores);
  if (!out.flush()) throw std::runtime_error("cannot write `" + path + "`");
}

// Returns the scores, and prints how often the network called each operator.
Tensor count_operators(const ResNet18& network, const Tensor& images) {
  structured::Profile profile;
  Tensor scores;
  {
    const structured::Profiler profiler(profile);
    scores = network.forward(images);
  }
  std::map<std::string, int> calls;
  for (const auto& event : profile.events()) {
    if (event.depth == 0) ++calls[event.name];
  }
  std::cout << "one pass calls";
  const char* separator = " ";
  for (const auto& [name, count] : calls) {
    std::cout << separator << count << " x " << name;
    separator = ", ";
  }
  std::cout << "\n";
  return scores;
}

// Returns the images per second of the fastest pass.
double measure(const ResNet18& network, const Tensor& images, int64_t passes) {
  using Clock = std::chrono::steady_clock;
  const bool is_terminal = isatty(STDOUT_FILENO) != 0;
  double best = 0;
  for (int64_t pass = 1; pass <= passes; ++pass) {
    const auto start = Clock::now();
    network.forward(images);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double speed = static_cast<double>(images.size(0)) / seconds;
    best = std::max(best, speed);
    std::cout << (is_terminal ? "\r" : "") << "pass " << pass << " of " << passes << ": " << speed << " images/s"
              << (is_terminal && pass != passes ? "  " : "\n") << std::flush;
  }
  return best;
}

int run(const Options& options) {
  const ResNet18 network(static_cast<uint64_t>(options.seed));
  int64_t count = 0;
  for (const auto& [name, parameter] : network.parameters()) {
    if (name.find("running_") == std::string::npos) count += parameter.numel();
  }
  std::cout << std::fixed << std::setprecision(1) << "residual network: " << count << " parameters from seed "
            << options.seed << "\n";

  Tensor images = structured::empty({options.batch, 3, options.size, options.size});
  structured::normal_(images, 0, 1, structured::Generator(structured::kCPU, static_cast<uint64_t>(options.seed) + 1));
  const Tensor scores = count_operators(network, images);
  const double speed = measure(network, images, options.passes);
  std::cout << options.batch << " images of " << options.size << "x" << options.size << ": " << speed << " images/s on "
            << structured::max_threads() << " threads\n";
  if (!options.dump.empty()) dump(options.dump, network, images, scores);

  for (const float score : structured::to_vector<float>(scores)) {
    if (!std::isfinite(score)) throw std::runtime_error("expected finite scores");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(read_options(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << "resnet18: " << error.what() << "\n";
    return 1;
  }
}
