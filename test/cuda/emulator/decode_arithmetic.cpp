// Decodes comparisons, conversions and arithmetic.
#include "decoder.h"

namespace emulator {

void Decoder::set_result_and_predicate(std::string_view text, Instruction& i) {
  const std::size_t bar = text.find('|');
  i.to[0] = destination(text.substr(0, bar));
  if (bar != std::string_view::npos) i.to[1] = destination(text.substr(bar + 1));
}

bool Decoder::decode_comparison(std::string_view name, Instruction& i) {
  if (name == "selp") {
    set_operands(i);
    i.run = with_bits(type_, []<class T>() -> Handler { return &select<T>; });
    return true;
  }
  if (name == "testp") {
    set_operands(i);
    static constexpr std::string_view names[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
    for (uint8_t k = 0; k < 6; ++k) {
      if (has(names[k])) i.mode = k;
    }
    i.run = type_ == "f64" ? &test_property<double> : &test_property<float>;
    return true;
  }
  if (name != "setp" && name != "set") return false;
  static constexpr std::string_view names[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                               "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  static constexpr std::pair<std::string_view, uint8_t> unsigned_names[] = {{"lo", 2}, {"ls", 3}, {"hi", 4}, {"hs", 5}};
  for (uint8_t k = 0; k < 14; ++k) {
    if (parts_[1] == names[k]) i.mode = k;
  }
  for (const auto& [word, mode] : unsigned_names) {
    if (parts_[1] == word) i.mode = mode;
  }
  set_result_and_predicate(operands_.at(0), i);
  i.from[0] = source(operands_.at(1));
  i.from[1] = source(operands_.at(2));
  if (operands_.size() > 3) {
    bool is_negated = false;
    i.from[2] = source(without_not(operands_[3], is_negated));
    const int combination = has("and") ? 1 : has("or") ? 2 : 3;
    i.mode = static_cast<uint8_t>(i.mode | combination << 4 | (is_negated ? 0x40 : 0));
  }
  if (name == "setp") {
    i.run = with_number(type_, []<class T>() -> Handler { return &set_predicate<T>; });
  } else {
    if (has("f32") && parts_[parts_.size() - 2] == "f32") i.mode |= 0x80;
    i.run = with_number(type_, []<class T>() -> Handler { return &set_value<T>; });
  }
  return true;
}

bool Decoder::decode_conversion(std::string_view name, Instruction& i) {
  if (name != "cvt") return false;
  set_operands(i);
  const std::string_view to = parts_[parts_.size() - 2];
  if (to == "f16x2" || to == "bf16x2") {
    if (has("relu") || has("rz")) return true;
    i.run = to == "f16x2" ? &convert_two<F16> : &convert_two<BF16>;
    return true;
  }
  const bool rounds_to_integer = has("rni") || has("rzi") || has("rmi") || has("rpi");
  i.mode = static_cast<uint8_t>(rounding() | (rounds_to_integer ? 0x10 : 0));
  i.run = with_number(to, [&]<class To>() -> Handler {
    return with_number(type_, []<class From>() -> Handler { return &convert_number<To, From>; });
  });
  return true;
}

bool Decoder::decode_float(std::string_view name, Instruction& i) {
  set_operands(i);
  i.mode = rounding();
  const bool is_coarse = has("approx") && type_ == "f64";
  if (name == "add") {
    i.run = float_binary_of<Add>(type_);
  } else if (name == "sub") {
    i.run = float_binary_of<Subtract>(type_);
  } else if (name == "mul") {
    i.run = float_binary_of<Multiply>(type_);
  } else if (name == "div") {
    i.run = float_binary_of<Divide>(type_);
  } else if (name == "min") {
    i.run = has("NaN") ? float_binary_of<OrNan<Minimum>>(type_) : float_binary_of<Minimum>(type_);
  } else if (name == "max") {
    i.run = has("NaN") ? float_binary_of<OrNan<Maximum>>(type_) : float_binary_of<Maximum>(type_);
  } else if (name == "copysign") {
    i.run = float_binary_of<CopySign>(type_);
  } else if (name == "fma" || name == "mad") {
    i.run = type_ == "f16x2"    ? &packed_fma<F16>
            : type_ == "bf16x2" ? &packed_fma<BF16>
                                : with_float(type_, []<class T>() -> Handler { return &float_fma<T>; });
  } else if (name == "neg") {
    i.run = float_unary_of<Negate>(type_);
  } else if (name == "abs") {
    i.run = float_unary_of<Absolute>(type_);
  } else if (name == "sqrt") {
    i.run = float_unary_of<Root>(type_);
  } else if (name == "rcp") {
    i.run = is_coarse ? &coarse_double<Reciprocal> : float_unary_of<Reciprocal>(type_);
  } else if (name == "rsqrt") {
    i.run = is_coarse ? &coarse_double<ReciprocalRoot> : float_unary_of<ReciprocalRoot>(type_);
  } else if (name == "sin") {
    i.run = float_unary_of<Sine>(type_);
  } else if (name == "cos") {
    i.run = float_unary_of<Cosine>(type_);
  } else if (name == "lg2") {
    i.run = float_unary_of<Log2>(type_);
  } else if (name == "ex2") {
    i.run = float_unary_of<Exp2>(type_);
  } else if (name == "tanh") {
    i.run = float_unary_of<Tanh>(type_);
  }
  return i.run != nullptr;
}

void Decoder::decode_integer(std::string_view name, Instruction& i) {
  set_operands(i);
  const bool sets_carry = has("cc");
  const auto each = [&](const auto& make) { i.run = with_integer(type_, make); };
  if (name == "addc" || name == "subc" || ((name == "add" || name == "sub") && sets_carry)) {
    i.mode = static_cast<uint8_t>((sets_carry ? 1 : 0) | (name.back() == 'c' ? 2 : 0) | (name[0] == 's' ? 4 : 0));
    each([]<class T>() -> Handler { return &add_carry<T>; });
  } else if (name == "add") {
    each([]<class T>() -> Handler { return &integer_wrapping<T, Add>; });
  } else if (name == "sub") {
    each([]<class T>() -> Handler { return &integer_wrapping<T, Subtract>; });
  } else if (name == "mul") {
    i.mode = has("hi") ? 1 : 0;
    if (has("wide")) {
      each([]<class T>() -> Handler { return &multiply_wide<T>; });
    } else {
      each([]<class T>() -> Handler { return &multiply<T>; });
    }
  } else if (name == "mad" || name == "madc") {
    i.mode = static_cast<uint8_t>((has("hi") ? 1 : 0) | (sets_carry ? 2 : 0) | (name == "madc" ? 4 : 0));
    if (has("wide")) {
      each([]<class T>() -> Handler { return &multiply_add_wide<T>; });
    } else {
      each([]<class T>() -> Handler { return &multiply_add<T>; });
    }
  } else if (name == "div") {
    each([]<class T>() -> Handler { return &integer_binary<T, Quotient>; });
  } else if (name == "rem") {
    each([]<class T>() -> Handler { return &integer_binary<T, Remainder>; });
  } else if (name == "min") {
    each([]<class T>() -> Handler { return &integer_binary<T, Minimum>; });
  } else if (name == "max") {
    each([]<class T>() -> Handler { return &integer_binary<T, Maximum>; });
  } else if (name == "neg") {
    each([]<class T>() -> Handler { return &negate<T>; });
  } else if (name == "abs") {
    each([]<class T>() -> Handler { return &absolute<T>; });
  } else if (name == "and") {
    i.run = bitwise_of<And>(type_);
  } else if (name == "or") {
    i.run = bitwise_of<Or>(type_);
  } else if (name == "xor") {
    i.run = bitwise_of<Xor>(type_);
  } else if (name == "not" && type_ == "pred") {
    i.run = &logical_not<uint64_t>;
  } else if (name == "not") {
    each([]<class T>() -> Handler { return &bit_not<T>; });
  } else if (name == "cnot") {
    each([]<class T>() -> Handler { return &logical_not<T>; });
  } else if (name == "shl") {
    each([]<class T>() -> Handler { return &shift_left<T>; });
  } else if (name == "shr") {
    each([]<class T>() -> Handler { return &shift_right<T>; });
  } else if (name == "popc") {
    i.run = type_ == "b64" ? &count_ones<uint64_t> : &count_ones<uint32_t>;
  } else if (name == "clz") {
    i.run = type_ == "b64" ? &leading_zeros<uint64_t> : &leading_zeros<uint32_t>;
  } else if (name == "bfind") {
    i.mode = has("shiftamt") ? 1 : 0;
    each([]<class T>() -> Handler { return &find_bit<T>; });
  } else if (name == "brev") {
    each([]<class T>() -> Handler { return &reverse_bits<T>; });
  } else if (name == "bfe") {
    each([]<class T>() -> Handler { return &extract_bits<T>; });
  } else if (name == "bfi") {
    i.run = type_ == "b64" ? &insert_bits<uint64_t> : &insert_bits<uint32_t>;
  } else if (name == "lop3") {
    i.run = &logic3;
  } else if (name == "shf") {
    i.mode = static_cast<uint8_t>((has("r") ? 1 : 0) | (has("clamp") ? 2 : 0));
    i.run = &funnel_shift;
  } else if (name == "prmt") {
    static constexpr std::string_view names[] = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    for (uint8_t k = 1; k < 7; ++k) {
      if (has(names[k])) i.mode = k;
    }
    i.run = &permute;
  }
}

}  // namespace emulator
