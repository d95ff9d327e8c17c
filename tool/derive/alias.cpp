#include "derive/alias.h"

namespace structured::gen {

std::string AliasLetters::next() {
  // After `z` come `aa`, `ab`, ...
  std::string letters;
  for (unsigned n = count_++ + 1; n > 0; n = (n - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('a' + (n - 1) % 26));
  }
  return letters;
}

AliasSet AliasLetters::written() { return {{next()}, /*is_write=*/true, {}}; }

AliasSet AliasLetters::viewed(const AliasAttribute& attribute) {
  auto [entry, is_new] = shared_.try_emplace(attribute.set);
  if (is_new) entry->second = next();
  AliasSet set{{entry->second}, /*is_write=*/false, {}};
  if (attribute.is_wildcard) set.after = {"*"};
  return set;
}

AliasSet result_alias(const AliasSet& argument) { return {argument.before, argument.is_write, {}}; }

void alias_result(std::vector<Return>& returns, const AliasAttribute& attribute, const AliasSet& argument) {
  for (std::size_t i = 0; i < returns.size(); ++i) {
    bool is_meant = attribute.result ? *attribute.result == i : !returns[i].alias;
    if (!is_meant || !returns[i].type.is_tensor_like()) continue;
    returns[i].alias = result_alias(argument);
    return;
  }
}

}  // namespace structured::gen
