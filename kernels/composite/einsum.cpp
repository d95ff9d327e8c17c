// Einstein summation as a sequence of batched matrix products.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/ops/bmm.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/movedim.h>
#include <structured/ops/mul.h>
#include <structured/ops/permute.h>
#include <structured/ops/reshape.h>
#include <structured/ops/sum.h>
#include <structured/ops/unsqueeze.h>
#include <structured/structured.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace structured::kernels {
namespace {

/// Letters and the dimensions that `...` stands for share one set of labels: 0 to 51 are letters.
constexpr int kLetters = 52;
constexpr int kMaxLabels = kLetters + static_cast<int>(kMaxDims);
constexpr int kEllipsis = -1;

int label_of(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  STRUCTURED_CHECK(letter >= 'a' && letter <= 'z', "einsum: expected letters, `...`, `,` and `->` in `equation`, got `",
                   std::string_view(&letter, 1), "`");
  return letter - 'a' + 26;
}

/// Labels of one operand as they are spelled, with kEllipsis for `...`.
std::vector<int> read_labels(std::string_view text) {
  std::vector<int> labels;
  while (!text.empty()) {
    if (text.front() == ' ') {
      text.remove_prefix(1);
    } else if (text.starts_with("...")) {
      STRUCTURED_CHECK(std::find(labels.begin(), labels.end(), kEllipsis) == labels.end(),
                       "einsum: expected `...` once in each operand of `equation`");
      labels.push_back(kEllipsis);
      text.remove_prefix(3);
    } else {
      labels.push_back(label_of(text.front()));
      text.remove_prefix(1);
    }
  }
  return labels;
}

struct Equation {
  std::vector<std::vector<int>> inputs;
  std::optional<std::vector<int>> output;
};

Equation read_equation(std::string_view text) {
  Equation equation;
  if (const std::size_t arrow = text.find("->"); arrow != std::string_view::npos) {
    equation.output = read_labels(text.substr(arrow + 2));
    text = text.substr(0, arrow);
  }
  for (;;) {
    const std::size_t comma = text.find(',');
    equation.inputs.push_back(read_labels(text.substr(0, comma)));
    if (comma == std::string_view::npos) return equation;
    text.remove_prefix(comma + 1);
  }
}

/// Replaces kEllipsis by the labels of `count` dimensions; the last one is always kMaxLabels - 1.
std::vector<int> expanded(const std::vector<int>& labels, std::size_t count) {
  std::vector<int> result;
  for (const int label : labels) {
    if (label != kEllipsis) {
      result.push_back(label);
    } else {
      for (std::size_t d = 0; d < count; ++d) result.push_back(kMaxLabels - static_cast<int>(count - d));
    }
  }
  return result;
}

/// A tensor whose dimensions have labels.
struct Labeled {
  Tensor tensor;
  std::vector<int> labels;

