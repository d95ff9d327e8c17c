#pragma once
// Internal form of TorchScript programs: functions of a stack machine with registers.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "structured/dispatch/library.h"
#include "structured/dispatch/signature.h"
#include "structured/dispatch/value.h"
#include "structured/program/dynamic_value.h"
#include "structured/program/script_primitive.h"

namespace structured::program {

/// Instructions of PyTorch's lite interpreter, in alphabetical order.
enum class Opcode : uint8_t {
  create_object,
  device,
  dict_construct,
  dict_index,
  dim,
  drop,
  dropr,
  dtype,
  format,
  get_attr,
  interface_call,
  is,
  is_cuda,
  is_not,
  isinstance,
  jf,
  jmp,
  list_construct,
  list_unpack,
  load,
  loadc,
  loop,
  move,
  named_tuple_construct,
  negate,
  num_to_tensor,
  op,
  opn,
  raise_exception,
  ret,
  set_attr,
  store,
  storen,
  tuple_construct,
  tuple_index,
  tuple_slice,
  un_initialized,
  unchecked_cast,
  warn,
};

struct BytecodeInstruction {
  Opcode opcode;
  int32_t x;
  int32_t n;
};

/// An operator that a function calls: one of a library, or a primitive.
struct BytecodeOperator {
  std::string name;  ///< with overload
  const OperatorHandle* op = nullptr;
  const ScriptPrimitive* primitive = nullptr;
  bool unpacks_tuple = false;         ///< `prim::TupleUnpack`, which has several results
  std::vector<Parameter> parameters;  ///< of an operator of a library
  std::size_t out_count = 0;          ///< arguments at the end that are outputs
  std::size_t given = 0;              ///< arguments on the stack
};

struct BytecodeFunction {
  std::string name;  ///< `__torch__.Net.forward`
  std::vector<BytecodeInstruction> instructions;
  std::vector<BytecodeOperator> operators;
  std::vector<DynamicValue> constants;
  std::vector<std::string> types;
  std::size_t register_count = 0;
  struct Parameter {
    std::string name;
    std::string type;
    DynamicValue default_value;
    bool has_default = false;
  };
  std::vector<Parameter> parameters;  ///< with `self`
};

/// A module with its functions by name.
struct BytecodeProgram {
  std::map<std::string, BytecodeFunction, std::less<>> functions;
  DynamicValue module;
};

}  // namespace structured::program
