#include "check/impl_alignment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "model/parameter.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

// Costs of an alignment. A differing pair costs less than a missing and an additional parameter together; if both type
// and name differ, it costs more than either of them.
constexpr int missing_cost = 4;
constexpr int additional_cost = 4;
constexpr int other_type_cost = 2;
constexpr int other_name_cost = 3;
constexpr int other_both_cost = 6;
constexpr int no_output_cost = 5;
constexpr int odd_output_cost = 3;    // an output other than `const Tensor&`
constexpr int named_output_cost = 7;  // an output with the name of an input

/// Limit on the size of the cost table, for generated functions with thousands of parameters.
constexpr std::size_t largest_table = 1 << 20;

int pair_cost(const ExpectedParameter& expected, const Parameter& parameter, const TypeTable& types) {
  bool has_type = is_same_argument(expected.type, parameter.type, types);
  // Unnamed parameters are reported by another rule.
  bool has_name = expected.has_free_name || parameter.name.empty() || expected.name == parameter.name;
  if (has_type) return has_name ? 0 : other_name_cost;
  return has_name && !expected.has_free_name ? other_type_cost : other_both_cost;
}

int outputs_cost(llvm::ArrayRef<Parameter> outputs, llvm::ArrayRef<ExpectedParameter> expected,
                 const TypeTable& types) {
  if (outputs.empty()) return no_output_cost;
  int cost = 0;
  for (const Parameter& output : outputs) {
    bool is_input = llvm::any_of(expected, [&](const ExpectedParameter& e) {
      return !e.has_free_name && e.name == output.name && e.type.canonical == output.type.canonical;
    });
    if (is_input)
      cost += named_output_cost;
    else if (!is_output_type(output.type, types))
      cost += odd_output_cost;
  }
  return cost;
}

/// Edit distance of parameter lists. The last parameters of the impl are outputs; `parameters` excludes its base.
class Aligner {
 public:
  Aligner(llvm::ArrayRef<ExpectedParameter> expected, llvm::ArrayRef<Parameter> parameters, const TypeTable& types)
      : expected_(expected), parameters_(parameters), types_(types), width_(parameters.size() + 1) {
    costs_.resize((expected.size() + 1) * width_);
    for (std::size_t i = 0; i <= expected.size(); ++i) {
      for (std::size_t j = 0; j < width_; ++j) cost(i, j) = cheapest(i, j);
    }
  }

  /// Returns the number of parameters that are inputs, and their pairs.
  std::pair<std::size_t, std::vector<AlignedParameter>> align() {
    std::size_t best = 0;
    int best_cost = INT_MAX;
    for (std::size_t j = 0; j < width_; ++j) {
      int total = cost(expected_.size(), j) + outputs_cost(parameters_.drop_front(j), expected_, types_);
      if (total < best_cost) std::tie(best, best_cost) = std::pair(j, total);
    }
    std::vector<AlignedParameter> pairs;
    std::size_t i = expected_.size(), j = best;
    while (i > 0 || j > 0) {
      if (i > 0 && j > 0 &&
          cost(i, j) == cost(i - 1, j - 1) + pair_cost(expected_[i - 1], parameters_[j - 1], types_)) {
        pairs.push_back({expected_[--i], --j});
      } else if (i > 0 && cost(i, j) == cost(i - 1, j) + missing_cost) {
        pairs.push_back({expected_[--i], std::nullopt});
      } else {
        pairs.push_back({std::nullopt, --j});
      }
    }
    std::reverse(pairs.begin(), pairs.end());
    return {best, std::move(pairs)};
  }

 private:
  int& cost(std::size_t i, std::size_t j) { return costs_[i * width_ + j]; }

  int cheapest(std::size_t i, std::size_t j) {
    if (i == 0 && j == 0) return 0;
    int best = INT_MAX;
    if (i > 0) best = std::min(best, cost(i - 1, j) + missing_cost);
    if (j > 0) best = std::min(best, cost(i, j - 1) + additional_cost);
    if (i > 0 && j > 0) {
      best = std::min(best, cost(i - 1, j - 1) + pair_cost(expected_[i - 1], parameters_[j - 1], types_));
    }
    return best;
  }

