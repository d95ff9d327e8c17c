// Scalar functions.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(ScalarFunctions, AreTemplates) {
  expect_findings(R"src(
[[structured::pointwise("exp")]] double exp(double self);
)src",
                  R"txt(
pointwise-form at 1 `exp`: `pointwise` for `exp` is not a template; expected a function template with one type parameter, `template <typename T>`
)txt");
}

TEST(ScalarFunctions, ThatAreNoTemplatesHaveNoOtherFaults) {
  expect_findings(R"src(
[[structured::pointwise("exp", "exp_")]] double exp(double self);
[[structured::backward("exp")]] Tensor exp_backward(const Tensor& grad, const Tensor& self);
[[structured::kernel("exp", "SparseCPU")]] Tensor exp_sparse(const Tensor& self);
)src",
                  R"txt(
pointwise-form at 1 `exp`: `pointwise` for `exp` is not a template; expected a function template with one type parameter, `template <typename T>`
)txt");
}

TEST(ScalarFunctions, AreTemplatesOverOneType) {
  expect_findings(R"src(
template <typename T, typename U>
[[structured::pointwise("add")]] T add(T self, U other);
)src",
                  R"txt(
pointwise-form at 2 `add`: `pointwise` for `add` has 2 template parameters; expected a function template with one type parameter, `template <typename T>`
)txt");
}

TEST(ScalarFunctions, TakeATensor) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("one")]] T one(int64_t n);
)src",
                  R"txt(
pointwise-form at 2 `int64_t n`: `pointwise` for `one` has no tensor; expected a parameter of type `T`
)txt");
}

TEST(ScalarFunctions, TakeThreeTensorsAtMost) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] T f(T self, T b, [[structured::tensor]] bool mask, int64_t n, T d, T e);
)src",
                  R"txt(
pointwise-form at 2 `T d`: `pointwise` for `f` has 5 tensors; expected 3 at most
)txt");
  expect_silence(R"src(
template <typename T>
[[structured::pointwise("f")]] T f(T self, T b, [[structured::tensor]] bool mask, [[structured::scalar]] T alpha);
)src");
}

TEST(ScalarFunctions, HaveOneOutputCalledOut) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] T f(T self, T out);
)src",
                  R"txt(
duplicate-argument at 2 `out`: input `out` of `pointwise` for `f` has the name of the output; expected another name
)txt");
}

TEST(ScalarFunctions, TakeFewTypes) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] T f(T self, const T& other, IntArrayRef dims);
)src",
                  R"txt(
pointwise-parameter at 2 `const T&`: parameter `other` is `const T&`; expected `T`, `int64_t`, `double`, `bool` or `std::string_view`
pointwise-parameter at 2 `IntArrayRef`: parameter `dims` is `IntArrayRef`; expected `T`, `int64_t`, `double`, `bool` or `std::string_view`
)txt");
}

TEST(ScalarFunctions, TakeScalarsOfTheirType) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] T f(T self, [[structured::scalar]] double alpha);
)src",
                  R"txt(
pointwise-parameter at 2 `scalar`: `scalar` parameter `alpha` is `double`; expected `T`
)txt");
}

TEST(ScalarFunctions, TakeBooleanTensors) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] T f(T self, [[structured::tensor]] T mask, [[structured::tensor]] int64_t n);
)src",
                  R"txt(
pointwise-parameter at 2 `tensor`: `tensor` parameter `mask` is `T`; expected `bool`, as `T` is a tensor without it
pointwise-parameter at 2 `tensor`: `tensor` parameter `n` is `int64_t`; expected `bool`, as `T` is a tensor without it
)txt");
}

TEST(ScalarFunctions, ReturnTheirType) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] double f(T self);
)src",
                  R"txt(
result-type at 2 `double`: `pointwise` for `f` returns `double`; expected `T` or `bool`
)txt");
}

TEST(ScalarFunctions, MayCompare) {
  expect_silence(R"src(
template <typename T>
[[structured::pointwise("lt.Tensor", "lt_.Tensor", "lt.Tensor_out"), structured::promote("bool")]] bool lt(T self,
                                                                                                           T other);
)src");
}

TEST(ScalarFunctions, MayTakeScalarsAndMasks) {
  expect_silence(R"src(
template <typename T>
[[structured::pointwise("f")]] T f([[structured::tensor]] bool mask, T self,
                                   [[structured::kwonly, structured::scalar]] T alpha = 1, int64_t n = 2,
                                   double p = 0.5, bool flag = true, std::string_view mode = "none");
)src");
}

}  // namespace
}  // namespace structured::gen::test
