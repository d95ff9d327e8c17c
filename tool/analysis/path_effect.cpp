#include "analysis/path_effect.h"

#include <algorithm>

namespace structured::gen {

PathEffect PathEffect::of_output(int64_t index, clang::SourceRange place) {
  PathEffect effect;
  effect.outputs[index] = {1, place, {}};
  return effect;
}

PathEffect PathEffect::of_any_output() {
  PathEffect effect;
  effect.may_set_any = true;
  return effect;
}

void PathEffect::append(const PathEffect& next) {
  may_set_any |= next.may_set_any;
  maybe_set.insert(next.maybe_set.begin(), next.maybe_set.end());
  for (const auto& [index, setting] : next.outputs) {
    Setting& known = outputs[index];
    if (known.count == 0) {
      known = setting;
    } else if (known.count == 1) {
      known.count = 2;
      known.second = setting.first;
    }
  }
}

void PathEffect::append_perhaps(const PathEffect& next) {
  may_set_any |= next.may_set_any;
  maybe_set.insert(next.maybe_set.begin(), next.maybe_set.end());
  for (const auto& [index, setting] : next.outputs) maybe_set.insert(index);
}

bool PathEffect::is_like(const PathEffect& other) const {
  const auto have_same_count = [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.count == b.second.count;
  };
  return may_set_any == other.may_set_any && maybe_set == other.maybe_set && end == other.end &&
         std::equal(outputs.begin(), outputs.end(), other.outputs.begin(), other.outputs.end(), have_same_count);
}

}  // namespace structured::gen
