// Unstructured kernels, and kernels for single variants.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(Kernels, ReturnReferencesToOutputs) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::kernel("addr.out", "CPU", "Meta")]]
Tensor& addr(const Tensor& self, const Tensor& out);
)src";
  expect_findings(text, R"txt(
kernel-outputs at 2 `const Tensor&`: kernel for `addr.out` returns `Tensor&`, so that `out` is an output, and is `const Tensor&`; expected `Tensor&`, or a result by value
  note at 2 `Tensor&`: result declared here
  edit at 2 `const Tensor&` to `Tensor&`
)txt");
  expect_mended(text, R"src(
[[structured::kernel("addr.out", "CPU", "Meta")]]
Tensor& addr(const Tensor& self, Tensor& out);
)src");
}

TEST(Kernels, ReturnReferencesToTensors) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta")]] std::tuple<Tensor&, Tensor&> f(const Tensor& self, int64_t dim, Tensor& out);
[[structured::kernel("g", "CPU", "Meta")]] std::tuple<Tensor&, Tensor&> g(Tensor& out);
)src",
                  R"txt(
kernel-outputs at 1 `int64_t`: kernel for `f` returns `std::tuple<Tensor&, Tensor&>`, so that `dim` is an output, and is `int64_t`; expected `structured::Tensor&`, or a result by value
  note at 1 `std::tuple<Tensor&, Tensor&>`: result declared here
kernel-outputs at 2 `std::tuple<Tensor&, Tensor&>`: kernel for `g` returns `std::tuple<Tensor&, Tensor&>` and has 1 parameter; expected 2 outputs as its last parameters
)txt");
}

TEST(Kernels, NeedOneForMeta) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "CUDA")]] Tensor f(const Tensor& self);
)src",
                  R"txt(
no-meta-kernel at 1 `"f"`: `f` has no kernel for `Meta`, so its shapes cannot be computed without data; add `Meta` to a kernel's backends, or write a kernel for it
)txt");
}

TEST(Kernels, OfAStructuredOperatorTakeItsArguments) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.Tensor", "SparseCPU")]]
Tensor add_sparse(const Tensor& self, const Tensor& other, double alpha);
)src";
  expect_findings(text, R"txt(
kernel-mismatch at 7 `double`: kernel for `add.Tensor` takes `double` where its schema has `const Scalar&`
  note at 3 `[[structured::kwonly]] const Scalar& alpha = 1`: argument declared here
  edit at 7 `double` to `const Scalar&`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.Tensor", "SparseCPU")]]
Tensor add_sparse(const Tensor& self, const Tensor& other, const Scalar& alpha);
)src");
}

TEST(Kernels, OfAStructuredOperatorTakeAllOfItsArguments) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.Tensor", "SparseCPU")]]
Tensor add_sparse(const Tensor& self, const Tensor& other);
)src",
                  R"txt(
kernel-mismatch at 7 `add_sparse`: kernel for `add.Tensor` has 2 parameters; expected 3, the arguments of its schema
  note at 2 `add_meta`: the operator is declared here
)txt");
}

TEST(Kernels, OfAStructuredOperatorUseItsNames) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add_.Tensor", "SparseCPU")]]
Tensor& add_sparse_(Tensor& self, const Tensor& b, const Scalar& alpha);
)src";
  expect_findings(text, R"txt(
kernel-mismatch at 7 `b`: kernel for `add_.Tensor` names an argument `b`; expected `other`
  note at 2 `const Tensor& other`: argument declared here
  edit at 7 `b` to `other`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add_.Tensor", "SparseCPU")]]
Tensor& add_sparse_(Tensor& self, const Tensor& other, const Scalar& alpha);
)src");
}

TEST(Kernels, OfAStructuredOperatorWriteWhatItWrites) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.out", "SparseCPU")]]
Tensor& add_sparse(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src";
  expect_findings(text, R"txt(
kernel-mismatch at 7 `const Tensor&`: kernel for `add.out` takes `const Tensor&` where its schema has `structured::Tensor&`
  note at 5 `const Tensor& out`: argument declared here
  edit at 7 `const Tensor&` to `structured::Tensor&`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.out", "SparseCPU")]]
Tensor& add_sparse(const Tensor& self, const Tensor& other, const Scalar& alpha, structured::Tensor& out);
)src");
}

