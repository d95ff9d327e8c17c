#pragma once
// Runs the threads of a kernel's blocks.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ptx.h"

namespace emulator {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};

/// Activation of a function in one thread.
struct Frame {
  const Function* function = nullptr;
  uint32_t pc = 0;
  int32_t local_base = 0;
  std::vector<uint64_t> slots;
  std::vector<unsigned char> parameters;
};

class BlockRun;

struct Thread {
  enum class State : uint8_t { ready, at_barrier, at_warp_operation, ended };

  uint64_t* slots = nullptr;  ///< slots of the innermost frame
  Frame* frame = nullptr;
  BlockRun* block = nullptr;
  uint32_t pc = 0;
  State state = State::ready;
  bool carry = false;
  uint32_t index = 0;                          ///< in the block
  std::vector<std::unique_ptr<Frame>> frames;  ///< kept for reuse
  std::size_t depth = 0;
  std::vector<unsigned char> local;
  // A thread that waits: where and for whom.
  const Instruction* waiting = nullptr;
  uint32_t mask = 0;

  uint32_t lane() const { return index % 32; }
  void enter(const Function& function);
  /// Whether the thread continues in a caller.
  bool leave();
};

struct Launch {
  Function* kernel = nullptr;
  Dim3 grid, block;
  std::size_t dynamic_shared = 0;
  std::vector<unsigned char> parameters;
};

struct MachineStatistics {
  uint64_t launches = 0;
  uint64_t instructions = 0;
};

/// Runs a kernel to its end. Throws Fault if it accesses memory that it may not access, if accesses of threads to
/// shared memory are not ordered by a barrier, or if threads wait for each other forever.
void run(const Launch& launch, Memory& memory, MachineStatistics& statistics);

/// One block of a launch.
class BlockRun {
 public:
  BlockRun(const Launch& launch, Memory& memory, MachineStatistics& statistics);

  void run(unsigned x, unsigned y, unsigned z);

  /// Host pointer to `size` bytes at an address. Throws Fault if the thread may not access them.
  char* access(Thread& thread, const Instruction& instruction, Address address, std::size_t size, bool is_write,
               bool is_atomic = false);
  void wait_at_barrier(Thread& thread, const Instruction& instruction);
  void wait_in_warp(Thread& thread, const Instruction& instruction, uint32_t mask);
  /// Threads of the block by index. Valid while a warp operation is completed.
  Thread* lane_of_same_warp(const Thread& thread, uint32_t lane);
  [[noreturn]] void fail(const Thread& thread, const Instruction& instruction, const std::string& what) const;

  const Launch& launch;

 private:
  struct Shadow {  // the last accesses to a byte of shared memory
    struct Access {
      uint32_t thread = 0;  ///< index + 1; 0: none
      uint32_t epoch = 0;   ///< barriers of the block before it
      uint32_t warp_epoch = 0;
    };
    Access write, first_read, last_read;
    bool is_atomic = false;  ///< the write
  };

  void start(Thread& thread, uint32_t index);
  void step(Thread& thread);
  bool complete_warp_operations();
  bool complete_barrier();
  void check_race(Thread& thread, const Instruction& instruction, std::size_t offset, std::size_t size, bool is_write,
                  bool is_atomic);
  [[noreturn]] void fail_deadlock() const;

  Memory& memory_;
  MachineStatistics& statistics_;
  std::vector<unsigned char> shared_;
  std::vector<Shadow> shadow_;
  std::vector<Thread> threads_;
  std::vector<uint32_t> warp_epochs_;
  uint32_t epoch_ = 0;
  Dim3 at_;
  uint32_t thread_count_ = 0;
};

/// Completes a warp operation for all threads of `mask`, which wait at it.
void complete_warp_operation(BlockRun& block, Thread* const (&lanes)[32], uint32_t mask);
/// Completes bar.red for all waiting threads.
void complete_reduction(std::vector<Thread>& threads);

}  // namespace emulator
