#include "structured/schema/words.h"

#include "structured/schema/dtype.h"

namespace structured::schema {
namespace {

struct EnumeratorWord {
  std::string_view enumeration;
  std::string_view enumerator;
  std::string_view word;  // empty for enumerators that schemas do not name
};

constexpr EnumeratorWord words[] = {
#define STRUCTURED_ENUMERATOR(enumeration, enumerator, word) {#enumeration, #enumerator, word},
#include "structured/schema/enumerations.def"
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
  if (enumeration == "ScalarType") {
    const Dtype* const dtype = find_dtype([&](const Dtype& row) { return row.name == enumerator; });
    return dtype != nullptr ? std::optional<std::string_view>(dtype->word) : std::nullopt;
  }
  for (const EnumeratorWord& entry : words) {
    if (entry.enumeration == enumeration && entry.enumerator == enumerator && !entry.word.empty()) return entry.word;
  }
  return std::nullopt;
}

std::optional<std::string_view> find_word(std::string_view enumeration, std::string_view word) {
  if (enumeration == "ScalarType") {
    const Dtype* const dtype = dtype_with_word(word);
    return dtype != nullptr ? std::optional<std::string_view>(dtype->name) : std::nullopt;
  }
  for (const EnumeratorWord& entry : words) {
    if (entry.enumeration == enumeration && entry.word == word && !word.empty()) return entry.enumerator;
  }
  return std::nullopt;
}

}  // namespace structured::schema
