// Moving, sorting and looking up elements, by our operators: prints a line with the microseconds and the name of each.
// See bench/elements.py.
#include <structured/operators.h>
#include <structured/structured.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <tuple>
#include <vector>

using structured::Tensor;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The best of what fits into a tenth of a second.
void measure(const char* name, const std::function<void()>& call) {
  call();
  double best = 1e9;
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < 3 || seconds_since(start) < 0.1; ++i) {
    const Clock::time_point before = Clock::now();
    call();
    best = std::min(best, seconds_since(before));
  }
  std::printf("%.2f %s\n", best * 1e6, name);
}

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
  measure("sort 1M", [&] { structured::sort(row); });
  measure("sort 1M of Double", [&] { structured::sort(doubles); });
  measure("sort 1M of Long", [&] { structured::sort(integers); });
  measure("sort 1000x1000", [&] { structured::sort(matrix); });
  measure("sort 1000x1000 along columns", [&] { structured::sort(matrix, 0); });
  measure("sort 4096x16", [&] { structured::sort(short_rows); });
  measure("topk 10 of 1M", [&] { structured::topk(row, 10); });
  measure("topk 10 of 1000x1000", [&] { structured::topk(matrix, 10); });
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

}  // namespace

int main() {
  const Tensor matrix = structured::rand({1000, 1000}, structured::kFloat);
  measure_moves(matrix);
  measure_orders(matrix);
}
