// Names of operators and variants.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(Names, HaveABase) {
  expect_findings(R"src(
[[structured::composite("f..g")]] Tensor f(const Tensor& self);
[[structured::composite("f g")]] Tensor g(const Tensor& self);
[[structured::composite(".out")]] Tensor h(const Tensor& self);
[[structured::meta("i", "i.o-ut")]] void i_meta(MetaBase& op, const Tensor& self);
)src",
                  R"txt(
operator-name at 1 `"f..g"`: `f..g` is not an operator name; expected `[namespace::]base[.overload]`
operator-name at 2 `"f g"`: `f g` is not an operator name; expected `[namespace::]base[.overload]`
operator-name at 3 `".out"`: `.out` is not an operator name; expected `[namespace::]base[.overload]`
meta-without-impl at 4 `"i"`: `meta` for `i` has no `impl`, so the operator computes shapes only; expected an `impl` for at least one backend
operator-name at 4 `"i.o-ut"`: `i.o-ut` is not an operator name; expected `[namespace::]base[.overload]`
)txt");
}

TEST(Names, StartWithTheFunctionalVariant) {
  expect_findings(R"src(
[[structured::meta("add_", "add.out")]] void add_meta(MetaBase& op, const Tensor& self);
[[structured::impl("add.out", "CPU")]] void add_cpu(const Tensor& self, const Tensor& out);
)src",
                  R"txt(
variant-name at 1 `"add_"`: `add_` is in-place, because its name ends in `_`, but is the first name of `meta`; expected the functional variant first, which has another name
)txt");
}

TEST(Names, OfVariantsShareTheirBase) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("add.Tensor", "sub_.Tensor", "sum.out")]] void add_meta(MetaBase& op, const Tensor& self);
[[structured::impl("add.Tensor", "CPU")]] void add_cpu(const Tensor& self, const Tensor& out);
)src";
  expect_findings(text, R"txt(
variant-name at 1 `"sub_.Tensor"`: in-place variant `sub_.Tensor` does not belong to `add.Tensor`; expected `add_.Tensor`
  edit at 1 `"sub_.Tensor"` to `"add_.Tensor"`
variant-name at 1 `"sum.out"`: out variant `sum.out` does not belong to `add.Tensor`; expected `add.out`
  edit at 1 `"sum.out"` to `"add.out"`
)txt");
  expect_mended(text, R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]] void add_meta(MetaBase& op, const Tensor& self);
[[structured::impl("add.Tensor", "CPU")]] void add_cpu(const Tensor& self, const Tensor& out);
)src");
}

TEST(Names, OfDunderVariantsFollowPython) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("__and__.Tensor", "__ior__.Tensor")]] void and_meta(MetaBase& op, const Tensor& self);
[[structured::impl("__and__.Tensor", "CPU")]] void and_cpu(const Tensor& self, const Tensor& out);
)src";
  expect_findings(text, R"txt(
variant-name at 1 `"__ior__.Tensor"`: in-place variant `__ior__.Tensor` does not belong to `__and__.Tensor`; expected `__iand__.Tensor`
  edit at 1 `"__ior__.Tensor"` to `"__iand__.Tensor"`
)txt");
  expect_mended(text, R"src(
[[structured::meta("__and__.Tensor", "__iand__.Tensor")]] void and_meta(MetaBase& op, const Tensor& self);
[[structured::impl("__and__.Tensor", "CPU")]] void and_cpu(const Tensor& self, const Tensor& out);
)src");
}

TEST(Names, ComeOneOfEachKind) {
  expect_findings(R"src(
[[structured::meta("add", "add_", "add_.other", "add.out", "add.output", "add")]] void add_meta(MetaBase& op,
                                                                                                const Tensor& self);
[[structured::impl("add.out", "CPU")]] void add_cpu(const Tensor& self, const Tensor& out);
)src",
                  R"txt(
variant-name at 1 `"add_.other"`: `add_.other` is a second in-place variant; expected one of each kind
  note at 1 `"add_"`: the first one is `add_`
variant-name at 1 `"add.output"`: `add.output` is a second out variant; expected one of each kind
  note at 1 `"add.out"`: the first one is `add.out`
variant-name at 1 `"add"`: `add` is a second functional variant; expected one of each kind
  note at 1 `"add"`: the first one is `add`
)txt");
}

