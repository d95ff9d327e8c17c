#pragma once
// Memory for computations that are repeated.
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "structured/base/export.h"
#include "structured/memory/block_source.h"

namespace structured {

/// Memory of a computation that one thread repeats: tensors on cpu, their elements and the temporary memory of kernels.
///
/// The first run records the order in which blocks are allocated and freed. Blocks that the run frees receive offsets
/// in one piece of memory such that blocks with overlapping lifetimes do not overlap. While a later run allocates and
/// frees the same sizes in the same order, it takes its blocks from there. Blocks that outlive the run come from the
/// thread's cache. A run that deviates continues with the cache, and is recorded for the next run. After a few recorded
/// runs, the arena stays unused until `reset`. It is also unused where no freed block is kept (host_cache_statistics).
class STRUCTURED_API Arena final : private detail::BlockSource {
 public:
  /// One run of the computation: from construction to destruction, on one thread. Runs of distinct arenas may be
  /// nested. All tensors that the arena may serve are freed before the run ends.
  class STRUCTURED_API Run {
   public:
    explicit Run(Arena& arena);
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run();

   private:
    Arena* arena_;    // null: unused
    int exceptions_;  // being handled when the run began
  };

  struct Statistics {
    std::size_t nbytes = 0;         ///< size of the memory that runs share
    std::size_t served_blocks = 0;  ///< blocks that the last run took from this memory
    std::size_t other_blocks = 0;   ///< blocks that the last run took from the thread's cache
  };

  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  /// Forgets the recorded run, so that the next one is recorded.
  void reset();

  const Statistics& statistics() const { return statistics_; }

 private:
  static constexpr int kMaxRecordedRuns = 4;
  using BlockIndex = uint32_t;
  struct Block {
    std::size_t bytes;
    std::size_t offset;  // kElsewhere: outlives the run
    void* address;       // in the current or the last run
    uint32_t begin;      // number of the event
    uint32_t end;
  };
  struct Event {
    BlockIndex block;
    bool is_free;
  };

  void* allocate(std::size_t bytes) override;
  void deallocate(void* block, std::size_t bytes) noexcept override;

  bool contains(const void* block) const { return block >= memory_ && block < memory_ + capacity_; }
  void begin_run();
  void end_run(bool has_failed);
  void record();
  void forget();
  void plan();
  void release_memory() noexcept;

  std::vector<Block> blocks_;  // in the order of their allocation
  std::vector<Event> events_;
  std::unordered_map<const void*, BlockIndex> live_;  // while recording: blocks that the run has not freed
  char* memory_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t position_ = 0;  // next event, unless the run is recorded
  bool is_recording_ = true;
  bool is_running_ = false;
  int runs_left_to_record_ = kMaxRecordedRuns;
  BlockSource* previous_ = nullptr;  // source of the thread before the run
  Statistics statistics_;
};

}  // namespace structured
