#include "structured/memory/arena.h"

#include <algorithm>
#include <exception>

#include "structured/memory/host_cache.h"

namespace structured {
namespace {

constexpr std::size_t kElsewhere = SIZE_MAX;
// Planning compares pairs of blocks.
constexpr std::size_t kMaxBlocks = 1 << 14;

}  // namespace

Arena::Run::Run(Arena& arena)
    : arena_(arena.runs_left_to_record_ > 0 && !arena.is_running_ && detail::keeps_blocks() ? &arena : nullptr),
      exceptions_(std::uncaught_exceptions()) {
  if (arena_ != nullptr) arena_->begin_run();
}

Arena::Run::~Run() {
  if (arena_ != nullptr) arena_->end_run(std::uncaught_exceptions() > exceptions_);
}

Arena::~Arena() { release_memory(); }

void Arena::release_memory() noexcept {
  if (memory_ != nullptr) detail::deallocate_host(memory_, capacity_);
  memory_ = nullptr;
  capacity_ = 0;
  statistics_.nbytes = 0;
}

void Arena::begin_run() {
  is_running_ = true;
  is_recording_ = events_.empty();
  position_ = 0;
  statistics_.served_blocks = statistics_.other_blocks = 0;
  previous_ = detail::set_block_source(this);
}

void* Arena::allocate(std::size_t bytes) {
  if (!is_recording_) [[likely]] {
    if (position_ < events_.size() && !events_[position_].is_free) {
      Block& block = blocks_[events_[position_].block];
      if (block.bytes == bytes) [[likely]] {
        ++position_;
        if (block.offset != kElsewhere) [[likely]] {
          ++statistics_.served_blocks;
          return block.address = memory_ + block.offset;
        }
        const detail::WithoutBlockSource pause;
        ++statistics_.other_blocks;
        return block.address = detail::allocate_host(bytes);
      }
    }
    record();
  }
  const detail::WithoutBlockSource pause;
  // deallocate() must not fail: there is room for an event that frees the block.
  if (events_.capacity() < 2 * (blocks_.size() + 1)) events_.reserve(4 * (blocks_.size() + 1));
  void* const address = detail::allocate_host(bytes);
  ++statistics_.other_blocks;
  const auto index = static_cast<BlockIndex>(blocks_.size());
  live_[address] = index;
  events_.push_back({index, false});
  blocks_.push_back({bytes, kElsewhere, address, 0, 0});
  return address;
}

void Arena::deallocate(void* block, std::size_t bytes) noexcept {
  if (contains(block)) {
    if (!is_recording_) {
      const bool is_expected = position_ < events_.size() && events_[position_].is_free &&
                               blocks_[events_[position_].block].address == block;
      if (is_expected) [[likely]] {
        ++position_;
        return;
      }
      record();
    }
  }
  if (is_recording_) {
    const auto found = live_.find(block);
    if (found != live_.end()) {
      events_.push_back({found->second, true});
      live_.erase(found);
      if (contains(block)) return;
    }
  }
  if (previous_ != nullptr) {
    previous_->deallocate(block, bytes);
  } else {
    const detail::WithoutBlockSource pause;
    detail::deallocate_host(block, bytes);
  }
}

// Continues a run that deviates from the recorded one.
void Arena::record() {
  const detail::WithoutBlockSource pause;
  is_recording_ = true;
  events_.resize(position_);
  std::size_t block_count = 0;
  live_.clear();
  for (const Event& event : events_) {
    if (event.is_free) {
      live_.erase(blocks_[event.block].address);
    } else {
      live_[blocks_[event.block].address] = event.block;
      ++block_count;
    }
  }
  blocks_.resize(block_count);
}

void Arena::end_run(bool has_failed) {
  if (!is_recording_ && position_ != events_.size()) record();
  detail::set_block_source(previous_);
  is_running_ = false;
  if (!is_recording_) return;
  // Nested runs of other arenas do not serve the memory of this one.
  const detail::WithoutBlockSource pause;
  if (std::any_of(live_.begin(), live_.end(), [&](const auto& entry) { return contains(entry.first); })) {
    // A tensor outlives a run that deviated.
    detail::keep_forever(memory_, capacity_);
    memory_ = nullptr;
    runs_left_to_record_ = 0;
  } else if (!has_failed) {
    --runs_left_to_record_;
  }
  live_.clear();
  if (runs_left_to_record_ == 0 || blocks_.size() > kMaxBlocks) {
    runs_left_to_record_ = 0;
    release_memory();
    forget();
  } else if (has_failed) {
    forget();
  } else {
    plan();
  }
}

void Arena::forget() {
  blocks_.clear();
  events_.clear();
}

void Arena::reset() {
  forget();
  runs_left_to_record_ = kMaxRecordedRuns;
}

// Sets the blocks' offsets: in the order of decreasing size, each block gets the lowest offset at which it does not
// overlap earlier ones with overlapping lifetimes.
void Arena::plan() {
  for (Block& block : blocks_) {
    block.offset = kElsewhere;
    block.end = 0;
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    Block& block = blocks_[events_[i].block];
    (events_[i].is_free ? block.end : block.begin) = static_cast<uint32_t>(i);
  }
  std::vector<BlockIndex> order;
  for (BlockIndex i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].end != 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](BlockIndex a, BlockIndex b) {
    return blocks_[a].bytes != blocks_[b].bytes ? blocks_[a].bytes > blocks_[b].bytes : a < b;
  });
  std::size_t nbytes = 0;
  std::vector<BlockIndex> placed;  // by offset
  for (const BlockIndex index : order) {
    Block& block = blocks_[index];
    const std::size_t size = detail::block_capacity(block.bytes);
    std::size_t offset = 0;
    for (const BlockIndex other_index : placed) {
      const Block& other = blocks_[other_index];
      if (other.end < block.begin || block.end < other.begin) continue;
      if (other.offset >= offset + size) break;
      offset = std::max(offset, other.offset + detail::block_capacity(other.bytes));
    }
    block.offset = offset;
    nbytes = std::max(nbytes, offset + size);
    const auto at = std::upper_bound(placed.begin(), placed.end(), offset, [&](std::size_t value, BlockIndex other) {
      return value < blocks_[other].offset;
    });
    placed.insert(at, index);
  }
  if (nbytes > capacity_) {
    release_memory();
    memory_ = static_cast<char*>(detail::allocate_host(nbytes));
    capacity_ = nbytes;
  }
  statistics_.nbytes = nbytes;
}

}  // namespace structured
