// The attributes that exist, as names: what the scan registers with Clang and suggests for a misspelt one. What
// their arguments mean is for `check` to say.
#pragma once

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

enum class AttributeTarget { function, parameter };

struct AttributeSpec {
  const char* scoped_name;  ///< `structured::meta`
  AttributeTarget target;
  /// `meta`
  llvm::StringRef name() const { return llvm::StringRef(scoped_name).drop_front(attribute_scope_size); }
  static constexpr std::size_t attribute_scope_size = sizeof("structured::") - 1;
};

/// Every attribute of the language.
llvm::ArrayRef<AttributeSpec> attribute_table();

/// Null if there is no such attribute; `name` comes without its scope.
const AttributeSpec* find_attribute(llvm::StringRef name);

/// The name that the author probably meant, if one is near enough.
std::optional<llvm::StringRef> nearest_attribute(llvm::StringRef name);

}  // namespace structured::gen
