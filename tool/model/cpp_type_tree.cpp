#include "model/cpp_type_tree.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {

namespace {

// Limits recursion. No type of a schema is nested as deeply.
constexpr int max_type_depth = 32;

bool is_name_character(char c) { return llvm::isAlnum(c) || c == '_' || c == ':'; }

// Templates whose values convert if their elements do.
bool is_converted_by_element(llvm::StringRef name) {
  return name == "std::optional" || name == "c10::optional" || name == "std::tuple";
}

// Whether the word is part of a type of several words such as `unsigned long`.
bool is_arithmetic_word(llvm::StringRef word) {
  return word == "unsigned" || word == "signed" || word == "long" || word == "short" || word == "int" ||
         word == "char" || word == "double";
}

bool is_default_argument(const CppTypeTree& argument) {
  return argument.name == "std::allocator" || argument.name == "std::char_traits";
}

class Parser {
 public:
  explicit Parser(llvm::StringRef text) : rest_(text.trim()) {}

  std::optional<CppTypeTree> parse() {
    CppTypeTree spelling;
    if (!parse(spelling, 0, /*is_converted=*/true) || !rest_.empty()) return std::nullopt;
    return spelling;
  }

 private:
  bool parse(CppTypeTree& spelling, int depth, bool is_converted) {
    if (depth > max_type_depth) return false;
    spelling.is_const = take_word("const");
    if (!parse_name(spelling.name, is_converted)) return false;
    rest_ = rest_.ltrim();
    if (rest_.starts_with("<") && !parse_arguments(spelling, depth, is_converted)) return false;
    parse_suffix(spelling);
    if (spelling.is_value()) spelling.is_const = false;
    return true;
  }

  bool parse_name(std::string& name, bool is_converted) {
    llvm::StringRef word = take_name();
    if (word.empty()) return false;
    word.consume_front("::");
    name = word.str();
    if (!is_arithmetic_word(word)) return true;
    while (is_arithmetic_word(peek_name())) name += (" " + take_name()).str();
    const std::size_t twice = name.find("long long");
    if (is_converted && twice != std::string::npos) name.erase(twice, llvm::StringRef("long ").size());
    return true;
  }

  bool parse_arguments(CppTypeTree& spelling, int depth, bool is_converted) {
    is_converted = is_converted && is_converted_by_element(spelling.name);
    rest_ = rest_.drop_front();  // the `<`
    do {
      CppTypeTree argument;
      if (!parse(argument, depth + 1, is_converted)) return false;
      if (!is_default_argument(argument)) spelling.arguments.push_back(std::move(argument));
      rest_ = rest_.ltrim();
    } while (rest_.consume_front(","));
    return rest_.consume_front(">");
  }

  void parse_suffix(CppTypeTree& spelling) {
    for (;;) {
      rest_ = rest_.ltrim();
      if (rest_.consume_front("&&")) {
        spelling.suffix += " &&";
      } else if (rest_.consume_front("&")) {
        spelling.suffix += " &";
      } else if (rest_.consume_front("*")) {
        spelling.suffix += " *";
      } else if (!take_word("const")) {  // `const` of the pointer itself, not of its target
        return;
      }
    }
  }

  llvm::StringRef peek_name() const { return rest_.ltrim().take_while(is_name_character); }
  llvm::StringRef take_name() {
    const llvm::StringRef name = peek_name();
    rest_ = rest_.ltrim().drop_front(name.size());
    return name;
  }
  bool take_word(llvm::StringRef word) {
    if (peek_name() != word) return false;
    take_name();
    return true;
  }

  llvm::StringRef rest_;
};

}  // namespace

std::optional<CppTypeTree> parse_cpp_type(llvm::StringRef canonical) { return Parser(canonical).parse(); }

std::string to_string(const CppTypeTree& spelling) {
  std::string text = spelling.is_const ? "const " : "";
  text += spelling.name;
  if (!spelling.arguments.empty()) {
    text += '<';
    llvm::interleave(
        spelling.arguments, [&](const CppTypeTree& argument) { text += to_string(argument); }, [&] { text += ", "; });
    text += '>';
  }
  return text + spelling.suffix;
}

}  // namespace structured::gen
