// References between declarations.
#include <gtest/gtest.h>

#include "dialect/type_tables.h"
#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(References, SuggestAnOperator) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("ad.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src";
  expect_findings(text, R"txt(
unknown-operator at 4 `"ad.out"`: `impl` for unknown operator `ad.out`; did you mean `add.out`?
  note at 2 `add_meta`: `add.out` is declared here
  edit at 4 `"ad.out"` to `"add.out"`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(References, ListTheOverloads) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::impl("add.another_overload_name", "CUDA")]] void add_cuda(const Tensor& self, const Tensor& out);
)src",
                  R"txt(
unknown-operator at 6 `"add.another_overload_name"`: `impl` for unknown operator `add.another_overload_name`; expected one of `add.Tensor`, `add_.Tensor` or `add.out`
)txt");
}

TEST(References, NeedAMetaFunction) {
  expect_findings(R"src(
[[structured::impl("conv.out", "CPU")]] void conv_cpu(const Tensor& self, const Tensor& out);
)src",
                  R"txt(
impl-without-meta at 1 `"conv.out"`: `impl` for `conv.out` has no `meta`; expected a function marked `meta("conv.out")`
)txt");
}

TEST(References, NeedAStructuredOperator) {
  expect_findings(R"src(
[[structured::kernel("view", "CPU", "Meta")]]
Tensor view(const Tensor& self);
[[structured::impl("view", "CUDA")]] void view_cuda(const Tensor& self, const Tensor& out);
)src",
                  R"txt(
impl-without-meta at 3 `"view"`: `impl` for `view` has no `meta`; expected a function marked `meta("view")`
  note at 1 `kernel("view", "CPU", "Meta")`: the operator is declared by `kernel` here
)txt");
}

TEST(References, NeedAMetaFunctionBesideAScalarFunction) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("exp")]] T exp(T self);
[[structured::impl("exp.out", "CUDA")]] void exp_cuda(const Tensor& self, const Tensor& out);
)src",
                  R"txt(
impl-without-meta at 3 `"exp.out"`: `impl` for `exp.out` has no `meta`; expected a function marked `meta("exp.out")`
  note at 2 `pointwise("exp")`: the operator is declared by `pointwise` here
)txt");
}

TEST(References, OfDerivativesSuggestAnOperator) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::backward("add.Tensr")]]
std::tuple<Tensor, Tensor> add_backward(const Tensor& grad);
)src";
  expect_findings(text, R"txt(
unknown-operator at 6 `"add.Tensr"`: `backward` for unknown operator `add.Tensr`; did you mean `add.Tensor`?
  edit at 6 `"add.Tensr"` to `"add.Tensor"`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::backward("add.Tensor")]]
std::tuple<Tensor, Tensor> add_backward(const Tensor& grad);
)src");
}

TEST(References, OfDerivativesNeedAnOperator) {
  expect_findings(R"src(
[[structured::backward("convolution")]] Tensor backward(const Tensor& grad);
)src",
                  R"txt(
unknown-operator at 1 `"convolution"`: `backward` for unknown operator `convolution`
)txt");
}

TEST(References, WantAnImpl) {
  expect_findings(R"src(
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
)src",
                  R"txt(
meta-without-impl at 1 `"mm"`: `meta` for `mm` has no `impl`, so the operator computes shapes only; expected an `impl` for at least one backend
)txt");
}

TEST(References, AreFoundByAnyVariant) {
  expect_silence(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::backward("add_.Tensor")]] std::tuple<Tensor, Tensor> b(const Tensor& grad);
)src");
}

TEST(References, WantNoImplBesideAKernel) {
  expect_silence(R"src(
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::kernel("mm", "CPU")]]
Tensor mm(const Tensor& self, const Tensor& mat2);
)src");
}

const CheckedSource add_meta{"meta.cpp", R"src([[structured::meta("add", "add.out")]]
void add_meta(MetaBase& op, const Tensor& self, const Tensor& other);
)src"};
const CheckedSource add_cpu{"cpu.cpp", R"src([[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Tensor& out);
)src"};
const CheckedSource add_cuda{"cuda.cu", R"src([[structured::impl("add.out", "CUDA")]]
void add_cuda(const Tensor& self, double other, const Tensor& result);
)src"};

TEST(References, CrossSources) {
  EXPECT_EQ(findings({add_meta, add_cpu}), "");
  EXPECT_EQ(
      findings({add_meta, add_cpu, add_cuda}),
      R"txt(impl-mismatch at cuda.cu:2 `double`: `impl` for `add.out` takes `double` where `meta` takes `const Tensor&`
  note at 2 `const Tensor& other`: `meta` parameter declared here
  edit at cuda.cu:2 `double` to `const Tensor&`
impl-outputs-differ at cuda.cu:2 `result`: `impl` for `add.out` on `CUDA` names an output `result`; expected `out`, as on `CPU`
  note at cpu.cpp:2 `const Tensor& out`: the other output is declared here
  edit at cuda.cu:2 `result` to `out`
)txt");
}

TEST(References, DoNotDependOnTheOrderOfSources) {
  std::string expected = findings({add_meta, add_cpu, add_cuda});
  EXPECT_EQ(findings({add_meta, add_cuda, add_cpu}), expected);
}

TEST(References, MayLeadOutOfAPartOfTheLibrary) {
  EXPECT_EQ(findings({add_cpu}, /*whole_library=*/false), "");
  EXPECT_EQ(findings({add_meta}, /*whole_library=*/false), "");
  EXPECT_EQ(findings(R"src(
[[structured::kernel("f", "CPU")]] Tensor f(const Tensor& self);
[[structured::backward("g")]] Tensor g(const Tensor& grad);
)src",
                     /*whole_library=*/false),
            "");
  EXPECT_NE(findings({add_meta, add_cuda}, /*whole_library=*/false), "");
}

TEST(References, SeeAHeaderOnce) {
  Fragment a = read_fragment("a.h", "[[structured::composite(\"f\")]] Tensor f(const Tensor& self);");
  Fragment b = a;
  a.source = "a.cpp";
  b.source = "b.cpp";
  EXPECT_TRUE(check({a, b}, native_types(), CheckOptions{}).empty());
}

TEST(References, KnowTheNamespaceOfTheLibrary) {
  Fragment fragment = read_fragment("a.cpp", R"src(
[[structured::meta("mine::f")]] void f_meta(MetaBase& op, const Tensor& self);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Tensor& out);
)src");
  CheckOptions options;
  EXPECT_TRUE(has_errors(check(fragment, native_types(), options)));
  options.schema_namespace = "mine";
  EXPECT_TRUE(check(fragment, native_types(), options).empty());
}

}  // namespace
}  // namespace structured::gen::test
