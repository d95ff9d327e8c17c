// Meta functions.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(MetaFunctions, TakeABaseFirst) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("f")]]
void f_meta(const Tensor& self);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Tensor& out);
)src";
  expect_findings(text, R"txt(
meta-base at 2 `const Tensor& self`: `meta` for `f` takes `const Tensor&` first; expected a reference to `structured::MetaBase` or to a class derived from it
  edit at 2:13 to `structured::MetaBase& op, `
)txt");
  expect_mended(text, R"src(
[[structured::meta("f")]]
void f_meta(structured::MetaBase& op, const Tensor& self);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Tensor& out);
)src");
}

TEST(MetaFunctions, TakeAtLeastABase) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("f")]]
void f_meta();
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& out);
)src";
  expect_findings(text, R"txt(
meta-base at 2:13: `meta` for `f` has no parameters; expected `structured::MetaBase&` first
  edit at 2:13 to `structured::MetaBase& op`
)txt");
  expect_mended(text, R"src(
[[structured::meta("f")]]
void f_meta(structured::MetaBase& op);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& out);
)src");
}

TEST(MetaFunctions, TakeABaseThatIsOne) {
  expect_findings(R"src(
[[structured::meta("f")]] void f_meta(Plan& op, const Tensor& self);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Tensor& out);
)src",
                  R"txt(
meta-base at 1 `Plan&`: `meta` for `f` takes `Plan&` first; expected a reference to `structured::MetaBase` or to a class derived from it
)txt");
}

TEST(MetaFunctions, TakeABaseToWriteTo) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("f")]] void f_meta(const MetaBase& op, const Tensor& self);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Tensor& out);
)src";
  expect_findings(text, R"txt(
meta-base at 1 `const MetaBase&`: `meta` for `f` takes its base as `const MetaBase&`; expected a reference to non-const, `MetaBase&`
  edit at 1 `const MetaBase&` to `MetaBase&`
)txt");
  expect_mended(text, R"src(
[[structured::meta("f")]] void f_meta(MetaBase& op, const Tensor& self);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Tensor& out);
)src");
}

TEST(MetaFunctions, TakeABaseToDeriveFrom) {
  expect_findings(R"src(
[[structured::meta("f")]] void f_meta(FinalBase& op, const Tensor& self);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Tensor& out);
[[structured::meta("g")]] void g_meta(ArgumentBase& op, const Tensor& self);
[[structured::impl("g", "CPU")]] void g_cpu(const Tensor& self, const Tensor& out);
[[structured::meta("h")]] void h_meta(AbstractBase& op, const Tensor& self);
[[structured::impl("h", "CPU")]] void h_cpu(const Tensor& self, const Tensor& out);
)src",
                  R"txt(
meta-base at 1 `FinalBase&`: `kernels::FinalBase` is `final`; expected a class that emitted code can derive from
  note at base.h:1 ``: `kernels::FinalBase` defined here
meta-base at 3 `ArgumentBase&`: `kernels::ArgumentBase` has no default constructor; expected a class that emitted code can derive from
  note at base.h:1 ``: `kernels::ArgumentBase` defined here
meta-base at 5 `AbstractBase&`: `kernels::AbstractBase` is abstract; expected a class that emitted code can derive from
  note at base.h:1 ``: `kernels::AbstractBase` defined here
)txt");
}

TEST(MetaFunctions, UseClassesOfHeaders) {
  expect_findings(R"src(
[[structured::meta("f")]] HiddenPlan f_meta(HiddenBase& op, const Tensor& self);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const HiddenPlan& plan, const Tensor& out);
)src",
                  R"txt(
hidden-class at 1 `HiddenPlan`: `kernels::HiddenPlan`, the type of the precomputed values, is not defined in a header; expected one that emitted code can include
  note at base.h:1 ``: `kernels::HiddenPlan` defined here
hidden-class at 1 `HiddenBase&`: `kernels::HiddenBase`, the operator's base, is not defined in a header; expected one that emitted code can include
  note at base.h:1 ``: `kernels::HiddenBase` defined here
)txt");
}

TEST(MetaFunctions, WriteNoInputs) {
  expect_findings(R"src(
[[structured::meta("f")]] void f_meta(MetaBase& op, Tensor& self);
)src",
                  R"txt(
meta-without-impl at 1 `"f"`: `meta` for `f` has no `impl`, so the operator computes shapes only; expected an `impl` for at least one backend
written-input at 1 `Tensor&`: `meta` for `f` takes `self` as `Tensor&`, which is mutable; expected `const Tensor&`
  edit at 1 `Tensor&` to `const Tensor&`
)txt");
}

TEST(MetaFunctions, MayReturnPrecomputedValues) {
  expect_silence(R"src(
[[structured::meta("f")]] Plan f_meta(TensorIteratorBase& op, const Tensor& self, int64_t dim);
[[structured::impl("f", "CPU")]] void f_cpu(const Tensor& self, const Plan& anything, const Tensor& out);
)src");
}

}  // namespace
}  // namespace structured::gen::test
