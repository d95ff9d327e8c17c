// Lists of tensors and of integers.
#include <ATen/core/List.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <structured/torch.h>

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace trial {

/// Concatenates matrices with equal numbers of columns, each scaled by a factor.
[[structured::meta("stack_rows", "stack_rows.out")]]
void stack_rows_meta(at::impl::MetaBase& op, at::TensorList tensors, [[maybe_unused]] double factor = 1) {
  TORCH_CHECK(!tensors.empty(), "stack_rows: expected at least one tensor");
  int64_t rows = 0;
  for (const at::Tensor& tensor : tensors) {
    TORCH_CHECK(tensor.dim() == 2 && tensor.size(1) == tensors[0].size(1), "stack_rows: expected matrices with ",
                tensors[0].size(-1), " columns, got ", tensor.sizes());
    rows += tensor.size(0);
  }
  op.set_output_raw_strided(0, {rows, tensors[0].size(1)}, {}, tensors[0].options());
}

[[structured::impl("stack_rows.out", "CPU")]]
void stack_rows_cpu(at::TensorList tensors, double factor, const at::Tensor& out) {
  int64_t row = 0;
  for (const at::Tensor& tensor : tensors) {
    at::Tensor part = out.narrow(0, row, tensor.size(0));
    part.copy_(tensor).mul_(factor);
    row += tensor.size(0);
  }
}

/// Copies of consecutive rows: `sizes[i]` rows in the i-th result.
[[structured::kernel("copy_rows", "CPU", "Meta")]]
std::vector<at::Tensor> copy_rows(const at::Tensor& self, at::IntArrayRef sizes) {
  std::vector<at::Tensor> parts;
  int64_t row = 0;
  for (const int64_t size : sizes) {
    parts.push_back(self.narrow(0, row, size).clone());
    row += size;
  }
  return parts;
}

/// Repeats a matrix along both dimensions.
[[structured::meta("tile", "tile.out")]]
void tile_meta(at::impl::MetaBase& op, const at::Tensor& self, [[structured::size(2)]] at::IntArrayRef counts) {
  TORCH_CHECK(self.dim() == 2, "tile: expected a matrix, got a tensor with ", self.dim(), " dimensions");
  op.set_output_raw_strided(0, {self.size(0) * counts[0], self.size(1) * counts[1]}, {}, self.options());
}

[[structured::impl("tile.out", "CPU")]]
void tile_cpu(const at::Tensor& self, at::IntArrayRef counts, const at::Tensor& out) {
  for (int64_t i = 0; i < counts[0]; ++i) {
    for (int64_t j = 0; j < counts[1]; ++j) {
      out.narrow(0, i * self.size(0), self.size(0)).narrow(1, j * self.size(1), self.size(1)).copy_(self);
    }
  }
}

/// The sum of `self` and of all tensors.
[[structured::meta("sum_all", "sum_all.out")]]
void sum_all_meta(at::impl::MetaBase& op, const at::Tensor& self,
                  [[maybe_unused]] c10::optional<at::TensorList> tensors,
                  [[maybe_unused]] const c10::List<c10::optional<at::Tensor>>& others) {
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}

[[structured::impl("sum_all.out", "CPU")]]
void sum_all_cpu(const at::Tensor& self, c10::optional<at::TensorList> tensors,
                 const c10::List<c10::optional<at::Tensor>>& others, const at::Tensor& out) {
  out.copy_(self);
  if (tensors.has_value()) {
    for (const at::Tensor& tensor : *tensors) out.add_(tensor);
  }
  for (const c10::optional<at::Tensor>& other : others.vec()) {
    if (other.has_value()) out.add_(*other);
  }
}

/// `weight` times the sum of `left`, plus 2 times that of `right`, plus 3 times that of `more` unless `note` is "none".
[[structured::kernel("weigh", "CPU", "Meta")]]
at::Tensor weigh(at::TensorList left, const at::Tensor& weight, at::TensorList right,
                 c10::optional<at::TensorList> more, c10::optional<c10::string_view> note,
                 const c10::List<std::string>& names) {
  at::Tensor result = at::zeros_like(weight);
  for (const at::Tensor& tensor : left) result.add_(tensor.mul(weight));
  for (const at::Tensor& tensor : right) result.add_(tensor.mul(2));
  if (more.has_value() && note != c10::string_view("none") && names.empty()) {
    for (const at::Tensor& tensor : *more) result.add_(tensor.mul(3));
  }
  return result;
}

[[structured::backward("weigh", "left", "weight")]]
std::tuple<std::vector<at::Tensor>, at::Tensor> weigh_left(const at::Tensor& grad, at::TensorList left,
                                                           const at::Tensor& weight) {
  at::Tensor sum = at::zeros_like(weight);
  for (const at::Tensor& tensor : left) sum.add_(tensor);
  return {std::vector<at::Tensor>(left.size(), grad.mul(weight)), grad.mul(sum)};
}

[[structured::backward("weigh", "right", "more")]]
std::tuple<std::vector<at::Tensor>, c10::optional<std::vector<at::Tensor>>> weigh_right(
    const at::Tensor& grad, const std::vector<std::vector<int64_t>>& right_sizes, c10::optional<at::TensorList> more,
    c10::optional<c10::string_view> note, const c10::List<std::string>& names, std::array<bool, 2> needs_gradient) {
  c10::optional<std::vector<at::Tensor>> of_more;
  if (more.has_value() && needs_gradient[1]) {
    const bool is_used = note != c10::string_view("none") && names.empty();
    of_more = std::vector<at::Tensor>(more->size(), grad.mul(is_used ? 3 : 0));
  }
  return {std::vector<at::Tensor>(right_sizes.size(), grad.mul(2)), of_more};
}

/// Repeats the rows of a matrix. The kernel for Meta computes the symbolic size of the result.
[[structured::kernel("repeat_rows", "CPU")]]
at::Tensor repeat_rows(const at::Tensor& self, [[structured::size(2)]] at::IntArrayRef counts, int64_t times = 1) {
  return self.repeat({counts[0] * times, counts[1]});
}

[[structured::kernel("repeat_rows", "Meta")]]
at::Tensor repeat_rows_meta(const at::Tensor& self, [[structured::size(2)]] c10::SymIntArrayRef counts,
                            c10::SymInt times = 1) {
  return at::empty_symint({self.sym_size(0) * counts[0] * times, self.sym_size(1) * counts[1]}, self.options());
}

[[structured::backward("repeat_rows")]]
at::Tensor repeat_rows_backward(const at::Tensor& grad, at::IntArrayRef self_sizes, at::IntArrayRef counts,
                                int64_t times) {
  return grad.reshape({counts[0] * times, self_sizes[0], counts[1], self_sizes[1]}).sum(at::IntArrayRef{0, 2});
}

/// The number of copies that `spread` makes: the product of all integers.
static c10::SymInt copies(c10::optional<c10::SymIntArrayRef> counts, c10::optional<c10::SymInt> times) {
  c10::SymInt number = times.has_value() ? *times : c10::SymInt(1);
  if (!counts.has_value()) return number;
  for (const c10::SymInt& count : *counts) number = number * count;
  return number;
}

/// Copies of a vector, one after the other.
[[structured::kernel("spread", "CPU", "CUDA", "Meta")]]
at::Tensor spread(const at::Tensor& self, c10::optional<c10::SymIntArrayRef> counts, at::OptionalSymIntArrayRef more,
                  c10::optional<c10::SymInt> times) {
  const c10::SymInt number = copies(counts, std::move(times));
  return self.repeat_symint(number * (more.has_value() ? copies(*more, c10::nullopt) : c10::SymInt(1)));
}

[[structured::backward("spread")]]
at::Tensor spread_backward(const at::Tensor& grad, const at::Tensor& self, c10::optional<at::IntArrayRef> counts,
                           at::OptionalIntArrayRef more, c10::optional<int64_t> times) {
  int64_t number = times.value_or(1);
  if (counts.has_value()) {
    for (const int64_t count : *counts) number *= count;
  }
  if (more.has_value()) {
    for (const int64_t count : *more) number *= count;
  }
  return grad.reshape({number, self.size(0)}).sum(0);
}

/// Copies of a vector, as rows of a matrix. The kernel for Meta takes symbols.
[[structured::kernel("spread_rows", "CPU")]]
at::Tensor spread_rows(const at::Tensor& self, c10::optional<at::IntArrayRef> counts, c10::optional<int64_t> times) {
  int64_t number = times.value_or(1);
  if (counts.has_value()) {
    for (const int64_t count : *counts) number *= count;
  }
  return self.repeat({number, 1});
}

[[structured::kernel("spread_rows", "Meta")]]
at::Tensor spread_rows_meta(const at::Tensor& self, at::OptionalSymIntArrayRef counts,
                            c10::optional<c10::SymInt> times) {
  const c10::SymInt number =
      copies(counts.has_value() ? c10::optional<c10::SymIntArrayRef>(*counts) : c10::nullopt, std::move(times));
  return at::empty_symint({number, self.sym_size(0)}, self.options());
}

[[structured::backward("spread_rows")]]
at::Tensor spread_rows_backward(const at::Tensor& grad, c10::optional<c10::SymIntArrayRef> counts,
                                c10::optional<c10::SymInt> times) {
  TORCH_CHECK(grad.sym_size(0) == copies(counts, std::move(times)), "unexpected counts");
  return grad.sum(0);
}

/// `self` plus the squares of the tensors that are there.
[[structured::kernel("add_squares", "CPU", "Meta")]]
at::Tensor add_squares(const at::Tensor& self, const c10::List<c10::optional<at::Tensor>>& others) {
  at::Tensor result = self.clone();
  for (const c10::optional<at::Tensor>& other : others.vec()) {
    if (other.has_value()) result.add_(other->mul(*other));
  }
  return result;
}

[[structured::backward("add_squares")]]
std::tuple<at::Tensor, std::vector<c10::optional<at::Tensor>>> add_squares_backward(
    const at::Tensor& grad, const c10::List<c10::optional<at::Tensor>>& others) {
  std::vector<c10::optional<at::Tensor>> gradients;
  for (const c10::optional<at::Tensor>& other : others.vec()) {
    gradients.push_back(other.has_value() ? c10::optional<at::Tensor>(grad.mul(*other).mul(2)) : c10::nullopt);
  }
  return {grad, gradients};
}

/// Describes arguments that are not tensors.
[[structured::kernel("describe", "CPU", "Meta")]]
std::tuple<std::string, std::vector<std::string>, c10::optional<int64_t>, std::vector<double>> describe(
    [[maybe_unused]] const at::Tensor& self, const c10::List<std::string>& names,
    c10::optional<c10::List<std::string>> more, const c10::List<bool>& flags, c10::optional<std::array<bool, 2>> mask,
    c10::optional<at::ArrayRef<at::Scalar>> scalars) {
  std::vector<std::string> texts;
  for (const std::string& name : names.vec()) texts.push_back(name);
  std::string last = "none";
  if (more.has_value()) last = more->empty() ? "empty" : more->vec().back();
  c10::optional<int64_t> count;
  if (mask.has_value()) count = (*mask)[0] + (*mask)[1];
  std::vector<double> numbers;
  if (scalars.has_value()) {
    for (const at::Scalar& scalar : *scalars) numbers.push_back(scalar.toDouble());
  }
  for (const bool flag : flags.vec()) numbers.push_back(flag ? 1 : 0);
  return {last, texts, count, numbers};
}

/// A copy, and another one if it is wanted.
[[structured::kernel("copy_if", "CPU", "Meta")]]
std::tuple<at::Tensor, c10::optional<at::Tensor>> copy_if(const at::Tensor& self, bool is_wanted) {
  return {self.clone(), is_wanted ? c10::optional<at::Tensor>(self.clone()) : c10::nullopt};
}

[[structured::backward("copy_if")]]
at::Tensor copy_if_backward(const at::Tensor& grad_out0) {
  return grad_out0;
}

/// Copies of the tensor and of nothing, which have no derivative.
[[structured::kernel("maybe_copies", "CPU", "Meta")]]
std::vector<c10::optional<at::Tensor>> maybe_copies(const at::Tensor& self) {
  return {self.clone(), c10::nullopt};
}

/// Adds one to the tensors, if there are any.
[[structured::kernel("increment", "CPU", "Meta")]]
void increment([[maybe_unused]] const at::Tensor& self,
               [[structured::alias("a!")]] c10::optional<at::TensorList> counters) {
  if (!counters.has_value()) return;
  for (const at::Tensor& counter : *counters) counter.add_(1);
}

}  // namespace trial
