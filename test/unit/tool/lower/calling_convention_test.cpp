#include "lower/calling_convention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace structured::gen::calling_convention_test {
namespace {

using testing::ElementsAre;

const CppTypes& native() { return *find_dialect("native")->cpp_types(); }

Operator one(Variant::Kind kind, llvm::StringRef schema, std::vector<std::string> no_cpp_default = {}) {
  Operator op;
  op.variants.emplace_back();
  op.variants.front().kind = kind;
  op.variants.front().schema = llvm::cantFail(parse_schema(schema));
  op.no_cpp_default = std::move(no_cpp_default);
  return op;
}

Operator functional(llvm::StringRef schema, std::vector<std::string> no_cpp_default = {}) {
  return one(Variant::Kind::functional, schema, std::move(no_cpp_default));
}

std::vector<std::string> public_parameters(const Operator& op) {
  return public_signature(native(), op, op.variants.front()).declared(/*with_defaults=*/true);
}

TEST(DispatchedConvention, HasTheOrderOfTheSchema) {
  const Schema schema = llvm::cantFail(parse_schema(
      "f.out(Tensor self, int dim=1, *, Scalar scale=1, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))"));
  const CppSignature signature = dispatched_signature(native(), schema);
  EXPECT_EQ(signature.result, "std::tuple<::structured::Tensor&, ::structured::Tensor&>");
  EXPECT_THAT(signature.declared(/*with_defaults=*/true),
              ElementsAre("const ::structured::Tensor& self", "int64_t dim", "const ::structured::Scalar& scale",
                          "::structured::Tensor& a", "::structured::Tensor& b"));
}

TEST(PublicConvention, PutsOutArgumentsFirstAndKeepsDefaults) {
  const Operator op =
      one(Variant::Kind::out, "f.out(Tensor self, int dim=1, *, bool keep=False, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_THAT(public_parameters(op), ElementsAre("::structured::Tensor& out", "const ::structured::Tensor& self",
                                                 "int64_t dim = 1", "bool keep = false"));
}

TEST(PublicConvention, LeavesDefaultsOutWhereTheAuthorAsksForIt) {
  EXPECT_THAT(public_parameters(functional("f(int a=1, int b=2) -> Tensor", {"*"})),
              ElementsAre("int64_t a", "int64_t b"));
  EXPECT_THAT(public_parameters(functional("f(int a=1, int b=2) -> Tensor", {"a"})),
              ElementsAre("int64_t a", "int64_t b = 2"));
}

TEST(PublicConvention, GivesNoDefaultBeforeAParameterThatHasNone) {
  EXPECT_THAT(public_parameters(functional("f(int a=1, int b=2) -> Tensor", {"b"})),
              ElementsAre("int64_t a", "int64_t b"));
  EXPECT_THAT(public_parameters(functional("f(int a=1, Tensor b, int c=3) -> Tensor")),
              ElementsAre("int64_t a", "const ::structured::Tensor& b", "int64_t c = 3"));
}

constexpr char factory[] =
    "zeros(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
    "Tensor";

TEST(OptionsConvention, TakesOneArgumentForFourAndHasTheDefaults) {
  const Operator op = functional(factory);
  const auto with_options = options_signature(native(), op, op.variants.front());
  ASSERT_TRUE(with_options);
  EXPECT_THAT(with_options->declared(/*with_defaults=*/true),
              ElementsAre("::structured::IntArrayRef size", "::structured::TensorOptions options = {}"));
  EXPECT_THAT(public_parameters(op),
              ElementsAre("::structured::IntArrayRef size", "std::optional<::structured::ScalarType> dtype",
                          "std::optional<::structured::Layout> layout", "std::optional<::structured::Device> device",
                          "std::optional<bool> pin_memory"));
  const CppSignature dispatched = dispatched_signature(native(), op.variants.front().schema);
  EXPECT_THAT(expressions(*with_options, dispatched),
              ElementsAre("size", "options.dtype_opt()", "options.layout_opt()", "options.device_opt()",
                          "options.pinned_memory_opt()"));
}

TEST(OptionsConvention, BeginsWithTheDtypeThatTheSchemaNames) {
  const Operator op = functional(
      "tril_indices(int row, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? "
      "pin_memory=None) -> Tensor");
  EXPECT_THAT(options_signature(native(), op, op.variants.front())->declared(/*with_defaults=*/true),
              ElementsAre("int64_t row", "::structured::TensorOptions options = ::structured::ScalarType::Long"));
}

TEST(OptionsConvention, HasNoDefaultWhereOnePartHasNone) {
  const Operator op = functional(
      "f(int row, *, ScalarType? dtype, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  EXPECT_THAT(options_signature(native(), op, op.variants.front())->declared(/*with_defaults=*/true),
              ElementsAre("int64_t row", "::structured::TensorOptions options"));
}

