// soak CALLS THREADS: makes mixed calls, some of them invalid, from several threads and checks every result. Fails if a
// result is wrong, or if memory grows after the first tenth of the calls.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/generator.h>
#include <structured/dispatch/value.h>
#include <structured/find_operator.h>
#include <structured/ops/add.h>
#include <structured/ops/cat.h>
#include <structured/ops/clone.h>
#include <structured/ops/empty.h>
#include <structured/ops/mm.h>
#include <structured/ops/mul.h>
#include <structured/ops/rand.h>
#include <structured/ops/relu.h>
#include <structured/ops/select.h>
#include <structured/ops/sum.h>
#include <structured/ops/transpose.h>
#include <structured/ops/view.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using structured::Tensor;

std::atomic<bool> failed = false;

void expect(bool condition, const char* what) {
  if (!condition && !failed.exchange(true)) {
    std::fprintf(stderr, "wrong: %s\n", what);
  }
}

float element(const Tensor& tensor, int64_t i) { return tensor.data_ptr<float>()[i]; }

// Operands that all threads read, and none writes.
struct Shared {
  Tensor a = structured::tensor<float>({1, -2, 3, -4, 5, -6}, {2, 3});
  Tensor row = structured::tensor<float>({10, 20, 30});
  Tensor large = structured::rand({300, 300}, structured::Generator(structured::kCPU, 1));
  const structured::OperatorHandle* boxed_add = structured::find_operator("aten::add.Tensor");
};

void call(const Shared& shared, Tensor& own, uint64_t number) {
  const Tensor& a = shared.a;
  switch (number % 12) {
    case 0:
      expect(element(structured::add(a, shared.row), 4) == 25, "broadcast add");
      break;
    case 1:
      structured::add_out(own, a, a, 2);
      expect(element(own, 5) == -18, "add_out");
      break;
    case 2:
      own = structured::relu(a);
      structured::mul_(own, own);
      expect(element(own, 2) == 9 && element(own, 1) == 0, "relu, mul_");
      break;
    case 3:
      expect(element(structured::sum(structured::transpose(a, 0, 1), {0}), 1) == -5, "sum of a transposed view");
      break;
    case 4:
      expect(element(structured::mm(a, structured::view(shared.a, {3, 2})), 3) == -4 * -2 + 5 * -4 - 6 * -6, "mm");
      break;
    case 5:
      expect(structured::cat({a, a, structured::select(a, 0, 1).defined() ? a : a}, 0).numel() == 18, "cat");
      break;
    case 6: {
      structured::Stack stack{structured::Value(a), structured::Value(a), structured::Value(1)};
      shared.boxed_add->call(stack);
      expect(element(stack[0].to_tensor(), 4) == 10, "boxed add");
      break;
    }
    case 7:
      try {
        structured::mm(a, a);
        expect(false, "mm of shapes that do not fit");
      } catch (const structured::Error&) {
      }
      break;
    case 8:
      own = structured::empty({static_cast<int64_t>(number % 1000), 16});
      expect(own.storage().nbytes() == number % 1000 * 64, "empty");
      break;
    case 9:
      expect(structured::rand({16}).numel() == 16, "rand");
      break;
    case 10:
      expect(element(structured::clone(shared.row), 2) == 30, "clone");
      break;
    default:
      // Sometimes large enough for a parallel loop.
      if (number % 1001 == 0) expect(structured::add(shared.large, 1).numel() == 90'000, "parallel add");
      expect(element(structured::add(a, 1.5), 0) == 2.5f, "add of a number");
      break;
  }
}

long resident_kib() {
  long pages = 0, resident = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * 4;
}

void run(const Shared& shared, uint64_t calls, int count) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) {
    threads.emplace_back([&shared, calls, t, count] {
      Tensor own = structured::empty({0});
      for (auto i = static_cast<uint64_t>(t); i < calls && !failed; i += static_cast<uint64_t>(count)) {
        call(shared, own, i * 7 + i / 5);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t calls = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 0;
  if (calls == 0 || threads <= 0) {
    std::fprintf(stderr, "usage: soak CALLS THREADS\n");
    return 2;
  }
  structured::set_warning_handler([](const char*) {});  // resized outputs warn
  const Shared shared;
  run(shared, calls / 10, threads);
  const long before = resident_kib();
  // In pieces, so that threads start and end, and release their caches.
  for (int piece = 0; piece < 9; ++piece) run(shared, calls / 10, threads);
  const long after = resident_kib();
  std::printf("%llu calls from %d threads; resident: %ld KiB after a tenth of them, %ld KiB at the end\n",
              static_cast<unsigned long long>(calls), threads, before, after);
  constexpr long allowed_kib = 16 * 1024;  // caches, and the pool of threads
  if (after - before > allowed_kib) {
    std::fprintf(stderr, "memory grew by %ld KiB\n", after - before);
    return 1;
  }
  return failed ? 1 : 0;
}
