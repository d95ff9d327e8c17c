#pragma once
// Construction of TorchScript functions, which both encodings of `.ptl` files share.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "structured/program/bytecode.h"
#include "structured/program/operator_lookup.h"

namespace structured::program {

/// Instruction as files name it, by text or by number, and which of its numbers are indices.
struct OpcodeInfo {
  enum class Check : uint8_t {
    none,
    target,        ///< X is a jump
    one_register,  ///< X is a register
    registers,     ///< X and the following N - 1 are registers
    constant,      ///< X is the index of a constant
    op,            ///< X is the index of an operator
    type,          ///< X is the index of a type
    types,         ///< X and the following N - 1 are indices of types
    count,         ///< X is 0 or more
  };
  std::string_view name;
  int number;
  Opcode opcode;
  Check check;
};

/// Null for instructions that are not supported.
const OpcodeInfo* find_opcode(std::string_view name);
const OpcodeInfo* find_opcode(int number);

/// Builds functions of one file.
class BytecodeBuilder {
 public:
  /// `libraries` outlive the object; `name` names the file in errors.
  BytecodeBuilder(const OperatorLookups& libraries, std::string name) : libraries_(libraries), name_(std::move(name)) {}

  /// Throws Error for versions other than those that this reader knows.
  void check_version(int64_t version) const;
  /// `given` is the number of arguments on the stack, or negative if the file does not say it.
  BytecodeOperator make_operator(std::string_view name, std::string_view overload, int64_t given);
  /// Appends an instruction of a function that has `total` ones. Throws Error for invalid indices, and for registers,
  /// constants, operators and types that `function` does not have.
  void add_instruction(BytecodeFunction& function, const OpcodeInfo& opcode, int64_t x, int64_t n,
                       std::size_t total) const;
  /// Throws Error with a list of all missing operators if there are any.
  void check_operators() const;

  static constexpr int64_t max_registers = 1 << 20;

 private:
  const OperatorLookups& libraries_;
  std::string name_;
  std::map<std::string, std::size_t> missing_;
};

}  // namespace structured::program
