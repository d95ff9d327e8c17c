#include "structured/schema/words.h"

namespace structured::schema {
namespace {

struct EnumeratorWord {
  std::string_view enumeration;
  std::string_view enumerator;
  std::string_view word;
};

constexpr EnumeratorWord words[] = {
#define STRUCTURED_DTYPE(enumerator, name, other_name, ...) \
  {"ScalarType", #enumerator, name}, {"ScalarType", #enumerator, other_name},
#define STRUCTURED_ENUMERATOR(enumeration, enumerator, word) {#enumeration, #enumerator, word},
#include "structured/schema/dtypes.def"
#define STRUCTURED_DEVICE_TYPE(enumerator, word) {"DeviceType", #enumerator, word},
#include "structured/schema/backends.def"
};

}  // namespace

std::string_view enumeration_of(Type::Base base) {
  switch (base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
      return "Reduction";
    case Type::Base::ScalarType:
      return "ScalarType";
    case Type::Base::Layout:
      return "Layout";
    case Type::Base::MemoryFormat:
      return "MemoryFormat";
    case Type::Base::Device:
      return "DeviceType";
    default:
      return "";
  }
}

std::optional<std::string_view> word_of(std::string_view enumeration, std::string_view enumerator) {
  for (const EnumeratorWord& entry : words) {
    if (entry.enumeration == enumeration && entry.enumerator == enumerator) return entry.word;
  }
  return std::nullopt;
}

std::optional<std::string_view> find_word(std::string_view enumeration, std::string_view word) {
  for (const EnumeratorWord& entry : words) {
    if (entry.enumeration == enumeration && entry.word == word) return entry.enumerator;
  }
  return std::nullopt;
}

}  // namespace structured::schema
