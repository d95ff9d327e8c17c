// Types and defaults.
#include <gtest/gtest.h>

#include "findings.h"

namespace structured::gen::test {
namespace {

TEST(Types, SuggestTheNearest) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::composite("f")]] Tensor f(Tensor self, int dim, float p, const std::vector<int64_t>& dims,
                                        std::string mode);
)src";
  expect_findings(text, R"txt(
unsupported-type at 1 `Tensor`: parameter `self` is `Tensor`, which has no schema type; expected `const Tensor&`
  edit at 1 `Tensor` to `const Tensor&`
unsupported-type at 1 `int`: parameter `dim` is `int`, which has no schema type; expected `int64_t`
  edit at 1 `int` to `int64_t`
unsupported-type at 1 `float`: parameter `p` is `float`, which has no schema type; expected `double`
  edit at 1 `float` to `double`
unsupported-type at 1 `const std::vector<int64_t>&`: parameter `dims` is `const std::vector<int64_t>&`, which has no schema type; expected `IntArrayRef`
  edit at 1 `const std::vector<int64_t>&` to `IntArrayRef`
unsupported-type at 2 `std::string`: parameter `mode` is `std::string`, which has no schema type; expected `std::string_view`
  edit at 2 `std::string` to `std::string_view`
)txt");
  expect_mended(text, R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, int64_t dim, double p, IntArrayRef dims,
                                        std::string_view mode);
)src");
}

TEST(Types, KnowNoForeignType) {
  expect_findings(R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, const Options& options);
)src",
                  R"txt(
unsupported-type at 1 `const Options&`: parameter `options` is `const Options&`, which has no schema type
)txt");
}

TEST(Types, OfResultsSuggestTheNearest) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::composite("f")]] IntArrayRef f(const Tensor& self);
[[structured::composite("g")]] std::tuple<Tensor, float> g(const Tensor& self);
)src";
  expect_findings(text, R"txt(
result-type at 1 `IntArrayRef`: `composite` for `f` returns `IntArrayRef`; expected `std::vector<int64_t>`
  edit at 1 `IntArrayRef` to `std::vector<int64_t>`
result-type at 2 `std::tuple<Tensor, float>`: `composite` for `g` returns `std::tuple<Tensor, float>`; expected `std::tuple<Tensor, double>`
  edit at 2 `std::tuple<Tensor, float>` to `std::tuple<Tensor, double>`
)txt");
  expect_mended(text, R"src(
[[structured::composite("f")]] std::vector<int64_t> f(const Tensor& self);
[[structured::composite("g")]] std::tuple<Tensor, double> g(const Tensor& self);
)src");
}

TEST(Types, OfResultsKnowNoForeignType) {
  expect_findings(R"src(
[[structured::composite("f")]] Options f(const Tensor& self);
)src",
                  R"txt(
result-type at 1 `Options`: `composite` for `f` returns `Options`; expected a type that has a schema type
)txt");
}

TEST(Types, OfResultsAreVoidForMetaFunctions) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("mm", "mm.out")]]
Tensor mm_meta(MetaBase& op, const Tensor& self);
[[structured::impl("mm.out", "CPU")]] void mm_cpu(const Tensor& self, const Tensor& out);
)src";
  expect_findings(text, R"txt(
result-type at 2 `Tensor`: `meta` for `mm` returns `Tensor`; expected `void`, or a class by value with precomputed values
  edit at 2 `Tensor` to `void`
)txt");
  expect_mended(text, R"src(
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self);
[[structured::impl("mm.out", "CPU")]] void mm_cpu(const Tensor& self, const Tensor& out);
)src");
}

TEST(Types, OfResultsAreVoidForImpls) {
  constexpr llvm::StringLiteral text = R"src(
[[structured::meta("mm", "mm.out")]] void mm_meta(MetaBase& op, const Tensor& self);
[[structured::impl("mm.out", "CPU")]]
Tensor mm_cpu(const Tensor& self, const Tensor& out);
)src";
  expect_findings(text, R"txt(
result-type at 3 `Tensor`: `impl` for `mm.out` returns `Tensor`; expected `void`, as outputs are parameters
  edit at 3 `Tensor` to `void`
)txt");
  expect_mended(text, R"src(
[[structured::meta("mm", "mm.out")]] void mm_meta(MetaBase& op, const Tensor& self);
[[structured::impl("mm.out", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& out);
)src");
}

TEST(Types, OfDefaultsAreThoseOfArguments) {
  expect_findings(R"src(
[[structured::composite("f")]] Tensor f(const Tensor& self, int64_t n = compute(), MemoryFormat format = kFormat);
[[structured::composite("g")]] Tensor g(const Tensor& self, int64_t = compute());
)src",
                  R"txt(
unsupported-default at 1 `compute()`: the default of `n` is `compute()`, which a schema cannot express for `int`; expected a literal of that type
unsupported-default at 1 `kFormat`: the default of `format` is `kFormat`, which a schema cannot express for `MemoryFormat`; expected a literal of that type
unnamed-parameter at 2 `int64_t = compute()`: parameter 2 of `g` has no name; expected one, which becomes the argument's name
unsupported-default at 2 `compute()`: the default of an unnamed parameter is `compute()`, which a schema cannot express for `int`; expected a literal of that type
)txt");
}

TEST(Types, AcceptWhatSchemasSay) {
  expect_silence(R"src(
[[structured::composite("f")]] std::tuple<Tensor, std::vector<Tensor>, double> f(
    const Tensor& self, const std::optional<Tensor>& weight = {}, TensorList rest = {}, int64_t n = -1,
    double p = 1e-05, bool flag = false, std::string_view mode = "constant",
    std::optional<ScalarType> dtype = std::nullopt);
[[structured::composite("g")]] void g(const Tensor& self);
)src");
}

}  // namespace
}  // namespace structured::gen::test
