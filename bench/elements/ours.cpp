// Times our operators that move, sort and look up elements. Prints a line with microseconds and name for each case. See
// bench/elements.py.
#include <structured/operators.h>
#include <structured/structured.h>

#include <functional>
#include <tuple>
#include <vector>

#include "shared/clock.h"

using structured::Tensor;

namespace {

void measure(const char* name, const std::function<void()>& call) { bench::print_best(name, call); }

void measure_moves(const Tensor& matrix) {
  const Tensor images = structured::rand({16, 64, 56, 56}, structured::kFloat);
  const Tensor channels_last = structured::rand({16, 56, 56, 64}, structured::kFloat);
  const std::vector<Tensor> four(4, matrix);
  measure("contiguous of a transpose", [&] { structured::contiguous(structured::t(matrix)); });
  measure("contiguous of channels last",
          [&] { structured::contiguous(structured::permute(channels_last, {0, 3, 1, 2})); });
  measure("channels last of contiguous", [&] { structured::contiguous(structured::permute(images, {0, 2, 3, 1})); });
  measure("flip of columns", [&] { structured::flip(matrix, 1); });
  measure("roll", [&] { structured::roll(matrix, {3, 5}, {0, 1}); });
  measure("repeat 3x3", [&] { structured::repeat(matrix, {3, 3}); });
  measure("repeat_interleave by 2", [&] { structured::repeat_interleave(matrix, 2, 1); });
  measure("tril", [&] { structured::tril(matrix); });
  measure("pixel_shuffle by 2", [&] { structured::pixel_shuffle(images, 2); });
  measure("cat of columns", [&] { structured::cat(four, 1); });
  measure("stack of elements", [&] { structured::stack(four, -1); });
}

void measure_orders(const Tensor& matrix) {
  const Tensor row = structured::reshape(matrix, -1);
  const Tensor doubles = structured::to(row, structured::kDouble);
  const Tensor integers = structured::to(structured::mul(row, 1e6), structured::kLong);
  const Tensor short_rows = structured::slice(structured::reshape(matrix, {-1, 16}), 0, 0, 4096);
  const Tensor routes = structured::rand({4096, 64}, structured::kFloat);
  const Tensor words = structured::rand({16, 50257}, structured::kFloat);
  measure("sort 1M", [&] { structured::sort(row); });
  measure("sort 1M of Double", [&] { structured::sort(doubles); });
  measure("sort 1M of Long", [&] { structured::sort(integers); });
  measure("sort 1000x1000", [&] { structured::sort(matrix); });
  measure("sort 1000x1000 along columns", [&] { structured::sort(matrix, 0); });
  measure("sort 4096x16", [&] { structured::sort(short_rows); });
  measure("topk 10 of 1M", [&] { structured::topk(row, 10); });
  measure("topk 10 of 1000x1000", [&] { structured::topk(matrix, 10); });
  measure("topk 2 of 4096x64", [&] { structured::topk(routes, 2); });
  measure("topk 50 of 16x50257", [&] { structured::topk(words, 50); });
  measure("kthvalue 500 of 1000x1000", [&] { structured::kthvalue(matrix, 500); });
  measure("median of 1M", [&] { structured::median(row); });
  measure("mode of 1000x1000", [&] { structured::mode(matrix); });
  measure("unique of 1M of Long", [&] { structured::_unique2(integers, true, true, true); });
  measure("cummax of 1000x1000", [&] { structured::cummax(matrix, 1); });
  const Tensor sorted = std::get<0>(structured::sort(row));
  measure("searchsorted 1M in 1M", [&] { structured::searchsorted(sorted, row); });
  measure("isin 1M in 1000 of Long",
          [&, some = structured::slice(integers, 0, 0, 1000)] { structured::isin(integers, some); });
  measure("histc of 1M", [&] { structured::histc(row, 100); });
  measure("bincount of 1M", [&, small = structured::remainder(integers, 1000)] { structured::bincount(small); });
  measure("aminmax of 1M", [&] { structured::aminmax(row); });
  measure("arange 1M", [] { structured::arange(0.0, 1e6, structured::TensorOptions()); });
  measure("linspace 1M", [] { structured::linspace(0, 1, 1000000); });
}

void measure_indices(const Tensor& matrix) {
  const Tensor column = structured::randint(1000, {1000}, structured::kLong);
  const Tensor places = structured::randint(1000, {1000, 1000}, structured::kLong);
  const Tensor out = structured::zeros({1000, 1000}, structured::TensorOptions());
  const Tensor words = structured::randint(1000, {100000}, structured::kLong);
  const Tensor table = structured::slice(structured::reshape(matrix, {-1, 100}), 0, 0, 1000);
  const Tensor mask = structured::gt(matrix, 0.5);
  measure("gather along rows", [&] { structured::gather(matrix, 1, places); });
  measure("gather along columns", [&] { structured::gather(matrix, 0, places); });
  measure("scatter along rows", [&] { structured::scatter(out, 1, places, matrix); });
  measure("scatter along columns", [&] { structured::scatter(out, 0, places, matrix); });
  measure("scatter_add along rows", [&] { structured::scatter_add(out, 1, places, matrix); });
  measure("scatter_reduce by amax along rows", [&] { structured::scatter_reduce(out, 1, places, matrix, "amax"); });
  measure("scatter_reduce by sum along columns", [&] { structured::scatter_reduce(out, 0, places, matrix, "sum"); });
  measure("embedding of 100,000 words", [&] { structured::embedding(table, words); });
  measure("index_select of rows", [&] { structured::index_select(matrix, 0, column); });
  measure("index_select of columns", [&] { structured::index_select(matrix, 1, column); });
  measure("index_add of rows", [&] { structured::index_add(out, 0, column, matrix); });
  measure("index of rows and columns", [&] { structured::index(matrix, {column, column}); });
  measure("take", [&] { structured::take(matrix, places); });
  measure("masked_select", [&] { structured::masked_select(matrix, mask); });
  measure("where", [&] { structured::where(mask, matrix, out); });
  measure("nonzero", [&] { structured::nonzero(mask); });
}

}  // namespace

int main() {
  const Tensor matrix = structured::rand({1000, 1000}, structured::kFloat);
  measure_moves(matrix);
  measure_orders(matrix);
  measure_indices(matrix);
}
