// Entries of the export for torchgen. A test of the full tier runs torchgen on it.
#include "emit/text/native_functions_yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../../sample_library.h"
#include "dialect/type_tables.h"

namespace structured::gen {
namespace {

using testing::HasSubstr;
using testing::Not;

Library empty_library(std::string schema_namespace = "aten") {
  Library library;
  library.schema_namespace = std::move(schema_namespace);
  library.dialect = "native";
  return library;
}

Kernel kernel(std::string backend, std::string name) {
  Kernel result;
  result.backend = std::move(backend);
  result.function.name = std::move(name);
  return result;
}

// Returns an operator with one variant.
Operator plain(llvm::StringRef schema, std::vector<Kernel> kernels, Variant::Kind kind = Variant::Kind::functional) {
  Operator op;
  op.variants.emplace_back();
  op.variants.back().kind = kind;
  op.variants.back().schema = llvm::cantFail(parse_schema(schema));
  op.variants.back().kernels = std::move(kernels);
  return op;
}

std::string yaml(Operator op, std::string schema_namespace = "aten") {
  Library library = empty_library(std::move(schema_namespace));
  library.operators.push_back(std::move(op));
  return native_functions_yaml(library, native_types());
}

std::string yaml_of(llvm::StringRef schema, std::vector<Kernel> kernels) {
  return yaml(plain(schema, std::move(kernels)));
}

// Returns `mean.dim` of the sample with other precomputed values.
Operator mean_with(std::vector<Member> members, std::vector<std::string> replaced) {
  const Library library = sample_library();
  for (const Operator& op : library.operators) {
    if (op.structured && op.structured->precomputed) {
      Operator mean = op;
      mean.structured->precomputed->members = std::move(members);
      mean.structured->precomputed->replaced = std::move(replaced);
      return mean;
    }
  }
  ADD_FAILURE() << "the sample has no operator with precomputed values";
  return {};
}

const std::vector<Kernel> cpu{kernel("CPU", "acme::f_cpu")};

TEST(NativeFunctionsYaml, OfAnEmptyLibraryIsEmpty) {
  EXPECT_EQ(native_functions_yaml(empty_library(), native_types()), "");
}

TEST(NativeFunctionsYaml, SeparatesEntries) {
  Library library = empty_library();
  library.operators = {plain("f(Tensor self) -> Tensor", cpu), plain("g(Tensor self) -> Tensor", cpu)};
  EXPECT_EQ(native_functions_yaml(library, native_types()),
            "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f_cpu\n\n"
            "- func: g(Tensor self) -> Tensor\n  dispatch:\n    CPU: f_cpu\n");
}

TEST(NativeFunctionsYaml, HasTheVariantsOfAStructuredOperator) {
  Library library = sample_library();
  std::erase_if(library.operators, [](const Operator& op) { return op.variants.front().schema.name.base != "add"; });
  EXPECT_EQ(native_functions_yaml(library, native_types()),
            R"yaml(- func: acme::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  structured_delegate: add.out
  dispatch:
    SparseCPU: add_sparse

- func: acme::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
  structured_delegate: add.out

- func: acme::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU: add_cpu
)yaml");
}

TEST(NativeFunctionsYaml, InheritsNothingWhereTheBaseIsThePlainOne) {
  Operator mean = mean_with({}, {});
  mean.structured->precomputed.reset();
  EXPECT_THAT(yaml(mean), Not(HasSubstr("structured_inherits")));
}

TEST(NativeFunctionsYaml, LeavesAtensNamespaceOut) {
  EXPECT_THAT(yaml_of("aten::f(Tensor self) -> Tensor", cpu), HasSubstr("- func: f(Tensor self)"));
  EXPECT_THAT(yaml(plain("f(Tensor self) -> Tensor", cpu), "acme"), HasSubstr("- func: acme::f(Tensor self)"));
  EXPECT_THAT(yaml(plain("aten::f(Tensor self) -> Tensor", cpu), "acme"), HasSubstr("- func: f(Tensor self)"));
}

TEST(NativeFunctionsYaml, QuotesSchemasThatYamlWouldReadOtherwise) {
  EXPECT_THAT(yaml_of("f(str s=\"a: b\") -> Tensor", cpu), HasSubstr("- func: 'f(str s=\"a: b\") -> Tensor'\n"));
  EXPECT_THAT(yaml_of("f(str s=\"it's #1: a #\") -> Tensor", cpu),
              HasSubstr("- func: 'f(str s=\"it''s #1: a #\") -> Tensor'\n"));
  EXPECT_THAT(yaml_of("f(str s=\"a:b#c\") -> Tensor", cpu), HasSubstr("- func: f(str s=\"a:b#c\") -> Tensor\n"));
}

TEST(NativeFunctionsYaml, LeavesOutBackendsThatTorchgenDoesNotKnow) {
  EXPECT_EQ(yaml_of("f(Tensor self) -> Tensor", {kernel("CPU", "f_cpu"), kernel("PrivateUse1", "f_npu")}),
            R"yaml(- func: f(Tensor self) -> Tensor
  # left out: backend PrivateUse1, which torchgen does not know
  dispatch:
    CPU: f_cpu
)yaml");
}

TEST(NativeFunctionsYaml, LeavesOutAnOperatorOfUnknownBackends) {
  EXPECT_EQ(yaml_of("f.x(Tensor self) -> Tensor", {kernel("PrivateUse1", "f"), kernel("PrivateUse2", "f")}),
            "# left out: f.x, which torchgen knows no backend of: PrivateUse1, PrivateUse2\n");
}

TEST(NativeFunctionsYaml, SaysNothingOfAnImplicitKernelButItsName) {
  EXPECT_EQ(yaml_of("f(Tensor self) -> Tensor", {kernel("CompositeImplicitAutograd", "acme::g")}),
            "- func: f(Tensor self) -> Tensor\n  # kernel: acme::g\n");
}

TEST(NativeFunctionsYaml, SaysExplicitOfImplicitFactories) {
  const std::vector<Kernel> implicit{kernel("CompositeImplicitAutograd", "g")};
  const char* options = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None";
  for (const std::string& schema :
       {std::string("new_ones(Tensor self) -> Tensor"), std::string("ones_like(Tensor self) -> Tensor"),
        std::string("ones(int[] size, *, ") + options + ") -> Tensor"}) {
    EXPECT_THAT(yaml_of(schema, implicit),
                HasSubstr("  # as CompositeExplicitAutograd, because torchgen has no implicit factories\n  dispatch:\n"
                          "    CompositeExplicitAutograd: g\n"));
  }
  EXPECT_THAT(yaml_of(std::string("to(Tensor self, *, ") + options + ") -> Tensor", implicit),
              Not(HasSubstr("dispatch")));
  EXPECT_THAT(yaml_of("ones(int[] size, *, ScalarType? dtype=None) -> Tensor", implicit), Not(HasSubstr("dispatch")));
}

TEST(NativeFunctionsYaml, KeepsOneOfTwoCompositeKernels) {
  EXPECT_EQ(yaml_of("f(Tensor self) -> Tensor",
                    {kernel("CompositeExplicitAutograd", "f"), kernel("CompositeImplicitAutograd", "g")}),
            R"yaml(- func: f(Tensor self) -> Tensor
  # left out: backend CompositeImplicitAutograd, which CompositeExplicitAutograd includes
  dispatch:
    CompositeExplicitAutograd: f
)yaml");
}

TEST(NativeFunctionsYaml, KeepsDelegatedKernelsToTheOutVariant) {
  Operator mean = mean_with({}, {});
  mean.variants[0].kernels = {kernel("CPU", "mean_cpu_functional"), kernel("QuantizedCPU", "mean_quantized")};
  mean.variants[1].kernels = {kernel("CompositeImplicitAutograd", "mean_out"), kernel("SparseCPU", "mean_sparse")};
  const std::string text = yaml(mean);
  EXPECT_THAT(text, HasSubstr("  structured_delegate: mean.out\n"
                              "  # left out: backend CPU, which torchgen takes from the out variant only\n"
                              "  dispatch:\n    QuantizedCPU: mean_quantized\n"));
  EXPECT_THAT(text, HasSubstr("  # left out: backend CompositeImplicitAutograd, which no structured operator has\n"
                              "  dispatch:\n    CPU: mean_cpu\n    SparseCPU: mean_sparse\n"));
}

TEST(NativeFunctionsYaml, HasMethodsExceptOfOutVariants) {
  Operator mean = mean_with({}, {});
  mean.is_method = true;
  const std::string text = yaml(mean);
  const std::size_t out = text.find("- func: mean.out");
  EXPECT_NE(text.find("variants: function, method"), std::string::npos);
  EXPECT_EQ(text.find("variants: function, method", out), std::string::npos);
}

TEST(NativeFunctionsYaml, HasDeviceChecks) {
  Operator op = plain("f(Tensor self) -> Tensor", cpu);
  EXPECT_THAT(yaml(op), Not(HasSubstr("device_check")));
  op.checks_device = false;
  EXPECT_THAT(yaml(op), HasSubstr("  device_check: NoCheck\n"));
  EXPECT_THAT(yaml_of("_foreach_add(Tensor[] self) -> Tensor[]", cpu), HasSubstr("  device_check: NoCheck\n"));
}

TEST(NativeFunctionsYaml, HasTagsThatTorchgenKnows) {
  Operator op = plain("f(Tensor self) -> Tensor", cpu);
  op.tags = {"view_copy"};
  EXPECT_THAT(yaml(op), HasSubstr("  tags: view_copy\n"));
  op.tags = {"dynamic_output_shape", "view_copy"};
  EXPECT_THAT(yaml(op), HasSubstr("  tags: dynamic_output_shape, view_copy\n"));
  op.tags = {"view_copy", "my tag", "generated"};
  EXPECT_THAT(yaml(op), HasSubstr("  # left out: tag my tag\n  # left out: tag generated\n  tags: view_copy\n"));
}

TEST(NativeFunctionsYaml, KeepsTagsInsideTheirComments) {
  Operator op = plain("f(Tensor self) -> Tensor", cpu);
  op.tags = {"a\n  structured: True\r\t\x7F", "\xC3\xA4"};
  const std::string text = yaml(op);
  EXPECT_THAT(text, HasSubstr("  # left out: tag a   structured: True   \n"));
  EXPECT_THAT(text, HasSubstr("  # left out: tag \xC3\xA4\n"));
}

TEST(NativeFunctionsYaml, TagsWhatTorchgenTakesForRandom) {
  for (const char* schema :
       {"randn(Tensor self) -> Tensor", "f.rand(Tensor self) -> Tensor", "dropout(Tensor self) -> Tensor",
        "f.dropout(Tensor self) -> Tensor", "f(Tensor self, *, Generator? generator=None) -> Tensor",
        "f(Tensor self, Generator g) -> Tensor"}) {
    EXPECT_THAT(yaml_of(schema, cpu), HasSubstr("  tags: nondeterministic_seeded\n"));
  }
  for (const char* schema : {"f(Tensor self) -> Tensor", "dropout_backward(Tensor self) -> Tensor",
                             "dropout.backward(Tensor self) -> Tensor"}) {
    EXPECT_THAT(yaml_of(schema, cpu), Not(HasSubstr("tags")));
  }
  Operator tagged = plain("randn(Tensor self) -> Tensor", cpu);
  tagged.tags = {"nondeterministic_seeded"};
  EXPECT_THAT(yaml(tagged), HasSubstr("  tags: nondeterministic_seeded\n"));
}

TEST(NativeFunctionsYaml, HasArgumentsWithoutCppDefaults) {
  Operator op = plain("f(Tensor self, int a=0, int b=1, *, int c=2) -> Tensor", cpu);
  op.no_cpp_default = {"b", "c", "self"};
  EXPECT_THAT(yaml(op), HasSubstr("  cpp_no_default_args: ['b', 'c']\n"));
  op.no_cpp_default = {"*"};
  EXPECT_THAT(yaml(op), HasSubstr("  cpp_no_default_args: ['a', 'b', 'c']\n"));
  op.no_cpp_default = {"self"};
  EXPECT_THAT(yaml(op), Not(HasSubstr("cpp_no_default_args")));
}

TEST(NativeFunctionsYaml, HasPrecomputedValues) {
  EXPECT_THAT(yaml(mean_with({{"dim", {"long", "int64_t"}},
                              {"dims", {"std::vector<long>", "std::vector<int64_t>"}},
                              {"sizes", {"structured::SmallVector<long, 5>", "structured::DimVector"}}},
                             {"dim"})),
              HasSubstr("  precomputed:\n  - dim -> int dim\n  - int[] dims, DimVector sizes\n"));
  EXPECT_THAT(yaml(mean_with({{"count", {"long", "int64_t"}}}, {})), HasSubstr("  precomputed:\n  - int count\n"));
  EXPECT_THAT(yaml(mean_with({}, {})), Not(HasSubstr("precomputed")));
}

TEST(NativeFunctionsYaml, LeavesOutPrecomputedValuesThatTorchgenCannotHave) {
  EXPECT_THAT(yaml(mean_with({{"table", {"acme::Table", "Table"}}}, {})),
              HasSubstr("  # left out: precomputed values, because `table` has the C++ type `acme::Table`\n"));
  EXPECT_THAT(yaml(mean_with({{"pair", {"std::tuple<long, long>", "std::tuple<int64_t, int64_t>"}}}, {})),
              HasSubstr("  # left out: precomputed values, because `pair` has the C++ type"));
  EXPECT_THAT(yaml(mean_with({{"N", {"long", "int64_t"}}}, {})),
              HasSubstr("  # left out: precomputed values, because `N` has no lower case letter\n"));
}

TEST(NativeFunctionsYaml, HasScalarFunctionsAsStructuredOperators) {
  Operator op = plain("exp(Tensor self) -> Tensor", {});
  op.variants.push_back(
      plain("exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", {}, Variant::Kind::out).variants.front());
  op.pointwise.emplace();
  op.pointwise->function.name = "acme::exp";
  EXPECT_EQ(yaml(op), R"yaml(- func: exp(Tensor self) -> Tensor
  structured_delegate: exp.out

- func: exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  # applied to each element: acme::exp
)yaml");
}

TEST(NativeFunctionsYaml, QuotesKernelsThatYamlTakesForValues) {
  EXPECT_THAT(yaml(plain("f(Tensor self) -> Tensor", {kernel("CPU", "kernels::no"), kernel("CUDA", "Null")})),
              HasSubstr("    CPU: 'no'\n    CUDA: 'Null'\n"));
}

TEST(NativeFunctionsYaml, DoesWithoutAnOutVariant) {
  Operator op = plain("f(Tensor self) -> Tensor", {});
  op.structured.emplace();
  EXPECT_THAT(yaml(op), HasSubstr("# left out: structured_delegate"));
}

}  // namespace
}  // namespace structured::gen
