// Duplicate definitions, kernels and functions.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(Duplicates, OfImpls) {
  expect_findings(R"src(
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::impl("mm.out", "CPU")]] void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out);
[[structured::impl("mm", "CUDA", "CPU")]] void mm_both(const Tensor& self, const Tensor& mat2, const Tensor& out);
)src",
                  R"txt(
duplicate-impl at 4 `"CPU"`: `impl` for `mm` on `CPU` is a duplicate; expected one function for each backend
  note at 3 `"CPU"`: the first one is `mm_cpu`
)txt");
}

TEST(Duplicates, InOneAttribute) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "CPU", "Meta")]]
Tensor f(const Tensor& self);
)src",
                  R"txt(
duplicate-impl at 1 `"CPU"`: `kernel` for `f` on `CPU` is a duplicate; expected one function for each backend
  note at 1 `"CPU"`: the first one is `f`
)txt");
}

TEST(Duplicates, OfAnImplAndAKernel) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.Tensor", "CPU")]]
Tensor f(const Tensor& self, const Tensor& other, const Scalar& alpha);
)src",
                  R"txt(
duplicate-impl at 6 `"CPU"`: `kernel` for `add.Tensor` on `CPU` is a duplicate; expected one function for each backend
  note at 4 `"CPU"`: the first one is `add_cpu`
)txt");
}

TEST(Duplicates, OfAMetaFunctionAndAKernel) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.Tensor", "Meta")]]
Tensor f(const Tensor& self, const Tensor& other, const Scalar& alpha);
)src",
                  R"txt(
duplicate-impl at 6 `"Meta"`: `kernel` for `add.Tensor` on `Meta` is a duplicate; `meta` already defines the kernel for `Meta`
  note at 2 `add_meta`: the operator is declared here
)txt");
}

TEST(Duplicates, OfKernels) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta")]]
Tensor f(const Tensor& self);
[[structured::kernel("f", "CUDA", "Meta")]]
Tensor g(const Tensor& self);
[[structured::composite("h")]] Tensor h(const Tensor& self);
[[structured::composite("h")]] Tensor i(const Tensor& self);
)src",
                  R"txt(
duplicate-impl at 3 `"Meta"`: `kernel` for `f` on `Meta` is a duplicate; expected one function for each backend
  note at 1 `"Meta"`: the first one is `f`
duplicate-impl at 6 `composite("h")`: `composite` for `h` on `CompositeImplicitAutograd` is a duplicate; expected one function for each backend
  note at 5 `composite("h")`: the first one is `h`
)txt");
}

TEST(Duplicates, OfMetaFunctions) {
  expect_findings(R"src(
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::meta("aten::mm")]] void other_meta(MetaBase& op, const Tensor& self);
[[structured::impl("mm", "CPU")]] void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out);
)src",
                  R"txt(
duplicate-meta at 3 `"aten::mm"`: `mm` is defined again by `other_meta`; expected one `meta` for each operator
  note at 1 `"mm"`: the first one is `mm_meta`
)txt");
}

TEST(Duplicates, OfSchemas) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add.out")]] void add_meta(MetaBase& op, const Tensor& self);
[[structured::impl("add.Tensor", "CPU")]] void add_cpu(const Tensor& self, const Tensor& out);
[[structured::meta("add.Scalar", "add.out")]] void adds_meta(MetaBase& op, const Scalar& self);
[[structured::impl("add.Scalar", "CPU")]] void adds_cpu(const Scalar& self, const Tensor& out);
)src",
                  R"txt(
duplicate-schema at 3 `"add.out"`: `add.out`, a variant of `add.Scalar`, is also a variant of `add.Tensor`; expected another overload name
  note at 1 `"add.out"`: the other operator is declared here
)txt");
}

