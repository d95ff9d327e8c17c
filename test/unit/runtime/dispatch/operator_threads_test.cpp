// Registration and calls on several threads at once. Also run under ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "structured/base/error.h"
#include "structured/dispatch/operator.h"

namespace structured {
namespace {

int64_t one(int64_t value) { return value + 1; }
int64_t two(int64_t value) { return value + 2; }

using Count = Operator<int64_t(int64_t)>;

template <class Function>
void in_threads(int count, const Function& function) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back(function, i);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST(OperatorThreads, ExactlyOneOfManyRegistrationsWins) {
  static constinit Count op{"test::race", "race(int value) -> int", {}};
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> successes = 0;
    in_threads(4, [&](int) {
      try {
        op.register_kernel(Backend::CPU, one, __FILE__, __LINE__);
        ++successes;
      } catch (const Error&) {
      }
    });
    EXPECT_EQ(successes, 1);
    op.deregister_kernel(Backend::CPU);
  }
}

TEST(OperatorThreads, DistinctBackendsAndOperatorsDoNotDisturbEachOther) {
  static constinit Count first{"test::first", "first(int value) -> int", {}};
  static constinit Count second{"test::second", "second(int value) -> int", {}};
  in_threads(4, [&](int i) {
    Count& op = i % 2 == 0 ? first : second;
    const Backend backend = i < 2 ? Backend::CPU : Backend::CUDA;
    for (int round = 0; round < 200; ++round) {
      op.register_kernel(backend, one, "thread.cpp", i);
      EXPECT_EQ(op.call(backend, i), i + 1);
      op.deregister_kernel(backend);
    }
  });
  EXPECT_EQ(first.origin(Backend::CPU), KernelOrigin::none);
  EXPECT_EQ(second.origin(Backend::CUDA), KernelOrigin::none);
}

TEST(OperatorThreads, CallsSeeOneKernelOrTheOtherMeanwhile) {
  static constinit Count op{"test::meanwhile", "meanwhile(int value) -> int", {}, two};
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int line = 1; line <= 500; ++line) {
      op.register_kernel(Backend::CPU, one, "writer.cpp", line);
      op.deregister_kernel(Backend::CPU);
    }
    done = true;
  });
  int64_t calls = 0;
  while (!done || calls == 0) {
    const int64_t result = op.call(Backend::CPU, 0);
    ASSERT_TRUE(result == 1 || result == 2) << result;
    const std::string table = dispatch_table(op);
    ASSERT_TRUE(table.find("registered at writer.cpp:") != std::string::npos ||
                table.find("CPU           composite") != std::string::npos)
        << table;
    ++calls;
  }
}

}  // namespace
}  // namespace structured
