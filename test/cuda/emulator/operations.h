#pragma once
// Handlers of instructions on numbers, as templates on their types.
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "machine.h"

namespace emulator {

/// IEEE binary16 and bfloat16 as they are in registers.
struct F16 {
  uint16_t bits;
  F16() = default;
  explicit F16(double value) : bits(std::bit_cast<uint16_t>(static_cast<_Float16>(value))) {}
  explicit operator double() const { return static_cast<double>(std::bit_cast<_Float16>(bits)); }
};
struct BF16 {
  uint16_t bits;
  BF16() = default;
  explicit BF16(double value) {
    const auto narrow = static_cast<float>(value);
    const auto word = std::bit_cast<uint32_t>(narrow);
    bits = std::isnan(narrow) ? 0x7fff : static_cast<uint16_t>((word + 0x7fff + (word >> 16 & 1)) >> 16);
  }
  explicit operator double() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
};
template <class T>
struct Two {
  T low, high;
};

template <class T>
inline constexpr bool is_small_float = std::is_same_v<T, F16> || std::is_same_v<T, BF16>;

template <class T>
T from_slot(uint64_t slot) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(slot);
  } else {
    T value;
    std::memcpy(static_cast<void*>(&value), &slot, sizeof(T));
    return value;
  }
}
/// Signed integers are extended with their sign, since a register may be wider than the instruction's type.
template <class T>
uint64_t to_slot(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  } else {
    uint64_t slot = 0;
    std::memcpy(&slot, &value, sizeof(T));
    return slot;
  }
}
template <class T>
T get(const Thread& thread, int32_t slot) {
  return from_slot<T>(thread.slots[slot]);
}
template <class T>
void put(Thread& thread, int32_t slot, T value) {
  thread.slots[slot] = to_slot(value);
}

/// Rounding modes: the values of Instruction::mode.
enum Rounding : uint8_t { nearest, to_zero, down, up };

