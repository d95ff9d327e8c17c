#include "check/message.h"

namespace structured::gen {

std::string printed(const Code& value) { return code(value.text); }
std::string printed(const Count& value) { return count_of(value.count, value.noun); }
std::string printed(const List& value) { return list_of(value.names, value.conjunction); }
std::string printed(const Phrase& value) { return value.text; }
std::string printed(const DidYouMean& hint) { return hint ? "; did you mean " + code(*hint.name) + "?" : ""; }
std::string printed(Role role) { return code(name_of(role)); }
std::string printed(const OperatorName& name) { return code(to_string(name)); }
std::string printed(const Type& type) { return code(to_string(type)); }
std::string printed(const CppType& type) { return code(type.written); }

std::string fill_placeholders(llvm::StringRef format, llvm::ArrayRef<std::string> values) {
  std::string message;
  for (const std::string& value : values) {
    const auto [text, rest] = format.split("{}");
    message += text;
    message += value;
    format = rest;
  }
  return message + format.str();
}

Phrase as_on(const std::vector<std::string>& backends) {
  return backends.empty() ? Phrase(", as in the schema") : phrase(", as on {}", List(backends));
}

Types::Types(const CppType& a, const CppType& b)
    : first(a.written != b.written ? a.written : a.canonical),
      second(a.written != b.written ? b.written : b.canonical) {}

}  // namespace structured::gen