TEST(Duplicates, OfCppFunctions) {
  expect_findings(R"src(
[[structured::kernel("f.a", "CPU", "Meta")]]
Tensor f(const Tensor& self, int64_t dim);
[[structured::kernel("f.b", "CPU", "Meta")]]
Tensor g(const Tensor& other, int64_t axis = 0);
[[structured::kernel("g_out", "CPU", "Meta")]]
Tensor h(Tensor& self, const Tensor& other);
[[structured::kernel("g.out", "CPU", "Meta")]]
Tensor& i(const Tensor& other, Tensor& out);
)src",
                  R"txt(
overload-collision at 3 `"f.b"`: `f.b` and `f.a` have the same C++ signature, `f(const structured::Tensor&, int64_t)`; expected different base names or parameter types
  note at 1 `"f.a"`: `f.a` is declared here
overload-collision at 7 `"g.out"`: `g.out` and `g_out` have the same C++ signature, `g_out(structured::Tensor&, const structured::Tensor&)`; expected different base names or parameter types
  note at 5 `"g_out"`: `g_out` is declared here
)txt");
}

TEST(Duplicates, OfCppFunctionsOfAScalarFunction) {
  expect_findings(R"src(
[[structured::kernel("f.b", "CPU", "Meta")]] Tensor f_b(const Tensor& self, const Tensor& other, int64_t n);
template <typename T>
[[structured::pointwise("f.a")]] T f_a(T self, T other, int64_t n) { return self + other; }
)src",
                  R"txt(
overload-collision at 1 `"f.b"`: `f.b` and `f.a` have the same C++ signature, `f(const structured::Tensor&, const structured::Tensor&, int64_t)`; expected different base names or parameter types
  note at 3 `"f.a"`: `f.a` is declared here
)txt");
}

TEST(Duplicates, OfAnEmittedFunctionAndAKernel) {
  expect_findings(R"src(
[[structured::kernel("f_", "CPU", "Meta")]] Tensor& structured::f_(Tensor& self);
[[structured::kernel("g.out", "CPU", "Meta")]] Tensor& structured::g_out(Tensor& self, Tensor& out);
[[structured::composite("mine::h")]] Tensor structured::mine::h(const Tensor& self);
[[structured::kernel("i", "CPU", "Meta")]] Tensor structured::j(const Tensor& self);
[[structured::kernel("i", "CUDA")]] Tensor structured::cuda::i(const Tensor& self);
[[structured::meta("k")]] void structured::k(MetaBase& op, const Tensor& self);
[[structured::impl("k", "CPU")]] void structured::k_out(const Tensor& self, const Tensor& out);
)src",
                  R"txt(
overload-collision at 1 `structured::f_`: `structured::f_` has the name and the parameters of the function emitted for `f_`; expected it in another namespace
overload-collision at 2 `structured::g_out`: `structured::g_out` has the name and the parameters of the function emitted for `g.out`; expected it in another namespace
overload-collision at 3 `structured::mine::h`: `structured::mine::h` has the name and the parameters of the function emitted for `mine::h`; expected it in another namespace
overload-collision at 5 `structured::cuda::i`: `structured::cuda::i` has the name and the parameters of the function emitted for `i`; expected it in another namespace
)txt");
}

TEST(Duplicates, OfCppFunctionsOfStructuredOperators) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::composite("add.other")]] Tensor f(const Tensor& a, const Tensor& b, const Scalar& c);
)src",
                  R"txt(
overload-collision at 6 `"add.other"`: `add.other` and `add.Tensor` have the same C++ signature, `add(const structured::Tensor&, const structured::Tensor&, const structured::Scalar&)`; expected different base names or parameter types
  note at 1 `"add.Tensor"`: `add.Tensor` is declared here
)txt");
}

TEST(Duplicates, AreNoOverloads) {
  expect_silence(R"src(
[[structured::kernel("f.a", "CPU", "Meta")]]
Tensor f(const Tensor& self, int64_t dim);
[[structured::kernel("f.b", "CPU", "Meta")]]
Tensor g(const Tensor& self, double dim);
[[structured::kernel("mine::f.a", "CPU", "Meta")]]
Tensor h(const Tensor& self, int64_t dim);
)src");
}

TEST(Duplicates, AreNoKernelsOfOtherBackends) {
  expect_silence(R"src(
[[structured::kernel("f", "CPU")]]
Tensor f(const Tensor& self);
[[structured::kernel("f", "CUDA", "Meta")]]
Tensor g(const Tensor& self);
)src");
}

}  // namespace
}  // namespace structured::gen::test
