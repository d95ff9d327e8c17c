#include "model/schema_default.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {
namespace {

using Kind = Type::Wrapper::Kind;

Type unwrapped(Type type) {
  type.wrappers.pop_back();
  return type;
}

bool is_identifier(char c) { return llvm::isAlnum(c) || c == '_'; }

/// The last part of a qualified name: `Mean` of `at::Reduction::Mean`. Empty if `text` is no qualified name.
llvm::StringRef last_component(llvm::StringRef text) {
  if (text.empty() || llvm::isDigit(text.front())) return {};
  if (!llvm::all_of(text, [](char c) { return is_identifier(c) || c == ':'; })) return {};
  auto colon = text.rfind("::");
  return colon == llvm::StringRef::npos ? text : text.drop_front(colon + 2);
}

/// The part before it: `at::Reduction`, as its own last component `Reduction`.
llvm::StringRef scope_of(llvm::StringRef text) {
  auto colon = text.rfind("::");
  return colon == llvm::StringRef::npos ? llvm::StringRef() : last_component(text.take_front(colon));
}

/// Where the bracket at the front of `text` closes; npos if it does not.
std::size_t closing_bracket(llvm::StringRef text) {
  llvm::SmallVector<char, 8> open;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '(' || c == '{' || c == '[') open.push_back(c);
    if (c == ')' || c == '}' || c == ']') {
      if (open.empty()) return llvm::StringRef::npos;
      open.pop_back();
      if (open.empty()) return i;
    }
  }
  return llvm::StringRef::npos;
}

/// `a, {b, c}` as `a` and `{b, c}`.
llvm::SmallVector<llvm::StringRef, 4> split_elements(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> elements;
  std::size_t begin = 0, depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && in_string) {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (in_string) {
      continue;
    } else if (c == '(' || c == '{' || c == '[') {
      ++depth;
    } else if ((c == ')' || c == '}' || c == ']') && depth > 0) {
      --depth;
    } else if (c == ',' && depth == 0) {
      elements.push_back(text.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  llvm::StringRef last = text.drop_front(begin).trim();
  if (!last.empty()) elements.push_back(last);
  return elements;
}

/// The inside of `Scalar(1)` or `IntArrayRef{0, 1}`, with the braces kept, as those of a list are.
std::optional<llvm::StringRef> constructor_argument(llvm::StringRef text) {
  llvm::StringRef name = text.take_while([](char c) { return is_identifier(c) || c == ':'; });
  llvm::StringRef rest = text.drop_front(name.size()).ltrim();
  if (rest.starts_with("<")) {
    auto close = rest.find('>');
    while (close != llvm::StringRef::npos && rest.drop_front(close + 1).starts_with(">")) ++close;
    if (close == llvm::StringRef::npos) return std::nullopt;
    rest = rest.drop_front(close + 1).ltrim();
  }
  if (last_component(name).empty() || rest.empty() || (rest.front() != '(' && rest.front() != '{')) return std::nullopt;
  if (closing_bracket(rest) != rest.size() - 1) return std::nullopt;
  llvm::StringRef inside = rest.drop_front().drop_back().trim();
  if (inside.empty()) return llvm::StringRef("{}");
  return rest.front() == '{' ? rest : inside;
}

/// The number without digit separators and suffix; nothing if `text` is no decimal literal with an optional sign.
std::optional<std::string> decimal(llvm::StringRef text, bool is_float) {
  std::string number;
  if (text.consume_front("-")) number = "-";
  text = text.ltrim();
  std::string digits;
  bool is_fractional = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\'') continue;
    bool is_exponent_sign = (c == '+' || c == '-') && !digits.empty() && (digits.back() == 'e' || digits.back() == 'E');
    if (c == '.' || c == 'e' || c == 'E') is_fractional = true;
    if (!llvm::isDigit(c) && c != '.' && c != 'e' && c != 'E' && !is_exponent_sign) break;
    digits += c;
  }
  llvm::StringRef suffix = text.drop_front(i);
  bool is_octal = digits.size() > 1 && digits[0] == '0' && !is_fractional;
  if (digits.empty() || !llvm::any_of(digits, llvm::isDigit) || is_octal) return std::nullopt;
  if (!llvm::all_of(suffix, [&](char c) { return llvm::StringRef(is_fractional ? "fFlL" : "uUlLzZ").contains(c); })) {
    return std::nullopt;
  }
  if (is_fractional && !is_float) return std::nullopt;
  return number + digits;
}

bool is_number(llvm::StringRef text, bool is_float) {
  auto number = decimal(text, is_float);
  return number && *number == text;
}

std::optional<std::string> number(const DefaultArgument& written, bool is_float) {
  if (auto literal = decimal(written.text, is_float)) return literal;
  if (!written.value) return std::nullopt;
  if (!is_float && *written.value == "true") return "1";
  if (!is_float && *written.value == "false") return "0";
  return decimal(*written.value, is_float);
}

std::optional<std::string> boolean(const DefaultArgument& written) {
  std::string value = written.value.value_or(written.text);
  if (value == "true" || value == "1") return "True";
  if (value == "false" || value == "0") return "False";
  return std::nullopt;
}

