// Messages of diagnostics: a format that a text search finds, and values that print themselves.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "check/text.h"
#include "language/attributes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/cpp_type.h"
#include "model/schema.h"

namespace structured::gen {

/// Prints as code: `x`.
struct Code {
  explicit Code(const llvm::Twine& written) : text(written.str()) {}
  std::string text;
};

/// Prints a number of things: "1 parameter", "2 parameters".
struct Count {
  std::size_t count;
  llvm::StringRef noun;
};

/// Prints names as code: `a`, `b` and `c`.
struct List {
  explicit List(std::vector<std::string> all, llvm::StringRef last = "and")
      : names(std::move(all)), conjunction(last) {}
  std::vector<std::string> names;
  llvm::StringRef conjunction;
};

/// Prints as it is: a part of a sentence. Text from sources is `Code` instead.
struct Phrase {
  explicit Phrase(const llvm::Twine& words) : text(words.str()) {}
  std::string text;
};

/// Prints "; did you mean `x`?" if one of the candidates is similar, or else nothing.
struct DidYouMean {
  DidYouMean(llvm::StringRef written, llvm::ArrayRef<std::string> candidates) : name(nearest(written, candidates)) {}
  std::optional<std::string> name;
  explicit operator bool() const { return name.has_value(); }
};

std::string printed(const Code& value);
std::string printed(const Count& value);
std::string printed(const List& value);
std::string printed(const Phrase& value);
std::string printed(const DidYouMean& hint);
std::string printed(Role role);
std::string printed(const OperatorName& name);
std::string printed(const Type& type);
std::string printed(const CppType& type);  ///< as written

template <std::integral Number>
  requires(!std::same_as<Number, bool> && !std::same_as<Number, char>)
std::string printed(Number number) {
  return std::to_string(number);
}

/// Returns the number of placeholders, `{}`; nullopt if there are other braces.
constexpr std::optional<std::size_t> count_placeholders(std::string_view format) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '}') return std::nullopt;
    if (format[i] != '{') continue;
    if (++i == format.size() || format[i] != '}') return std::nullopt;
    ++count;
  }
  return count;
}

/// Whether a message has the form of all diagnostics: lower case, no final period.
constexpr bool has_message_form(std::string_view format) {
  return !format.empty() && !(format.front() >= 'A' && format.front() <= 'Z') && format.back() != '.';
}

/// A constant text with a placeholder, `{}`, for each value. Any other text does not compile.
template <typename... Values>
class MessageFormat {
 public:
  consteval MessageFormat(const char* text) : text_(text) {
    if (count_placeholders(text_) != sizeof...(Values)) placeholders_and_values_differ_in_number();
    if (!has_message_form(text_)) message_is_not_lower_case_without_final_period();
  }

  std::string print(const Values&... values) const;

 private:
  // Not constant expressions, so that the compiler's error names the fault.
  static void placeholders_and_values_differ_in_number() {}
  static void message_is_not_lower_case_without_final_period() {}

  std::string_view text_;
};

/// The format of a function whose `values` determine `Values`.
template <typename... Values>
using FormatFor = MessageFormat<std::type_identity_t<Values>...>;

/// Replaces each placeholder by a value.
std::string fill_placeholders(llvm::StringRef format, llvm::ArrayRef<std::string> values);

template <typename... Values>
std::string MessageFormat<Values...>::print(const Values&... values) const {
  return fill_placeholders(text_, std::vector<std::string>{printed(values)...});
}

/// Returns a part of a sentence with values in it.
template <typename... Values>
Phrase phrase(FormatFor<Values...> format, const Values&... values) {
  return Phrase(format.print(values...));
}

/// Returns ", as on `CPU`", to name the kernel that is taken as correct; ", as in the schema" without backends.
Phrase as_on(const std::vector<std::string>& backends);

/// Two types in one message: as written, or canonical if they are spelled alike.
struct Types {
  Types(const CppType& a, const CppType& b);
  Code first;
  Code second;
};

}  // namespace structured::gen
