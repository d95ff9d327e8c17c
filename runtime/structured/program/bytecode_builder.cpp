#include "structured/program/bytecode_builder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "structured/base/error.h"
#include "structured/dispatch/signature.h"

namespace structured::program {
namespace {

using Check = OpcodeInfo::Check;

constexpr int64_t kMinVersion = 4, kMaxVersion = 9;
constexpr int64_t kMaxCount = 1 << 20;

/// Numbers are positions in the enumeration of PyTorch's jit/runtime/instruction.h.
constexpr OpcodeInfo kOpcodes[] = {
    {"OP", 0, Opcode::op, Check::op},
    {"OPN", 1, Opcode::opn, Check::op},
    {"LOAD", 2, Opcode::load, Check::one_register},
    {"MOVE", 3, Opcode::move, Check::one_register},
    {"STOREN", 4, Opcode::storen, Check::registers},
    {"STORE", 5, Opcode::store, Check::one_register},
    {"DROP", 6, Opcode::drop, Check::none},
    {"DROPR", 7, Opcode::dropr, Check::one_register},
    {"LOADC", 8, Opcode::loadc, Check::constant},
    {"JF", 9, Opcode::jf, Check::target},
    {"JMP", 10, Opcode::jmp, Check::target},
    {"LOOP", 11, Opcode::loop, Check::target},
    {"RET", 12, Opcode::ret, Check::none},
    {"INTERFACE_CALL", 20, Opcode::interface_call, Check::constant},
    {"GET_ATTR", 21, Opcode::get_attr, Check::count},
    {"SET_ATTR", 22, Opcode::set_attr, Check::count},
    {"LIST_UNPACK", 23, Opcode::list_unpack, Check::count},
    {"TUPLE_CONSTRUCT", 24, Opcode::tuple_construct, Check::count},
    {"NAMED_TUPLE_CONSTRUCT", 25, Opcode::named_tuple_construct, Check::none},
    {"LIST_CONSTRUCT", 26, Opcode::list_construct, Check::none},
    {"DICT_CONSTRUCT", 27, Opcode::dict_construct, Check::none},
    {"CREATE_OBJECT", 28, Opcode::create_object, Check::type},
    {"ISINSTANCE", 29, Opcode::isinstance, Check::types},
    {"TUPLE_SLICE", 30, Opcode::tuple_slice, Check::none},
    {"TUPLE_INDEX", 31, Opcode::tuple_index, Check::none},
    {"RAISE_EXCEPTION", 32, Opcode::raise_exception, Check::none},
    {"DICT_INDEX", 33, Opcode::dict_index, Check::none},
    {"UNCHECKED_CAST", 34, Opcode::unchecked_cast, Check::none},
    {"__IS__", 35, Opcode::is, Check::none},
    {"UN_INITIALIZED", 36, Opcode::un_initialized, Check::none},
    {"__ISNOT__", 37, Opcode::is_not, Check::none},
    {"FORMAT", 38, Opcode::format, Check::count},
    {"DEVICE", 39, Opcode::device, Check::none},
    {"DTYPE", 40, Opcode::dtype, Check::none},
    {"DIM", 41, Opcode::dim, Check::none},
    {"__NOT__", 42, Opcode::negate, Check::none},
    {"NUM_TO_TENSOR", 44, Opcode::num_to_tensor, Check::none},
    {"IS_CUDA", 45, Opcode::is_cuda, Check::none},
    {"WARN", 47, Opcode::warn, Check::none},
};

bool is_valid(const BytecodeFunction& function, Check check, int64_t x, int64_t n, int64_t total) {
  const auto at = static_cast<int64_t>(function.instructions.size());
  const auto registers = static_cast<int64_t>(function.register_count);
  const auto is_below = [](int64_t index, std::size_t size) {
    return index >= 0 && index < static_cast<int64_t>(size);
  };
  if (n < 0 || n > kMaxCount || x > kMaxCount || x < -kMaxCount) return false;
  switch (check) {
    case Check::target:
      return at + x >= 0 && at + x <= total;
    case Check::one_register:
      return x >= 1 && x <= registers;
    case Check::registers:
      return x >= 1 && x - 1 + n <= registers;
    case Check::constant:
      return is_below(x, function.constants.size());
    case Check::op:
      return is_below(x, function.operators.size());
    case Check::type:
      return is_below(x, function.types.size());
    case Check::types:
      return x >= 0 && x + n <= static_cast<int64_t>(function.types.size());
    case Check::count:
    case Check::none:
      return x >= 0;
  }
  return false;
}

/// Whether only an operator library can have this overload. Conversions of tensors to numbers are primitives.
bool is_tensor_overload(std::string_view name, std::string_view overload) {
  constexpr std::string_view conversions[] = {"aten::Bool", "aten::Float", "aten::Int", "aten::len"};
  return (overload.starts_with("Tensor") || overload.starts_with("Scalar")) &&
         std::find(std::begin(conversions), std::end(conversions), name) == std::end(conversions);
}

}  // namespace

const OpcodeInfo* find_opcode(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kOpcodes), std::end(kOpcodes),
                                         [&](const OpcodeInfo& opcode) { return opcode.name == name; });
  return found == std::end(kOpcodes) ? nullptr : found;
}

