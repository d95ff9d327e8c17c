#include "dialect/native_defaults.h"

#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {
namespace {

using Constants = llvm::ArrayRef<std::pair<llvm::StringLiteral, llvm::StringLiteral>>;

// Schema words on the left, enumerators on the right.
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> scalar_types[] = {{"uint8", "Byte"},
                                                                                {"byte", "Byte"},
                                                                                {"int8", "Char"},
                                                                                {"char", "Char"},
                                                                                {"int16", "Short"},
                                                                                {"short", "Short"},
                                                                                {"int32", "Int"},
                                                                                {"int", "Int"},
                                                                                {"int64", "Long"},
                                                                                {"long", "Long"},
                                                                                {"float16", "Half"},
                                                                                {"half", "Half"},
                                                                                {"float32", "Float"},
                                                                                {"float", "Float"},
                                                                                {"float64", "Double"},
                                                                                {"double", "Double"},
                                                                                {"complex32", "ComplexHalf"},
                                                                                {"complex64", "ComplexFloat"},
                                                                                {"complex128", "ComplexDouble"},
                                                                                {"bool", "Bool"},
                                                                                {"qint8", "QInt8"},
                                                                                {"quint8", "QUInt8"},
                                                                                {"qint32", "QInt32"},
                                                                                {"bfloat16", "BFloat16"}};
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> memory_formats[] = {
    {"contiguous_format", "Contiguous"},
    {"preserve_format", "Preserve"},
    {"channels_last", "ChannelsLast"},
    {"channels_last_3d", "ChannelsLast3d"}};
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> layouts[] = {
    {"strided", "Strided"},      {"sparse_coo", "Sparse"},    {"sparse_csr", "SparseCsr"}, {"_mkldnn", "Mkldnn"},
    {"sparse_csc", "SparseCsc"}, {"sparse_bsr", "SparseBsr"}, {"sparse_bsc", "SparseBsc"}};
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> reductions[] = {{"Mean", "Mean"}, {"Sum", "Sum"}};
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> devices[] = {
    {"cpu", "CPU"}, {"cuda", "CUDA"}, {"meta", "Meta"}};

std::optional<DefaultSpelling> constant(llvm::StringRef enumeration, Constants constants, llvm::StringRef word,
                                        llvm::StringRef header = "") {
  for (const auto& [schema, enumerator] : constants) {
    if (schema == word) {
      return DefaultSpelling{("::structured::" + enumeration + "::" + enumerator).str(), header.str()};
    }
  }
  return std::nullopt;
}

std::optional<DefaultSpelling> number(llvm::StringRef text) {
  if (text == "True" || text == "False") {
    return DefaultSpelling{text.lower(), ""};
  }
  if (text == "inf" || text == "-inf") {
    return DefaultSpelling{(text.drop_back(3) + "std::numeric_limits<double>::infinity()").str(), "<limits>"};
  }
  if (text == "nan") {
    return DefaultSpelling{"std::numeric_limits<double>::quiet_NaN()", "<limits>"};
  }
  if (text == "-9223372036854775808") {  // its digits alone do not fit
    return DefaultSpelling{"std::numeric_limits<int64_t>::min()", "<limits>"};
  }
  std::int64_t integer = 0;
  double real = 0;
  if (!text.getAsInteger(10, integer) || !text.getAsDouble(real)) {
    return DefaultSpelling{text.str(), ""};
  }
  return std::nullopt;
}

// The default of a list between its brackets.
std::optional<DefaultSpelling> elements(const Type& element_type, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  DefaultSpelling result;
  for (llvm::StringRef part : parts) {
    const std::optional<DefaultSpelling> element = native_default(element_type, part.trim());
    if (!element) {
      return std::nullopt;
    }
    result.expression.append(result.expression.empty() ? "" : ", ").append(element->expression);
    result.header = element->header;
  }
  result.expression = "{" + result.expression + "}";
  return result;
}

}  // namespace

std::optional<DefaultSpelling> native_default(const Type& type, llvm::StringRef text) {
  if (text == "None" && type.is_optional()) {
    return DefaultSpelling{"std::nullopt", "<optional>"};
  }
  Type inner = type;
  if (type.is_optional()) {
    inner.wrappers.pop_back();
    return native_default(inner, text);
  }
  if (type.is_list()) {
    inner.wrappers.pop_back();
    if (text.consume_front("[") && text.consume_back("]")) {
      return elements(inner, text);
    }
    // A number for a list of fixed length stands for all of its elements, which the kernel expands.
    return native_default(inner, text);
  }
  switch (type.base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
      if (std::optional<DefaultSpelling> named =
              constant("Reduction", reductions, text, "<structured/core/reduction.h>")) {
        return named;
      }
      return number(text);
    case Type::Base::Float:
    case Type::Base::Bool:
    case Type::Base::Scalar:
      return number(text);
    case Type::Base::Str:
      if (text.size() >= 2 && (text.starts_with("\"") || text.starts_with("'")) && text.front() == text.back()) {
        return DefaultSpelling{("\"" + text.drop_front().drop_back() + "\"").str(), ""};
      }
      return std::nullopt;
    case Type::Base::ScalarType:
      return constant("ScalarType", scalar_types, text);
    case Type::Base::MemoryFormat:
      return constant("MemoryFormat", memory_formats, text);
    case Type::Base::Layout:
      return constant("Layout", layouts, text);
    case Type::Base::Device:
      return constant("DeviceType", devices, text.trim("\"'"));
    default:
      return std::nullopt;
  }
}

}  // namespace structured::gen
