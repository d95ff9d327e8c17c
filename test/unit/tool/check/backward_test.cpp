// Derivatives.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(Derivatives, TakeWhatTheOperatorHas) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::backward("add.Tensor")]]
std::tuple<Tensor, Tensor> b(const Tensor& grad, const Tensor& othr);
)src";
  expect_findings(text, R"txt(
backward-parameter at 7 `othr`: `backward` for `add.Tensor` takes `othr`, which is not a gradient, input or output of the operator; did you mean `other`?
  note at 2 `TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1`: the operator's parameters are declared here
  edit at 7 `othr` to `other`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::backward("add.Tensor")]]
std::tuple<Tensor, Tensor> b(const Tensor& grad, const Tensor& other);
)src");
}

TEST(Derivatives, TakeNothingElse) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::backward("add.Tensor")]] std::tuple<Tensor, Tensor> b(const Tensor& grad, const Tensor& something);
)src",
                  R"txt(
backward-parameter at 6 `something`: `backward` for `add.Tensor` takes `something`, which is not a gradient, input or output of the operator; expected one of `grad`, `grad_out`, `self`, `other`, `alpha` or `out`
  note at 2 `TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1`: the operator's parameters are declared here
)txt");
}

TEST(Derivatives, ReturnAGradientForEachTensor) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::backward("add.Tensor")]] Tensor b(const Tensor& grad);
[[structured::backward("add.Tensor")]] std::tuple<Tensor, double> c(const Tensor& grad);
)src",
                  R"txt(
backward-result at 6 `Tensor`: `backward` for `add.Tensor` returns `Tensor`; expected 2 tensors, the gradients of `self` and `other`
  note at 2 `TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1`: the operator's parameters are declared here
backward-input at 7 `backward("add.Tensor")`: a second `backward` for `self` of `add.Tensor`; expected one function for each input
  note at 6 `backward("add.Tensor")`: the first one is here
backward-result at 7 `std::tuple<Tensor, double>`: `backward` for `add.Tensor` returns `std::tuple<Tensor, double>`; expected 2 tensors, the gradients of `self` and `other`
  note at 2 `TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1`: the operator's parameters are declared here
)txt");
}

TEST(Derivatives, MayTakeOutputsAndTheirGradients) {
  expect_silence(R"src(
[[structured::meta("sort"), structured::returns("values", "indices")]] void sort_meta(MetaBase& op, const Tensor& self,
                                                                                      int64_t dim);
[[structured::impl("sort", "CPU")]] void sort_cpu(const Tensor& self, int64_t dim, const Tensor& v, const Tensor& i);
[[structured::backward("sort")]] std::optional<Tensor> sort_backward(const Tensor& grad_values, const Tensor& indices,
                                                                     const Tensor& grad_v, const Tensor& i,
                                                                     int64_t dim);
[[structured::composite("exp")]] Tensor exp(const Tensor& self);
[[structured::backward("exp")]] Tensor exp_backward(const Tensor& grad, const Tensor& out);
)src");
}

TEST(Derivatives, MayBeDividedAmongFunctions) {
  expect_silence(R"src(
[[structured::kernel("mm", "CPU", "Meta")]] Tensor mm(const Tensor& self, const Tensor& mat2);
[[structured::backward("mm", "self")]] Tensor b(const Tensor& grad, IntArrayRef self_sizes);
[[structured::backward("mm", "mat2")]] Tensor c(const Tensor& grad, const Tensor& out, const Tensor& needs_gradient);
[[structured::kernel("copy_", "CPU", "Meta")]] Tensor& copy_(Tensor& self, const Tensor& src);
[[structured::backward("copy_")]] std::tuple<Tensor, Tensor> d(const Tensor& grad);
[[structured::kernel("top", "CPU", "Meta")]] std::tuple<Tensor, Tensor> top(const Tensor& self);
[[structured::backward("top")]] Tensor e(const Tensor& grad_out0, const Tensor& out1);
)src");
}

TEST(Derivatives, NameInputsThatHaveGradients) {
  expect_findings(R"src(
[[structured::kernel("mm", "CPU", "Meta")]] Tensor mm(const Tensor& self, const Tensor& mat2, int64_t threads);
[[structured::backward("mm", "threads")]] Tensor b(const Tensor& grad);
[[structured::backward("mm", "mat")]] Tensor c(const Tensor& grad, IntArrayRef threads_sizes);
)src",
                  R"txt(
backward-input at 2 `"threads"`: `backward` names `threads`, which is not a differentiable input of `mm`; expected `self` or `mat2`
  note at 1 `const Tensor& self, const Tensor& mat2, int64_t threads`: the operator's parameters are declared here
backward-input at 3 `"mat"`: `backward` names `mat`, which is not a differentiable input of `mm`; did you mean `mat2`?
  note at 1 `const Tensor& self, const Tensor& mat2, int64_t threads`: the operator's parameters are declared here
  edit at 3 `"mat"` to `"mat2"`
backward-parameter at 3 `threads_sizes`: `backward` for `mm` takes `threads_sizes`, which is not a gradient, input or output of the operator; expected one of `grad`, `grad_out`, `self`, `mat2`, `threads` or `out`
  note at 1 `const Tensor& self, const Tensor& mat2, int64_t threads`: the operator's parameters are declared here
)txt");
}

constexpr llvm::StringLiteral scale = R"src(template <typename T>
[[structured::pointwise("scale"), structured::dtypes("floating")]]
T scale(T self, T other, double factor);
)src";

TEST(ScalarDerivatives, TakeElementsAndValues) {
  expect_findings(scale.str() + R"src(template <typename T>
[[structured::backward("scale", "self")]] T a(T grad, T out, double factor);
template <typename T>
[[structured::backward("scale", "other")]] T b(double grad, T self, T factor, T missing);
)src",
                  R"txt(
backward-parameter at 7 `double`: `backward` for `scale` takes `grad` as `double`; expected `T`
backward-parameter at 7 `T`: `backward` for `scale` takes `factor` as `T`; expected `double`
backward-parameter at 7 `missing`: `backward` for `scale` takes `missing`, which is not a gradient, input or output of the operator; expected one of `grad`, `grad_out`, `self`, `other`, `factor` or `out`
  note at 3 `T self, T other, double factor`: the operator's parameters are declared here
)txt");
}

TEST(ScalarDerivatives, AreForOneInput) {
  expect_findings(scale.str() + R"src(template <typename T>
[[structured::backward("scale")]] T a(T grad);
)src",
                  R"txt(
backward-result at 5 `backward("scale")`: `backward` for `scale` is a template for `self` and `other`; expected one input, as in `backward("scale", "self")`
  note at 3 `T self, T other, double factor`: the operator's parameters are declared here
)txt");
}

TEST(ScalarDerivatives, ReturnAnElement) {
  expect_findings(scale.str() + R"src(template <typename T>
[[structured::backward("scale", "self")]] double a(T grad);
)src",
                  R"txt(
backward-result at 5 `double`: `backward` for `scale` returns `double`; expected `T`, an element of the gradient
)txt");
}

TEST(ScalarDerivatives, AreForScalarFunctions) {
  expect_findings(R"src(
[[structured::kernel("half", "CPU", "Meta")]] Tensor half(const Tensor& self);
template <typename T>
[[structured::backward("half")]] T b(T grad);
)src",
                  R"txt(
template-function at 3 `b`: `backward` for `half` is a template; expected a function of tensors, as the operator is not `pointwise`
  note at 1 `half`: the operator is defined here
)txt");
}

}  // namespace
}  // namespace structured::gen::test
