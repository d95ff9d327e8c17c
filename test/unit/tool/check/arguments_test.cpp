// Attributes of parameters.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(ParameterAttributes, GiveKwonlyOnce) {
  expect_findings(R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, [[structured::kwonly]] int64_t a,
                                        [[structured::kwonly]] int64_t b);
)src",
                  R"txt(
duplicate-kwonly at 2 `kwonly`: `kwonly` on `b`, which is keyword-only already; remove it
  note at 1 `kwonly`: all parameters from here on are keyword-only
)txt");
}

TEST(ParameterAttributes, GiveSizesToLists) {
  expect_findings(R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, [[structured::size(2)]] int64_t dim,
                                        [[structured::size(3)]] std::array<bool, 3> mask);
)src",
                  R"txt(
size-on-non-list at 1 `size(2)`: `size` on `dim`, which is `int64_t`; expected a list
size-on-non-list at 2 `size(3)`: `size` on `mask`, which is `std::array<bool, 3>` and has a length already; remove it
)txt");
}

TEST(ParameterAttributes, GiveSymintToIntegers) {
  expect_findings(R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, [[structured::symint]] double p);
)src",
                  R"txt(
symint-on-non-int at 1 `symint`: `symint` on `p`, which is `double`; expected an `int64_t` or a list of them
)txt");
}

TEST(ParameterAttributes, GiveAliasToTensors) {
  expect_findings(R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, [[structured::alias("a")]] int64_t dim);
[[structured::composite("g")]] int64_t g([[structured::alias("a")]] const Tensor& self);
[[structured::composite("h")]] std::tuple<Tensor, int64_t> h([[structured::alias("a", 2)]] const Tensor& self,
                                                             [[structured::alias("b", 1)]] const Tensor& other);
)src",
                  R"txt(
alias-on-non-tensor at 1 `alias("a")`: `alias` on `dim`, which is `int64_t`; expected a tensor
alias-on-non-tensor at 2 `alias("a")`: `alias` on `self` of `g`, which returns `int64_t`; expected a result that is a view of `self`
  note at 2 `int64_t`: result declared here
alias-on-non-tensor at 3 `2`: `alias` names result 2 of `h`, which has 2 results, counted from 0
alias-on-non-tensor at 4 `alias("b", 1)`: `alias` on `other` of `h`, which returns `std::tuple<Tensor, int64_t>`; expected a result that is a view of `other`
  note at 3 `std::tuple<Tensor, int64_t>`: result declared here
)txt");
}

TEST(ParameterAttributes, GiveSchemaDefaultsOfTheType) {
  expect_findings(R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, [[structured::schema_default("1.5")]] int64_t n,
                                        [[structured::schema_default("None")]] const Scalar& alpha);
)src",
                  R"txt(
schema-default at 1 `"1.5"`: `schema_default` of `n` is `1.5`, which is not a value of the schema type `int`
schema-default at 2 `"None"`: `schema_default` of `alpha` is `None`, which is not a value of the schema type `Scalar`
)txt");
}

TEST(ParameterAttributes, GiveTheSameDefaultTwice) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, [[structured::schema_default("2")]] int64_t n = 1);
)src";
  expect_findings(text, R"txt(
schema-default at 1 `"2"`: `schema_default` of `n` is `2`; expected `1`, as the default argument says
  note at 1 `1`: default argument written here
  edit at 1 `"2"` to `"1"`
)txt");
  expect_mended(text, R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, [[structured::schema_default("1")]] int64_t n = 1);
)src");
}

TEST(ParameterAttributes, HaveOutForWrittenLists) {
  expect_findings(R"src(
[[structured::kernel("f.out", "CPU", "Meta"), structured::out]] Tensor f(const Tensor& self,
                                                                         [[structured::alias("a!")]] TensorList out);
[[structured::kernel("g.out", "CPU", "Meta"), structured::out]] void g(const Tensor& self, TensorList out);
)src",
                  R"txt(
out-attribute at 1 `out`: `out` on `f`, which returns `Tensor`; expected `void`, because `out` declares mutable lists, which are not returned
  note at 1 `Tensor`: result declared here
out-attribute at 3 `out`: `out` on `g`, whose last parameter is not a mutable list; expected a list marked `alias("a!")`
)txt");
}

TEST(ParameterAttributes, AcceptWhatSuits) {
  expect_silence(R"src(
[[structured::composite("f")]] Tensor f(
    [[structured::alias("a")]] const Tensor& self, [[structured::size(2)]] OptionalIntArrayRef dim,
    [[structured::symint]] std::optional<int64_t> n, [[structured::schema_default("[0,1]")]] IntArrayRef dims,
    [[structured::kwonly, structured::schema_default("1")]] const Scalar& alpha = 1);
[[structured::kernel("g.out", "CPU", "Meta"), structured::out]] void g(const Tensor& self,
                                                                       [[structured::alias("a!")]] TensorList out);
)src");
}

}  // namespace
}  // namespace structured::gen::test