  bool has(int label) const { return std::find(labels.begin(), labels.end(), label) != labels.end(); }
  int64_t size(int label) const {
    const auto at = std::find(labels.begin(), labels.end(), label);
    return at == labels.end() ? 1 : tensor.size(at - labels.begin());
  }
};

/// View with the diagonal of dimensions that have one label.
Labeled without_repeated_labels(Labeled operand) {
  for (std::size_t i = 0; i < operand.labels.size(); ++i) {
    const auto again =
        std::find(operand.labels.begin() + static_cast<std::ptrdiff_t>(i) + 1, operand.labels.end(), operand.labels[i]);
    if (again == operand.labels.end()) continue;
    const auto first = static_cast<int64_t>(i), second = again - operand.labels.begin();
    STRUCTURED_CHECK(operand.tensor.size(first) == operand.tensor.size(second),
                     "einsum: expected equal sizes of dimensions with one letter, got ", operand.tensor.size(first),
                     " and ", operand.tensor.size(second));
    // The diagonal becomes the last dimension.
    operand.tensor = structured::movedim(structured::diagonal(operand.tensor, 0, first, second), -1, first);
    operand.labels.erase(again);
    --i;
  }
  return operand;
}

/// Sums over the labels that `is_kept` does not have.
Labeled summed(const Labeled& operand, const std::array<bool, kMaxLabels>& is_kept) {
  Labeled result{operand.tensor, {}};
  std::vector<int64_t> dims;
  for (std::size_t d = 0; d < operand.labels.size(); ++d) {
    if (is_kept[static_cast<std::size_t>(operand.labels[d])]) {
      result.labels.push_back(operand.labels[d]);
    } else {
      dims.push_back(static_cast<int64_t>(d));
    }
  }
  if (!dims.empty()) result.tensor = structured::sum(operand.tensor, dims, false, operand.tensor.scalar_type());
  return result;
}

/// Transposes to the order of `labels`, which include those of the operand; others become dimensions of size 1.
Tensor arranged(const Labeled& operand, const std::vector<int>& labels) {
  DimVector order;
  for (const int label : labels) {
    const auto at = std::find(operand.labels.begin(), operand.labels.end(), label);
    if (at != operand.labels.end()) order.push_back(at - operand.labels.begin());
  }
  Tensor result = structured::permute(operand.tensor, order);
  for (std::size_t d = 0; d < labels.size(); ++d) {
    if (!operand.has(labels[d])) result = structured::unsqueeze(result, static_cast<int64_t>(d));
  }
  return result;
}

/// Product of two operands, summed over shared labels that `is_kept` does not have.
Labeled contracted(const Labeled& left, const Labeled& right, const std::array<bool, kMaxLabels>& is_kept) {
  // Labels of both that are kept are batch dimensions; labels of size 1 on one side are broadcast.
  std::vector<int> batch, rows, columns, inner;
  for (const int label : left.labels) {
    const bool is_shared = right.has(label) && left.size(label) == right.size(label);
    if (!is_shared && !right.has(label)) {
      rows.push_back(label);
    } else if (is_kept[static_cast<std::size_t>(label)]) {
      batch.push_back(label);
    } else if (is_shared) {
      inner.push_back(label);
    } else {
      batch.push_back(label);  // broadcast, and summed afterwards
    }
  }
  for (const int label : right.labels) {
    if (!left.has(label)) columns.push_back(label);
  }
  const auto product = [](const std::vector<int>& labels, const auto& size) {
    int64_t result = 1;
    for (const int label : labels) result *= size(label);
    return result;
  };
  const auto size = [&](int label) { return std::max(left.size(label), right.size(label)); };
  bool is_broadcast = false;
  for (const int label : batch) is_broadcast |= left.size(label) != right.size(label);
  Labeled result;
  result.labels = batch;
  result.labels.insert(result.labels.end(), rows.begin(), rows.end());
  result.labels.insert(result.labels.end(), columns.begin(), columns.end());
  if (is_broadcast || (inner.empty() && (rows.empty() || columns.empty()))) {
    std::vector<int> all = result.labels;
    all.insert(all.end(), inner.begin(), inner.end());
    const Tensor products = structured::mul(arranged(left, all), arranged(right, all));
    return summed({products, all}, is_kept);
  }
  std::vector<int> left_order = batch, right_order = batch;
  left_order.insert(left_order.end(), rows.begin(), rows.end());
  left_order.insert(left_order.end(), inner.begin(), inner.end());
  right_order.insert(right_order.end(), inner.begin(), inner.end());
  right_order.insert(right_order.end(), columns.begin(), columns.end());
  const int64_t batches = product(batch, size), inner_size = product(inner, size);
  const int64_t row_count = product(rows, size), column_count = product(columns, size);
  const Tensor product_of_batches =
      structured::bmm(structured::reshape(arranged(left, left_order), {batches, row_count, inner_size}),
                      structured::reshape(arranged(right, right_order), {batches, inner_size, column_count}));
  DimVector sizes;
  for (const int label : result.labels) sizes.push_back(size(label));
  result.tensor = structured::reshape(product_of_batches, sizes);
  return summed(result, is_kept);
}

}  // namespace

