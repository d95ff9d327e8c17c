#include "machine.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace emulator {
namespace {

constexpr uint64_t kMaxInstructions = uint64_t{4} << 30;  // one thread; more are taken for an endless loop
constexpr unsigned kMaxThreads = 1024;
constexpr unsigned kMaxGridX = 0x7fffffff;
constexpr unsigned kMaxGridYZ = 65535;
constexpr std::size_t kMaxShared = 227 << 10;

}  // namespace

void Thread::enter(const Function& function) {
  if (frame != nullptr) frame->pc = pc;
  if (depth == frames.size()) frames.push_back(std::make_unique<Frame>());
  Frame& next = *frames[depth];
  const int32_t base = frame == nullptr ? 0 : frame->local_base + frame->function->local_bytes;
  const std::size_t constants = function.constants.size();
  next.function = &function;
  next.local_base = (base + 15) / 16 * 16;
  next.slots.resize(static_cast<std::size_t>(function.register_count) + constants);
  if (constants != 0) {
    std::memcpy(next.slots.data() + function.register_count, function.constants.data(), constants * 8);
  }
  if (frame != nullptr) std::copy_n(slots, special_count, next.slots.begin());
  next.parameters.resize(static_cast<std::size_t>(function.parameter_bytes));
  local.resize(std::max<std::size_t>(local.size(), static_cast<std::size_t>(next.local_base + function.local_bytes)));
  ++depth;
  frame = &next;
  slots = next.slots.data();
  pc = 0;
}

bool Thread::leave() {
  if (--depth == 0) {
    state = State::ended;
    frame = nullptr;
    return false;
  }
  frame = frames[depth - 1].get();
  slots = frame->slots.data();
  pc = frame->pc;
  return true;
}

BlockRun::BlockRun(const Launch& launch_, Memory& memory, MachineStatistics& statistics)
    : launch(launch_), memory_(memory), statistics_(statistics) {
  thread_count_ = launch.block.x * launch.block.y * launch.block.z;
  shared_.resize(static_cast<std::size_t>(launch.kernel->module->static_shared_bytes()) + launch.dynamic_shared);
  shadow_.resize(shared_.size());
  // Threads of a kernel in which no thread waits run one after the other, in one frame.
  threads_.resize(launch.kernel->waits ? thread_count_ : 1);
  warp_epochs_.assign((thread_count_ + 31) / 32, 0);
}

void BlockRun::start(Thread& thread, uint32_t index) {
  thread.frame = nullptr;
  thread.depth = 0;
  thread.state = Thread::State::ready;
  thread.index = index;
  thread.block = this;
  thread.enter(*launch.kernel);
  uint64_t* const s = thread.slots;
  const Dim3& block = launch.block;
  s[tid_x] = index % block.x;
  s[tid_y] = index / block.x % block.y;
  s[tid_z] = index / block.x / block.y;
  s[ntid_x] = block.x, s[ntid_y] = block.y, s[ntid_z] = block.z;
  s[ctaid_x] = at_.x, s[ctaid_y] = at_.y, s[ctaid_z] = at_.z;
  s[nctaid_x] = launch.grid.x, s[nctaid_y] = launch.grid.y, s[nctaid_z] = launch.grid.z;
  const uint32_t lane = index % 32;
  s[laneid] = lane;
  s[warpid] = index / 32;
  s[nwarpid] = (thread_count_ + 31) / 32;
  s[warpsize] = 32;
  s[smid] = 0, s[nsmid] = 1, s[gridid] = 0, s[clock] = 0;
  s[lanemask_eq] = uint32_t{1} << lane;
  s[lanemask_lt] = s[lanemask_eq] - 1;
  s[lanemask_le] = s[lanemask_lt] | s[lanemask_eq];
  s[lanemask_ge] = static_cast<uint32_t>(~s[lanemask_lt]);
  s[lanemask_gt] = static_cast<uint32_t>(~s[lanemask_le]);
  s[dynamic_smem_size] = launch.dynamic_shared;
  s[total_smem_size] = shared_.size();
}

void BlockRun::step(Thread& thread) {
  uint64_t count = 0;
  while (thread.state == Thread::State::ready) {
    const Instruction& instruction = thread.frame->function->code[thread.pc++];
    ++count;
    if (instruction.guard >= 0 && (thread.slots[instruction.guard] != 0) == instruction.is_guard_negated) continue;
    instruction.run(thread, instruction);
    if (count > kMaxInstructions) fail(thread, instruction, "the thread does not end");
  }
  statistics_.instructions += count;
}

