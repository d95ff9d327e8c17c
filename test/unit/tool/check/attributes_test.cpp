// Attributes: arguments, placement, roles.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(Attributes, NeedTheirArguments) {
  expect_findings(R"src(
[[structured::kernel("f")]] Tensor f(const Tensor& self, [[structured::size]] IntArrayRef dims);
[[structured::composite("g", "CPU")]] Tensor g(const Tensor& self);
)src",
                  R"txt(
bad-attribute-argument at 1 `kernel("f")`: `kernel` has 1 argument; expected an operator name and at least one backend
bad-attribute-argument at 1 `size`: `size` has 0 arguments; expected one length
bad-attribute-argument at 2 `composite("g", "CPU")`: `composite` has 2 arguments; expected one operator name
)txt");
}

TEST(Attributes, TakeArgumentsOfOneForm) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta"), structured::device_check("no")]]
Tensor f([[structured::alias(1)]] const Tensor& self, [[structured::size("2")]] IntArrayRef dims);
)src",
                  R"txt(
bad-attribute-argument at 1 `"no"`: argument 1 of `device_check` is a string; expected a boolean
bad-attribute-argument at 2 `1`: argument 1 of `alias` is an integer; expected a string
bad-attribute-argument at 2 `"2"`: argument 1 of `size` is a string; expected an integer
)txt");
}

TEST(Attributes, TakeNoEmptyStrings) {
  expect_findings(R"src(
[[structured::kernel("f", "", "Meta")]] Tensor f(const Tensor& self);
)src",
                  R"txt(
bad-attribute-argument at 1 `""`: argument 2 of `kernel` is an empty string
)txt");
}

TEST(Attributes, TakeNoNulCharacters) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta"), structured::tags("a\0b")]] Tensor f(const Tensor& self);
)src",
                  R"txt(
bad-attribute-argument at 1 `"a\0b"`: argument 1 of `tags` contains a NUL character
)txt");
}

TEST(Attributes, TakeLengthsAboveZero) {
  expect_findings(R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, [[structured::size(0)]] IntArrayRef a,
                                        [[structured::size(-1)]] IntArrayRef b);
)src",
                  R"txt(
bad-attribute-argument at 1 `0`: argument 1 of `size` is less than 1
bad-attribute-argument at 2 `-1`: argument 1 of `size` is less than 1
)txt");
}

TEST(Attributes, TakeAliasSets) {
  expect_findings(R"src(
[[structured::composite("f")]] Tensor f([[structured::alias("A")]] const Tensor& self,
                                        [[structured::alias("a!", 0)]] TensorList other,
                                        [[structured::alias("b", -1)]] const Tensor& third);
)src",
                  R"txt(
bad-attribute-argument at 1 `"A"`: argument 1 of `alias` is not an alias set; expected one like `a`, `a!` or `a -> *`
bad-attribute-argument at 2 `"a!"`: argument 1 of `alias` is not the alias set of a view; expected one like `a` before an index
bad-attribute-argument at 3 `-1`: argument 2 of `alias` is less than 0
)txt");
}

TEST(Attributes, StandOnFunctionsOrOnParameters) {
  expect_findings(R"src(
[[structured::composite("f"), structured::kwonly]] Tensor f([[structured::method]] const Tensor& self);
)src",
                  R"txt(
misplaced-attribute at 1 `kwonly`: `kwonly` stands on a function; expected it on a parameter
misplaced-attribute at 1 `method`: `method` stands on a parameter; expected it on a function
)txt");
}

TEST(Attributes, ModifyFunctionsThatHaveARole) {
  expect_findings(R"src(
[[structured::method]] Tensor f([[structured::kwonly]] const Tensor& self);
)src",
                  R"txt(
misplaced-attribute at 1 `method`: `method` does not apply to `f`, which has no role; add `meta`, `impl`, `kernel` or another attribute that gives it one
misplaced-attribute at 1 `kwonly`: `kwonly` does not apply to `f`, which has no role; add `meta`, `impl`, `kernel` or another attribute that gives it one
)txt");
}

TEST(Attributes, BelongOnTheMetaFunction) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU"), structured::tags("core")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
             [[structured::kwonly]] const Scalar& alpha, const Tensor& out);
)src",
                  R"txt(
misplaced-attribute at 4 `tags("core")`: `tags` does not apply to an `impl`; it belongs on the operator's `meta`
misplaced-attribute at 6 `kwonly`: `kwonly` does not apply to a parameter of an `impl`; it belongs on the operator's `meta`
)txt");
}

TEST(Attributes, HaveNoMeaningInSomeRoles) {
  expect_findings(R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::backward("add.Tensor"), structured::returns("a", "b")]]
std::tuple<Tensor, Tensor> add_backward(const Tensor& grad, [[structured::alias("a")]] const Tensor& other);
)src",
                  R"txt(
misplaced-attribute at 6 `returns("a", "b")`: `returns` does not apply to a `backward`
misplaced-attribute at 7 `alias("a")`: `alias` does not apply to a parameter of a `backward`
)txt");
}

TEST(Attributes, GiveOneRole) {
  expect_findings(R"src(
[[structured::kernel("f", "CPU", "Meta"), structured::composite("g")]] Tensor f(const Tensor& self);
[[structured::meta("h"), structured::meta("i")]] void h(MetaBase& op, const Tensor& self);
[[structured::impl("h", "CPU"), structured::impl("i", "CPU")]] void h_cpu(const Tensor& self, const Tensor& out);
)src",
                  R"txt(
conflicting-roles at 1 `composite("g")`: `f` is `composite` and `kernel`; expected one of them
  note at 1 `kernel("f", "CPU", "Meta")`: the other one is here
conflicting-roles at 2 `meta("i")`: `h` is `meta` and `meta`; expected one of them
  note at 2 `meta("h")`: the other one is here
)txt");
}

TEST(Attributes, MayBeRepeatedForSeveralOperators) {
  expect_silence(R"src(
[[structured::kernel("f", "CPU", "Meta"), structured::kernel("g", "CPU", "Meta")]] Tensor f(const Tensor& self);
)src");
}

TEST(Attributes, MayAllBeThere) {
  expect_silence(R"src(
[[structured::kernel("f", "CPU", "Meta"), structured::method, structured::tags("a", "b"),
  structured::device_check(false), structured::no_cpp_default, structured::returns("r"),
  structured::dtypes("CPU", "floating")]]
Tensor f([[structured::alias("a", 0)]] const Tensor& self,
         [[structured::kwonly, structured::size(2), structured::symint]] IntArrayRef dims,
         [[structured::schema_default("1")]] int64_t n);
)src");
}

}  // namespace
}  // namespace structured::gen::test
