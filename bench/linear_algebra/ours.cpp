// Times decompositions, inverses and solutions of linear systems. Prints a line with microseconds and name for each
// case. See bench/linear_algebra.py.
#include <structured/core/factory.h>
#include <structured/ops/add.h>
#include <structured/ops/eye.h>
#include <structured/ops/linalg_cholesky_ex.h>
#include <structured/ops/linalg_cross.h>
#include <structured/ops/linalg_det.h>
#include <structured/ops/linalg_eig.h>
#include <structured/ops/linalg_eigh.h>
#include <structured/ops/linalg_inv_ex.h>
#include <structured/ops/linalg_lu_factor_ex.h>
#include <structured/ops/linalg_matrix_exp.h>
#include <structured/ops/linalg_pinv.h>
#include <structured/ops/linalg_qr.h>
#include <structured/ops/linalg_solve_ex.h>
#include <structured/ops/linalg_solve_triangular.h>
#include <structured/ops/linalg_svd.h>
#include <structured/ops/mT.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mul.h>
#include <structured/ops/rand.h>

#include <optional>
#include <string>

#include "shared/clock.h"

using structured::IntArrayRef;
using structured::ScalarType;
using structured::Tensor;

namespace {

// A symmetric positive definite matrix for each batch.
Tensor definite(const Tensor& a) {
  const Tensor identity = structured::eye(a.size(-1), a.options());
  return structured::add(structured::matmul(a, structured::mT(a)), identity);
}

void measure_dtype(const std::string& dtype_name, ScalarType dtype) {
  const auto measure = [&](const std::string& name, const auto& call) {
    bench::print_best((name + ", " + dtype_name).c_str(), call);
  };
  const auto random = [&](IntArrayRef sizes) { return structured::rand(sizes, dtype); };
  const Tensor a = random({512, 512});
  const Tensor b = random({512, 64});
  const Tensor small = random({128, 128});
  const Tensor middle = random({256, 256});
  const Tensor batch = random({1000, 8, 8});
  const Tensor tall = random({1024, 128});
  const Tensor spd = definite(a);
  measure("cholesky 512", [&] { structured::linalg_cholesky_ex(spd); });
  measure("lu_factor 512", [&] { structured::linalg_lu_factor_ex(a); });
  measure("inv 512", [&] { structured::linalg_inv_ex(a); });
  measure("solve 512 for 64", [&] { structured::linalg_solve_ex(a, b); });
  measure("solve_triangular 512 for 64", [&] { structured::linalg_solve_triangular(a, b, /*upper=*/true); });
  measure("qr 1024x128", [&] { structured::linalg_qr(tall); });
  measure("eigh 256", [&] { structured::linalg_eigh(middle); });
  measure("eig 128", [&] { structured::linalg_eig(small); });
  measure("svd 256", [&] { structured::linalg_svd(middle, /*full_matrices=*/false); });
  measure("pinv 128", [&] { structured::linalg_pinv(small, std::optional<double>(), std::optional<double>()); });
  measure("matrix_exp 128", [&] { structured::linalg_matrix_exp(small); });
  measure("cholesky of 1000 8x8", [batch = definite(batch)] { structured::linalg_cholesky_ex(batch); });
  measure("inv of 1000 8x8", [&] { structured::linalg_inv_ex(batch); });
  measure("det of 1000 8x8", [&] { structured::linalg_det(batch); });
}

}  // namespace

int main() {
  measure_dtype("Float", structured::kFloat);
  measure_dtype("Double", structured::kDouble);
  const Tensor vectors = structured::rand({100000, 3}, structured::kFloat);
  bench::print_best("cross of 100,000, Float", [&] { structured::linalg_cross(vectors, vectors); });
}