void BlockRun::run(unsigned x, unsigned y, unsigned z) {
  at_ = {x, y, z};
  ++epoch_;
  if (!launch.kernel->waits) {
    for (uint32_t i = 0; i < thread_count_; ++i) {
      start(threads_[0], i);
      step(threads_[0]);
    }
    return;
  }
  for (uint32_t i = 0; i < thread_count_; ++i) start(threads_[i], i);
  for (;;) {
    bool has_run = false;
    for (Thread& thread : threads_) {
      if (thread.state != Thread::State::ready) continue;
      step(thread);
      has_run = true;
    }
    if (complete_warp_operations() || complete_barrier() || has_run) continue;
    if (std::ranges::all_of(threads_, [](const Thread& each) { return each.state == Thread::State::ended; })) return;
    fail_deadlock();
  }
}

bool BlockRun::complete_warp_operations() {
  bool has_completed = false;
  for (uint32_t first = 0; first < thread_count_; first += 32) {
    const uint32_t size = std::min(32u, thread_count_ - first);
    Thread* lanes[32] = {};
    for (uint32_t i = 0; i < size; ++i) lanes[i] = &threads_[first + i];
    for (uint32_t i = 0; i < size; ++i) {
      if (lanes[i]->state != Thread::State::at_warp_operation) continue;
      const uint32_t mask = lanes[i]->mask;
      uint32_t present = 0;
      bool are_all = true;
      for (uint32_t k = 0; k < size; ++k) {
        if ((mask >> k & 1) == 0 || lanes[k]->state == Thread::State::ended) continue;
        are_all &= lanes[k]->state == Thread::State::at_warp_operation && lanes[k]->mask == mask;
        present |= uint32_t{1} << k;
      }
      if (!are_all) continue;
      complete_warp_operation(*this, lanes, present);
      ++warp_epochs_[first / 32];
      for (uint32_t k = 0; k < size; ++k) {
        if ((present >> k & 1) != 0) lanes[k]->state = Thread::State::ready;
      }
      has_completed = true;
    }
  }
  return has_completed;
}

bool BlockRun::complete_barrier() {
  bool is_any = false;
  for (const Thread& thread : threads_) {
    if (thread.state == Thread::State::ended) continue;
    if (thread.state != Thread::State::at_barrier) return false;
    is_any = true;
  }
  if (!is_any) return false;
  ++epoch_;
  complete_reduction(threads_);
  for (Thread& thread : threads_) {
    if (thread.state == Thread::State::at_barrier) thread.state = Thread::State::ready;
  }
  return true;
}

void BlockRun::wait_at_barrier(Thread& thread, const Instruction& instruction) {
  thread.state = Thread::State::at_barrier;
  thread.waiting = &instruction;
}

void BlockRun::wait_in_warp(Thread& thread, const Instruction& instruction, uint32_t mask) {
  if ((mask >> thread.lane() & 1) == 0) fail(thread, instruction, "the thread is not in the operation's mask");
  thread.state = Thread::State::at_warp_operation;
  thread.waiting = &instruction;
  thread.mask = mask;
}

char* BlockRun::access(Thread& thread, const Instruction& instruction, Address address, std::size_t size, bool is_write,
                       bool is_atomic) {
  if ((address & (size - 1)) != 0) {
    std::ostringstream text;
    text << "misaligned access: " << size << " bytes at 0x" << std::hex << address;
    fail(thread, instruction, text.str());
  }
  const auto within = [&](std::size_t total, const char* what) -> std::size_t {
    const std::size_t offset = address & ~kWindowMask;
    if (offset + size > total) {
      std::ostringstream text;
      text << "out of bounds: byte " << offset << " of " << total << " bytes of " << what;
      fail(thread, instruction, text.str());
    }
    return offset;
  };
  Space space = instruction.space;
  if (space == Space::generic) {
    const Address window = is_device_address(address) ? 0 : address & kWindowMask;
    space = window == kSharedWindow  ? Space::shared
            : window == kLocalWindow ? Space::local
            : window == kParamWindow ? Space::kernel_param
                                     : Space::global;
  }
  if (space == Space::param && (address & kWindowMask) == kParamWindow) space = Space::kernel_param;
  switch (space) {
    case Space::shared: {
      const std::size_t offset = within(shared_.size(), "shared memory");
      check_race(thread, instruction, offset, size, is_write, is_atomic);
      return reinterpret_cast<char*>(shared_.data() + offset);
    }
    case Space::local:
      return reinterpret_cast<char*>(thread.local.data() + within(thread.local.size(), "local memory"));
    case Space::kernel_param:
      if (is_write) fail(thread, instruction, "a kernel's parameter is written");
      return const_cast<char*>(reinterpret_cast<const char*>(launch.parameters.data())) +
             within(launch.parameters.size(), "the kernel's parameters");
    case Space::param:
      return reinterpret_cast<char*>(thread.frame->parameters.data() +
                                     within(thread.frame->parameters.size(), "parameters"));
    case Space::generic:
    case Space::global:
      break;
  }
  if (instruction.block_generation != memory_.generation() ||
      address - instruction.block_begin >= instruction.block_size ||
      address - instruction.block_begin + size > instruction.block_size) {
    const std::string mistake = memory_.check(address, size);
    if (!mistake.empty()) fail(thread, instruction, "out of bounds: " + mistake);
    const Block& block = *memory_.find(address);
    instruction.block_begin = block.begin;
    instruction.block_size = block.size;
    instruction.block_generation = memory_.generation();
  }
  return host_pointer(address);
}

