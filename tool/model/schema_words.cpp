#include "model/schema_words.h"

#include "llvm/ADT/ArrayRef.h"

namespace structured::gen {
namespace {

struct Word {
  llvm::StringLiteral word;
  llvm::StringLiteral enumerator;
};

// Of several words for one enumerator the first is the one that we write.
constexpr Word scalar_types[] = {{"byte", "Byte"},
                                 {"uint8", "Byte"},
                                 {"char", "Char"},
                                 {"int8", "Char"},
                                 {"short", "Short"},
                                 {"int16", "Short"},
                                 {"int", "Int"},
                                 {"int32", "Int"},
                                 {"long", "Long"},
                                 {"int64", "Long"},
                                 {"half", "Half"},
                                 {"float16", "Half"},
                                 {"float", "Float"},
                                 {"float32", "Float"},
                                 {"double", "Double"},
                                 {"float64", "Double"},
                                 {"complex_half", "ComplexHalf"},
                                 {"complex32", "ComplexHalf"},
                                 {"complex_float", "ComplexFloat"},
                                 {"complex64", "ComplexFloat"},
                                 {"complex_double", "ComplexDouble"},
                                 {"complex128", "ComplexDouble"},
                                 {"bool", "Bool"},
                                 {"qint8", "QInt8"},
                                 {"quint8", "QUInt8"},
                                 {"qint32", "QInt32"},
                                 {"bfloat16", "BFloat16"},
                                 {"quint4x2", "QUInt4x2"},
                                 {"quint2x4", "QUInt2x4"}};
constexpr Word memory_formats[] = {{"contiguous_format", "Contiguous"},
                                   {"preserve_format", "Preserve"},
                                   {"channels_last", "ChannelsLast"},
                                   {"channels_last_3d", "ChannelsLast3d"}};
constexpr Word layouts[] = {{"strided", "Strided"},      {"sparse_coo", "Sparse"},   {"sparse_csr", "SparseCsr"},
                            {"mkldnn", "Mkldnn"},        {"_mkldnn", "Mkldnn"},      {"sparse_csc", "SparseCsc"},
                            {"sparse_bsr", "SparseBsr"}, {"sparse_bsc", "SparseBsc"}};
constexpr Word devices[] = {{"cpu", "CPU"},
                            {"cuda", "CUDA"},
                            {"meta", "Meta"},
                            {"privateuse1", "PrivateUse1"},
                            {"privateuse2", "PrivateUse2"},
                            {"privateuse3", "PrivateUse3"}};
constexpr Word reductions[] = {{"Mean", "Mean"}, {"Sum", "Sum"}};

struct Enumeration {
  llvm::StringLiteral name;
  llvm::ArrayRef<Word> words;
};

Enumeration enumeration(Type::Base base) {
  switch (base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
      return {"Reduction", reductions};
    case Type::Base::ScalarType:
      return {"ScalarType", scalar_types};
    case Type::Base::Layout:
      return {"Layout", layouts};
    case Type::Base::MemoryFormat:
      return {"MemoryFormat", memory_formats};
    case Type::Base::Device:
      return {"DeviceType", devices};
    default:
      return {"", {}};
  }
}

}  // namespace

llvm::StringRef enumeration_of(Type::Base base) { return enumeration(base).name; }

std::optional<llvm::StringRef> word_of(Type::Base base, llvm::StringRef enumerator) {
  for (const Word& entry : enumeration(base).words) {
    if (entry.enumerator == enumerator) return entry.word;
  }
  return std::nullopt;
}

std::optional<llvm::StringRef> enumerator_of(Type::Base base, llvm::StringRef word) {
  for (const Word& entry : enumeration(base).words) {
    if (entry.word == word) return entry.enumerator;
  }
  return std::nullopt;
}

}  // namespace structured::gen
