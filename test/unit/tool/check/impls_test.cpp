// Consistency of impls with their meta function.
#include <gtest/gtest.h>

#include "dialect/type_tables.h"
#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(Impls, TakeTheTypesOfMeta) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, double alpha, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 5 `double`: `impl` for `add.out` takes `double` where `meta` takes `const Scalar&`
  note at 3 `[[structured::kwonly]] const Scalar& alpha = 1`: `meta` parameter declared here
  edit at 5 `double` to `const Scalar&`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, TakeReferencesWhereMetaDoes) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 5 `Tensor&`: `impl` for `add.out` takes `Tensor&` where `meta` takes `const Tensor&`
  note at 2 `const Tensor& self`: `meta` parameter declared here
  edit at 5 `Tensor&` to `const Tensor&`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, TakeTheNamesOfMeta) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& b, const Scalar& alpha, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 5 `b`: `impl` for `add.out` names a parameter `b`; expected `other`
  note at 2 `const Tensor& other`: `meta` parameter declared here
  edit at 5 `b` to `other`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, KeepTheirBodiesWhole) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& b, const Scalar& alpha, const Tensor& out) {
  use(b);
}
)src",
                  R"txt(
impl-mismatch at 5 `b`: `impl` for `add.out` names a parameter `b`; expected `other`
  note at 2 `const Tensor& other`: `meta` parameter declared here
)txt");
}

TEST(Impls, TakeTheOrderOfMeta) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& other, const Scalar& alpha, const Tensor& self, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 5 `const Tensor& other`: `impl` for `add.out` takes `other` where `meta` takes `self`; expected the parameter order of `meta`
  note at 2 `const Tensor& self`: `meta` parameter declared here
  edit at 5 `const Tensor& other, const Scalar& alpha, const Tensor& self` to `const Tensor& self, const Tensor& other, const Scalar& alpha`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, TakeAllThatMetaTakes) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 5 `add_cpu`: `impl` for `add.out` does not take `const Scalar& alpha`, which `meta` takes
  note at 3 `[[structured::kwonly]] const Scalar& alpha = 1`: `meta` parameter declared here
  edit at 5:79 to `const Scalar& alpha, `
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, TakeTheFirstThatMetaTakes) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& other, const Scalar& alpha, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 5 `add_cpu`: `impl` for `add.out` does not take `const Tensor& self`, which `meta` takes
  note at 2 `const Tensor& self`: `meta` parameter declared here
  edit at 5:14 to `const Tensor& self, `
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, TakeSeveralThatMetaTakes) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 5 `add_cpu`: `impl` for `add.out` does not take `const Tensor& other` and `const Scalar& alpha`, which `meta` takes
  note at 2 `const Tensor& other`: `meta` parameter declared here
  note at 3 `[[structured::kwonly]] const Scalar& alpha = 1`: `meta` parameter declared here
  edit at 5:34 to `const Tensor& other, const Scalar& alpha, `
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, TakeNothingMore) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, int64_t dim, const Tensor& other, const Scalar& alpha,
             const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 5 `int64_t dim`: `impl` for `add.out` takes `int64_t dim`, which `meta` does not take
  note at 2 `TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1`: `meta` parameters declared here
  edit at 5 `int64_t dim, ` to ``
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha,
             const Tensor& out);
)src");
}

TEST(Impls, TakeNothingMoreInDefinitions) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, int64_t dim, const Tensor& other, const Scalar& alpha, const Tensor& out) {
  use(dim);
}
)src",
                  R"txt(
impl-mismatch at 5 `int64_t dim`: `impl` for `add.out` takes `int64_t dim`, which `meta` does not take
  note at 2 `TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1`: `meta` parameters declared here
)txt");
}

TEST(Impls, TakeTheBaseOfMeta) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(MetaBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 5 `MetaBase&`: `impl` for `add.out` takes `MetaBase&` where `meta` takes `TensorIteratorBase&`
  note at 2 `TensorIteratorBase& op`: `meta` parameter declared here
  edit at 5 `MetaBase&` to `TensorIteratorBase&`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, HaveOutputs) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 5 `add_cpu`: `impl` for `add.out` has no output; expected `const structured::Tensor& out` as its last parameter
  edit at 5:74 to `, const structured::Tensor& out`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, const structured::Tensor& out);
)src");
}

TEST(Impls, HaveMoreThanAName) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu();
)src",
                  R"txt(
impl-mismatch at 5 `add_cpu`: `impl` for `add.out` does not take `const Tensor& self`, `const Tensor& other` and `const Scalar& alpha`, which `meta` takes
  note at 2 `const Tensor& self`: `meta` parameter declared here
  note at 2 `const Tensor& other`: `meta` parameter declared here
  note at 3 `[[structured::kwonly]] const Scalar& alpha = 1`: `meta` parameter declared here
  edit at 5:14 to `const Tensor& self, const Tensor& other, const Scalar& alpha`
impl-mismatch at 5 `add_cpu`: `impl` for `add.out` has no output; expected `const structured::Tensor& out` as its last parameter
)txt");
}

