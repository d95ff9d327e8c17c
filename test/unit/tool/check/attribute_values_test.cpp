// Names in attributes: backends, dtypes, rules, parameters, results.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(AttributeValues, SuggestABackend) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::kernel("f", "cpu", "Meta")]] Tensor f(const Tensor& self);
)src";
  expect_findings(text, R"txt(
unknown-backend at 1 `"cpu"`: unknown backend `cpu`; did you mean `CPU`?
  edit at 1 `"cpu"` to `"CPU"`
)txt");
  expect_mended(text, R"src(
[[structured::kernel("f", "CPU", "Meta")]] Tensor f(const Tensor& self);
)src");
}

TEST(AttributeValues, KnowNoForeignBackend) {
  expect_findings(R"src(
[[structured::kernel("f", "Quantum", "Meta")]] Tensor f(const Tensor& self);
)src",
                  R"txt(
unknown-backend at 1 `"Quantum"`: unknown backend `Quantum`
)txt");
}

TEST(AttributeValues, HaveNoImplForMeta) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU", "Meta", "CompositeExplicitAutograd")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src",
                  R"txt(
unknown-backend at 4 `"Meta"`: `impl` for the backend `Meta`; remove it, because the `meta` function is the kernel for `Meta`
unknown-backend at 4 `"CompositeExplicitAutograd"`: `impl` for `CompositeExplicitAutograd`, which is not a single backend; use `kernel`
)txt");
}

TEST(AttributeValues, SuggestADtype) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::kernel("f", "CPU", "Meta"), structured::dtypes("CPU", "flaoting", "bfloat16")]] Tensor f(
    const Tensor& self);
)src";
  expect_findings(text, R"txt(
bad-attribute-argument at 1 `"flaoting"`: `dtypes` has unknown dtype `flaoting`; did you mean `floating`?
  edit at 1 `"flaoting"` to `"floating"`
)txt");
  expect_mended(text, R"src(
[[structured::kernel("f", "CPU", "Meta"), structured::dtypes("CPU", "floating", "bfloat16")]] Tensor f(
    const Tensor& self);
)src");
}

TEST(AttributeValues, HaveDtypesForBackendsThatAreServed) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta"), structured::dtypes("CUDA", "floating")]] Tensor f(const Tensor& self);
)src",
                  R"txt(
bad-attribute-argument at 1 `"CUDA"`: `dtypes` for `CUDA`, a backend for which `f` is not a kernel
)txt");
}

TEST(AttributeValues, SuggestAPromotionRule) {
  constexpr llvm::StringLiteral text = R"src(
template <typename T>
[[structured::pointwise("exp"), structured::promote("int_to_flaot")]] T exp(T self);
)src";
  expect_findings(text, R"txt(
bad-attribute-argument at 2 `"int_to_flaot"`: `promote` has no rule `int_to_flaot`; expected `default`, `int_to_float`, `bool` or `no_opmath`
  edit at 2 `"int_to_flaot"` to `"int_to_float"`
)txt");
  expect_mended(text, R"src(
template <typename T>
[[structured::pointwise("exp"), structured::promote("int_to_float")]] T exp(T self);
)src");
}

TEST(AttributeValues, SuggestAParameterWithoutDefault) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::composite("f"), structured::no_cpp_default("alhpa")]] Tensor f(const Tensor& self,
                                                                             const Scalar& alpha = 1);
)src";
  expect_findings(text, R"txt(
bad-attribute-argument at 1 `"alhpa"`: `no_cpp_default` names `alhpa`, which is not a parameter of `f`; did you mean `alpha`?
  edit at 1 `"alhpa"` to `"alpha"`
)txt");
  expect_mended(text, R"src(
[[structured::composite("f"), structured::no_cpp_default("alpha")]] Tensor f(const Tensor& self,
                                                                             const Scalar& alpha = 1);
)src");
}

TEST(AttributeValues, NamesOfResultsDiffer) {
  expect_findings(R"src(
[[structured::composite("f"), structured::returns("a", "b", "a")]]
std::tuple<Tensor, Tensor, Tensor> f(const Tensor& self);
)src",
                  R"txt(
bad-attribute-argument at 1 `"a"`: `returns` has `a` twice; expected a different name for each result
)txt");
}

TEST(AttributeValues, TakeNamesOfResults) {
  expect_findings(R"src(
[[structured::composite("f"), structured::returns("the values")]] Tensor f(const Tensor& self);
)src",
                  R"txt(
bad-attribute-argument at 1 `"the values"`: `returns` has `the values`, which is neither an identifier nor a variant of this operator
)txt");
}

TEST(AttributeValues, AcceptEveryBackendAndDtype) {
  expect_silence(R"src(
[[structured::kernel("f", "CPU", "CUDA", "Meta", "QuantizedCPU", "SparseCPU", "PrivateUse1"),
  structured::dtypes("CPU", "all"), structured::dtypes("CUDA", "half", "bfloat16", "int64"),
  structured::dtypes("bool")]]
Tensor f(const Tensor& self);
[[structured::kernel("g", "CompositeExplicitAutograd")]] Tensor g(const Tensor& self);
)src");
}

TEST(AttributeValues, AcceptNamesForOneVariant) {
  expect_silence(R"src(
[[structured::meta("f", "f.out"), structured::returns("f.out", "values")]]
void f_meta(MetaBase& op, const Tensor& self);
[[structured::impl("f.out", "CPU")]] void f_cpu(const Tensor& self, const Tensor& out);
)src");
}

}  // namespace
}  // namespace structured::gen::test
