// Functions that emitted code cannot use.
#include <gtest/gtest.h>

#include "dialect/type_tables.h"
#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(LinkageErrors, NamesATemplate) {
  expect_findings(R"src(
template <typename T>
[[structured::kernel("f", "CPU", "Meta")]] Tensor f(const Tensor& self);
)src",
                  R"txt(
template-function at 2 `f`: annotated function `f` is a template; expected a plain function, as only `pointwise` and `backward` take templates
)txt");
}

TEST(LinkageErrors, NamesAStaticFunction) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta")]] static Tensor f(const Tensor& self);
)src",
                  R"txt(
static-function at 1 `f`: annotated function `f` is `static`, so emitted code cannot link to it; remove `static`
)txt");
}

TEST(LinkageErrors, NamesAnInlineFunction) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta")]] inline Tensor f(const Tensor& self);
)src",
                  R"txt(
inline-function at 1 `f`: annotated function `f` is `inline`, so emitted code may find no definition to link to; remove `inline`
)txt");
}

TEST(LinkageErrors, NamesAConstexprFunction) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta")]] constexpr int64_t f(const Tensor& self);
)src",
                  R"txt(
constexpr-function at 1 `f`: annotated function `f` is `constexpr` and therefore inline, so emitted code may find no definition to link to; remove `constexpr`
)txt");
}

TEST(LinkageErrors, PointsAtADeducedResult) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta")]] auto f(const Tensor& self);
)src",
                  R"txt(
auto-result at 1 `auto`: annotated function `f` has a deduced result type, which emitted code cannot declare; write the type
)txt");
}

TEST(LinkageErrors, PointsAtCVariadicParameters) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta")]] Tensor f(const Tensor& self, ...);
)src",
                  R"txt(
c-variadic at 1 `const Tensor& self, ...`: annotated function `f` takes `...`, which a schema cannot express; declare every parameter
)txt");
}

TEST(LinkageErrors, NamesADeletedFunction) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta")]] Tensor f(const Tensor& self) = delete;
)src",
                  R"txt(
deleted-function at 1 `f`: annotated function `f` is deleted; expected a function that can be called
)txt");
}

TEST(LinkageErrors, PointsAtAnUnnamedParameter) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta")]] Tensor f(const Tensor&, int64_t dim);
)src",
                  R"txt(
unnamed-parameter at 1 `const Tensor&`: parameter 1 of `f` has no name; expected one, which becomes the argument's name
)txt");
}

TEST(LinkageErrors, AcceptAPlainFunction) {
  expect_silence(R"src(
[[structured::kernel("f", "CPU", "Meta")]] Tensor f(const Tensor& self);
[[structured::kernel("g", "CPU", "Meta")]] Tensor g(const Tensor& self) { return self; }
)src");
}

TEST(LinkageErrors, AcceptAnInlineScalarFunction) {
  expect_silence(R"src(
template <typename T>
[[structured::pointwise("exp")]] inline T exp(T self);
)src");
}

TEST(LinkageErrors, NameMembersAndUnnamedNamespaces) {
  Fragment fragment = read_fragment("a.cpp", "[[structured::composite(\"f\")]] Tensor f(const Tensor& self);");
  fragment.declarations[0].linkage_errors = {LinkageError::is_member, LinkageError::is_in_unnamed_namespace};
  std::vector<Diagnostic> found = check(fragment, native_types(), CheckOptions{});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, DiagnosticKind::member_function);
  EXPECT_EQ(found[0].message, "annotated function `f` is a member of a class; expected a function at namespace scope");
  EXPECT_EQ(found[0].range, fragment.declarations[0].name_range);
  EXPECT_EQ(found[1].kind, DiagnosticKind::unnamed_namespace);
  EXPECT_EQ(found[1].message,
            "annotated function `f` is in an unnamed namespace, so emitted code cannot link to it; give the "
            "namespace a name");
}

TEST(LinkageErrors, PointAtWhatTheCompilerDoesNotKnow) {
  Fragment fragment = read_fragment("a.cpp", R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, Tensr other);
[[structured::composite("g")]] Tensr g(const Tensor& self);
)src");
  fragment.declarations[0].parameters[1].is_invalid = fragment.declarations[0].is_invalid = true;
  fragment.declarations[1].is_invalid = true;
  std::vector<Diagnostic> found = check(fragment, native_types(), CheckOptions{});
  ASSERT_EQ(found.size(), 2u);  // no follow-up errors
  EXPECT_EQ(found[0].kind, DiagnosticKind::unreadable_declaration);
  EXPECT_EQ(found[0].message, "the compiler does not know the type `Tensr` of parameter `other` of `f`");
  EXPECT_EQ(found[0].range, fragment.declarations[0].parameters[1].type_range);
  EXPECT_EQ(found[1].message, "the compiler rejected the declaration of `g`");
  EXPECT_EQ(found[1].range, fragment.declarations[1].name_range);
}

}  // namespace
}  // namespace structured::gen::test
