#include "open_results.h"

#include <structured/core/factory.h>
#include <structured/core/wrap_dim.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "compare.h"

namespace structured::replay {
namespace {

// A recorded call with its arguments and results.
struct Outcome {
  const Case& recorded;
  const std::vector<SchemaArgument>& schema;
  const Stack& arguments;
  const Stack& results;

  const Value& argument(const char* name) const {
    for (std::size_t i = 0; i < schema.size(); ++i) {
      if (schema[i].name == name) return arguments[i];
    }
    throw MalformedCase(std::string("expected an argument `") + name + "`");
  }
};

constexpr ScalarTypeSet kComparedTypes = kRealTypes | kBool;

using Rule = std::string (*)(const Outcome&);

template <class T>
bool is_same_element(T a, T b) {
  return a == b || (a != a && b != b);
}

// Orders NaN after all numbers.
template <class T>
bool is_ordered(T a, T b) {
  return a < b || (a == a && b != b);
}

// Compares elements of the first result, and only kind, dtype and geometry of the others.
std::string difference_but_for_indices(const Outcome& outcome) {
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const bool is_open = i != 0;
    const std::string found = difference(outcome.results[i], outcome.recorded.expect[i], is_open);
    if (!found.empty()) return "result " + std::to_string(i) + ": " + found;
  }
  return "";
}

// Checks that the values are the recorded ones and that each index along `dim` selects its value in `self`. With
// `are_distinct`, indices must not repeat along `dim`.
template <bool are_distinct>
std::string difference_of_choice(const Outcome& outcome) {
  const std::string found = difference_but_for_indices(outcome);
  if (!found.empty()) return found;
  const Tensor& self = outcome.argument("self").to_tensor();
  const Tensor& values = outcome.results[0].to_tensor();
  const std::vector<int64_t> indices = to_vector<int64_t>(outcome.results[1].to_tensor());
  if (self.dim() == 0) return indices[0] == 0 ? "" : "result 1: expected index 0 of a tensor without dimensions";
  const auto dim = static_cast<std::size_t>(wrap_dim(outcome.argument("dim").to_int(), self.dim()));
  const bool keeps_dim = values.dim() == self.dim();
  // `inner` is the row-major stride of `dim`.
  int64_t inner = 1;
  for (std::size_t d = dim + 1; d < self.sizes().size(); ++d) inner *= self.sizes()[d];
  const int64_t chosen = keeps_dim ? values.sizes()[dim] : 1;
  const int64_t candidates = self.sizes()[dim];
  return visit<kComparedTypes>("compare", self.scalar_type(), [&]<class T>() -> std::string {
    const auto from = to_vector<T>(self);
    const auto picked = to_vector<T>(values);
    std::set<std::pair<int64_t, int64_t>> taken;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const auto place = static_cast<int64_t>(i);
      const int64_t row = place / (inner * chosen) * inner + place % inner;
      const std::string element = "result 1: element " + std::to_string(i) + " is " + std::to_string(indices[i]);
      if (indices[i] < 0 || indices[i] >= candidates) return element + ", which is out of range";
      const int64_t at = (row / inner * candidates + indices[i]) * inner + row % inner;
      const T there = from[static_cast<std::size_t>(at)];
      if (!is_same_element<T>(there, picked[i])) return element + ", where another element is";
      if (are_distinct && !taken.emplace(row, indices[i]).second) return element + ", which is taken twice";
    }
    return "";
  });
}

// For `sorted=False`: accepts the recorded elements in any order if inverse indices and counts are consistent with
// them.
std::string difference_of_unique(const Outcome& outcome) {
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const std::string found = difference(outcome.results[i], outcome.recorded.expect[i], true);
    if (!found.empty()) return "result " + std::to_string(i) + ": " + found;
  }
  const Tensor& self = outcome.argument("self").to_tensor();
  const auto inverse = to_vector<int64_t>(outcome.results[1].to_tensor());
  const auto counts = to_vector<int64_t>(outcome.results[2].to_tensor());
  return visit<kComparedTypes>("compare", self.scalar_type(), [&]<class T>() -> std::string {
    const auto found = to_vector<T>(outcome.results[0].to_tensor());
    auto sorted = found;
    auto expected = to_vector<T>(tensor_from(outcome.recorded.expect[0]));
    std::sort(sorted.begin(), sorted.end(), is_ordered<T>);
    std::sort(expected.begin(), expected.end(), is_ordered<T>);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (!is_same_element<T>(sorted[i], expected[i])) return "result 0: other elements than expected";
    }
    auto elements = to_vector<T>(self);
    for (std::size_t i = 0; i < inverse.size(); ++i) {
      const auto place = static_cast<std::size_t>(inverse[i]);
      if (place >= found.size() || !is_same_element<T>(found[place], elements[i])) {
        return "result 1: element " + std::to_string(i) + " is " + std::to_string(inverse[i]) +
               ", where another element is";
      }
    }
    std::sort(elements.begin(), elements.end(), is_ordered<T>);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const T element = found[i];
      const auto [first, last] = std::equal_range(elements.begin(), elements.end(), element, is_ordered<T>);
      const int64_t times = element == element ? last - first : 1;  // NaNs are distinct elements
      if (counts[i] != times) {
        return "result 2: element " + std::to_string(i) + " is " + std::to_string(counts[i]) + ", expected " +
               std::to_string(times);
      }
    }
    return "";
  });
}

// Guarantees in the documentation of PyTorch 1.13:
//   torch.sort      only `stable=True` preserves the order of equal elements
//   torch.topk      indices are those of the elements in `input`; ties are not specified
//   torch.kthvalue  the index is the location of the element; on CUDA, any valid one
//   torch.mode      the index is the location of the value
//   torch.unique    with `sorted=False`, the order of the elements is not specified
Rule rule_for(const Case& recorded, const std::vector<SchemaArgument>& schema, const Stack& arguments) {
  const std::string name = recorded.full_name();
  if (name == "aten::sort" || name == "aten::topk") return difference_of_choice<true>;
  if (name == "aten::kthvalue" || name == "aten::mode") return difference_of_choice<false>;
  if (name == "aten::_unique2") {
    const Outcome call{recorded, schema, arguments, {}};
    return call.argument("sorted").to_bool() ? nullptr : difference_of_unique;
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> difference_in_meaning(const Case& recorded, const std::vector<SchemaArgument>& schema,
                                                 const Stack& arguments, const Stack& results) {
  const Rule rule = rule_for(recorded, schema, arguments);
  if (rule == nullptr || results.size() != recorded.expect.size()) return std::nullopt;
  return rule({recorded, schema, arguments, results});
}

}  // namespace structured::replay