TEST(OptionsConvention, AvoidsTheNamesOfOtherArguments) {
  const Operator op = functional(
      "f(int options, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
      "Tensor");
  EXPECT_THAT(options_signature(native(), op, op.variants.front())->names(), ElementsAre("options", "options_"));
}

TEST(OptionsConvention, IsForNothingButThoseFourArgumentsInARow) {
  for (const char* schema :
       {"f(Tensor self, ScalarType? dtype=None, Layout? layout=None, Device? device=None) -> Tensor",
        "f(ScalarType? dtype=None, Layout? layout=None, int x=1, Device? device=None, bool? pin_memory=None) -> Tensor",
        "f(ScalarType dtype, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"}) {
    const Operator op = functional(schema);
    EXPECT_FALSE(options_signature(native(), op, op.variants.front())) << schema;
  }
}

TEST(TemporaryConvention, TakesTheWrittenTensorByRvalueReferenceAndReturnsIt) {
  const Operator op = one(Variant::Kind::inplace, "f_(Tensor(a!) self, int n=1) -> Tensor(a!)");
  const auto temporary = temporary_signature(native(), public_signature(native(), op, op.variants.front()));
  ASSERT_TRUE(temporary);
  EXPECT_EQ(temporary->result, "::structured::Tensor");
  EXPECT_THAT(temporary->declared(/*with_defaults=*/true), ElementsAre("::structured::Tensor&& self", "int64_t n = 1"));
}

TEST(TemporaryConvention, IsForFunctionsThatWriteOneTensor) {
  const Operator two =
      one(Variant::Kind::out, "f.out(Tensor self, *, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))");
  EXPECT_FALSE(temporary_signature(native(), public_signature(native(), two, two.variants.front())));
  const Operator none = functional("f(Tensor self) -> Tensor");
  EXPECT_FALSE(temporary_signature(native(), public_signature(native(), none, none.variants.front())));
}

Operator structured() {
  Operator op = functional("f(Tensor self, int dim, bool precomputed=False) -> Tensor");
  op.structured.emplace();
  op.structured->output_names = {"out", "indices"};
  return op;
}

TEST(StructuredConvention, MetaTakesTheInputs) {
  const CppSignature meta = meta_signature(native(), structured());
  EXPECT_EQ(meta.result, "void");
  EXPECT_THAT(meta.declared(), ElementsAre("const ::structured::Tensor& self", "int64_t dim", "bool precomputed"));
}

TEST(StructuredConvention, ImplTakesTheOutputsToo) {
  EXPECT_THAT(impl_signature(native(), structured()).declared(),
              ElementsAre("const ::structured::Tensor& self", "int64_t dim", "bool precomputed",
                          "const ::structured::Tensor& out", "const ::structured::Tensor& indices"));
}

TEST(StructuredConvention, PrecomputedValuesReplaceInputs) {
  Operator op = structured();
  op.structured->precomputed = Precomputed{{"acme::Dims", "acme/dims.h"}, {"dim"}, {}};
  EXPECT_EQ(meta_signature(native(), op).result, "::acme::Dims");
  EXPECT_THAT(impl_signature(native(), op).declared(),
              ElementsAre("const ::structured::Tensor& self", "bool precomputed", "const ::acme::Dims& precomputed_",
                          "const ::structured::Tensor& out", "const ::structured::Tensor& indices"));
}

TEST(QualifiedType, NamesEveryScopeFromTheRoot) {
  EXPECT_EQ(qualified_type("const structured::Tensor &"), "const ::structured::Tensor&");
  EXPECT_EQ(qualified_type("structured::ArrayRef<std::optional<structured::Tensor>>"),
            "::structured::ArrayRef<std::optional<::structured::Tensor>>");
  EXPECT_EQ(qualified_type("std::tuple<structured::Tensor, double, long>"),
            "std::tuple<::structured::Tensor, double, long>");
  EXPECT_EQ(qualified_type("unsigned long"), "unsigned long");
  EXPECT_EQ(qualified_type("MyBase &"), "::MyBase&");
  EXPECT_EQ(qualified_type("std::array<bool, 3>"), "std::array<bool, 3>");
  EXPECT_EQ(qualified_type("const char *"), "const char*");
  EXPECT_EQ(qualified_type("a::std::b"), "::a::std::b");
  EXPECT_EQ(qualified_type("Größe &"), "::Größe&");
  EXPECT_EQ(qualified_type("a::Base<'x', '\\'', b>"), "::a::Base<'x', '\\'', ::b>");
}

}  // namespace
}  // namespace structured::gen::calling_convention_test