std::optional<std::string> string(const DefaultArgument& written) {
  llvm::StringRef text = written.text;
  bool is_one_literal = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  for (std::size_t i = 1; is_one_literal && i + 1 < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      is_one_literal = false;
  }
  if (is_one_literal) return text.str();
  if (!written.value) return std::nullopt;
  std::string quoted = "\"";
  for (char c : *written.value) {
    if (!llvm::isPrint(c) && static_cast<unsigned char>(c) < 0x80) return std::nullopt;
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// `kFloat`, `ScalarType::Float`: the enumerator, without the `k` of a constant.
llvm::StringRef enumerator(llvm::StringRef text, llvm::StringRef enumeration) {
  llvm::StringRef name = last_component(text);
  if (scope_of(text) == enumeration) return name;
  if (name.size() > 1 && name.front() == 'k' && llvm::isUpper(name[1])) return name.drop_front();
  return {};
}

/// Names of dtypes as schemas have them: `float`, `bfloat16`, `complex_double`.
std::optional<std::string> dtype(llvm::StringRef text) {
  llvm::StringRef name = enumerator(text, "ScalarType");
  if (name.empty()) return std::nullopt;
  if (name.consume_front("Complex")) return "complex_" + name.lower();
  return name.lower();
}

std::optional<std::string> layout(llvm::StringRef text) {
  llvm::StringRef name = enumerator(text, "Layout");
  if (name == "Sparse") return "sparse_coo";
  std::string snake;
  for (char c : name) {
    if (llvm::isUpper(c) && !snake.empty()) snake += '_';
    snake += llvm::toLower(c);
  }
  return snake.empty() ? std::nullopt : std::optional(snake);
}

std::optional<std::string> memory_format(llvm::StringRef text) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> names[] = {
      {"Contiguous", "contiguous_format"},
      {"Preserve", "preserve_format"},
      {"ChannelsLast", "channels_last"},
      {"ChannelsLast3d", "channels_last_3d"}};
  if (scope_of(text) != "MemoryFormat") return std::nullopt;
  for (const auto& [cpp, schema] : names) {
    if (last_component(text) == cpp) return schema.str();
  }
  return std::nullopt;
}

std::optional<std::string> base_default(Type::Base base, const DefaultArgument& written) {
  switch (base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
      if (scope_of(written.text) == "Reduction") return last_component(written.text).str();
      return number(written, /*is_float=*/false);
    case Type::Base::Float:
    case Type::Base::SymFloat:
      return number(written, /*is_float=*/true);
    case Type::Base::Scalar:
      if (auto literal = number(written, /*is_float=*/true)) return literal;
      return boolean(written);
    case Type::Base::Bool:
      return boolean(written);
    case Type::Base::Str:
      return string(written);
    case Type::Base::ScalarType:
      return dtype(written.text);
    case Type::Base::Layout:
      return layout(written.text);
    case Type::Base::MemoryFormat:
      return memory_format(written.text);
    case Type::Base::Device:
      if (auto device = enumerator(written.text, "DeviceType"); !device.empty()) return device.lower();
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

/// An element or an inner part has no value of its own: Clang evaluated the whole.
DefaultArgument part(llvm::StringRef text) { return {text.str(), std::nullopt, {}}; }

}  // namespace

std::optional<std::string> schema_default(const Type& type, const DefaultArgument& written) {
  llvm::StringRef text = llvm::StringRef(written.text).trim();
  if (text.starts_with("(") && closing_bracket(text) == text.size() - 1) {
    return schema_default(type, {text.drop_front().drop_back().str(), written.value, written.range});
  }
  if (auto inner = constructor_argument(text))
    return schema_default(type, {inner->str(), written.value, written.range});
  if (type.is_optional()) {
    if (text == "{}" || last_component(text) == "nullopt") return "None";
    return schema_default(unwrapped(type), written);
  }
  if (type.is_list()) {
    Type element = unwrapped(type);
    bool is_list = text.starts_with("{") && closing_bracket(text) == text.size() - 1;
    if (!is_list) {
      auto single = schema_default(element, written);
      // Only a list of fixed length takes a number for all of its elements.
      if (!single || type.wrappers.back().size) return single;
      return "[" + *single + "]";
    }
    std::string list;
    for (llvm::StringRef element_text : split_elements(text.drop_front().drop_back())) {
      auto value = schema_default(element, part(element_text));
      if (!value) return std::nullopt;
      list += (list.empty() ? "" : ",") + *value;
    }
    return "[" + list + "]";
  }
  bool is_braced = text.starts_with("{") && closing_bracket(text) == text.size() - 1 && text != "{}";
  if (is_braced) {
    return schema_default(type, {text.drop_front().drop_back().str(), written.value, written.range});
  }
  return base_default(type.base, written);
}

bool is_schema_default(const Type& type, llvm::StringRef text) {
  if (text != text.trim() || text.empty()) return false;
  if (type.is_optional()) return text == "None" || is_schema_default(unwrapped(type), text);
  if (type.is_list()) {
    Type element = unwrapped(type);
    bool is_list = text.starts_with("[") && closing_bracket(text) == text.size() - 1;
    if (!is_list) return type.wrappers.back().size && is_schema_default(element, text);
    return llvm::all_of(split_elements(text.drop_front().drop_back()),
                        [&](llvm::StringRef part) { return is_schema_default(element, part); });
  }
  bool is_name = llvm::all_of(text, is_identifier) && !llvm::isDigit(text.front());
  switch (type.base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
      return is_number(text, /*is_float=*/false) || text == "Mean" || text == "Sum";
    case Type::Base::Float:
    case Type::Base::SymFloat:
      return is_number(text, /*is_float=*/true);
    case Type::Base::Scalar:
      return text == "True" || text == "False" || is_number(text, /*is_float=*/true);
    case Type::Base::Bool:
      return text == "True" || text == "False";
    case Type::Base::Str:
      return text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
    case Type::Base::ScalarType:
    case Type::Base::Layout:
    case Type::Base::MemoryFormat:
    case Type::Base::Device:
      return is_name;
    default:
      return false;
  }
}

}  // namespace structured::gen
