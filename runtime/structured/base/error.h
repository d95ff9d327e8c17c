#pragma once
// Two kinds of errors: STRUCTURED_CHECK throws `Error` for a mistake of the caller, STRUCTURED_INTERNAL_ASSERT throws
// `InternalError` for a bug of the library. Neither aborts the process. Warnings go to a handler.
//
// A message starts in lower case, has no final period, quotes code in backticks, and says what was expected and what
// was found: "add: expected `other` on cpu, got cuda:0". Messages of code that operators share begin with the running
// operators, which are found on the call stack: "in matmul: in dot: `other`: expected ...".
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iosfwd>
#include <type_traits>

#include "structured/base/export.h"

namespace structured {

/// Thrown by a failed STRUCTURED_CHECK. Copies share the text, so that copying never throws.
class STRUCTURED_API Error : public std::exception {
 public:
  explicit Error(const char* message);
  Error(const char* message, std::size_t length);
  /// `op` and `argument` are empty if they are unknown.
  Error(const char* message, std::size_t length, const char* op, const char* argument);
  Error(const Error& other) noexcept;
  Error& operator=(const Error& other) noexcept;
  ~Error() override;

  const char* what() const noexcept override;
  const char* message() const noexcept { return what(); }
  /// Full name of the innermost operator that was running, such as `aten::dot`. Empty if none was running, or if the
  /// compiler has optimised its stack frame away.
  const char* op() const noexcept;
  /// Name of the operator's argument that the error is about; empty if it is unknown.
  const char* argument() const noexcept;

 private:
  struct Text;
  Text* text_;
};

/// Thrown by a failed STRUCTURED_INTERNAL_ASSERT.
class STRUCTURED_API InternalError final : public Error {
 public:
  using Error::Error;
};

/// Receives the text of each warning; the text lives until the handler returns. May be called by several threads.
using WarningHandler = void (*)(const char* message);

/// Installs `handler` for all warnings, and returns the previous handler. Null restores the initial one, which writes
/// to stderr. Thread-safe.
STRUCTURED_API WarningHandler set_warning_handler(WarningHandler handler) noexcept;

namespace detail {

/// A part of a message: a reference to a value that can be written to a std::ostream.
class MessagePart {
 public:
  MessagePart(bool value) : kind_(Kind::boolean), integer_(value) {}
  MessagePart(char value) : kind_(Kind::character), integer_(static_cast<unsigned char>(value)) {}
  MessagePart(double value) : kind_(Kind::real), real_(value) {}
  MessagePart(const char* value) : kind_(Kind::text), length_(__builtin_strlen(value)), pointer_(value) {}

  template <class T>
  MessagePart(const T& value) {
    if constexpr (std::is_integral_v<T>) {  // also the 8-bit types: they are numbers here, not characters
      kind_ = std::is_signed_v<T> ? Kind::integer : Kind::natural;
      integer_ = static_cast<int64_t>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      kind_ = Kind::real;
      real_ = static_cast<double>(value);
    } else if constexpr (requires { value.traits_type::length(value.data()); }) {  // std::string, std::string_view
      kind_ = Kind::text;
      length_ = value.size();
      pointer_ = value.data();
    } else {
      kind_ = Kind::object;
      pointer_ = &value;
      // Found by argument-dependent lookup, so that this header does without <ostream>.
      write_ = [](std::ostream& out, const void* object) { out << *static_cast<const T*>(object); };
    }
  }

  STRUCTURED_API void write(std::ostream& out) const;

 private:
  enum class Kind : unsigned char { boolean, character, integer, natural, real, text, object };

  Kind kind_;
  union {
    int64_t integer_;
    double real_;
    std::size_t length_;
    void (*write_)(std::ostream&, const void*);
  };
  const void* pointer_ = nullptr;
};

/// Passes small values to the cold function by value: a reference would force them into memory on the fast path too.
template <class T>
struct PassPart {
  using type = std::conditional_t<std::is_trivially_copyable_v<T> && sizeof(T) <= 16, T, const T&>;
};
template <std::size_t N>
struct PassPart<char[N]> {
  using type = const char*;
};

[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_error(const char* condition, const MessagePart* parts,
                                                             std::size_t count);
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_internal_error(const char* file, int line, const char* condition,
                                                                      const MessagePart* parts, std::size_t count);
STRUCTURED_API STRUCTURED_COLD void emit_warning(const MessagePart* parts, std::size_t count);

template <class... Parts>
[[noreturn]] STRUCTURED_COLD void fail_check_cold(const char* condition, Parts... parts) {
  const MessagePart list[] = {MessagePart(parts)..., MessagePart("")};
  throw_error(condition, list, sizeof...(Parts));
}

template <class... Parts>
[[noreturn]] STRUCTURED_COLD void fail_assert_cold(const char* file, int line, const char* condition, Parts... parts) {
  const MessagePart list[] = {MessagePart(parts)..., MessagePart("")};
  throw_internal_error(file, line, condition, list, sizeof...(Parts));
}

template <class... Parts>
[[noreturn]] STRUCTURED_ALWAYS_INLINE void fail_check(const char* condition, const Parts&... parts) {
  fail_check_cold<typename PassPart<Parts>::type...>(condition, parts...);
}

template <class... Parts>
[[noreturn]] STRUCTURED_ALWAYS_INLINE void fail_assert(const char* file, int line, const char* condition,
                                                       const Parts&... parts) {
  fail_assert_cold<typename PassPart<Parts>::type...>(file, line, condition, parts...);
}

}  // namespace detail

/// Throws an Error whose message is made of `parts`, for code that has detected the mistake already.
template <class... Parts>
[[noreturn]] STRUCTURED_ALWAYS_INLINE void fail(const Parts&... parts) {
  detail::fail_check("", parts...);
}

namespace detail {
/// Between a call and a return: prevents a tail call, so that messages of the callee name the caller's operator.
STRUCTURED_ALWAYS_INLINE void keep_frame() {
#if defined(__GNUC__)
  asm volatile("");
#endif
}
}  // namespace detail

/// Hands a message made of `parts` to the warning handler. Thread-safe.
template <class... Parts>
STRUCTURED_COLD void warn(const Parts&... parts) {
  const detail::MessagePart list[] = {detail::MessagePart(parts)..., detail::MessagePart("")};
  detail::emit_warning(list, sizeof...(Parts));
}

}  // namespace structured

/// STRUCTURED_CHECK(condition, parts...) reports a mistake of the caller. Throws structured::Error if `condition` is
/// false; the message is made of `parts`, which are evaluated only then.
#define STRUCTURED_CHECK(condition, ...)                                       \
  do {                                                                         \
    if (!(condition)) [[unlikely]]                                             \
      ::structured::detail::fail_check(#condition __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)

/// STRUCTURED_INTERNAL_ASSERT(condition, parts...) reports a bug of the library. Throws structured::InternalError.
#define STRUCTURED_INTERNAL_ASSERT(condition, ...)                                                       \
  do {                                                                                                   \
    if (!(condition)) [[unlikely]]                                                                       \
      ::structured::detail::fail_assert(__FILE_NAME__, __LINE__, #condition __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)