/// Einstein summation: multiplies `tensors`, whose dimensions the letters of `equation` name, and sums over the letters
/// that the part after `->` does not have. Without `->` the result has the letters that occur once, in alphabetical
/// order. `...` stands for further dimensions, which are broadcast. A letter that occurs twice in one operand selects
/// the diagonal. All tensors have one dtype. Products are computed from left to right; `path` has no effect.
[[structured::composite("einsum")]]
Tensor einsum(std::string_view equation, TensorList tensors,
              [[structured::kwonly, maybe_unused]] OptionalIntArrayRef path = {}) {
  const Equation parsed = read_equation(equation);
  STRUCTURED_CHECK(parsed.inputs.size() == tensors.size(), "einsum: expected ", parsed.inputs.size(),
                   " tensors for equation `", equation, "`, got ", tensors.size());
  std::size_t ellipsis_dims = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::vector<int>& labels = parsed.inputs[i];
    const bool has_ellipsis = std::find(labels.begin(), labels.end(), kEllipsis) != labels.end();
    const std::size_t named = labels.size() - (has_ellipsis ? 1 : 0), rank = tensors[i].sizes().size();
    STRUCTURED_CHECK(has_ellipsis ? rank >= named : rank == named, "einsum: expected tensor ", i, " to have ", named,
                     has_ellipsis ? " dimensions or more" : " dimensions", " for equation `", equation, "`, got ",
                     rank);
    if (has_ellipsis) ellipsis_dims = std::max(ellipsis_dims, rank - named);
  }
  std::array<int, kMaxLabels> count{};
  std::array<int64_t, kMaxLabels> size{};
  std::vector<Labeled> operands;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::size_t rank = tensors[i].sizes().size();
    const std::size_t own_dims = rank + 1 - std::min(rank + 1, parsed.inputs[i].size());
    operands.push_back({tensors[i], expanded(parsed.inputs[i], own_dims)});
    for (std::size_t d = 0; d < rank; ++d) {
      const auto label = static_cast<std::size_t>(operands[i].labels[d]);
      const int64_t found = tensors[i].sizes()[d];
      ++count[label];
      STRUCTURED_CHECK(size[label] <= 1 || found == 1 || found == size[label] || count[label] == 1,
                       "einsum: expected size ", size[label], " of dimension ", d, " of tensor ", i,
                       ", as another dimension with its letter has, got ", found);
      if (count[label] == 1 || found != 1) size[label] = found;
    }
    operands[i] = without_repeated_labels(std::move(operands[i]));
  }
  std::vector<int> output;
  if (parsed.output) {
    output = expanded(*parsed.output, ellipsis_dims);
  } else {
    output = expanded({kEllipsis}, ellipsis_dims);
    for (int label = 0; label < kLetters; ++label) {
      if (count[static_cast<std::size_t>(label)] == 1) output.push_back(label);
    }
  }
  std::array<bool, kMaxLabels> is_output{};
  for (const int label : output) {
    STRUCTURED_CHECK(count[static_cast<std::size_t>(label)] > 0 && !is_output[static_cast<std::size_t>(label)],
                     "einsum: expected letters after `->` to be distinct and to occur before, in equation `", equation,
                     "`");
    is_output[static_cast<std::size_t>(label)] = true;
  }
  // A label is summed after the last operand that has it.
  const auto kept_after = [&](std::size_t last) {
    std::array<bool, kMaxLabels> is_kept = is_output;
    for (std::size_t i = last + 1; i < operands.size(); ++i) {
      for (const int label : operands[i].labels) is_kept[static_cast<std::size_t>(label)] = true;
    }
    return is_kept;
  };
  Labeled result = summed(operands[0], kept_after(0));
  for (std::size_t i = 1; i < operands.size(); ++i) result = contracted(result, operands[i], kept_after(i));
  return arranged(result, output);
}

}  // namespace structured::kernels
