// What each attribute means, in a line.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::lsp {

struct AttributeHelp {
  llvm::StringLiteral name;
  llvm::StringLiteral form;  ///< how it is written
  llvm::StringLiteral text;
  bool takes_arguments = true;
};

/// One for every attribute of the language.
llvm::ArrayRef<AttributeHelp> attribute_help();

/// Null if there is no such attribute.
const AttributeHelp* find_help(llvm::StringRef name);

}  // namespace structured::lsp
