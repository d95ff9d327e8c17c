// Derivation of operators from declarations, except for the arguments of schemas.
#include "derive/derive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../declaration_builder.h"
#include "check/check.h"
#include "dialect/type_tables.h"

namespace structured::gen::derive_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Library derive_fragments(std::vector<Fragment> fragments) {
  for (const Diagnostic& diagnostic : check(fragments, native_types(), CheckOptions{})) {
    EXPECT_EQ(severity_of(diagnostic.kind), Severity::warning) << diagnostic.message;
  }
  return derive(fragments, native_types(), "aten", "structured");
}

Library derive_text(llvm::StringRef text, const test::ReadOptions& options = {}) {
  return derive_fragments({test::read_fragment("kernels/a.cpp", text, options)});
}

std::vector<std::string> schemas(const Library& library) {
  std::vector<std::string> result;
  for (const Operator& op : library.operators) {
    for (const Variant& variant : op.variants) result.push_back(to_string(variant.schema));
  }
  return result;
}

constexpr llvm::StringLiteral add = R"(
/// Adds `alpha * other` to `self`.
[[structured::meta("add.Tensor", "add_.Tensor", "add.out"), structured::method, structured::tags("pointwise", "core")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other, [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CUDA", "CPU"), structured::dtypes("CPU", "floating", "bfloat16")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)";

TEST(Derive, MakesThreeVariantsOfAMetaFunction) {
  EXPECT_THAT(schemas(derive_text(add)),
              ElementsAre("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                          "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
                          "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)"));
}

TEST(Derive, KeepsWhatWrappersNeedOfAStructuredOperator) {
  Library library = derive_text(add);
  EXPECT_EQ(library.schema_namespace, "aten");
  EXPECT_EQ(library.cpp_namespace, "structured");
  EXPECT_EQ(library.dialect, "native");
  ASSERT_EQ(library.operators.size(), 1u);
  const Operator& op = library.operators.front();
  EXPECT_EQ(op.documentation, "Adds `alpha * other` to `self`.");
  EXPECT_TRUE(op.is_method);
  EXPECT_TRUE(op.checks_device);
  EXPECT_THAT(op.tags, ElementsAre("pointwise", "core"));
  ASSERT_TRUE(op.structured);
  EXPECT_EQ(op.structured->base.name, "structured::TensorIteratorBase");
  EXPECT_EQ(op.structured->base.header, "structured/kernel/base.h");
  EXPECT_EQ(op.structured->meta.name, "add_meta");
  EXPECT_EQ(op.structured->meta.source, "kernels/a.cpp");
  EXPECT_THAT(op.structured->output_names, ElementsAre("out"));
  ASSERT_EQ(op.structured->impls.size(), 2u);
  EXPECT_EQ(op.structured->impls[0].backend, "CPU");
  EXPECT_THAT(op.structured->impls[0].dtypes, ElementsAre("floating", "bfloat16"));
  EXPECT_EQ(op.structured->impls[1].backend, "CUDA");
  EXPECT_THAT(op.structured->impls[1].dtypes, IsEmpty());
  EXPECT_TRUE(op.structured->impls[0].takes_base);
  EXPECT_THAT(op.structured->impls[0].function.parameters,
              ElementsAre("structured::TensorIteratorBase &", "const structured::Tensor &",
                          "const structured::Tensor &", "const structured::Scalar &", "const structured::Tensor &"));
}

TEST(Derive, KeepsTheCppTypesOfInputs) {
  const Operator op = derive_text(add).operators.front();
  EXPECT_THAT(op.variants[0].input_types,
              ElementsAre("const structured::Tensor &", "const structured::Tensor &", "const structured::Scalar &"));
  EXPECT_THAT(op.variants[1].input_types,
              ElementsAre("structured::Tensor &", "const structured::Tensor &", "const structured::Scalar &"));
  EXPECT_EQ(op.variants[1].kind, Variant::Kind::inplace);
  EXPECT_EQ(op.variants[2].kind, Variant::Kind::out);
}

TEST(Derive, NamesAnOutVariantThatTheAuthorDoesNot) {
  EXPECT_THAT(schemas(derive_text(R"(
[[structured::meta("relu")]] void relu_meta(MetaBase& op, const Tensor& self);
[[structured::impl("relu", "CPU")]] void relu_cpu(const Tensor& self, const Tensor& out);
[[structured::meta("max.dim")]] void max_meta(MetaBase& op, const Tensor& self, int64_t dim);
[[structured::impl("max.dim_out", "CPU")]] void max_cpu(const Tensor& self, int64_t dim, const Tensor& out);
)")),
              ElementsAre("max.dim(Tensor self, int dim) -> Tensor",
                          "max.dim_out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)",
                          "relu(Tensor self) -> Tensor", "relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"));
}

TEST(Derive, CountsOutputsByNamesWhereThereIsNoImpl) {
  EXPECT_THAT(
      schemas(derive_text(R"(
[[structured::meta("sort"), structured::returns("values", "indices")]]
void sort_meta(MetaBase& op, const Tensor& self);
)")),
      ElementsAre(
          "sort(Tensor self) -> (Tensor values, Tensor indices)",
          "sort.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!) values, Tensor(b!) indices)"));
}

TEST(Derive, LeavesResultsWithEmptyNamesWithoutOne) {
  EXPECT_THAT(schemas(derive_text(R"(
[[structured::composite("drop"), structured::returns("", "mask")]]
std::tuple<Tensor, Tensor> drop(const Tensor& self);
)")),
              ElementsAre("drop(Tensor self) -> (Tensor, Tensor mask)"));
}

TEST(Derive, ReplacesInputsByPrecomputedValues) {
  test::ReadOptions options;
  ClassFact plan = test::base_class("kernels::Plan", {});
  plan.header = "kernels/plan.h";
  plan.members = {{"dim", {"long", "int64_t"}}, {"blocks", {"long", "int64_t"}}};
  options.classes["Plan"] = plan;
  const Operator op = derive_text(R"(
[[structured::meta("all.dim")]] Plan all_meta(MetaBase& op, const Tensor& self, int64_t dim, bool keepdim = false);
[[structured::impl("all.dim_out", "CPU")]]
void all_cpu(const Tensor& self, bool keepdim, const Plan& plan, const Tensor& out);
)",
                                  options)
                          .operators.front();
  ASSERT_TRUE(op.structured->precomputed);
  EXPECT_EQ(op.structured->precomputed->type.name, "kernels::Plan");
  EXPECT_EQ(op.structured->precomputed->type.header, "kernels/plan.h");
  EXPECT_THAT(op.structured->precomputed->replaced, ElementsAre("dim"));
  ASSERT_EQ(op.structured->precomputed->members.size(), 2u);
  EXPECT_EQ(op.structured->precomputed->members[1].name, "blocks");
  EXPECT_EQ(to_string(op.variants[0].schema), "all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor");
  EXPECT_THAT(op.structured->output_names, ElementsAre("out"));
}

TEST(Derive, GivesKernelsForSingleVariantsToTheStructuredOperator) {
  const Operator op = derive_text(add.str() + R"(
[[structured::kernel("add.Tensor", "SparseCPU")]]
Tensor add_sparse(const Tensor& self, const Tensor& other, const Scalar& alpha);
[[structured::kernel("add_.Tensor", "SparseCPU")]]
Tensor& add_sparse_(Tensor& self, const Tensor& other, const Scalar& alpha);
)")
                          .operators.front();
  ASSERT_EQ(op.variants[0].kernels.size(), 1u);
  EXPECT_EQ(op.variants[0].kernels[0].backend, "SparseCPU");
  EXPECT_EQ(op.variants[0].kernels[0].function.name, "add_sparse");
  ASSERT_EQ(op.variants[1].kernels.size(), 1u);
  EXPECT_EQ(op.variants[1].kernels[0].function.name, "add_sparse_");
  EXPECT_THAT(op.variants[2].kernels, IsEmpty());
}

TEST(Derive, JoinsKernelsOfOneUnstructuredOperator) {
  Library library = derive_fragments({
      test::read_fragment("b.cpp", R"(
[[structured::kernel("copy_", "Meta"), structured::device_check(false)]]
Tensor& copy_meta(Tensor& self, const Tensor& src, bool non_blocking = false);
)"),
      test::read_fragment("a.cpp", R"(
/// Copies.
[[structured::kernel("aten::copy_", "CPU"), structured::no_cpp_default("non_blocking")]]
Tensor& copy_cpu(Tensor& self, const Tensor& src, bool non_blocking = false);
)"),
  });
  ASSERT_EQ(library.operators.size(), 1u);
  const Operator& op = library.operators.front();
  EXPECT_EQ(to_string(op.variants[0].schema),
            "copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)");
  ASSERT_EQ(op.variants[0].kernels.size(), 2u);
  EXPECT_EQ(op.variants[0].kernels[0].function.source, "a.cpp");
  EXPECT_EQ(op.variants[0].kernels[1].backend, "Meta");
  EXPECT_EQ(op.documentation, "Copies.");
  EXPECT_FALSE(op.checks_device);
  EXPECT_THAT(op.no_cpp_default, ElementsAre("non_blocking"));
}

TEST(Derive, ReadsViewsWrittenListsAndSeveralResults) {
  EXPECT_THAT(
      schemas(derive_text(R"(
[[structured::kernel("view", "CPU", "Meta")]]
Tensor view([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size);
[[structured::kernel("unbind", "CPU", "Meta")]]
std::vector<Tensor> unbind([[structured::alias("a -> *")]] const Tensor& self, int64_t dim = 0);
[[structured::kernel("pack", "CPU", "Meta")]]
std::tuple<Tensor, Tensor> pack(const Tensor& x, [[structured::alias("z", 1)]] const Tensor& y);
[[structured::kernel("two", "CPU", "Meta")]]
std::tuple<Tensor, Tensor> two([[structured::alias("x")]] const Tensor& x, [[structured::alias("y")]] const Tensor& y);
[[structured::kernel("step_", "CPU", "Meta")]]
void step([[structured::alias("a!")]] TensorList self, [[structured::alias("a!")]] TensorList moments);
[[structured::kernel("fill.out", "CPU", "Meta"), structured::out]]
void fill(const Scalar& value, [[structured::alias("a!")]] TensorList out);
[[structured::kernel("helper", "CPU", "Meta")]]
void helper(const Tensor& self, Tensor& values, Tensor& indices, int64_t dim);
[[structured::kernel("lu.out", "CPU", "Meta"), structured::returns("P", "L")]]
std::tuple<Tensor&, Tensor&> lu(const Tensor& A, [[structured::kwonly]] bool pivot, Tensor& P, Tensor& L);
[[structured::kernel("batch", "CPU", "Meta")]]
std::tuple<Tensor, double, int64_t> batch(const Tensor& self, Tensor& running);
)")),
      testing::UnorderedElementsAre(
          "view(Tensor(a) self, SymInt[] size) -> Tensor(a)",  //
          "unbind(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", "pack(Tensor x, Tensor(a) y) -> (Tensor, Tensor(a))",
          "two(Tensor(a) x, Tensor(b) y) -> (Tensor(a), Tensor(b))",
          "step_(Tensor(a!)[] self, Tensor(b!)[] moments) -> ()",  //
          "fill.out(Scalar value, *, Tensor(a!)[] out) -> ()",
          "helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()",
          "lu.out(Tensor A, *, bool pivot, Tensor(a!) P, Tensor(b!) L) -> (Tensor(a!) P, Tensor(b!) L)",
          "batch(Tensor self, Tensor(a!) running) -> (Tensor, float, int)"));
}

TEST(Derive, ReadsScalarFunctions) {
  const Operator op = derive_text(R"(
template <typename T>
[[structured::pointwise("where.self", "where_.self"), structured::promote("no_opmath"), structured::dtypes("floating")]]
T where(T self, [[structured::tensor]] bool condition, [[structured::kwonly, structured::scalar]] T other = 1, int64_t n = 2);
)")
                          .operators.front();
  EXPECT_EQ(to_string(op.variants[0].schema),
            "where.self(Tensor self, Tensor condition, *, Scalar other=1, int n=2) -> Tensor");
  EXPECT_EQ(to_string(op.variants[1].schema),
            "where_.self(Tensor(a!) self, Tensor condition, *, Scalar other=1, int n=2) -> Tensor(a!)");
  EXPECT_EQ(to_string(op.variants[2].schema),
            "where.self_out(Tensor self, Tensor condition, *, Scalar other=1, int n=2, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_THAT(op.variants[0].input_types, ElementsAre("const structured::Tensor &", "const structured::Tensor &",
                                                      "const structured::Scalar &", "long"));
  EXPECT_FALSE(op.structured);
  ASSERT_TRUE(op.pointwise);
  EXPECT_EQ(op.pointwise->type_parameter, "T");
  EXPECT_EQ(op.pointwise->promotion, "no_opmath");
  EXPECT_THAT(op.pointwise->dtypes, ElementsAre("floating"));
  EXPECT_THAT(op.pointwise->roles, ElementsAre(Pointwise::Role::element, Pointwise::Role::boolean_element,
                                               Pointwise::Role::scalar, Pointwise::Role::value));
  EXPECT_FALSE(op.pointwise->returns_bool);
}

constexpr llvm::StringLiteral scalar_function = R"(
template <typename T>
[[structured::pointwise("clip")]]
T clip(T self, [[structured::scalar]] T low, [[structured::scalar]] std::optional<T> high);
)";

TEST(Derive, GivesScalarFunctionsKernelsForTheBackendsOfTheLibrary) {
  const std::vector<Fragment> fragments{test::read_fragment("kernels/a.h", scalar_function)};
  const auto backends = [&](std::vector<std::string> library) {
    return derive(fragments, native_types(), "aten", "structured", {}, library).operators.front().pointwise->backends;
  };
  EXPECT_THAT(backends({}), ElementsAre("CPU"));
  EXPECT_THAT(backends({"CPU", "PrivateUse1"}), ElementsAre("CPU"));
  EXPECT_THAT(backends({"PrivateUse1"}), IsEmpty()) << "the target has no elementwise loops for it";
}

TEST(Derive, TakesTypesOfScalarFunctionsFromTheTypeTable) {
  const auto types = [](const TypeTable& table, const char* dialect) {
    const std::vector<Fragment> fragments{test::read_fragment("kernels/a.h", scalar_function, {dialect})};
    return derive(fragments, table, "aten", "structured").operators.front().variants.front().input_types;
  };
  EXPECT_THAT(types(native_types(), "native"), ElementsAre("const structured::Tensor &", "const structured::Scalar &",
                                                           "const std::optional<structured::Scalar> &"));
  EXPECT_THAT(types(aten_types(), "aten"),
              ElementsAre("const at::Tensor &", "const c10::Scalar &", "const c10::optional<c10::Scalar> &"));
}

TEST(Derive, CarriesDerivatives) {
  const Operator op = derive_text(add.str() + R"(
[[structured::backward("add.Tensor")]]
std::tuple<Tensor, std::optional<Tensor>> add_backward(const Tensor& grad, const Scalar& alpha);
)")
                          .operators.front();
  ASSERT_EQ(op.backwards.size(), 1);
  EXPECT_EQ(op.backwards[0].function.name, "add_backward");
  EXPECT_THAT(op.backwards[0].parameters, ElementsAre("grad", "alpha"));
  EXPECT_THAT(op.backwards[0].inputs, ElementsAre("self", "other"));
}

TEST(Derive, DoesNotDependOnTheOrderOfSources) {
  Fragment a = test::read_fragment("a.cpp", add);
  Fragment b = test::read_fragment("b.cpp", R"(
[[structured::impl("add.out", "QuantizedCPU")]]
void add_q(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::composite("twice")]] Tensor twice(const Tensor& self);
)");
  EXPECT_EQ(derive_fragments({a, b}), derive_fragments({b, a}));
}

TEST(Derive, TakesAHeaderSeenThroughTwoSourcesAsOne) {
  std::string text = "[[structured::composite(\"twice\")]] Tensor twice(const Tensor& self);";
  Fragment a = test::read_fragment("a.h", text);
  Fragment b = test::read_fragment("a.h", text);
  a.source = "a.cpp";
  b.source = "b.cpp";
  Library library = derive_fragments({b, a});
  ASSERT_EQ(library.operators.size(), 1u);
  ASSERT_EQ(library.operators[0].variants[0].kernels.size(), 1u);
  EXPECT_EQ(library.operators[0].variants[0].kernels[0].function.source, "a.cpp");
}

TEST(Derive, KeepsNamesOfOtherNamespaces) {
  EXPECT_THAT(schemas(derive_text(R"([[structured::composite("mine::twice")]] Tensor twice(const Tensor& self);)")),
              ElementsAre("mine::twice(Tensor self) -> Tensor"));
}

}  // namespace
}  // namespace structured::gen::derive_test
