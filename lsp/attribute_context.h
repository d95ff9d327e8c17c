// The attribute that is being typed at a position, recognized from the text alone, as unfinished code cannot be parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::lsp {

struct AttributeContext {
  std::string attribute;               ///< name; empty while the name is being typed
  std::size_t index = 0;               ///< index of the argument at the position
  std::vector<std::string> arguments;  ///< the other string arguments, in order
  std::size_t begin = 0;               ///< start of the name, or of the contents of the string
  std::size_t end = 0;
};

/// Returns nullopt unless the position is in the name of a `structured` attribute or in a string argument of one.
std::optional<AttributeContext> attribute_context(llvm::StringRef text, std::size_t offset);

}  // namespace structured::lsp
