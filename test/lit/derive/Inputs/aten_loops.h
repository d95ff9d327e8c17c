// Minimal replacements for loops over the elements of at::TensorIteratorBase, and for what they use.
#pragma once

#include "aten_mock.h"

namespace c10 {
[[noreturn]] void fail(const char* message);
struct Half {
  Half() = default;
  Half(float value);
  operator float() const;
  unsigned short bits;
};
inline Half operator*(const Half& a, const Half& b) { return static_cast<float>(a) * static_cast<float>(b); }
inline Half operator+(const Half& a, const Half& b) { return static_cast<float>(a) + static_cast<float>(b); }
inline Half operator/(const Half& a, const Half& b) { return static_cast<float>(a) / static_cast<float>(b); }
inline Half operator/(const Half& a, int b) { return a / static_cast<Half>(b); }
}  // namespace c10

namespace at {
using c10::Half;
template <class T>
struct OpMath {
  using type = T;
};
template <>
struct OpMath<Half> {
  using type = float;
};
namespace native {
inline namespace CPU_CAPABILITY {
template <class F>
void cpu_kernel(TensorIteratorBase& op, F&& function, int64_t grain_size = 32768, bool checks_casts = true);
template <class F, class V>
void cpu_kernel_vec(TensorIteratorBase& op, F&& function, V&& vectors);
template <class F>
void cpu_serial_kernel(TensorIteratorBase& op, F&& function);
}  // namespace CPU_CAPABILITY
}  // namespace native
}  // namespace at

namespace detail {
inline at::ScalarType scalar_type(at::ScalarType type) { return type; }
}  // namespace detail

#define TORCH_CHECK(condition, message) \
  if (__builtin_expect(static_cast<bool>(!(condition)), 0)) ::c10::fail(message)
#define AT_DISPATCH_CASE(dtype, type, ...)      \
  case at::ScalarType::dtype: {                 \
    do {                                        \
      if constexpr (false) ::c10::fail("never"); \
    } while (0);                                \
    using scalar_t [[maybe_unused]] = type;     \
    return __VA_ARGS__();                       \
  }
#define AT_DISPATCH_SWITCH(dtype, name, ...)                \
  [&] {                                                     \
    const auto& the_type = dtype;                           \
    constexpr const char* at_dispatch_name = name;          \
    at::ScalarType _st = ::detail::scalar_type(the_type);   \
    switch (_st) {                                          \
      __VA_ARGS__                                           \
      default:                                              \
        TORCH_CHECK(false, at_dispatch_name);               \
    }                                                       \
  }()
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) \
  AT_DISPATCH_CASE(Double, double, __VA_ARGS__) AT_DISPATCH_CASE(Float, float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(dtype, name, ...) \
  AT_DISPATCH_SWITCH(dtype, name, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(dtype, name, ...) \
  AT_DISPATCH_SWITCH(dtype, name,                             \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(Half, at::Half, __VA_ARGS__))
#define AT_DISPATCH_INT_AND_FLOAT(dtype, name, ...)                            \
  AT_DISPATCH_SWITCH(dtype, name,                                             \
                     AT_DISPATCH_CASE(Int, int, __VA_ARGS__) AT_DISPATCH_CASE(Float, float, __VA_ARGS__) \
                         AT_DISPATCH_CASE(Bool, bool, __VA_ARGS__))