const OpcodeInfo* find_opcode(int number) {
  const auto* const found = std::find_if(std::begin(kOpcodes), std::end(kOpcodes),
                                         [&](const OpcodeInfo& opcode) { return opcode.number == number; });
  return found == std::end(kOpcodes) ? nullptr : found;
}

void BytecodeBuilder::check_version(int64_t version) const {
  STRUCTURED_CHECK(version >= kMinVersion && version <= kMaxVersion, name_, ": expected bytecode version ", kMinVersion,
                   " to ", kMaxVersion, ", found ", version);
}

BytecodeOperator BytecodeBuilder::make_operator(std::string_view name, std::string_view overload, int64_t given) {
  BytecodeOperator op;
  op.name = std::string(name) + (overload.empty() ? "" : ".") + std::string(overload);
  op.unpacks_tuple = op.name == "prim::TupleUnpack";
  if (op.unpacks_tuple) return op;
  for (const OperatorLookup library : libraries_) {
    if ((op.op = library(op.name)) != nullptr) break;
  }
  if (op.op != nullptr) {
    op.parameters = signature_of(*op.op).arguments;
    for (const Parameter& parameter : op.parameters) {
      op.out_count += parameter.is_keyword_only && parameter.is_mutable;
    }
    op.given = op.parameters.size();
  } else if (!is_tensor_overload(name, overload) && (op.primitive = find_script_primitive(name)) != nullptr) {
    op.given = static_cast<std::size_t>(op.primitive->min_arguments);
  } else {
    ++missing_[op.name];
  }
  if (given >= 0) op.given = static_cast<std::size_t>(given);
  return op;
}

void BytecodeBuilder::add_instruction(BytecodeFunction& function, const OpcodeInfo& opcode, int64_t x, int64_t n,
                                      std::size_t total) const {
  STRUCTURED_CHECK(is_valid(function, opcode.check, x, n, static_cast<int64_t>(total)), name_, ": ", function.name,
                   ": instruction ", function.instructions.size(), ": expected valid indices, found ", opcode.name, " ",
                   x, " ", n);
  function.instructions.push_back({opcode.opcode, static_cast<int32_t>(x), static_cast<int32_t>(n)});
}

void BytecodeBuilder::check_operators() const {
  if (missing_.empty()) return;
  std::string list;
  for (const auto& [name, count] : missing_) list += (list.empty() ? "`" : ", `") + name + "`";
  fail(name_, ": expected operators that the libraries have; missing are ", list);
}

}  // namespace structured::program
