#include "structured/core/names.h"

#include <algorithm>

#include "structured/base/error.h"
#include "structured/core/name_rules.h"

namespace structured {
namespace {

// The name at position `i` from the end; the wildcard if the list is shorter.
Dimname from_end(DimnameList names, std::size_t i) {
  return i < names.size() ? names[names.size() - 1 - i] : Dimname();
}

// Rejects a name of `a` that `b` has at another position, a mistake that broadcasting would hide.
void check_aligned(DimnameList a, DimnameList b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Dimname name = from_end(a, i);
    if (name.is_wildcard() || name == from_end(b, i)) continue;
    STRUCTURED_CHECK(std::find(b.begin(), b.end(), name) == b.end(), "cannot broadcast dimensions ", a, " and ", b,
                     ": `", name, "` is at different positions from the right");
  }
}

constexpr detail::NameRules kRules = {unify_names, name_output};

}  // namespace

constinit std::atomic<const detail::NameRules*> detail::name_rules = nullptr;

std::vector<Dimname> unify_names(DimnameList a, DimnameList b) {
  const std::size_t rank = std::max(a.size(), b.size());
  std::vector<Dimname> result(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const Dimname left = from_end(a, i);
    const Dimname right = from_end(b, i);
    const std::optional<Dimname> name = left.unify(right);
    STRUCTURED_CHECK(name.has_value(), "cannot broadcast dimensions ", a, " and ", b, ": `", left, "` and `", right,
                     "` are at the same place from the right and do not match");
    result[rank - 1 - i] = *name;
  }
  check_aligned(a, b);
  check_aligned(b, a);
  return result;
}

std::vector<Dimname> reduced_names(DimnameList names, uint64_t mask, bool keepdim) {
  std::vector<Dimname> result;
  for (std::size_t d = 0; d < names.size(); ++d) {
    if (keepdim || (mask >> d & 1) == 0) result.push_back(names[d]);
  }
  return result;
}

int64_t dimension_named(const Tensor& tensor, Dimname name) {
  STRUCTURED_CHECK(!name.is_wildcard(), "expected the name of a dimension, got the wildcard");
  const DimnameList names = tensor.names();
  const Dimname* const found = std::find(names.begin(), names.end(), name);
  STRUCTURED_CHECK(found != names.end(), "expected a tensor with a dimension `", name, "`, got one with ", names);
  return found - names.begin();
}

void set_names(const Tensor& tensor, DimnameList names) {
  const auto rank = static_cast<std::size_t>(tensor.dim());
  STRUCTURED_CHECK(names.empty() || names.size() == rank, "expected a name for each of ", rank, " dimensions, got ",
                   names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    STRUCTURED_CHECK(names[i].is_wildcard() || std::find(names.begin() + i + 1, names.end(), names[i]) == names.end(),
                     "expected names of dimensions that differ, got ", names);
  }
  const bool has_any = std::any_of(names.begin(), names.end(), [](Dimname name) { return !name.is_wildcard(); });
  // All named tensors are named here, or copy their names.
  if (has_any) detail::name_rules.store(&kRules, std::memory_order_relaxed);
  tensor.impl()->set_names(has_any ? names : DimnameList());
}

void name_output(const Tensor& output, DimnameList names) {
  if (!output.has_names()) return set_names(output, names);
  const DimnameList expected = output.names();
  STRUCTURED_CHECK(std::equal(expected.begin(), expected.end(), names.begin(), names.end()),
                   "expected a result with the names ", expected, " of the output that was given, got ", names);
}

Tensor named_view(Tensor view, const Tensor& base, IntArrayRef sources) {
  const DimnameList names = base.names();
  std::vector<Dimname> result;
  for (const int64_t source : sources) {
    result.push_back(source < 0 || names.empty() ? Dimname() : names[static_cast<std::size_t>(source)]);
  }
  set_names(view, result);
  return view;
}

}  // namespace structured