  llvm::ArrayRef<ExpectedParameter> expected_;
  llvm::ArrayRef<Parameter> parameters_;
  const TypeTable& types_;
  std::size_t width_;
  std::vector<int> costs_;
};

/// Pairs by position, in linear time, for lists that exceed the limit.
std::vector<AlignedParameter> paired_in_order(llvm::ArrayRef<ExpectedParameter> expected, std::size_t parameters) {
  std::vector<AlignedParameter> pairs;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    pairs.push_back({expected[i], i < parameters ? std::optional(i) : std::nullopt});
  }
  return pairs;
}

/// Pairs by name if the impl's first parameters are a permutation of the expected ones.
std::optional<std::vector<AlignedParameter>> reordered(llvm::ArrayRef<ExpectedParameter> expected,
                                                       llvm::ArrayRef<Parameter> parameters) {
  if (parameters.size() < expected.size()) return std::nullopt;
  llvm::StringMap<std::size_t> places;
  for (std::size_t i = 0; i < expected.size(); ++i) places[parameters[i].name] = i;
  std::vector<AlignedParameter> pairs;
  bool is_ordered = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].has_free_name) return std::nullopt;
    auto place = places.find(expected[i].name);
    if (place == places.end()) return std::nullopt;
    is_ordered = is_ordered && place->second == i;
    pairs.push_back({expected[i], place->second});
  }
  if (is_ordered) return std::nullopt;
  return pairs;
}

}  // namespace

bool is_same_argument(const CppType& expected, const CppType& found, const TypeTable& types) {
  return expected.canonical == found.canonical ||
         (types.is_tensor_handle(expected.canonical) && types.is_tensor_handle(found.canonical));
}

bool is_output_type(const CppType& type, const TypeTable& types) {
  return type.canonical == ("const " + types.tensor() + " &").str();
}

bool starts_with_base(const Declaration& declaration, const TypeTable& types) {
  const std::optional<ClassFact>& fact = declaration.base_class;
  llvm::StringRef base = types.meta_base();
  return fact && (fact->name == base || llvm::is_contained(fact->bases, base));
}

bool is_comparable(const Declaration& meta, const TypeTable& types) {
  if (!is_readable(meta) || meta.parameters.empty()) return false;
  auto results = types.results(meta.result.canonical);
  return results ? results->empty() : has_precomputed(meta);
}

std::vector<ExpectedParameter> expected_parameters(const Declaration& meta, const TypeTable& types) {
  std::vector<ExpectedParameter> expected;
  for (const Parameter* parameter : impl_inputs(meta)) {
    CppType type = parameter->type;
    if (is_mutable_tensor(*parameter, types)) type = {"const " + type.canonical, "const " + type.written};
    if (auto suggestion = types.suggestion(type.canonical)) type.written = *suggestion;
    expected.push_back({parameter->name, std::move(type), parameter->range, false});
  }
  if (has_precomputed(meta)) {
    CppType type{precomputed_parameter_type(meta), "const " + meta.result.written + "&"};
    expected.push_back({"precomputed", std::move(type), meta.result_range, true});
  }
  return expected;
}

ImplAlignment align_impl(const Declaration& impl, const Declaration& meta, const TypeTable& types) {
  ImplAlignment alignment;
  alignment.has_base = starts_with_base(impl, types);
  std::size_t base = alignment.has_base ? 1 : 0;
  llvm::ArrayRef<Parameter> parameters = llvm::ArrayRef<Parameter>(impl.parameters).drop_front(base);
  std::vector<ExpectedParameter> expected = expected_parameters(meta, types);

  std::size_t inputs = expected.size();
  if (auto pairs = reordered(expected, parameters)) {
    alignment.is_reordered = true;
    alignment.inputs = std::move(*pairs);
  } else if (expected.size() * parameters.size() > largest_table) {
    alignment.inputs = paired_in_order(expected, parameters.size());
    inputs = std::min(expected.size(), parameters.size());
  } else {
    std::tie(inputs, alignment.inputs) = Aligner(expected, parameters, types).align();
  }
  for (AlignedParameter& pair : alignment.inputs) {
    if (pair.index) *pair.index += base;
  }
  alignment.first_output = base + inputs;
  return alignment;
}

}  // namespace structured::gen
