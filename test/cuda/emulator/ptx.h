#pragma once
// PTX modules, decoded for the interpreter. Functions are decoded when they are first called.
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "memory.h"

namespace emulator {

/// Thrown for PTX that the interpreter does not support, and for faults of kernels.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Thread;
struct Instruction;
struct Function;
using Handler = void (*)(Thread& thread, const Instruction& instruction);

enum class Space : uint8_t { generic, global, shared, local, kernel_param, param };

/// Registers, special registers and constants of a frame are slots of 64 bits.
struct Instruction {
  Handler run = nullptr;
  int32_t guard = -1;  ///< slot of the predicate; -1: always runs
  bool is_guard_negated = false;
  Space space = Space::generic;
  uint8_t count = 1;                ///< elements of a vector
  uint8_t mode = 0;                 ///< comparison, rounding, variant of a shuffle: whatever the handler needs
  bool flush = false;               ///< .ftz
  bool saturate = false;            ///< .sat
  bool is_source_negated = false;   ///< the predicate operand
  bool has_address_symbol = false;  ///< the address lies in a local variable
  int32_t to[4] = {-1, -1, -1, -1};
  int32_t from[5] = {-1, -1, -1, -1, -1};
  int64_t offset = 0;            ///< added to an address; target of a branch
  std::vector<int32_t> targets;  ///< of brx.idx
  // Calls: the callee, and offsets of arguments and results among the frame's parameters.
  Function* callee = nullptr;
  std::vector<int32_t> arguments;
  std::vector<int32_t> results;
  uint32_t line = 0;  ///< in the function's text
  // The block of memory that the instruction accessed last.
  mutable Address block_begin = 0;
  mutable uint64_t block_size = 0;
  mutable uint64_t block_generation = 0;
};

struct Parameter {
  int32_t offset = 0;
  int32_t size = 0;
};

class Module;

struct Function {
  std::string name;
  Module* module = nullptr;
  std::string_view parameter_text;
  std::string_view result_text;
  std::string_view body;  ///< without braces; empty: only declared
  bool is_entry = false;
  uint32_t max_threads = 0;  ///< .maxntid; 0: none

  // Set by decode().
  bool is_decoded = false;
  bool waits = false;  ///< has barriers or warp operations, or calls functions
  int32_t register_count = 0;
  std::vector<uint64_t> constants;  ///< initial values of the slots after the registers
  std::vector<Instruction> code;
  std::vector<Parameter> parameters;
  std::vector<Parameter> results;
  int32_t parameter_bytes = 0;  ///< parameters, results, and arguments of calls
  int32_t local_bytes = 0;

  /// The text of the instruction's line.
  std::string text_of(const Instruction& instruction) const;
};

/// Slots of special registers, at the start of every frame.
enum SpecialRegister : int32_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  warpsize,
  smid,
  nsmid,
  gridid,
  clock,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  sink,
  special_count,
};

class Module {
 public:
  Module(std::string text, Memory& memory, int device);

  /// Null if there is none.
  Function* find(std::string_view name);
  /// Device address of a global or constant variable; 0 if there is none.
  Address variable(std::string_view name) const;
  int32_t static_shared_bytes() const { return shared_bytes_; }
  void decode(Function& function);

 private:
  friend class Decoder;
  void read_variable(std::string_view declaration);

  std::string text_;
  Memory& memory_;
  int device_;
  std::unordered_map<std::string, std::unique_ptr<Function>> functions_;
  std::unordered_map<std::string, Address> variables_;
  std::unordered_map<std::string, int32_t> shared_;  ///< offsets
  std::vector<std::string> dynamic_shared_;
  int32_t shared_bytes_ = 0;
};

}  // namespace emulator
