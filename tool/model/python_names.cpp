#include "model/python_names.h"

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// Tokens of TorchScript, the same in PyTorch 1.13 and 2.15.
constexpr llvm::StringLiteral reserved_in_torch[] = {"False",  "None",     "True",   "and",   "as",   "assert", "break",
                                                     "class",  "continue", "def",    "del",   "elif", "else",   "for",
                                                     "global", "if",       "import", "in",    "is",   "not",    "or",
                                                     "pass",   "raise",    "return", "while", "with"};

constexpr llvm::StringLiteral other_keywords[] = {"async",  "await",    "except", "finally", "from",
                                                  "lambda", "nonlocal", "try",    "yield"};

}  // namespace

bool is_python_keyword(llvm::StringRef word) {
  return is_reserved_in_torch(word) || llvm::is_contained(other_keywords, word);
}

bool is_reserved_in_torch(llvm::StringRef word) { return llvm::is_contained(reserved_in_torch, word); }

}  // namespace structured::gen
