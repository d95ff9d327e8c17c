#include "structured/base/error.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "structured/base/error_context.h"

namespace structured {

/// Shared by copies of an Error. The message, the operator and the argument follow it in memory, null-terminated.
struct Error::Text {
  std::atomic<int> references{1};
  std::size_t op = 0;        // index of the operator's first character
  std::size_t argument = 0;  // index of the argument's first character

  static Text* create(std::string_view message, std::string_view op, std::string_view argument) {
    auto* const text = new (::operator new(sizeof(Text) + message.size() + op.size() + argument.size() + 3)) Text;
    char* end = text->characters();
    const auto append = [&](std::string_view part) {
      const auto index = static_cast<std::size_t>(end - text->characters());
      end = std::copy(part.begin(), part.end(), end);
      *end++ = '\0';
      return index;
    };
    append(message);
    text->op = append(op);
    text->argument = append(argument);
    return text;
  }
  char* characters() { return reinterpret_cast<char*>(this + 1); }
};

Error::Error(const char* message) : Error(message, std::char_traits<char>::length(message)) {}

Error::Error(const char* message, std::size_t length) : text_(Text::create({message, length}, {}, {})) {}

Error::Error(const char* message, std::size_t length, const char* op, const char* argument)
    : text_(Text::create({message, length}, op, argument)) {}

Error::Error(const Error& other) noexcept : std::exception(other), text_(other.text_) {
  text_->references.fetch_add(1, std::memory_order_relaxed);
}

Error& Error::operator=(const Error& other) noexcept {
  Error copy(other);
  std::swap(text_, copy.text_);
  return *this;
}

Error::~Error() {
  if (text_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    text_->~Text();
    ::operator delete(text_);
  }
}

const char* Error::what() const noexcept { return text_->characters(); }

const char* Error::op() const noexcept { return text_->characters() + text_->op; }

const char* Error::argument() const noexcept { return text_->characters() + text_->argument; }

namespace {

void write_to_stderr(const char* message) { std::fprintf(stderr, "structured: warning: %s\n", message); }

constinit std::atomic<WarningHandler> warning_handler = write_to_stderr;

}  // namespace

WarningHandler set_warning_handler(WarningHandler handler) noexcept {
  return warning_handler.exchange(handler == nullptr ? write_to_stderr : handler);
}

namespace detail {

void MessagePart::write(std::ostream& out) const {
  switch (kind_) {
    case Kind::boolean:
      out << (integer_ != 0 ? "true" : "false");
      break;
    case Kind::character:
      out << static_cast<char>(integer_);
      break;
    case Kind::integer:
      out << integer_;
      break;
    case Kind::natural:
      out << static_cast<uint64_t>(integer_);
      break;
    case Kind::real:
      out << real_;
      break;
    case Kind::text:
      out.write(static_cast<const char*>(pointer_), static_cast<std::streamsize>(length_));
      break;
    case Kind::object:
      write_(out, pointer_);
      break;
  }
}

namespace {

std::string join(const MessagePart* parts, std::size_t count) {
  std::ostringstream out;
  for (std::size_t i = 0; i < count; ++i) parts[i].write(out);
  return std::move(out).str();
}

}  // namespace

void throw_error(const char* condition, const MessagePart* parts, std::size_t count) {
  const ErrorContext context;
  std::string message = join(parts, count);
  if (message.empty()) message = std::string("expected `") + condition + "`";
  message = context.complete(message);
  throw Error(message.data(), message.size(), std::string(context.operator_name()).c_str(), context.argument().c_str());
}

void throw_internal_error(const char* file, int line, const char* condition, const MessagePart* parts,
                          std::size_t count) {
  std::ostringstream out;
  out << "internal error at " << file << ':' << line << ": expected `" << condition << '`';
  if (count != 0) out << ": " << join(parts, count);
  out << " (this is a bug in structured, not in your program)";
  const std::string message = std::move(out).str();
  throw InternalError(message.data(), message.size());
}

void emit_warning(const MessagePart* parts, std::size_t count) {
  const ErrorContext context;
  const std::string message = context.complete(join(parts, count));
  warning_handler.load()(message.c_str());
}

}  // namespace detail

}  // namespace structured
