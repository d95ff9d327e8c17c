#include "structured/core/dimname.h"

#include <algorithm>
#include <mutex>
#include <ostream>
#include <string>
#include <unordered_set>

namespace structured {

namespace {

/// The interned characters of `name`, which live as long as the process.
const char* intern(std::string_view name) {
  static std::mutex mutex;
  static auto* const names = new std::unordered_set<std::string>;
  const std::lock_guard lock(mutex);
  return names->emplace(name).first->c_str();
}

bool is_identifier(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && !is_digit(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace

Dimname::Dimname(std::string_view name) {
  if (name == "*") return;
  STRUCTURED_CHECK(is_identifier(name), "expected the name of a dimension to be an identifier or `*`, got `", name,
                   "`");
  name_ = intern(name);
}

std::ostream& operator<<(std::ostream& out, Dimname name) { return out << name.name(); }

std::ostream& operator<<(std::ostream& out, DimnameList names) {
  out << '[';
  for (std::size_t i = 0; i < names.size(); ++i) out << (i == 0 ? "" : ", ") << names[i];
  return out << ']';
}

}  // namespace structured
