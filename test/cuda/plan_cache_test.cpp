// Bounded caches of plans for NVIDIA's libraries.
#include "cuda/plan_cache.h"

#include <gtest/gtest.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>
#include <structured/structured.h>

#include <cstddef>
#include <memory>

#include "emulator.h"
#include "skip.h"

namespace {

using namespace structured;

struct Counts {
  std::size_t made = 0;
  std::size_t destroyed = 0;
  std::size_t destroyed_early = 0;  // before the work that uses the plan has ended
};

struct Plan {
  explicit Plan(Counts& counts_of_test) : counts(counts_of_test) { ++counts.made; }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() {
    ++counts.destroyed;
    if (!end.has_passed()) ++counts.destroyed_early;
  }

  Counts& counts;
  cuda::Event end;
};

using Cache = kernels::PlanCache<int, Plan>;
constexpr int kMost = static_cast<int>(Cache::kMostPlans);

class CudaPlanCache : public testing::Test {
 protected:
  void use(int key) {
    cache_->use(
        key, [&] { return std::make_unique<Plan>(counts_); },
        [&](Plan& plan) {
          copy_into(to_, from_);
          if (!cuda::is_capturing()) plan.end.record();
        });
  }

  Counts counts_;
  const std::unique_ptr<Cache> cache_ = std::make_unique<Cache>();
  const Tensor from_ = empty({64}, Device(kCUDA)), to_ = empty({64}, Device(kCUDA));
};

TEST_F(CudaPlanCache, DestroysPlansAfterTheirWork) {
  STRUCTURED_NEED_EMULATOR("its streams run late");
  emulator::set_late_streams(true, 1);
  const Stream streams[] = {cuda::new_stream(), cuda::new_stream()};
  for (int key = 0; key <= kMost; ++key) {
    const cuda::StreamGuard guard(streams[key % 2]);
    use(key);
  }
  EXPECT_EQ(counts_.destroyed, Cache::kMostPlans / 4);
  EXPECT_EQ(counts_.destroyed_early, 0);
  emulator::set_late_streams(false);
  cuda::synchronize();
  EXPECT_EQ(emulator::fault(), "");
}

TEST_F(CudaPlanCache, KeepsPlansThatWereUsedLast) {
  for (int key = 0; key < kMost; ++key) use(key);
  use(0);      // the oldest one
  use(kMost);  // takes the place of others
  const std::size_t made = counts_.made;
  use(0);
  EXPECT_EQ(counts_.made, made);
  use(1);
  EXPECT_EQ(counts_.made, made + 1);
}

TEST_F(CudaPlanCache, KeepsPlansOfGraphs) {
  use(-1);
  cuda::Graph graph;
  graph.capture([&] { use(-1); });
  for (int key = 0; key < 2 * kMost; ++key) use(key);
  const std::size_t made = counts_.made;
  EXPECT_GT(counts_.destroyed, 0);
  use(-1);
  EXPECT_EQ(counts_.made, made);
}

}  // namespace