TEST(Kernels, OfAStructuredOperatorReturnItsResults) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.Tensor", "SparseCPU")]]
std::tuple<Tensor, Tensor> f(const Tensor& self, const Tensor& other, const Scalar& alpha);
[[structured::kernel("add_.Tensor", "SparseCPU")]]
Tensor g(Tensor& self, const Tensor& other, const Scalar& alpha);
)src",
                  R"txt(
kernel-mismatch at 7 `std::tuple<Tensor, Tensor>`: kernel for `add.Tensor` returns `std::tuple<Tensor, Tensor>`; expected 1 tensor by value
  note at 2 `add_meta`: the operator is declared here
kernel-mismatch at 9 `Tensor`: kernel for `add_.Tensor` returns `Tensor`; expected 1 tensor by reference
  note at 2 `add_meta`: the operator is declared here
)txt");
}

TEST(Kernels, OfAPointwiseOperatorTakeItsArguments) {
  constexpr llvm::StringLiteral text = R"src(
template <typename T>
[[structured::pointwise("add")]] T add(T self, [[structured::scalar]] T alpha);
[[structured::kernel("add", "SparseCPU")]]
Tensor add_sparse(const Tensor& self, double alpha);
[[structured::kernel("add.out", "SparseCPU")]]
Tensor& add_sparse_out(const Tensor& self, const Scalar& alpha, Tensor& result);
)src";
  expect_findings(text, R"txt(
kernel-mismatch at 4 `double`: kernel for `add` takes `double` where its schema has `const structured::Scalar&`
  note at 2 `[[structured::scalar]] T alpha`: argument declared here
  edit at 4 `double` to `const structured::Scalar&`
kernel-mismatch at 6 `result`: kernel for `add.out` names an argument `result`; expected `out`
  note at 2 `add`: argument declared here
  edit at 6 `result` to `out`
)txt");
  expect_mended(text, R"src(
template <typename T>
[[structured::pointwise("add")]] T add(T self, [[structured::scalar]] T alpha);
[[structured::kernel("add", "SparseCPU")]]
Tensor add_sparse(const Tensor& self, const structured::Scalar& alpha);
[[structured::kernel("add.out", "SparseCPU")]]
Tensor& add_sparse_out(const Tensor& self, const Scalar& alpha, Tensor& out);
)src");
}

TEST(Kernels, OfOneOperatorTakeTheSameTypes) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::kernel("f", "CPU")]]
Tensor f_cpu(const Tensor& self, int64_t dim);
[[structured::kernel("f", "Meta")]]
Tensor f_meta(const Tensor& self, double dim);
)src";
  expect_findings(text, R"txt(
kernel-mismatch at 4 `double`: kernel for `f` takes `double`; expected `int64_t`, as on `CPU`
  note at 2 `int64_t dim`: the other kernel is declared here
  edit at 4 `double` to `int64_t`
)txt");
  expect_mended(text, R"src(
[[structured::kernel("f", "CPU")]]
Tensor f_cpu(const Tensor& self, int64_t dim);
[[structured::kernel("f", "Meta")]]
Tensor f_meta(const Tensor& self, int64_t dim);
)src");
}

TEST(Kernels, OfOneOperatorUseTheSameNames) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::kernel("f", "CPU")]]
Tensor f_cpu(const Tensor& self, int64_t dim);
[[structured::kernel("f", "Meta")]]
Tensor f_meta(const Tensor& self, int64_t axis);
)src";
  expect_findings(text, R"txt(
kernel-mismatch at 4 `axis`: kernel for `f` names an argument `axis`; expected `dim`, as on `CPU`
  note at 2 `int64_t dim`: the other kernel is declared here
  edit at 4 `axis` to `dim`
)txt");
  expect_mended(text, R"src(
[[structured::kernel("f", "CPU")]]
Tensor f_cpu(const Tensor& self, int64_t dim);
[[structured::kernel("f", "Meta")]]
Tensor f_meta(const Tensor& self, int64_t dim);
)src");
}

TEST(Kernels, OfOneOperatorTakeAsManyArguments) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU")]]
Tensor f_cpu(const Tensor& self, int64_t dim);
[[structured::kernel("f", "Meta")]]
Tensor f_meta(const Tensor& self);
)src",
                  R"txt(
