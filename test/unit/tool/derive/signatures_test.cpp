// Signatures, and import of operators from them.
#include "derive/signatures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../declaration_builder.h"
#include "check/check.h"
#include "derive/derive.h"
#include "dialect/type_tables.h"
#include "model/signatures_json.h"

namespace structured::gen::signatures_test {
namespace {

constexpr llvm::StringLiteral owner_text = R"src(
/// Adds.
[[structured::meta("add.Tensor", "add_.Tensor", "add.out"), structured::tags("core")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other, [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.Tensor", "SparseCPU")]]
Tensor add_sparse(const Tensor& self, const Tensor& other, const Scalar& alpha);
[[structured::kernel("view", "CPU", "Meta")]]
Tensor view([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size);
[[structured::composite("fold")]]
Tensor fold(const Tensor& self, [[structured::size(2)]] IntArrayRef size = 1);
)src";

std::vector<Fragment> owner(llvm::StringRef text = owner_text) { return {test::read_fragment("owner.cpp", text)}; }

Signatures signatures(const std::vector<Fragment>& fragments) {
  return signatures_of(derive(fragments, native_types(), "aten", "structured"), fragments, native_types());
}

ImportedLibrary imported(const std::vector<Fragment>& fragments) {
  Signatures value = signatures(fragments);
  return imported_library(value, native_types(), "signatures.json", to_json(value));
}

Library importing(llvm::StringRef text, const std::vector<ImportedLibrary>& imports) {
  std::vector<Fragment> fragments{test::read_fragment("npu.cpp", text)};
  CheckOptions options;
  options.schema_namespace = "npu";
  options.imports = imports;
  for (const Diagnostic& diagnostic : check(fragments, native_types(), options)) ADD_FAILURE() << diagnostic.message;
  return derive(fragments, native_types(), "npu", "npu", imports);
}

std::vector<std::string> schemas(const Operator& op) {
  std::vector<std::string> texts;
  for (const Variant& variant : op.variants) texts.push_back(to_string(variant.schema));
  return texts;
}

TEST(Signatures, ListTheBackendsOfScalarFunctions) {
  const std::vector<Fragment> fragments{test::read_fragment("clip.h", R"(
template <typename T>
[[structured::pointwise("clip")]]
T clip(T self, [[structured::scalar]] T low);
)")};
  Library library = derive(fragments, native_types(), "aten", "structured");
  library.operators.front().pointwise->backends = {"CPU", "CUDA"};
  const Signatures value = signatures_of(library, fragments, native_types());
  EXPECT_EQ(value.operators.front().impls, (std::vector<std::string>{"CPU", "CUDA"}));
  const Declaration& meta = value.operators.front().definition;
  ASSERT_EQ(meta.parameters.size(), 3u);
  EXPECT_EQ(meta.parameters[0].type.canonical, "structured::TensorIteratorBase &");
  EXPECT_EQ(meta.parameters[2].type.canonical, "const structured::Scalar &");
  EXPECT_EQ(meta.parameters[2].type.written, "const Scalar&");
}

TEST(Signatures, ListOperatorsWithTheBackendsThatAreTaken) {
  Signatures value = signatures(owner());
  ASSERT_EQ(value.operators.size(), 3u);
  const OperatorSignature& add = value.operators[0];
  EXPECT_EQ(to_string(add.variants[0].schema), "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  EXPECT_EQ(add.variants[0].kernels, std::vector<std::string>{"SparseCPU"});
  EXPECT_EQ(add.outputs, std::vector<std::string>{"out"});
  EXPECT_EQ(add.impls, std::vector<std::string>{"CPU"});
  EXPECT_EQ(value.operators[1].variants[0].kernels, std::vector<std::string>{"CompositeImplicitAutograd"});
  EXPECT_EQ(value.operators[2].variants[0].kernels, (std::vector<std::string>{"CPU", "Meta"}));
}

TEST(Signatures, ChangeWithASignatureAndWithNothingElse) {
  std::string before = to_json(signatures(owner()));
  EXPECT_THAT(before, testing::Not(testing::HasSubstr("owner.cpp")));
  // Changes location, comment, tags, and the name of an impl.
  std::string moved = "\n\n" + owner_text.str();
  auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
    std::size_t at = moved.find(from);
    ASSERT_NE(at, std::string::npos) << from.str();
    moved.replace(at, from.size(), to.str());
  };
  replace("/// Adds.", "/// Other words.");
  replace("structured::tags(\"core\")", "structured::tags(\"other\", \"tags\")");
  replace("add_cpu", "add_on_cpu");
  EXPECT_EQ(to_json(signatures(owner(moved))), before);
  replace("alpha = 1", "alpha = 2");
  EXPECT_NE(to_json(signatures(owner(moved))), before);
}

TEST(Signatures, StandInTheirFileWhereTheSchemaIs) {
  std::vector<Fragment> fragments = owner();
  Signatures value = signatures(fragments);
  std::string text = to_json(value);
  ImportedLibrary library = imported_library(value, native_types(), "dir/signatures.json", text);
  ASSERT_EQ(library.definitions.declarations.size(), 3u);
  unsigned last = 0;
  for (const Declaration& declaration : library.definitions.declarations) {
    const SourceRange& place = declaration.name_range;
    EXPECT_EQ(place.file, "dir/signatures.json");
    EXPECT_GT(place.begin.line, last);
    last = place.begin.line;
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).split(lines, '\n');
    llvm::StringRef shown = lines[place.begin.line - 1].slice(place.begin.column - 1, place.end.column - 1);
    EXPECT_TRUE(shown.contains("(Tensor") && shown.contains(" -> Tensor")) << shown.str();
    EXPECT_EQ(declaration.parameters.back().range, place);
  }
}

TEST(Imports, GiveOperatorsWithTheKernelsOfTheImportingLibraryAlone) {
  std::vector<ImportedLibrary> imports{imported(owner())};
  Library library = importing(R"src(
[[structured::impl("add.out", "PrivateUse1")]]
void add_npu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("aten::view", "PrivateUse1")]]
Tensor view([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size);
[[structured::kernel("npu::fold", "PrivateUse1", "Meta")]]
Tensor own_fold(const Tensor& self);
)src",
                              imports);
  ASSERT_EQ(library.operators.size(), 1u);
  EXPECT_EQ(schemas(library.operators[0]), std::vector<std::string>{"fold(Tensor self) -> Tensor"});
  ASSERT_EQ(library.imported.size(), 2u);
  const ImportedOperator& add = library.imported[0];
  EXPECT_EQ(add.schema_namespace, "aten");
  EXPECT_EQ(add.cpp_namespace, "structured");
  EXPECT_EQ(schemas(add.op), (std::vector<std::string>{
                                 "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                                 "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
                                 "aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> "
                                 "Tensor(a!)"}));
  EXPECT_TRUE(add.op.variants[0].kernels.empty());
  ASSERT_EQ(add.op.structured->impls.size(), 1u);
  EXPECT_EQ(add.op.structured->impls[0].backend, "PrivateUse1");
  EXPECT_EQ(add.op.structured->impls[0].function.source, "npu.cpp");
  EXPECT_EQ(add.op.structured->meta.source, "");
  EXPECT_EQ(add.op.structured->base.name, "structured::TensorIteratorBase");
  EXPECT_EQ(library.imported[1].op.variants[0].kernels.size(), 1u);
}

TEST(Imports, AreKnownWithoutANamespaceWhereTheLibraryHasTheSame) {
  std::vector<ImportedLibrary> imports{imported(owner())};
  std::vector<Fragment> fragments{test::read_fragment("npu.cpp", R"src(
[[structured::impl("add.out", "PrivateUse1")]]
void add_npu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
)src")};
  Library library = derive(fragments, native_types(), "aten", "npu", imports);
  ASSERT_EQ(library.imported.size(), 1u);
  EXPECT_EQ(library.imported[0].op.variants[0].schema.name.ns, "");
}

TEST(Imports, WithoutKernelsOfOursLeaveNoTrace) {
  std::vector<ImportedLibrary> imports{imported(owner())};
  EXPECT_TRUE(importing("", imports).imported.empty());
  EXPECT_TRUE(importing("", imports).operators.empty());
}

}  // namespace
}  // namespace structured::gen::signatures_test
