// Text descriptions of operators.
#include "emit/text/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../../sample_library.h"

namespace structured::gen {
namespace {

using testing::HasSubstr;
using testing::Not;

const Dialect& native() { return *find_dialect("native"); }

std::string explained(const Library& library, llvm::StringRef name, llvm::StringRef dialect = "native") {
  const Operator* op = llvm::cantFail(find_operator(library, name));
  return llvm::cantFail(explain(library, *find_dialect(dialect), *op));
}

std::string search_error(llvm::StringRef name) {
  const Library library = sample_library();
  auto op = find_operator(library, name);
  return op ? "" : llvm::toString(op.takeError());
}

Operator& operator_named(Library& library, llvm::StringRef name) {
  return const_cast<Operator&>(*llvm::cantFail(find_operator(library, name)));
}

TEST(FindOperator, TakesTheNameOfAnyVariant) {
  const Library library = sample_library();
  const Operator* add = llvm::cantFail(find_operator(library, "add.Tensor"));
  EXPECT_EQ(add->variants.front().schema.name.base, "add");
  EXPECT_EQ(llvm::cantFail(find_operator(library, "add_.Tensor")), add);
  EXPECT_EQ(llvm::cantFail(find_operator(library, "add.out")), add);
  EXPECT_EQ(llvm::cantFail(find_operator(library, "acme::add.out")), add);
  EXPECT_NE(llvm::cantFail(find_operator(library, "view")), add);
}

TEST(FindOperator, TakesNamesWithTheNamespaceOfTheLibraryInSchemas) {
  Library library = sample_library();
  operator_named(library, "view").variants.front().schema.name.ns = "acme";
  operator_named(library, "linear").variants.front().schema.name.ns = "other";
  EXPECT_EQ(llvm::cantFail(find_operator(library, "view"))->variants.front().schema.name.base, "view");
  EXPECT_EQ(llvm::cantFail(find_operator(library, "other::linear"))->variants.front().schema.name.base, "linear");
}

TEST(FindOperator, OffersTheNearestName) {
  EXPECT_EQ(search_error("ad.Tensor"), "no operator `ad.Tensor` in the library; did you mean `add.Tensor`?");
  EXPECT_EQ(search_error("ADD.Tensor"), "no operator `ADD.Tensor` in the library; did you mean `add.Tensor`?");
  EXPECT_EQ(search_error("acme::veiw"), "no operator `acme::veiw` in the library; did you mean `view`?");
}

TEST(FindOperator, OffersTheOverloadsOfABaseName) {
  EXPECT_EQ(search_error("add"), "no operator `add` in the library; did you mean `add.Tensor` or `add.out`?");
  EXPECT_EQ(search_error("aad"), "no operator `aad` in the library; did you mean `add.Tensor` or `add.out`?");
}

TEST(FindOperator, OffersNamesThatBeginLikeIt) {
  EXPECT_EQ(search_error("li"), "no operator `li` in the library; did you mean `linear`?");
}

TEST(FindOperator, OffersNothingFarAway) {
  EXPECT_EQ(search_error("convolution"), "no operator `convolution` in the library");
  EXPECT_EQ(search_error(""), "no operator `` in the library");
  EXPECT_EQ(search_error(std::string(10000, 'x')), "no operator `" + std::string(10000, 'x') + "` in the library");
}

TEST(Explain, TellsAllOfAStructuredOperator) {
  Library library = sample_library();
  Operator& op = operator_named(library, "add.Tensor");
  op.structured->meta.range = {"meta.cpp", {24, 6}, {24, 14}};
  op.structured->impls[0].function.range = {"cpu.cpp", {44, 6}, {44, 13}};
  op.structured->impls[0].dtypes = {"floating", "bfloat16"};
  op.variants[0].kernels[0].function.range = {"plain.cpp", {9, 1}, {9, 2}};
  op.tags = {"core", "pointwise"};
  op.is_method = true;
  op.checks_device = false;
  EXPECT_EQ(explained(library, "add.out"), R"txt(add.Tensor
documentation
  Adds `alpha * other` to `self`.
schemas
  functional: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  in-place: add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
  out: add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
meta
  acme::kernels::add_meta at meta.cpp:24
base class
  structured::TensorIteratorBase
backends
  CPU: acme::kernels::add_cpu at cpu.cpp:44 (floating, bfloat16)
  Meta: derived from the meta function
  SparseCPU: acme::kernels::add_sparse at plain.cpp:9, for add.Tensor
derivatives
  none: a backward pass throws
properties
  a method in Python
  its tensors may be on several devices
tags
  core
  pointwise
C++ functions
  acme::add, acme::cpu::add, acme::meta::add, acme::sparse_cpu::add in <acme/ops/add.h>
  acme::add_, acme::cpu::add_, acme::meta::add_ in <acme/ops/add.h>
  acme::add_out, acme::cpu::add_out, acme::meta::add_out in <acme/ops/add.h>
emitted functions
  wrapper_cpu_add_Tensor in src/cpu.cpp
  wrapper_cpu_add_out in src/cpu.cpp
  wrapper_cpu_add__Tensor in src/cpu.cpp
  wrapper_meta_add_Tensor in src/meta.cpp
  wrapper_meta_add_out in src/meta.cpp
  wrapper_meta_add__Tensor in src/meta.cpp
  acme::kernels::add_sparse of plain.cpp, which needs no wrapper
)txt");
}

TEST(Explain, TellsAllOfAKernel) {
  Library library = sample_library();
  EXPECT_EQ(explained(library, "linear"), R"txt(linear
schemas
  functional: linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor
backends
  CompositeImplicitAutograd: acme::kernels::linear at plain.cpp:0
C++ functions
  acme::linear in <acme/ops/linear.h>
emitted functions
  acme::kernels::linear of plain.cpp, which needs no wrapper
)txt");
}

TEST(Explain, NamesThePrecomputedValuesAndTheDerivative) {
  Library library = sample_library();
  Operator& op = operator_named(library, "mean.dim");
  op.backwards.emplace_back();
  op.backwards[0].function.name = "acme::kernels::mean_backward";
  op.backwards[0].inputs = {"self"};
  op.backwards[0].function.range = {"backward.cpp", {3, 1}, {3, 2}};
  op.no_cpp_default = {"keepdim"};
  const std::string text = explained(library, "mean.dim");
  EXPECT_THAT(text, HasSubstr("precomputed values\n  acme::MeanDims\n"));
  EXPECT_THAT(text, HasSubstr("derivatives\n  self: acme::kernels::mean_backward at backward.cpp:3\n"));
  EXPECT_THAT(text, HasSubstr("properties\n  no default for `keepdim` in C++\n"));
  op.no_cpp_default = {"*"};
  EXPECT_THAT(explained(library, "mean.dim"), HasSubstr("properties\n  no default arguments in C++\n"));
}

TEST(Explain, TellsOfAScalarFunction) {
  Library library = sample_library();
  Operator& op = operator_named(library, "view");
  op.variants.front().kernels.clear();
  op.pointwise.emplace();
  op.pointwise->function.name = "acme::exp";
  op.pointwise->function.range = {"exp.h", {12, 1}, {12, 2}};
  op.pointwise->backends = {"CPU"};
  const std::string text = explained(library, "view");
  EXPECT_THAT(text, HasSubstr("backends\n  CPU: acme::exp at exp.h:12, applied to each element\n"
                              "  Meta: derived from the scalar function\n"));
  EXPECT_THAT(text, HasSubstr("emitted functions\n  wrapper_cpu_view in"));
}

TEST(Explain, NamesNoFunctionsWhereNoneAreEmitted) {
  const std::string text = explained(sample_library(), "view", "aten");
  EXPECT_THAT(text, HasSubstr("schemas\n"));
  EXPECT_THAT(text, Not(HasSubstr("functions\n")));
}

TEST(Explain, KeepsTheLinesOfDocumentation) {
  Library library = sample_library();
  operator_named(library, "view").documentation = "\nOne.\n\nTwo.\n";
  EXPECT_THAT(explained(library, "view"), HasSubstr("documentation\n  One.\n  \n  Two.\n"));
}

TEST(Explain, FailsWhereEmissionDoes) {
  Library library = sample_library();
  operator_named(library, "view").variants.front().kernels.front().backend = "Abacus";
  const Operator* op = llvm::cantFail(find_operator(library, "view"));
  auto text = explain(library, native(), *op);
  ASSERT_FALSE(static_cast<bool>(text));
  EXPECT_THAT(llvm::toString(text.takeError()), HasSubstr("unknown backend `Abacus`"));
}

}  // namespace
}  // namespace structured::gen