TEST(Impls, TakePrecomputedValues) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("f")]]
Plan f_meta(MetaBase& op, const Tensor& self, int64_t dim);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 3 `f_cpu`: `impl` for `f` does not take `const Plan& precomputed`, which `meta` returns
  note at 2 `Plan`: `meta` returns the precomputed values here
  edit at 3:65 to `const Plan& precomputed, `
)txt");
  expect_mended(text, R"src(
[[structured::meta("f")]]
Plan f_meta(MetaBase& op, const Tensor& self, int64_t dim);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Plan& precomputed, const Tensor& out);
)src");
}

TEST(Impls, TakePrecomputedValuesByReference) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("f")]]
Plan f_meta(MetaBase& op, const Tensor& self, int64_t dim);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, Plan plan, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 3 `Plan`: `impl` for `f` takes `Plan` where `meta` returns precomputed values; expected `const Plan&`
  note at 2 `Plan`: `meta` returns the precomputed values here
  edit at 3 `Plan` to `const Plan&`
)txt");
  expect_mended(text, R"src(
[[structured::meta("f")]]
Plan f_meta(MetaBase& op, const Tensor& self, int64_t dim);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Plan& plan, const Tensor& out);
)src");
}

TEST(Impls, DropWhatIsPrecomputed) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("f")]]
Plan f_meta(MetaBase& op, const Tensor& self, int64_t dim);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, int64_t dim, const Plan& plan, const Tensor& out);
)src";
  expect_findings(text, R"txt(
impl-mismatch at 3 `int64_t dim`: `impl` for `f` takes `int64_t dim`, which a precomputed value replaces
  note at 2 `Plan`: `meta` returns the precomputed values here
  edit at 3 `int64_t dim, ` to ``
)txt");
  expect_mended(text, R"src(
[[structured::meta("f")]]
Plan f_meta(MetaBase& op, const Tensor& self, int64_t dim);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Plan& plan, const Tensor& out);
)src");
}

TEST(Impls, HaveNoDefaults) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha = 2, const Tensor& out = {});
)src";
  expect_findings(text, R"txt(
impl-default at 5 `2`: default of `alpha` on an `impl` is ignored; defaults come from `meta`
  note at 3 `[[structured::kwonly]] const Scalar& alpha = 1`: `meta` parameter declared here
  edit at 5 ` = 2` to ``
impl-default at 5 `{}`: default of `out` on an `impl` is ignored; defaults come from `meta`
  edit at 5 ` = 2` to ``
  edit at 5 ` = {}` to ``
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, MayLeaveOutTheBase) {
  expect_silence(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, MayNameAnyVariant) {
  expect_silence(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("aten::add_.Tensor", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src");
}

TEST(Impls, MaySpellTypesOtherwise) {
  expect_silence(R"src(
[[structured::meta("f")]] void f_meta(MetaBase& op, const Tensor& self, IntArrayRef dims);
[[structured::impl("f", "CPU")]] void f_cpu(structured::MetaBase& op, const structured::Tensor& self,
                                            ArrayRef<int64_t> dims, const Tensor& out);
)src");
}

TEST(Impls, MayCallTheBaseAndOutputsAsTheyLike) {
  expect_silence(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& iterator, const Tensor& self, const Tensor& other, const Scalar& alpha,
             const Tensor& sum);
)src");
}

TEST(Impls, ShowCanonicalTypesWhereTheWrittenOnesAgree) {
  Fragment fragment = read_fragment("a.cpp", R"src(
[[structured::meta("f")]] void f_meta(MetaBase& op, const Tensor& self, Index dim);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, Index dim, const Tensor& out);
)src");
  fragment.declarations[0].parameters[2].type.canonical = "long";
  fragment.declarations[1].parameters[1].type.canonical = "int";
  std::vector<Diagnostic> found = check(fragment, native_types(), CheckOptions{});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message, "`impl` for `f` takes `int` where `meta` takes `long`");
}

TEST(Impls, AreNotComparedWithATypeThatMetaMustNotHave) {
  expect_findings(R"src(
[[structured::meta("f", "f_")]] void f_meta(MetaBase& op, Tensor self);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Tensor& out);
[[structured::impl("f", "CUDA")]] void f_cuda(const Tensor& out);
[[structured::backward("f")]] Tensor f_backward(const Tensor& grad);
)src",
                  R"txt(
unsupported-type at 1 `Tensor`: parameter `self` is `Tensor`, which has no schema type; expected `const Tensor&`
  edit at 1 `Tensor` to `const Tensor&`
impl-mismatch at 3 `f_cuda`: `impl` for `f` does not take `const Tensor& self`, which `meta` takes
  note at 1 `Tensor self`: `meta` parameter declared here
  edit at 3:47 to `const Tensor& self, `
)txt");
}

TEST(Impls, OfAThousandParametersTakeLittleTime) {
  std::string inputs, impl_inputs;
  for (int i = 0; i < 1200; ++i) {
    inputs += ", int64_t a" + std::to_string(i);
    impl_inputs += "int64_t b" + std::to_string(i) + ", ";
  }
  EXPECT_NE(findings("[[structured::meta(\"f\")]] void f_meta(MetaBase& op" + inputs +
                     ");\n[[structured::impl(\"f\", \"CPU\")]] void f_cpu(" + impl_inputs + "const Tensor& out);"),
            "");
}

}  // namespace
}  // namespace structured::gen::test
