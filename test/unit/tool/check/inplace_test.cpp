// In-place variants.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(InplaceVariants, NeedATensorSelf) {
  expect_findings(R"src(
[[structured::meta("f", "f_")]] void f_meta(MetaBase& op, const Scalar& self, const Tensor& other);
[[structured::impl("f", "CPU")]] void f_cpu(const Scalar& self, const Tensor& other, const Tensor& out);
[[structured::meta("g", "g_")]] void g_meta(MetaBase& op, const Tensor& input);
[[structured::impl("g", "CPU")]] void g_cpu(const Tensor& input, const Tensor& out);
[[structured::meta("h", "h_")]] void h_meta(MetaBase& op);
[[structured::impl("h", "CPU")]] void h_cpu(const Tensor& out);
)src",
                  R"txt(
inplace-self at 1 `"f_"`: variant `f_` is in-place, because its name ends in `_`, and there is no tensor `self`: the first argument is `const Scalar& self`; expected a tensor `self` first, or no in-place variant
  note at 1 `const Scalar& self`: first argument declared here
inplace-self at 3 `"g_"`: variant `g_` is in-place, because its name ends in `_`, and there is no tensor `self`: the first argument is `const Tensor& input`; expected a tensor `self` first, or no in-place variant
  note at 3 `const Tensor& input`: first argument declared here
inplace-self at 5 `"h_"`: variant `h_` is in-place, because its name ends in `_`, and there is no tensor `self`: there is no argument; expected a tensor `self` first, or no in-place variant
)txt");
}

TEST(InplaceVariants, NeedAWrittenSelf) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::kernel("relu_", "CPU", "Meta")]]
Tensor& relu_(const Tensor& self);
)src";
  expect_findings(text, R"txt(
inplace-self at 2 `const Tensor&`: `relu_` is in-place, because its name ends in `_`, and takes its first argument as immutable `const Tensor&`; expected `Tensor&`, or a name that does not end in `_`
  edit at 2 `const Tensor&` to `Tensor&`
)txt");
  expect_mended(text, R"src(
[[structured::kernel("relu_", "CPU", "Meta")]]
Tensor& relu_(Tensor& self);
)src");
}

TEST(InplaceVariants, NeedWrittenLists) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::kernel("_foreach_exp_", "CPU", "Meta")]]
void exp_(TensorList self);
)src";
  expect_findings(text, R"txt(
inplace-self at 2 `TensorList`: `_foreach_exp_` is in-place, because its name ends in `_`, and takes its first argument as immutable `TensorList`; expected `[[structured::alias("a!")]] TensorList`, or a name that does not end in `_`
  edit at 2 `TensorList` to `[[structured::alias("a!")]] TensorList`
)txt");
  expect_mended(text, R"src(
[[structured::kernel("_foreach_exp_", "CPU", "Meta")]]
void exp_([[structured::alias("a!")]] TensorList self);
)src");
}

TEST(InplaceVariants, CallSelfSelf) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::kernel("relu_", "CPU", "Meta")]]
Tensor& relu_(Tensor& input);
)src";
  expect_findings(text, R"txt(
inplace-self at 2 `input`: `relu_` is in-place, because its name ends in `_`, and names its first argument `input`; expected `self`, or a name that does not end in `_`
  edit at 2 `input` to `self`
)txt");
  expect_mended(text, R"src(
[[structured::kernel("relu_", "CPU", "Meta")]]
Tensor& relu_(Tensor& self);
)src");
}

TEST(InplaceVariants, TakeArguments) {
  expect_findings(R"src(
[[structured::kernel("f_", "CPU", "Meta")]] void f_();
[[structured::kernel("g_", "CPU", "Meta")]] void g_(int64_t self);
)src",
                  R"txt(
inplace-self at 1:53: `f_` is in-place, because its name ends in `_`, and has no arguments; expected a mutable tensor `self` first, or a name that does not end in `_`
inplace-self at 2 `int64_t`: `g_` is in-place, because its name ends in `_`, and takes `int64_t self` first; expected a mutable tensor `self`, or a name that does not end in `_`
)txt");
}

TEST(InplaceVariants, HaveOneOutput) {
  expect_findings(R"src(
[[structured::meta("sort", "sort_")]] void sort_meta(MetaBase& op, const Tensor& self);
[[structured::impl("sort", "CPU")]] void sort_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);
[[structured::kernel("swap_", "CPU", "Meta")]] std::tuple<Tensor&, Tensor&> swap_(Tensor& self, Tensor& other);
)src",
                  R"txt(
inplace-outputs at 1 `"sort_"`: variant `sort_` is in-place, because its name ends in `_`, and the operator has 2 outputs; expected one output, because only `self` is mutable
  note at 2 `const Tensor& self, const Tensor& values, const Tensor& indices`: outputs declared here
inplace-outputs at 3 `std::tuple<Tensor&, Tensor&>`: `swap_` is in-place, because its name ends in `_`, and returns `std::tuple<Tensor&, Tensor&>`; expected one mutable tensor, `self`, or a name that does not end in `_`
)txt");
}

TEST(InplaceVariants, NeedAScalarFunctionOverSelf) {
  expect_findings(R"src(
template <typename T>
[[structured::pointwise("f", "f_")]] T f([[structured::scalar]] T self, T other);
)src",
                  R"txt(
inplace-self at 2 `"f_"`: variant `f_` is in-place, because its name ends in `_`, and there is no tensor `self`: the first argument is `T self`; expected a tensor `self` first, or no in-place variant
  note at 2 `[[structured::scalar]] T self`: first argument declared here
)txt");
}

TEST(InplaceVariants, MayWriteMoreThanSelf) {
  expect_silence(R"src(
[[structured::kernel("step_", "CPU", "Meta")]] Tensor& step_(Tensor& self, Tensor& tracker, const Tensor& found);
[[structured::kernel("_foreach_exp_", "CPU", "Meta")]] void exp_([[structured::alias("a!")]] TensorList self);
[[structured::composite("__iand__.Tensor")]] Tensor& and_(Tensor& self, const Tensor& other);
[[structured::composite("__and__.Tensor")]] Tensor and (const Tensor& other);
)src");
}

}  // namespace
}  // namespace structured::gen::test
