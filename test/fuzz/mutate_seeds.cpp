// Takes the place of libFuzzer in builds without it: calls the fuzzer with its seeds and with mutations of them.
//
//     fuzz_NAME SECONDS INPUTS FOLDER    a folder of seeds; ends after this time or this number of inputs
//     fuzz_NAME FILE                     the input of a file, as a libFuzzer program does
//
// The mutations are the same in each run. If the fuzzer ends the program, the file `crash` has the input, in the
// working folder.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kMaxSize = 4096;

const std::string* current = nullptr;

// Calls only functions that are safe in a handler of signals.
extern "C" void save_input(int signal) {
  const int file = open("crash", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && current != nullptr) {
    const ssize_t written = write(file, current->data(), current->size());
    static_cast<void>(written);
    close(file);
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void run(const std::string& input) {
  current = &input;
  // An exact size lets AddressSanitizer see reads behind the end.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "error: cannot read `%s`\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  // A seed after one to eight changes.
  std::string next() {
    std::string input = seeds_[below(seeds_.size())];
    for (std::size_t changes = 1 + below(8); changes > 0; --changes) change(input);
    input.resize(std::min(input.size(), kMaxSize));
    return input;
  }

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  void change(std::string& input) {
    const std::size_t at = below(input.size() + 1);
    const std::size_t count = std::min(below(16) + 1, input.size() - at);
    switch (below(6)) {
      case 0:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < input.size()) input[at] = kExtremes[below(kExtremes.size())];
        break;
      case 2:
        input.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 3:
        input.erase(at, count);
        break;
      case 4:
        input.insert(below(input.size() + 1), std::string(input, at, count));
        break;
      default: {  // the end of another seed
        const std::string& other = seeds_[below(seeds_.size())];
        input.replace(at, std::string::npos, other, below(other.size() + 1), std::string::npos);
      }
    }
  }

  static constexpr std::array<char, 10> kExtremes = {0, 1, '\x7f', '\x80', '\xff', '0', '"', '\\', '(', ','};

  const std::vector<std::string>& seeds_;
  std::minstd_rand random_{1};
};

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGILL, SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) std::signal(signal, save_input);
  if (argc == 2) {
    run(read(argv[1]));
    return 0;
  }
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s SECONDS INPUTS FOLDER | %s FILE\n", argv[0], argv[0]);
    return 2;
  }
  const std::chrono::duration<double> limit(std::atof(argv[1]));
  const std::size_t count = std::strtoull(argv[2], nullptr, 10);
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(argv[3])) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const std::filesystem::path& path : paths) seeds.push_back(read(path));
  if (seeds.empty()) {
    std::fprintf(stderr, "error: expected seeds in `%s`, found none\n", argv[3]);
    return 2;
  }
  for (const std::string& seed : seeds) run(seed);

  Mutator mutator(seeds);
  const auto start = std::chrono::steady_clock::now();
  std::size_t done = 0;
  while (done < count && std::chrono::steady_clock::now() - start < limit) {
    run(mutator.next());
    ++done;
  }
  std::printf("%zu seeds, %zu mutations\n", seeds.size(), done);
  return 0;
}