class RoundingScope {
 public:
  explicit RoundingScope(uint8_t mode) : mode_(mode) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    if (mode_ != nearest) std::fesetround(modes[mode_]);
  }
  ~RoundingScope() {
    if (mode_ != nearest) std::fesetround(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  uint8_t mode_;
};

inline float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

/// Reads a floating-point operand. `.ftz` applies to float.
template <class T>
auto operand(const Thread& thread, const Instruction& i, int n) {
  const T value = get<T>(thread, i.from[n]);
  if constexpr (is_small_float<T>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_same_v<T, float>) {
    return i.flush ? flushed(value) : value;
  } else {
    return value;
  }
}
template <class T, class V>
void store(Thread& thread, const Instruction& i, V value) {
  if constexpr (is_small_float<T>) {
    if (i.saturate) value = std::isnan(value) ? 0 : std::fmin(std::fmax(value, 0), 1);
    put(thread, i.to[0], T(value));
  } else {
    if (i.saturate) value = std::isnan(value) ? V(0) : std::fmin(std::fmax(value, V(0)), V(1));
    if constexpr (std::is_same_v<T, float>) {
      if (i.flush) value = flushed(value);
    }
    put<T>(thread, i.to[0], value);
  }
}

// Operators. Each is a template on the type of values, and computes F16 and BF16 in double.
struct Add {
  template <class V>
  V operator()(V a, V b) const {
    return a + b;
  }
};
struct Subtract {
  template <class V>
  V operator()(V a, V b) const {
    return a - b;
  }
};
struct Multiply {
  template <class V>
  V operator()(V a, V b) const {
    return a * b;
  }
};
struct Divide {
  template <class V>
  V operator()(V a, V b) const {
    return a / b;
  }
};
struct Minimum {
  template <class V>
  V operator()(V a, V b) const {
    if constexpr (std::is_floating_point_v<V>) {
      if (a == 0 && b == 0) return std::signbit(a) ? a : b;
      return std::fmin(a, b);
    } else {
      return a < b ? a : b;
    }
  }
};
struct Maximum {
  template <class V>
  V operator()(V a, V b) const {
    if constexpr (std::is_floating_point_v<V>) {
      if (a == 0 && b == 0) return std::signbit(a) ? b : a;
      return std::fmax(a, b);
    } else {
      return a > b ? a : b;
    }
  }
};
template <class Operator>
struct OrNan {
  template <class V>
  V operator()(V a, V b) const {
    return std::isnan(a) || std::isnan(b) ? std::numeric_limits<V>::quiet_NaN() : Operator()(a, b);
  }
};
struct CopySign {  // the sign of the first operand, the magnitude of the second
  template <class V>
  V operator()(V a, V b) const {
    return std::copysign(b, a);
  }
};
struct Negate {
  template <class V>
  V operator()(V a) const {
    return -a;
  }
};
struct Absolute {
  template <class V>
  V operator()(V a) const {
    return std::fabs(a);
  }
};
struct Root {
  template <class V>
  V operator()(V a) const {
    return std::sqrt(a);
  }
};
struct Reciprocal {
  template <class V>
  V operator()(V a) const {
    return V(1) / a;
  }
};
struct ReciprocalRoot {
  template <class V>
  V operator()(V a) const {
    return V(1) / std::sqrt(a);
  }
};
struct Sine {
  template <class V>
  V operator()(V a) const {
    return std::sin(a);
  }
};
struct Cosine {
  template <class V>
  V operator()(V a) const {
    return std::cos(a);
  }
};
struct Log2 {
  template <class V>
  V operator()(V a) const {
    return std::log2(a);
  }
};
struct Exp2 {
  template <class V>
  V operator()(V a) const {
    return std::exp2(a);
  }
};
struct Tanh {
  template <class V>
  V operator()(V a) const {
    return std::tanh(a);
  }
};

template <class T, class Operator>
void float_unary(Thread& thread, const Instruction& i) {
  const RoundingScope rounding(i.mode);
  volatile auto a = operand<T>(thread, i, 0);
  volatile auto result = Operator()(static_cast<std::remove_volatile_t<decltype(a)>>(a));
  store<T>(thread, i, static_cast<std::remove_volatile_t<decltype(a)>>(result));
}
/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: the upper 32 bits of the result.
template <class Operator>
void coarse_double(Thread& thread, const Instruction& i) {
  double a = get<double>(thread, i.from[0]);
  if (std::fpclassify(a) == FP_SUBNORMAL) a = std::copysign(0.0, a);
  const double result = Operator()(a);
  put(thread, i.to[0], std::bit_cast<uint64_t>(result) & 0xffffffff00000000u);
}
template <class T, class Operator>
void float_binary(Thread& thread, const Instruction& i) {
  using V = std::remove_cvref_t<decltype(operand<T>(thread, i, 0))>;
  const RoundingScope rounding(i.mode);
  volatile V a = operand<T>(thread, i, 0);
  volatile V b = operand<T>(thread, i, 1);
  volatile V result = Operator()(static_cast<V>(a), static_cast<V>(b));
  store<T>(thread, i, static_cast<V>(result));
}
template <class T>
void float_fma(Thread& thread, const Instruction& i) {
  using V = std::remove_cvref_t<decltype(operand<T>(thread, i, 0))>;
  const RoundingScope rounding(i.mode);
  volatile V a = operand<T>(thread, i, 0);
  volatile V b = operand<T>(thread, i, 1);
  volatile V c = operand<T>(thread, i, 2);
  volatile V result = std::fma(static_cast<V>(a), static_cast<V>(b), static_cast<V>(c));
  store<T>(thread, i, static_cast<V>(result));
}
/// Operators on two packed numbers.
template <class T, class Operator>
void packed_unary(Thread& thread, const Instruction& i) {
  const auto a = get<Two<T>>(thread, i.from[0]);
  put(thread, i.to[0], Two<T>{T(Operator()(static_cast<double>(a.low))), T(Operator()(static_cast<double>(a.high)))});
}
template <class T, class Operator>
void packed_binary(Thread& thread, const Instruction& i) {
  const auto a = get<Two<T>>(thread, i.from[0]);
  const auto b = get<Two<T>>(thread, i.from[1]);
  put(thread, i.to[0],
      Two<T>{T(Operator()(static_cast<double>(a.low), static_cast<double>(b.low))),
             T(Operator()(static_cast<double>(a.high), static_cast<double>(b.high)))});
}
template <class T>
void packed_fma(Thread& thread, const Instruction& i) {
  const auto a = get<Two<T>>(thread, i.from[0]);
  const auto b = get<Two<T>>(thread, i.from[1]);
  const auto c = get<Two<T>>(thread, i.from[2]);
  put(thread, i.to[0],
      Two<T>{T(std::fma(static_cast<double>(a.low), static_cast<double>(b.low), static_cast<double>(c.low))),
             T(std::fma(static_cast<double>(a.high), static_cast<double>(b.high), static_cast<double>(c.high)))});
}

// Integers. Arithmetic wraps: it is done in unsigned numbers.
template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
using Twice = std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
                                 std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

template <class T, class Operator>
void integer_binary(Thread& thread, const Instruction& i) {
  put(thread, i.to[0], static_cast<T>(Operator()(get<T>(thread, i.from[0]), get<T>(thread, i.from[1]))));
}
template <class T, class Operator>
void integer_wrapping(Thread& thread, const Instruction& i) {
  const auto a = static_cast<uint64_t>(get<T>(thread, i.from[0]));
  const auto b = static_cast<uint64_t>(get<T>(thread, i.from[1]));
  put(thread, i.to[0], static_cast<T>(Operator()(a, b)));
}
struct And {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(a & b);
  }
};
struct Or {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(a | b);
  }
};
struct Xor {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(a ^ b);
  }
};
struct Quotient {
  template <class V>
  V operator()(V a, V b) const {
    if (b == 0) return static_cast<V>(~V(0));
    if constexpr (std::is_signed_v<V>) {
      if (b == -1) return static_cast<V>(Unsigned<V>(0) - static_cast<Unsigned<V>>(a));
    }
    return static_cast<V>(a / b);
  }
};
struct Remainder {
  template <class V>
  V operator()(V a, V b) const {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<V>) {
      if (b == -1) return 0;
    }
    return static_cast<V>(a % b);
  }
};
/// Adds with carry. Mode: bit 0 sets the carry, bit 1 reads it, bit 2 subtracts.
template <class T>
void add_carry(Thread& thread, const Instruction& i) {
  using U = Unsigned<T>;
  const U a = static_cast<U>(get<T>(thread, i.from[0]));
  const U b = static_cast<U>(get<T>(thread, i.from[1]));
  const U c = (i.mode & 2) != 0 && thread.carry ? 1 : 0;
  unsigned __int128 sum;
  if ((i.mode & 4) != 0) {
    sum = static_cast<unsigned __int128>(a) - b - c;
  } else {
    sum = static_cast<unsigned __int128>(a) + b + c;
  }
  if ((i.mode & 1) != 0) thread.carry = (sum >> (sizeof(U) * 8) & 1) != 0;
  put(thread, i.to[0], static_cast<T>(static_cast<U>(sum)));
}
/// Part of a product: mode 0 its lower half, 1 its upper half.
template <class T>
T product(T a, T b, bool is_high) {
  const auto full = static_cast<Twice<T>>(static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b));
  return static_cast<T>(is_high ? full >> (sizeof(T) * 8) : full);
}
template <class T>
void multiply(Thread& thread, const Instruction& i) {
  put(thread, i.to[0], product<T>(get<T>(thread, i.from[0]), get<T>(thread, i.from[1]), i.mode == 1));
}
template <class T>
void multiply_wide(Thread& thread, const Instruction& i) {
  const auto full = static_cast<int64_t>(get<T>(thread, i.from[0])) * static_cast<int64_t>(get<T>(thread, i.from[1]));
  if constexpr (sizeof(T) == 2) {
    put(thread, i.to[0], static_cast<uint32_t>(full));
  } else {
    put(thread, i.to[0], static_cast<uint64_t>(full));
  }
}
template <class T>
void multiply_add_wide(Thread& thread, const Instruction& i) {
  const auto full = static_cast<uint64_t>(static_cast<int64_t>(get<T>(thread, i.from[0])) *
                                          static_cast<int64_t>(get<T>(thread, i.from[1]))) +
                    get<uint64_t>(thread, i.from[2]);
  if constexpr (sizeof(T) == 2) {
    put(thread, i.to[0], static_cast<uint32_t>(full));
  } else {
    put(thread, i.to[0], full);
  }
}
/// Mode: bit 0 the upper half, bit 1 sets the carry, bit 2 reads it.
template <class T>
void multiply_add(Thread& thread, const Instruction& i) {
  using U = Unsigned<T>;
  const U part = static_cast<U>(product<T>(get<T>(thread, i.from[0]), get<T>(thread, i.from[1]), (i.mode & 1) != 0));
  const auto sum = static_cast<unsigned __int128>(part) + static_cast<U>(get<T>(thread, i.from[2])) +
                   ((i.mode & 4) != 0 && thread.carry ? 1 : 0);
  if ((i.mode & 2) != 0) thread.carry = (sum >> (sizeof(U) * 8) & 1) != 0;
  put(thread, i.to[0], static_cast<T>(static_cast<U>(sum)));
}
template <class T>
void negate(Thread& thread, const Instruction& i) {
  put(thread, i.to[0], static_cast<T>(0 - static_cast<uint64_t>(get<T>(thread, i.from[0]))));
}
template <class T>
void absolute(Thread& thread, const Instruction& i) {
  const T a = get<T>(thread, i.from[0]);
  put(thread, i.to[0], a < 0 ? static_cast<T>(0 - static_cast<uint64_t>(a)) : a);
}
template <class T>
void bit_not(Thread& thread, const Instruction& i) {
  put(thread, i.to[0], static_cast<T>(~get<T>(thread, i.from[0])));
}
template <class T>
void logical_not(Thread& thread, const Instruction& i) {
  put(thread, i.to[0], static_cast<T>(get<T>(thread, i.from[0]) == 0 ? 1 : 0));
}
template <class T>
void shift_left(Thread& thread, const Instruction& i) {
  const auto count = get<uint32_t>(thread, i.from[1]);
  const T a = get<T>(thread, i.from[0]);
  put(thread, i.to[0], count >= sizeof(T) * 8 ? T(0) : static_cast<T>(static_cast<uint64_t>(a) << count));
}
template <class T>
void shift_right(Thread& thread, const Instruction& i) {
  const auto count = get<uint32_t>(thread, i.from[1]);
  const T a = get<T>(thread, i.from[0]);
  const T all = static_cast<T>(std::is_signed_v<T> && a < T(0) ? -1 : 0);
  put(thread, i.to[0], count >= sizeof(T) * 8 ? all : static_cast<T>(a >> count));
}
template <class T>
void count_ones(Thread& thread, const Instruction& i) {
  put(thread, i.to[0], static_cast<uint32_t>(std::popcount(get<T>(thread, i.from[0]))));
}
template <class T>
void leading_zeros(Thread& thread, const Instruction& i) {
  put(thread, i.to[0], static_cast<uint32_t>(std::countl_zero(get<T>(thread, i.from[0]))));
}
/// bfind; mode 1: the distance from the highest bit.
template <class T>
void find_bit(Thread& thread, const Instruction& i) {
  T a = get<T>(thread, i.from[0]);
  if (std::is_signed_v<T> && a < T(0)) a = static_cast<T>(~a);
  const int zeros = std::countl_zero(static_cast<Unsigned<T>>(a));
  constexpr int bits = sizeof(T) * 8;
  put(thread, i.to[0], zeros == bits ? 0xffffffffu : static_cast<uint32_t>(i.mode == 1 ? zeros : bits - 1 - zeros));
}
template <class T>
void reverse_bits(Thread& thread, const Instruction& i) {
  const T a = get<T>(thread, i.from[0]);
  T result = 0;
  for (std::size_t bit = 0; bit < sizeof(T) * 8; ++bit) result = static_cast<T>(result << 1 | (a >> bit & 1));
  put(thread, i.to[0], result);
}
template <class T>
void extract_bits(Thread& thread, const Instruction& i) {
  constexpr unsigned bits = sizeof(T) * 8;
  const auto a = static_cast<Unsigned<T>>(get<T>(thread, i.from[0]));
  const unsigned at = get<uint32_t>(thread, i.from[1]) & 0xff;
  const unsigned count = get<uint32_t>(thread, i.from[2]) & 0xff;
  if (count == 0) return put(thread, i.to[0], T(0));
  const bool is_negative = std::is_signed_v<T> && (a >> std::min(at + count - 1, bits - 1) & 1) != 0;
  Unsigned<T> field = at >= bits ? 0 : static_cast<Unsigned<T>>(a >> at);
  if (at > 0 && at < bits && is_negative) field |= static_cast<Unsigned<T>>(~Unsigned<T>(0)) << (bits - at);
  if (at >= bits && is_negative) field = static_cast<Unsigned<T>>(~Unsigned<T>(0));
  if (count < bits) {
    const auto mask = static_cast<Unsigned<T>>((Unsigned<T>(1) << count) - 1);
    field = static_cast<Unsigned<T>>(is_negative ? field | static_cast<Unsigned<T>>(~mask) : field & mask);
  }
  put(thread, i.to[0], static_cast<T>(field));
}
template <class T>
void insert_bits(Thread& thread, const Instruction& i) {
  constexpr unsigned bits = sizeof(T) * 8;
  const T a = get<T>(thread, i.from[0]);
  const T b = get<T>(thread, i.from[1]);
  const unsigned at = get<uint32_t>(thread, i.from[2]) & 0xff;
  const unsigned count = get<uint32_t>(thread, i.from[3]) & 0xff;
  if (count == 0 || at >= bits) return put(thread, i.to[0], b);
  const T mask = static_cast<T>((count >= bits ? ~T(0) : static_cast<T>((T(1) << count) - 1)) << at);
  put(thread, i.to[0], static_cast<T>((b & ~mask) | (static_cast<T>(a << at) & mask)));
}
/// lop3: mode is the table.
inline void logic3(Thread& thread, const Instruction& i) {
  const auto a = get<uint32_t>(thread, i.from[0]);
  const auto b = get<uint32_t>(thread, i.from[1]);
  const auto c = get<uint32_t>(thread, i.from[2]);
  const auto table = get<uint32_t>(thread, i.from[3]);
  uint32_t result = 0;
  for (int bit = 0; bit < 32; ++bit) {
    const uint32_t at = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
    result |= (table >> at & 1) << bit;
  }
  put(thread, i.to[0], result);
}
/// shf: mode bit 0 to the right, bit 1 clamps.
inline void funnel_shift(Thread& thread, const Instruction& i) {
  const auto low = get<uint32_t>(thread, i.from[0]);
  const auto high = get<uint32_t>(thread, i.from[1]);
  uint32_t count = get<uint32_t>(thread, i.from[2]);
  count = (i.mode & 2) != 0 ? std::min(count, 32u) : count & 31;
  const uint64_t both = uint64_t{high} << 32 | low;
  put(thread, i.to[0], static_cast<uint32_t>((i.mode & 1) != 0 ? both >> count : (both << count) >> 32));
}
/// prmt: mode 0 generic, then f4e, b4e, rc8, ecl, ecr, rc16.
inline void permute(Thread& thread, const Instruction& i) {
  const uint64_t both = uint64_t{get<uint32_t>(thread, i.from[1])} << 32 | get<uint32_t>(thread, i.from[0]);
  const auto selector = get<uint32_t>(thread, i.from[2]);
  uint32_t result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    unsigned nibble = selector >> (k * 4) & 0xf;
    const unsigned s = selector & 3;
    if (i.mode == 1) nibble = (s + k) & 7;
    if (i.mode == 2) nibble = (s - k) & 7;
    if (i.mode == 3) nibble = s;
    if (i.mode == 4) nibble = k < s ? s : k;
    if (i.mode == 5) nibble = k < s ? k : s;
    if (i.mode == 6) nibble = (s & 1) * 2 + (k & 1);
    auto byte = static_cast<uint32_t>(both >> ((nibble & 7) * 8) & 0xff);
    if (i.mode == 0 && (nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (k * 8);
  }
  put(thread, i.to[0], result);
}

// Comparisons.
enum class Compare : uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

template <class V>
bool compare(Compare comparison, V a, V b) {
  bool is_unordered = false;
  if constexpr (std::is_floating_point_v<V>) is_unordered = std::isnan(a) || std::isnan(b);
  switch (comparison) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return !is_unordered && a != b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    case Compare::ge:
      return a >= b;
    case Compare::equ:
      return is_unordered || a == b;
    case Compare::neu:
      return is_unordered || a != b;
    case Compare::ltu:
      return is_unordered || a < b;
    case Compare::leu:
      return is_unordered || a <= b;
    case Compare::gtu:
      return is_unordered || a > b;
    case Compare::geu:
      return is_unordered || a >= b;
    case Compare::num:
      return !is_unordered;
    case Compare::nan:
      return is_unordered;
  }
  return false;
}
template <class T>
bool compare_operands(const Thread& thread, const Instruction& i) {
  const auto comparison = static_cast<Compare>(i.mode & 0xf);
  if constexpr (std::is_integral_v<T>) {
    return compare(comparison, get<T>(thread, i.from[0]), get<T>(thread, i.from[1]));
  } else {
    return compare(comparison, operand<T>(thread, i, 0), operand<T>(thread, i, 1));
  }
}
/// setp: bits 4 and 5 of mode combine the result with a predicate: 1 and, 2 or, 3 xor.
template <class T>
void set_predicate(Thread& thread, const Instruction& i) {
  const bool result = compare_operands<T>(thread, i);
  const int combination = i.mode >> 4 & 3;
  const bool other = combination != 0 && (thread.slots[i.from[2]] != 0) != ((i.mode & 0x40) != 0);
  const auto combined = [&](bool value) {
    return combination == 0   ? value
           : combination == 1 ? value && other
           : combination == 2 ? value || other
                              : value != other;
  };
  thread.slots[i.to[0]] = combined(result);
  if (i.to[1] >= 0) thread.slots[i.to[1]] = combined(!result);
}
/// set: all ones or 1.0. Bit 7 of mode selects 1.0.
template <class T>
void set_value(Thread& thread, const Instruction& i) {
  const bool result = compare_operands<T>(thread, i);
  thread.slots[i.to[0]] = !result ? 0 : (i.mode & 0x80) != 0 ? to_slot(1.0f) : 0xffffffffu;
}
template <class T>
void select(Thread& thread, const Instruction& i) {
  put(thread, i.to[0], get<T>(thread, thread.slots[i.from[2]] != 0 ? i.from[0] : i.from[1]));
}

