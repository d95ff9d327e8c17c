// What is being typed inside an attribute, told from the text alone: what is not finished cannot be parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::lsp {

struct AttributeContext {
  std::string attribute;               ///< its name; empty while that is being typed
  std::size_t index = 0;               ///< of the argument at the place
  std::vector<std::string> arguments;  ///< the strings of the others, in order
  std::size_t begin = 0;               ///< the name or the string's contents around the place
  std::size_t end = 0;
};

/// Nothing where the place is neither in the name of an attribute in our scope nor in a string among its arguments.
std::optional<AttributeContext> attribute_context(llvm::StringRef text, std::size_t offset);

}  // namespace structured::lsp
