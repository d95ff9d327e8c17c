#include "structured/dispatch/default_value.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "structured/core/reduction.h"

namespace structured::detail {
namespace {

template <class T>
struct Name {
  std::string_view name;
  T value;
};

constexpr Name<MemoryFormat> memory_formats[] = {{"contiguous_format", MemoryFormat::Contiguous},
                                                 {"preserve_format", MemoryFormat::Preserve},
                                                 {"channels_last", MemoryFormat::ChannelsLast},
                                                 {"channels_last_3d", MemoryFormat::ChannelsLast3d}};
constexpr Name<Layout> layouts[] = {{"strided", kStrided},      {"sparse_coo", kSparse},   {"sparse_csr", kSparseCsr},
                                    {"mkldnn", kMkldnn},        {"_mkldnn", kMkldnn},      {"sparse_csc", kSparseCsc},
                                    {"sparse_bsr", kSparseBsr}, {"sparse_bsc", kSparseBsc}};
constexpr Name<DeviceType> devices[] = {{"cpu", kCPU},
                                        {"cuda", kCUDA},
                                        {"meta", kMeta},
                                        {"privateuseone", kPrivateUse1},
                                        {"privateusetwo", kPrivateUse2},
                                        {"privateusethree", kPrivateUse3}};
constexpr Name<std::int64_t> reductions[] = {{"Mean", Reduction::Mean}, {"Sum", Reduction::Sum}};

template <class T, std::size_t N>
std::optional<T> find(const Name<T> (&names)[N], std::string_view text) {
  for (const Name<T>& entry : names) {
    if (entry.name == text) return entry.value;
  }
  return std::nullopt;
}

// Value of a literal; none if it cannot be parsed.
template <class T>
std::optional<Value> value_of(const std::optional<T>& found) {
  return found ? std::optional<Value>(Value(*found)) : std::nullopt;
}

template <class T>
std::optional<T> number(std::string_view text) {
  T result;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  return error == std::errc() && end == text.data() + text.size() ? std::optional<T>(result) : std::nullopt;
}

std::optional<std::int64_t> integer(std::string_view text) {
  const std::optional<std::int64_t> found = number<std::int64_t>(text);
  return found ? found : find(reductions, text);
}

std::optional<double> real(std::string_view text) {
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return number<double>(text);
}

std::optional<bool> boolean(std::string_view text) {
  if (text == "True") return true;
  if (text == "False") return false;
  return std::nullopt;
}

std::optional<Scalar> scalar(std::string_view text) {
  if (const std::optional<bool> found = boolean(text)) return Scalar(*found);
  if (const std::optional<std::int64_t> found = number<std::int64_t>(text)) return Scalar(*found);
  const std::optional<double> found = real(text);
  return found ? std::optional<Scalar>(*found) : std::nullopt;
}

constexpr bool is_hexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Decodes the escape sequence at the start of `text`, after its backslash, and removes it. As in C++, a hexadecimal
// escape takes all digits that follow.
char unescaped(std::string_view& text) {
  constexpr std::string_view letters = "abfnrtv";
  constexpr std::string_view characters = "\a\b\f\n\r\t\v";
  unsigned value = 0;
  if (text.size() > 1 && text[0] == 'x' && is_hexadecimal(text[1])) {
    std::size_t end = 1;
    while (end < text.size() && is_hexadecimal(text[end])) ++end;
    // A character has two digits: earlier ones are zeros.
    const std::size_t begin = std::max<std::size_t>(end, 3) - 2;
    std::from_chars(text.data() + begin, text.data() + end, value, 16);
    text.remove_prefix(end);
    return static_cast<char>(value);
  }
  const std::string_view number = text.substr(0, 3);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value, 8);
  if (error == std::errc()) {
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return static_cast<char>(value);
  }
  const std::size_t letter = letters.find(text.front());
  const char result = letter == std::string_view::npos ? text.front() : characters[letter];
  text.remove_prefix(1);
  return result;
}

std::optional<std::string> string(std::string_view text) {
  if (text.size() < 2 || (text.front() != '"' && text.front() != '\'') || text.back() != text.front()) {
    return std::nullopt;
  }
  std::string result;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const bool is_escaped = text.front() == '\\' && text.size() > 1;
    if (is_escaped) {
      text.remove_prefix(1);
      result += unescaped(text);
    } else {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

// Parses `[0, 1]` with `read` for each element. A single element is a list of the fixed length, or of one element.
template <class T, class Read>
std::optional<std::vector<T>> list(std::string_view text, Read read) {
  std::vector<T> result;
  if (!text.starts_with('[') || !text.ends_with(']')) {
    const std::optional<T> single = read(text);
    return single ? std::optional(std::vector<T>{*single}) : std::nullopt;
  }
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::string_view element = next_piece(text);
    const std::optional<T> value = read(element);
    if (!value) {
      return std::nullopt;
    }
    result.push_back(*value);
  }
  return result;
}

}  // namespace

std::optional<Value> default_value(const SchemaArgument& argument) {
  const std::string_view text = argument.default_value;
  if (text.empty()) {
    return std::nullopt;
  }
  if (text == "None") {
    return Value();
  }
  std::string_view type = argument.type;
  if (type.ends_with('?')) {
    type.remove_suffix(1);
  }
  if (const std::size_t open = type.find('['); open != std::string_view::npos) {
    const std::string_view element = type.substr(0, open);
    if (element == "int" || element == "SymInt") {
      // A single integer: the length of the list is needed.
      if (const std::optional<std::int64_t> single = integer(text)) return Value(*single);
      return value_of(list<std::int64_t>(text, integer));
    }
    if (element == "float") return value_of(list<double>(text, real));
    if (element == "Scalar") return value_of(list<Scalar>(text, scalar));
    if (element == "str") {
      const std::optional<std::vector<std::string>> found = list<std::string>(text, string);
      if (!found) return std::nullopt;
      return Value(std::vector<std::string_view>(found->begin(), found->end()));
    }
    if (element == "bool") {
      const std::optional<std::vector<bool>> found = list<bool>(text, boolean);
      if (!found) return std::nullopt;
      const auto copies = std::make_unique<bool[]>(found->size() + 1);
      std::copy(found->begin(), found->end(), copies.get());
      return Value(ArrayRef<bool>(copies.get(), found->size()));
    }
    if (text != "[]") return std::nullopt;
    if (element == "Tensor" || element.starts_with("Tensor(")) return Value(TensorList());
    if (element == "Tensor?") return Value(ArrayRef<std::optional<Tensor>>());
    if (element == "Dimname") return Value(DimnameList());
    return std::nullopt;
  }
  if (type == "int" || type == "SymInt") return value_of(integer(text));
  if (type == "float") return value_of(real(text));
  if (type == "bool") return value_of(boolean(text));
  if (type == "Scalar") return value_of(scalar(text));
  if (type == "str") return value_of(string(text));
  if (type == "ScalarType") {
    const schema::Dtype* const dtype = schema::dtype_with_word(text);
    return dtype != nullptr ? std::optional<Value>(scalar_type_of_row(dtype)) : std::nullopt;
  }
  if (type == "MemoryFormat") return value_of(find(memory_formats, text));
  if (type == "Layout") return value_of(find(layouts, text));
  if (type == "Device") {
    const std::optional<DeviceType> found = find(devices, text);
    return found ? std::optional<Value>(Device(*found)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace structured::detail