TEST(Names, MayHaveOtherOverloads) {
  expect_silence(R"src(
[[structured::meta("pow.Tensor_Scalar", "pow_.Scalar", "pow.Tensor_Scalar_out")]] void pow_meta(MetaBase& op,
                                                                                                const Tensor& self);
[[structured::impl("pow_.Scalar", "CPU")]] void pow_cpu(const Tensor& self, const Tensor& out);
)src");
}

TEST(Names, AreThoseOfFunctions) {
  expect_findings(R"src(
[[structured::composite("and")]] Tensor a(const Tensor& self);
[[structured::composite("emitted.b")]] Tensor b(const Tensor& self);
[[structured::composite("mine.c")]] Tensor c(const Tensor& self);
[[structured::composite("mine::delete")]] Tensor d(const Tensor& self);
[[structured::composite("find_operator")]] Tensor e(std::string_view name);
[[structured::composite("mine::dispatch_table")]] Tensor f(std::string_view name);
[[structured::composite("int64_t")]] Tensor g(const Tensor& self, int64_t n);
[[structured::composite("and.out")]] Tensor& h(const Tensor& self, Tensor& out);
[[structured::composite("cpu")]] Tensor i(const Tensor& self);
)src",
                  R"txt(
operator-name at 1 `"and"`: `and` needs a C++ function named `and`, which is a keyword; expected another name
operator-name at 2 `"emitted.b"`: `emitted.b` needs a C++ function named `emitted`, which is also the name of a namespace; expected another name
operator-name at 3 `"mine.c"`: `mine.c` needs a C++ function named `mine`, which is also the name of a namespace; expected another name
operator-name at 4 `"mine::delete"`: `mine::delete` needs a C++ function named `delete`, which is a keyword; expected another name
operator-name at 5 `"find_operator"`: `find_operator` needs a C++ function named `find_operator`, which every library defines; expected another name
operator-name at 7 `"int64_t"`: `int64_t` needs a C++ function named `int64_t`, which is the name of a type in emitted code; expected another name
)txt");
}

TEST(Names, HaveNamespacesOfTheirOwn) {
  expect_findings(R"src(
[[structured::composite("std::a")]] Tensor a(const Tensor& self);
[[structured::composite("new::b")]] Tensor b(const Tensor& self);
[[structured::kernel("cpu::c", "CPU", "Meta")]] Tensor c(const Tensor& self);
[[structured::composite("emitted::d")]] Tensor d(const Tensor& self);
[[structured::composite("cuda::e")]] Tensor e(const Tensor& self);
[[structured::composite("cpu")]] Tensor f(const Tensor& self);
)src",
                  R"txt(
operator-name at 1 `"std::a"`: `std::a` has the namespace `std`, which belongs to the standard library; expected another name
operator-name at 2 `"new::b"`: `new::b` has the namespace `new`, which is a keyword; expected another name
operator-name at 3 `"cpu::c"`: `cpu::c` has the namespace `cpu`, which emitted code uses for other functions; expected another name
operator-name at 4 `"emitted::d"`: `emitted::d` has the namespace `emitted`, which emitted code uses for other functions; expected another name
operator-name at 6 `"cpu"`: `cpu` needs a C++ function named `cpu`, which is also the name of a namespace; expected another name
)txt");
}

TEST(Names, MayHaveNamespacesAndUnderscores) {
  expect_silence(R"src(
[[structured::composite("mine::_f__g.h_i")]] Tensor f(const Tensor& self);
[[structured::composite("aten::__and__.Tensor")]] Tensor g(const Tensor& self);
[[structured::meta("__xor__", "__ixor__")]] void xor_meta(MetaBase& op, const Tensor& self);
[[structured::impl("__xor__", "CPU")]] void xor_cpu(const Tensor& self, const Tensor& out);
)src");
}

TEST(Names, OfAnyLengthTakeLittleTime) {
  std::string longest(10000, 'a');
  EXPECT_EQ(findings("[[structured::kernel(\"f\", \"" + longest + "\", \"Meta\")]] Tensor f(const Tensor& self);"),
            "unknown-backend at 1 `\"" + longest + "\"`: unknown backend `" + longest.substr(0, 400) + "...`\n");
  EXPECT_EQ(findings("[[structured::composite(\"" + longest + "\")]] Tensor f(const Tensor& self);"), "");
}

}  // namespace
}  // namespace structured::gen::test
