#pragma once
// Decodes the instructions of a PTX function into calls of handlers. The families of instructions are in files of their
// own.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operations.h"
#include "ptx_text.h"

namespace emulator {

class Decoder {
 public:
  Decoder(Module& module, Function& function) : module_(module), function_(function) {}

  void run();

 private:
  static constexpr int32_t kFirstConstant = -1000;  // marks constants while the number of registers is unknown

  struct Symbol {
    enum class Kind { registers, register_, local, shared, parameter, kernel_parameter } kind;
    int32_t at = 0;  // slot or offset
    int32_t size = 0;
  };

  [[noreturn]] void fail(const std::string& what) const;

  int64_t target(std::string_view label) const;

  void add_parameters(std::string_view text, std::vector<Parameter>& parameters);

  int32_t add_parameter_memory(const Declaration& declaration);

  void read_statements();

  void read_statement(std::string_view text);

  // ------------------------------------------------------------------------------------------------- operands

  const Symbol* find_symbol(std::string_view name) const;

  std::optional<int32_t> register_slot(std::string_view name) const;

  int32_t constant(uint64_t value);

  /// Address of a variable in its space, without those in local memory. That of a kernel's parameter is generic, since
  /// ld.param with a register must tell it from a parameter of a function.
  std::optional<Address> symbol_address(std::string_view name) const;

  uint64_t literal(std::string_view text) const;

  int32_t source(std::string_view text);
  int32_t destination(std::string_view text) const;
  std::string_view without_not(std::string_view text, bool& is_negated) const;

  /// `[%rd1+8]`, `[symbol+8]`, `[%rd1]`.
  void read_address(std::string_view text, Instruction& i);

  Strings vector_parts(std::string_view text) const;

  // ------------------------------------------------------------------------------------------------ instructions

  void read_instruction(std::string_view text);

  bool has(std::string_view part) const { return std::find(parts_.begin() + 1, parts_.end(), part) != parts_.end(); }
  uint8_t rounding() const;
  bool is_float() const { return type_.front() == 'f' || type_.starts_with("bf16"); }

  void read_call(std::string_view text, Instruction& i);

  void set_operands(Instruction& i);

  void decode(std::string_view name, Instruction& i);

  void decode_move(Instruction& i);

  Space space_of() const;

  bool decode_memory(std::string_view name, Instruction& i);

  void decode_atomic(Instruction& i);

  bool decode_control(std::string_view name, Instruction& i);

  bool decode_warp(std::string_view name, Instruction& i);

  void set_result_and_predicate(std::string_view text, Instruction& i);

  bool decode_comparison(std::string_view name, Instruction& i);

  bool decode_conversion(std::string_view name, Instruction& i);

  bool decode_float(std::string_view name, Instruction& i);

  void decode_integer(std::string_view name, Instruction& i);

  Module& module_;
  Function& function_;
  std::vector<std::unordered_map<std::string, Symbol>> scopes_;
  std::unordered_map<uint64_t, int32_t> constants_;
  std::unordered_map<std::string, int64_t> labels_;
  std::unordered_map<std::string, Strings> branch_targets_;
  std::vector<std::pair<std::size_t, std::string_view>> branches_;
  std::vector<std::pair<std::size_t, std::string_view>> indexed_branches_;
  std::string_view statement_, label_;
  uint32_t line_ = 0;
  Strings parts_, operands_;
  std::string_view type_;
};

/// Calls `make.operator()<T>()` with the type of this name.
template <class Make>
Handler with_integer(std::string_view type, const Make& make) {
  if (type == "s64") return make.template operator()<int64_t>();
  if (type == "s32") return make.template operator()<int32_t>();
  if (type == "s16") return make.template operator()<int16_t>();
  if (type == "s8") return make.template operator()<int8_t>();
  if (type == "u64" || type == "b64") return make.template operator()<uint64_t>();
  if (type == "u32" || type == "b32") return make.template operator()<uint32_t>();
  if (type == "u16" || type == "b16") return make.template operator()<uint16_t>();
  if (type == "u8" || type == "b8") return make.template operator()<uint8_t>();
  return nullptr;
}
template <class Make>
Handler with_float(std::string_view type, const Make& make) {
  if (type == "f32") return make.template operator()<float>();
  if (type == "f64") return make.template operator()<double>();
  if (type == "f16") return make.template operator()<F16>();
  if (type == "bf16") return make.template operator()<BF16>();
  return nullptr;
}
template <class Make>
Handler with_number(std::string_view type, const Make& make) {
  const Handler found = with_integer(type, make);
  return found != nullptr ? found : with_float(type, make);
}
/// An unsigned integer of the type's size, for moves of bits.
template <class Make>
Handler with_bits(std::string_view type, const Make& make) {
  switch (bits_of(type)) {
    case 8:
      return make.template operator()<uint8_t>();
    case 16:
      return make.template operator()<uint16_t>();
    case 32:
      return make.template operator()<uint32_t>();
    default:
      return make.template operator()<uint64_t>();
  }
}

template <class Operator>
Handler float_binary_of(std::string_view type) {
  if (type == "f16x2") return &packed_binary<F16, Operator>;
  if (type == "bf16x2") return &packed_binary<BF16, Operator>;
  return with_float(type, []<class T>() -> Handler {
    if constexpr (std::is_integral_v<T>)
      return nullptr;
    else
      return &float_binary<T, Operator>;
  });
}
template <class Operator>
Handler float_unary_of(std::string_view type) {
  if (type == "f16x2") return &packed_unary<F16, Operator>;
  if (type == "bf16x2") return &packed_unary<BF16, Operator>;
  return with_float(type, []<class T>() -> Handler {
    if constexpr (std::is_integral_v<T>)
      return nullptr;
    else
      return &float_unary<T, Operator>;
  });
}
template <class Operator>
Handler bitwise_of(std::string_view type) {
  if (type == "pred") return &integer_binary<uint64_t, Operator>;
  return with_integer(type, []<class T>() -> Handler { return &integer_binary<T, Operator>; });
}

/// An unsigned integer of at most 32 bits; null for other sizes.
template <class Make>
Handler element_handler(int32_t bits, const Make& make) {
  if (bits == 8) return make.template operator()<uint8_t>();
  if (bits == 16) return make.template operator()<uint16_t>();
  if (bits == 32) return make.template operator()<uint32_t>();
  return nullptr;
}

}  // namespace emulator
