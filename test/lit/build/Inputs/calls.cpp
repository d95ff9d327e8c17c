// One call of each operator that readable_frames.py examines.
#include <structured/ops/add.h>
#include <structured/ops/cat.h>
#include <structured/ops/convolution.h>
#include <structured/ops/max.h>
#include <structured/ops/ones.h>
#include <structured/ops/sum.h>
#include <structured/ops/upsample_nearest1d.h>
#include <structured/structured.h>

int main() {
  using structured::Tensor;
  const Tensor rows = structured::ones({2, 3});
  structured::add(rows, rows);
  const Tensor both[] = {rows, rows};
  structured::cat(both, 0);
  structured::sum(rows, structured::IntArrayRef({1}));
  structured::max(rows, 1);
  const Tensor batch = structured::ones({1, 2, 8});
  structured::upsample_nearest1d(batch, {16});
  structured::convolution(batch, structured::ones({2, 2, 3}), std::nullopt, {1}, {0}, {1}, false, {0}, 1);
}
