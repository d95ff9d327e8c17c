#pragma once
// Names of dimensions: "N", "channels", or the wildcard "*".
#include <iosfwd>
#include <optional>
#include <string_view>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"

namespace structured {

/// One word: names are interned once per process, so that they compare by address. Thread-safe.
class Dimname {
 public:
  /// The wildcard, which matches every name.
  constexpr Dimname() = default;
  /// `*` is the wildcard. Throws Error unless the name is an identifier: letters, digits, `_`, no digit first.
  STRUCTURED_API explicit Dimname(std::string_view name);

  constexpr bool is_wildcard() const { return name_ == nullptr; }
  /// "*" for the wildcard.
  constexpr const char* name() const { return name_ == nullptr ? "*" : name_; }

  /// Whether both may name the same dimension.
  constexpr bool matches(Dimname other) const { return unify(other).has_value(); }
  /// The name of a dimension that has both names: the one that differs from the wildcard; none if the names conflict.
  constexpr std::optional<Dimname> unify(Dimname other) const {
    if (is_wildcard()) return other;
    if (other.is_wildcard() || *this == other) return *this;
    return std::nullopt;
  }

  friend constexpr bool operator==(Dimname, Dimname) = default;

 private:
  const char* name_ = nullptr;
};

using DimnameList = ArrayRef<Dimname>;

/// Prints `N`, or `*` for the wildcard.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, Dimname name);
/// Prints `[N, *]`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, DimnameList names);

}  // namespace structured
