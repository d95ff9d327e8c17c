// Times operators on lists of tensors and fused steps of optimisers. Prints a line with microseconds and name for each
// case. See bench/lists.py.
#include <structured/core/factory.h>
#include <structured/ops/_foreach_add.h>
#include <structured/ops/_foreach_addcdiv.h>
#include <structured/ops/_foreach_exp.h>
#include <structured/ops/_foreach_lerp.h>
#include <structured/ops/_foreach_mul.h>
#include <structured/ops/_foreach_norm.h>
#include <structured/ops/_foreach_sqrt.h>
#include <structured/ops/_foreach_zero.h>
#include <structured/ops/_fused_adagrad.h>
#include <structured/ops/_fused_adam.h>
#include <structured/ops/_fused_sgd.h>
#include <structured/ops/rand.h>
#include <structured/ops/to.h>

#include <cstddef>
#include <string>
#include <vector>

#include "shared/clock.h"

using structured::IntArrayRef;
using structured::ScalarType;
using structured::Tensor;

namespace {

using Tensors = std::vector<Tensor>;

Tensors tensors(bool is_large, ScalarType dtype = structured::kFloat) {
  if (is_large) return {structured::to(structured::rand({1 << 20}), dtype)};
  Tensors result;
  for (int i = 0; i < 30; ++i) {
    result.push_back(structured::to(structured::rand({64, 64}), dtype));
    result.push_back(structured::to(structured::rand({64}), dtype));
  }
  return result;
}

void measure_list(bool is_large) {
  const std::string size = is_large ? "1M" : "60 tensors";
  const auto measure = [&](const std::string& name, const auto& call) {
    bench::print_best((name + " of " + size).c_str(), call);
  };
  const Tensors a = tensors(is_large);
  const Tensors b = tensors(is_large);
  const Tensors c = tensors(is_large);
  const std::vector<structured::Scalar> scalars(a.size(), 1.0);
  measure("_foreach_add.List", [&] { structured::_foreach_add(a, b); });
  measure("_foreach_mul_.Scalar", [&] { structured::_foreach_mul_(a, 1.0); });
  measure("_foreach_mul_.ScalarList", [&] { structured::_foreach_mul_(b, scalars); });
  measure("_foreach_lerp_.Scalar", [&] { structured::_foreach_lerp_(a, b, 0.1); });
  measure("_foreach_addcdiv_.Scalar", [&] { structured::_foreach_addcdiv_(a, b, c, 1e-9); });
  measure("_foreach_sqrt", [&] { structured::_foreach_sqrt(c); });
  measure("_foreach_exp", [&] { structured::_foreach_exp(c); });
  measure("_foreach_norm", [&] { structured::_foreach_norm(c); });
  const Tensors zeros = tensors(is_large);
  measure("_foreach_zero_", [&] { structured::_foreach_zero_(zeros); });
}

void measure_steps(bool is_large, ScalarType dtype, const std::string& suffix) {
  const auto measure = [&](const std::string& name, const auto& call) {
    bench::print_best((name + " of " + (is_large ? "1M" : "60 tensors") + suffix).c_str(), call);
  };
  const Tensors p = tensors(is_large, dtype);
  const Tensors g = tensors(is_large, dtype);
  const Tensors m = tensors(is_large, dtype);
  const Tensors v = tensors(is_large, dtype);
  const Tensors steps(p.size(), structured::full({}, 10.0));
  measure("_fused_adam_",
          [&] { structured::_fused_adam_(p, g, m, v, {}, steps, 1e-9, 0.9, 0.999, 0.01, 1e-8, false, false); });
  measure("_fused_sgd_", [&] { structured::_fused_sgd_(p, g, m, 0.01, 0.9, 1e-9, 0, false, false, false); });
  measure("_fused_adagrad_", [&] { structured::_fused_adagrad_(p, g, v, steps, 1e-9, 0, 0.01, 1e-8, false); });
}

}  // namespace

int main() {
  for (const bool is_large : {false, true}) {
    measure_list(is_large);
    measure_steps(is_large, structured::kFloat, "");
    measure_steps(is_large, structured::kBFloat16, ", BFloat16");
    measure_steps(is_large, structured::kDouble, ", Double");
  }
}