void BlockRun::check_race(Thread& thread, const Instruction& instruction, std::size_t offset, std::size_t size,
                          bool is_write, bool is_atomic) {
  const uint32_t self = thread.index + 1;
  const uint32_t warp_epoch = warp_epochs_[thread.index / 32];
  const auto is_ordered = [&](const Shadow::Access& other) {
    return other.thread == 0 || other.thread == self || other.epoch != epoch_ ||
           ((other.thread - 1) / 32 == thread.index / 32 && other.warp_epoch != warp_epoch);
  };
  for (std::size_t i = offset; i < offset + size; ++i) {
    Shadow& shadow = shadow_[i];
    const bool is_after_write = is_ordered(shadow.write) || (is_atomic && shadow.is_atomic);
    uint32_t reader = 0;  // whose access is not ordered
    for (const Shadow::Access& read : {shadow.first_read, shadow.last_read}) {
      if (is_write && !is_ordered(read)) reader = read.thread;
    }
    if (!is_after_write || reader != 0) {
      std::ostringstream text;
      text << "race: byte " << i << " of shared memory, " << (is_after_write ? "read" : "written") << " by thread "
           << (is_after_write ? reader : shadow.write.thread) - 1 << ", is " << (is_write ? "written" : "read")
           << " without a barrier between the two";
      fail(thread, instruction, text.str());
    }
    const Shadow::Access access{self, epoch_, warp_epoch};
    if (is_write) {
      shadow.write = access;
      shadow.is_atomic = is_atomic;
    } else {
      if (is_ordered(shadow.first_read)) shadow.first_read = access;
      shadow.last_read = access;
    }
  }
}

void BlockRun::fail(const Thread& thread, const Instruction& instruction, const std::string& what) const {
  std::ostringstream text;
  const Dim3& block = launch.block;
  text << what << "; kernel " << launch.kernel->name << ", block (" << at_.x << ", " << at_.y << ", " << at_.z
       << "), thread (" << thread.index % block.x << ", " << thread.index / block.x % block.y << ", "
       << thread.index / block.x / block.y << "), instruction `"
       << (thread.frame == nullptr ? "" : thread.frame->function->text_of(instruction)) << "`";
  throw Fault(text.str());
}

void BlockRun::fail_deadlock() const {
  for (const Thread& thread : threads_) {
    if (thread.state == Thread::State::at_barrier || thread.state == Thread::State::at_warp_operation) {
      fail(thread, *thread.waiting, "deadlock: the thread waits for threads that wait elsewhere");
    }
  }
  throw Fault("deadlock");
}

void run(const Launch& launch, Memory& memory, MachineStatistics& statistics) {
  Function& kernel = *launch.kernel;
  kernel.module->decode(kernel);
  const uint64_t threads = uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  const uint64_t limit = kernel.max_threads != 0 ? kernel.max_threads : kMaxThreads;
  std::ostringstream text;
  if (threads == 0 || threads > limit) text << "a block of " << threads << " threads; expected 1 to " << limit;
  if (launch.grid.x == 0 || launch.grid.y == 0 || launch.grid.z == 0 || launch.grid.x > kMaxGridX ||
      launch.grid.y > kMaxGridYZ || launch.grid.z > kMaxGridYZ) {
    text << "a grid of (" << launch.grid.x << ", " << launch.grid.y << ", " << launch.grid.z << ") blocks";
  }
  if (launch.dynamic_shared > kMaxShared) text << launch.dynamic_shared << " bytes of shared memory";
  if (!text.str().empty()) throw Fault("invalid launch of " + kernel.name + ": " + text.str());
  BlockRun block(launch, memory, statistics);
  ++statistics.launches;
  for (unsigned z = 0; z < launch.grid.z; ++z) {
    for (unsigned y = 0; y < launch.grid.y; ++y) {
      for (unsigned x = 0; x < launch.grid.x; ++x) block.run(x, y, z);
    }
  }
}

}  // namespace emulator
