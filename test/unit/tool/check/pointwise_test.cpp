// Scalar functions.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(scalar_functions, are_templates) {
  expect_findings(R"src(
[[structured::pointwise("exp")]] double exp(double self);
)src",
                  R"txt(
pointwise-form at 1 `exp`: `pointwise` for `exp` is no template; expected a function template over one type, `template <typename T>`
)txt");
}

TEST(scalar_functions, are_templates_over_one_type) {
  expect_findings(R"src(
template <typename T, typename U>
[[structured::pointwise("add")]] T add(T self, U other);
)src",
                  R"txt(
pointwise-form at 2 `add`: `pointwise` for `add` has 2 template parameters; expected a function template over one type, `template <typename T>`
)txt");
}

TEST(scalar_functions, take_a_tensor) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("one")]] T one(int64_t n);
)src",
                  R"txt(
pointwise-form at 2 `int64_t n`: `pointwise` for `one` has no tensor; expected a parameter of type `T`
)txt");
}

TEST(scalar_functions, take_three_tensors_at_most) {
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

TEST(scalar_functions, have_one_output_called_out) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] T f(T self, T out);
)src",
                  R"txt(
duplicate-argument at 2 `out`: input `out` of `pointwise` for `f` has the name of the output; expected another name
)txt");
}

TEST(scalar_functions, take_few_types) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] T f(T self, const T& other, IntArrayRef dims);
)src",
                  R"txt(
pointwise-parameter at 2 `const T&`: parameter `other` is `const T&`; expected `T`, `int64_t`, `double`, `bool` or `std::string_view`
pointwise-parameter at 2 `IntArrayRef`: parameter `dims` is `IntArrayRef`; expected `T`, `int64_t`, `double`, `bool` or `std::string_view`
)txt");
}

TEST(scalar_functions, take_scalars_of_their_type) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] T f(T self, [[structured::scalar]] double alpha);
)src",
                  R"txt(
pointwise-parameter at 2 `scalar`: `scalar` parameter `alpha` is `double`; expected `T`
)txt");
}

TEST(scalar_functions, take_boolean_tensors) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] T f(T self, [[structured::tensor]] T mask, [[structured::tensor]] int64_t n);
)src",
                  R"txt(
pointwise-parameter at 2 `tensor`: `tensor` parameter `mask` is `T`; expected `bool`, as `T` is a tensor without it
pointwise-parameter at 2 `tensor`: `tensor` parameter `n` is `int64_t`; expected `bool`, as `T` is a tensor without it
)txt");
}

TEST(scalar_functions, return_their_type) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f")]] double f(T self);
)src",
                  R"txt(
result-type at 2 `double`: `pointwise` for `f` returns `double`; expected `T` or `bool`
)txt");
}

TEST(scalar_functions, may_compare) {
  expect_silence(R"src(
template <typename T>
[[structured::pointwise("lt.Tensor", "lt_.Tensor", "lt.Tensor_out"), structured::promote("bool")]] bool lt(T self,
                                                                                                           T other);
)src");
}

TEST(scalar_functions, may_take_scalars_and_masks) {
  expect_silence(R"src(
template <typename T>
[[structured::pointwise("f")]] T f([[structured::tensor]] bool mask, T self,
                                   [[structured::kwonly, structured::scalar]] T alpha = 1, int64_t n = 2,
                                   double p = 0.5, bool flag = true, std::string_view mode = "none");
)src");
}

}  // namespace
}  // namespace structured::gen::test