// Conversions.
template <class V>
V rounded_to_integer(V value, uint8_t mode) {
  switch (mode) {
    case to_zero:
      return std::trunc(value);
    case down:
      return std::floor(value);
    case up:
      return std::ceil(value);
    default:
      return std::nearbyint(value);
  }
}
/// Floating point to integer: values out of range become the nearest integer.
template <class To, class V>
To saturated(V value) {
  if (std::isnan(value)) return sizeof(To) == 8 ? static_cast<To>(uint64_t{1} << 63) : To(0);
  if (value <= static_cast<V>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (value >= static_cast<V>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(value);
}
/// cvt. Bit 4 of mode: rounds to an integer (rni, rzi, rmi, rpi).
template <class To, class From>
void convert_number(Thread& thread, const Instruction& i) {
  const auto mode = static_cast<uint8_t>(i.mode & 3);
  if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    const From a = get<From>(thread, i.from[0]);
    if (i.saturate) {
      const auto wide = static_cast<__int128>(a);
      const auto low = static_cast<__int128>(std::numeric_limits<To>::min());
      const auto high = static_cast<__int128>(std::numeric_limits<To>::max());
      put(thread, i.to[0], static_cast<To>(wide < low ? low : wide > high ? high : wide));
    } else {
      put(thread, i.to[0], static_cast<To>(a));
    }
  } else if constexpr (std::is_integral_v<From>) {
    const RoundingScope rounding(mode);
    volatile From a = get<From>(thread, i.from[0]);
    if constexpr (is_small_float<To>) {
      put(thread, i.to[0], To(static_cast<double>(a)));
    } else {
      volatile To result = static_cast<To>(a);
      put<To>(thread, i.to[0], result);
    }
  } else if constexpr (std::is_integral_v<To>) {
    auto a = operand<From>(thread, i, 0);
    put(thread, i.to[0], saturated<To>(rounded_to_integer(a, mode)));
  } else {
    const auto a = operand<From>(thread, i, 0);
    using V = std::conditional_t<is_small_float<To>, double, To>;
    if ((i.mode & 0x10) != 0) {
      store<To>(thread, i, static_cast<V>(rounded_to_integer(a, mode)));
      return;
    }
    const RoundingScope rounding(mode);
    volatile auto exact = a;
    volatile V result = static_cast<V>(exact);
    store<To>(thread, i, static_cast<V>(result));
  }
}
/// cvt.rn.f16x2.f32 and cvt.rn.bf16x2.f32: the first operand is the upper half.
template <class T>
void convert_two(Thread& thread, const Instruction& i) {
  put(thread, i.to[0],
      Two<T>{T(static_cast<double>(get<float>(thread, i.from[1]))),
             T(static_cast<double>(get<float>(thread, i.from[0])))});
}
/// testp: mode 0 finite, infinite, number, notanumber, normal, subnormal.
template <class T>
void test_property(Thread& thread, const Instruction& i) {
  const T a = get<T>(thread, i.from[0]);
  const bool results[] = {std::isfinite(a), std::isinf(a),    !std::isnan(a),
                          std::isnan(a),    std::isnormal(a), std::fpclassify(a) == FP_SUBNORMAL};
  thread.slots[i.to[0]] = results[i.mode];
}

// Moves and memory.
inline void move(Thread& thread, const Instruction& i) { thread.slots[i.to[0]] = thread.slots[i.from[0]]; }
/// mov with a vector: packs `count` registers into one or unpacks one into them. Mode: bits of an element.
template <class T>
void pack(Thread& thread, const Instruction& i) {
  uint64_t result = 0;
  for (int k = 0; k < i.count; ++k) {
    result |= static_cast<uint64_t>(get<T>(thread, i.from[k])) << (sizeof(T) * 8 * static_cast<unsigned>(k));
  }
  thread.slots[i.to[0]] = result;
}
template <class T>
void unpack(Thread& thread, const Instruction& i) {
  const uint64_t value = thread.slots[i.from[0]];
  for (int k = 0; k < i.count; ++k) {
    if (i.to[k] >= 0) put(thread, i.to[k], static_cast<T>(value >> (sizeof(T) * 8 * static_cast<unsigned>(k))));
  }
}

inline Address address_of(const Thread& thread, const Instruction& i) {
  Address address = static_cast<Address>(i.offset);
  if (i.from[0] >= 0) address += thread.slots[i.from[0]];
  if (i.has_address_symbol) address += static_cast<Address>(thread.frame->local_base);  // a local variable
  return address;
}
template <class T>
void load(Thread& thread, const Instruction& i) {
  const std::size_t size = sizeof(T) * i.count;
  const char* const from = thread.block->access(thread, i, address_of(thread, i), size, false);
  T values[4];
  std::memcpy(values, from, size);
  for (int k = 0; k < i.count; ++k) {
    if (i.to[k] >= 0) put(thread, i.to[k], values[k]);
  }
}
template <class T>
void store_memory(Thread& thread, const Instruction& i) {
  const std::size_t size = sizeof(T) * i.count;
  T values[4];
  for (int k = 0; k < i.count; ++k) values[k] = get<T>(thread, i.from[k + 1]);
  std::memcpy(thread.block->access(thread, i, address_of(thread, i), size, true), values, size);
}
/// mov of the address of a local variable, in the local window if `mode` is 1.
inline void local_address(Thread& thread, const Instruction& i) {
  thread.slots[i.to[0]] = static_cast<Address>(i.offset + thread.frame->local_base);
}
/// cvta and cvta.to: `offset` is the window; mode 1 removes it.
inline void convert_address(Thread& thread, const Instruction& i) {
  const Address address = thread.slots[i.from[0]];
  const auto window = static_cast<Address>(i.offset);
  thread.slots[i.to[0]] = i.mode == 1 ? address & ~window : address | window;
}
inline void is_in_space(Thread& thread, const Instruction& i) {
  const Address address = thread.slots[i.from[0]];
  const Address window = is_device_address(address) ? 0 : address & kWindowMask;
  thread.slots[i.to[0]] = window == static_cast<Address>(i.offset);
}

template <class T, class Operator>
void atomic(Thread& thread, const Instruction& i) {
  T* const at = reinterpret_cast<T*>(thread.block->access(thread, i, address_of(thread, i), sizeof(T), true, true));
  T old;
  std::memcpy(&old, at, sizeof(T));
  const T next = Operator()(old, get<T>(thread, i.from[1]), i.from[2] >= 0 ? get<T>(thread, i.from[2]) : T());
  std::memcpy(at, &next, sizeof(T));
  if (i.to[0] >= 0) put(thread, i.to[0], old);
}
template <class Operator>
struct Atomic {
  template <class T>
  T operator()(T old, T value, T) const {
    if constexpr (is_small_float<T>) {
      return T(Operator()(static_cast<double>(old), static_cast<double>(value)));
    } else if constexpr (std::is_integral_v<T> && std::is_same_v<Operator, Add>) {
      return static_cast<T>(static_cast<uint64_t>(old) + static_cast<uint64_t>(value));
    } else {
      return static_cast<T>(Operator()(old, value));
    }
  }
};
template <class T>
struct AtomicTwo {
  Two<T> operator()(Two<T> old, Two<T> value, Two<T>) const {
    return {T(static_cast<double>(old.low) + static_cast<double>(value.low)),
            T(static_cast<double>(old.high) + static_cast<double>(value.high))};
  }
};
struct Exchange {
  template <class T>
  T operator()(T, T value, T) const {
    return value;
  }
};
struct CompareAndSwap {
  template <class T>
  T operator()(T old, T expected, T value) const {
    return old == expected ? value : old;
  }
};
struct Increment {
  template <class T>
  T operator()(T old, T limit, T) const {
    return old >= limit ? T(0) : static_cast<T>(old + 1);
  }
};
struct Decrement {
  template <class T>
  T operator()(T old, T limit, T) const {
    return old == 0 || old > limit ? limit : static_cast<T>(old - 1);
  }
};

// Control.
inline void branch(Thread& thread, const Instruction& i) { thread.pc = static_cast<uint32_t>(i.offset); }
inline void branch_indexed(Thread& thread, const Instruction& i) {
  const auto index = get<uint32_t>(thread, i.from[0]);
  if (index >= i.targets.size()) thread.block->fail(thread, i, "brx.idx: the index is not below the number of targets");
  thread.pc = static_cast<uint32_t>(i.targets[index]);
}
inline void call(Thread& thread, const Instruction& i) {
  const Frame* const caller = thread.frame;
  thread.enter(*i.callee);
  for (std::size_t k = 0; k < i.arguments.size(); ++k) {
    const Parameter& to = i.callee->parameters[k];
    std::memcpy(thread.frame->parameters.data() + to.offset, caller->parameters.data() + i.arguments[k],
                static_cast<std::size_t>(to.size));
  }
}
inline void leave(Thread& thread, const Instruction&) {
  const Frame* const callee = thread.frame;
  if (!thread.leave()) return;
  const Instruction& call_site = thread.frame->function->code[thread.pc - 1];
  for (std::size_t k = 0; k < call_site.results.size(); ++k) {
    const Parameter& from = callee->function->results[k];
    std::memcpy(thread.frame->parameters.data() + call_site.results[k], callee->parameters.data() + from.offset,
                static_cast<std::size_t>(from.size));
  }
}
inline void exit_thread(Thread& thread, const Instruction&) { thread.state = Thread::State::ended; }
inline void trap(Thread& thread, const Instruction& i) { thread.block->fail(thread, i, "trap"); }
inline void nothing(Thread&, const Instruction&) {}
inline void barrier(Thread& thread, const Instruction& i) { thread.block->wait_at_barrier(thread, i); }
/// Operations of a warp: the mask is the last operand.
inline void warp_operation(Thread& thread, const Instruction& i) {
  thread.block->wait_in_warp(thread, i, get<uint32_t>(thread, i.from[4]));
}
inline void active_mask(Thread& thread, const Instruction& i) { put(thread, i.to[0], uint32_t{1} << thread.lane()); }

/// Operations that complete_warp_operation distinguishes: Instruction::mode.
enum class WarpOperation : uint8_t {
  sync,
  shuffle_up,
  shuffle_down,
  shuffle_bfly,
  shuffle_idx,
  vote_all,
  vote_any,
  vote_uni,
  vote_ballot,
  match_any,
  match_all,
  add,
  min,
  max,
  min_signed,
  max_signed,
  bit_and,
  bit_or,
  bit_xor,
};
/// bar.red: Instruction::mode; 0 is bar.sync.
enum class BarrierReduction : uint8_t { none, popc, all, any };

}  // namespace emulator
