#include "model/schema_words.h"

#include "language/dtypes.h"

namespace structured::gen {

llvm::StringRef enumeration_of(Type::Base base) {
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

std::optional<llvm::StringRef> word_of(Type::Base base, llvm::StringRef enumerator) {
  return schema_word(enumeration_of(base), enumerator);
}

std::optional<llvm::StringRef> enumerator_of(Type::Base base, llvm::StringRef word) {
  return schema_enumerator(enumeration_of(base), word);
}

}  // namespace structured::gen
