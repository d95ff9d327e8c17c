#include "emit/python/string_literal.h"

#include "llvm/ADT/StringExtras.h"

namespace structured::gen {

std::string python_string(llvm::StringRef text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\\' || c == '"') {
      result += {'\\', c};
    } else if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ') {
      result += "\\x" + llvm::utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/true, /*Width=*/2);
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string python_bool(bool value) { return value ? "True" : "False"; }

std::string torch_dtypes(llvm::ArrayRef<const DtypeName*> dtypes) {
  schema::DtypeSet all = 0;
  for (const DtypeName* dtype : dtypes) all |= dtype->dtypes;
  std::string text;
  for (const schema::Dtype& dtype : schema::kDtypes) {
    if ((all & schema::DtypeSet{1} << dtype.number) == 0) continue;
    text += std::string(text.empty() ? "[" : ", ") + "torch." + dtype.torch_name();
  }
  return text.empty() ? text : text + "]";
}

}  // namespace structured::gen
