// Outputs of impls.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(Outputs, AreReferencesToConst) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-output-type at 5 `Tensor&`: output `out` of `impl` for `add.out` is `Tensor&`; expected `const Tensor&`
  edit at 5 `Tensor&` to `const Tensor&`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Outputs, AreTensors) {
  expect_findings(R"src(
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::impl("mm.out", "CPU")]] void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out,
                                                  double* more);
)src",
                  R"txt(
impl-output-type at 4 `double*`: output `more` of `impl` for `mm.out` is `double*`; expected `const structured::Tensor&`
  edit at 4 `double*` to `const structured::Tensor&`
)txt");
}

TEST(Outputs, AreAsManyInEveryImpl) {
  expect_findings(R"src(
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::impl("mm.out", "CPU")]] void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out);
[[structured::impl("mm.out", "CUDA")]] void mm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& out,
                                                    const Tensor& work);
)src",
                  R"txt(
impl-outputs-differ at 5 `const Tensor& work`: `impl` for `mm.out` on `CUDA` has 2 outputs; expected 1, as on `CPU`
  note at 3 `mm_cpu`: the other `impl` is declared here
)txt");
  expect_findings(R"src(
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::impl("mm.out", "CPU")]] void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& work,
                                                  const Tensor& out);
[[structured::impl("mm.out", "CUDA")]] void mm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& out);
)src",
                  R"txt(
impl-outputs-differ at 5 `const Tensor& out`: `impl` for `mm.out` on `CUDA` has 1 output; expected 2, as on `CPU`, which also has `work`
  note at 3 `const Tensor& work`: the additional output is declared here
)txt");
}

TEST(Outputs, HaveTheOrderOfReturns) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("top", "top.out"), structured::returns("top.out", "c", "a", "b")]]
void top_meta(MetaBase& op, const Tensor& self);
[[structured::impl("top.out", "CPU")]]
void top_cpu(const Tensor& self, const Tensor& a, const Tensor& b, const Tensor& c);
)src";
  expect_findings(text, R"txt(
returns-order at 1 `"c"`: `returns` names result 0 `c`, the name of output 2; expected the order of the outputs, `a`, `b` and `c`
  note at 4 `const Tensor& c`: output 2 is declared here
  edit at 1 `"c"` to `"a"`
  edit at 1 `"a"` to `"b"`
  edit at 1 `"b"` to `"c"`
)txt");
  expect_mended(text, R"src(
[[structured::meta("top", "top.out"), structured::returns("top.out", "a", "b", "c")]]
void top_meta(MetaBase& op, const Tensor& self);
[[structured::impl("top.out", "CPU")]]
void top_cpu(const Tensor& self, const Tensor& a, const Tensor& b, const Tensor& c);
)src");
  expect_silence(R"src(
[[structured::meta("max.dim", "max.dim_max"), structured::returns("values", "indices")]]
void max_meta(MetaBase& op, const Tensor& self);
[[structured::impl("max.dim_max", "CPU")]]
void max_cpu(const Tensor& self, const Tensor& max, const Tensor& max_values);
)src");
}

TEST(Outputs, HaveOneNameInEveryImpl) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::impl("mm.out", "CPU")]] void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out);
[[structured::impl("mm.out", "CUDA", "PrivateUse1")]] void mm_cuda(const Tensor& self, const Tensor& mat2,
                                                                   const Tensor& result);
)src";
  expect_findings(text, R"txt(
impl-outputs-differ at 5 `result`: `impl` for `mm.out` on `CUDA` and `PrivateUse1` names an output `result`; expected `out`, as on `CPU`
  note at 3 `const Tensor& out`: the other output is declared here
  edit at 5 `result` to `out`
)txt");
  expect_mended(text, R"src(
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::impl("mm.out", "CPU")]] void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out);
[[structured::impl("mm.out", "CUDA", "PrivateUse1")]] void mm_cuda(const Tensor& self, const Tensor& mat2,
                                                                   const Tensor& out);
)src");
}

TEST(Outputs, HaveAsManyNamesAsThereAreResults) {
  expect_findings(R"src(
[[structured::meta("sort"), structured::returns("values")]] void sort_meta(MetaBase& op, const Tensor& self);
[[structured::impl("sort", "CPU")]] void sort_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);
[[structured::composite("g"), structured::returns("a", "b", "c")]] std::tuple<Tensor, Tensor> g(const Tensor& self);
)src",
                  R"txt(
returns-count at 1 `returns("values")`: `returns` has 1 name; expected 2, one for each result
  note at 2 `sort_cpu`: the outputs of this `impl` are the results
returns-count at 3 `returns("a", "b", "c")`: `returns` has 3 names; expected 2, one for each result
  note at 3 `std::tuple<Tensor, Tensor>`: results declared here
)txt");
}

TEST(Outputs, MayBeSeveral) {
  expect_silence(R"src(
[[structured::meta("sort", "sort.values"), structured::returns("values", "indices"),
  structured::returns("sort.values", "v", "i")]] void
sort_meta(MetaBase& op, const Tensor& self);
[[structured::impl("sort", "CPU")]] void sort_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);
[[structured::impl("sort.values", "CUDA")]] void sort_cuda(const Tensor& self, const Tensor& values,
                                                           const Tensor& indices);
)src");
}

}  // namespace
}  // namespace structured::gen::test