kernel-mismatch at 4 `f_meta`: kernel for `f` has 1 parameter; expected 2, as on `CPU`
  note at 2 `f_cpu`: the other kernel is declared here
)txt");
}

TEST(Kernels, OfOneOperatorHaveTheSameDefaultsAndAttributes) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU")]]
Tensor f_cpu([[structured::alias("a")]] const Tensor& self, [[structured::size(2)]] IntArrayRef dims = 1,
             int64_t n = 0);
[[structured::kernel("f", "Meta")]]
Tensor f_meta(const Tensor& self, IntArrayRef dims, int64_t n = 1);
)src",
                  R"txt(
kernel-mismatch at 5 `const Tensor& self`: kernel for `f` has nothing on `self`; expected `alias("a")`, as on `CPU`
  note at 2 `[[structured::alias("a")]] const Tensor& self`: the other kernel is declared here
kernel-mismatch at 5 `IntArrayRef dims`: kernel for `f` has nothing on `dims`; expected `size(2), default 1`, as on `CPU`
  note at 2 `[[structured::size(2)]] IntArrayRef dims = 1`: the other kernel is declared here
kernel-mismatch at 5 `int64_t n = 1`: kernel for `f` has `default 1` on `n`; expected `default 0`, as on `CPU`
  note at 3 `int64_t n = 0`: the other kernel is declared here
)txt");
}

TEST(Kernels, OfOneOperatorReturnTheSame) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::kernel("f", "CPU")]]
Tensor f_cpu(const Tensor& self);
[[structured::kernel("f", "Meta")]]
std::vector<Tensor> f_meta(const Tensor& self);
)src";
  expect_findings(text, R"txt(
kernel-mismatch at 4 `std::vector<Tensor>`: kernel for `f` returns `std::vector<Tensor>`; expected `Tensor`, as on `CPU`
  note at 2 `Tensor`: the other kernel is declared here
  edit at 4 `std::vector<Tensor>` to `Tensor`
)txt");
  expect_mended(text, R"src(
[[structured::kernel("f", "CPU")]]
Tensor f_cpu(const Tensor& self);
[[structured::kernel("f", "Meta")]]
Tensor f_meta(const Tensor& self);
)src");
}

TEST(Kernels, OfOneOperatorNameTheSameResults) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU"), structured::returns("a")]] Tensor f_cpu(const Tensor& self);
[[structured::kernel("f", "Meta")]]
Tensor f_meta(const Tensor& self);
)src",
                  R"txt(
kernel-mismatch at 3 `f_meta`: kernel for `f` has other `returns` or `out` attributes than the kernel on `CPU`; expected the same
  note at 1 `f_cpu`: the other kernel is declared here
)txt");
}

TEST(Kernels, MayServeSingleVariants) {
  expect_silence(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.Tensor", "SparseCPU")]]
Tensor f(const Tensor& self, const Tensor& other, const Scalar& alpha);
[[structured::kernel("add_.Tensor", "SparseCPU")]]
Tensor& g(Tensor& self, const Tensor& other, const Scalar& alpha);
[[structured::kernel("add.out", "SparseCPU")]]
Tensor& h(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out);
)src");
}

TEST(Kernels, MaySayTheSameInOtherWords) {
  expect_silence(R"src(
[[structured::kernel("f", "CPU")]]
Tensor f_cpu(const Tensor& self, [[structured::schema_default("0")]] int64_t dim);
[[structured::kernel("f", "Meta")]]
Tensor f_meta(const structured::Tensor& self, int64_t dim = 0);
)src");
}

TEST(Kernels, NeedNoneForMetaIfComposite) {
  expect_silence(R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self);
[[structured::kernel("g", "CPU", "CompositeExplicitAutograd")]]
Tensor g(const Tensor& self);
)src");
}

TEST(Kernels, MayWriteWithoutReturning) {
  expect_silence(R"src(
[[structured::kernel("f", "CPU", "Meta")]]
void f(const Tensor& self, Tensor& values, int64_t dim);
[[structured::kernel("g", "CPU", "Meta")]]
Tensor g(const Tensor& self, Tensor& running);
)src");
}

}  // namespace
}  // namespace structured::gen::test
