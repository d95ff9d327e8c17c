// Kernels for operators of imported libraries.
#include <gtest/gtest.h>

#include "derive/derive.h"
#include "derive/signatures.h"
#include "dialect/type_tables.h"
#include "findings.h"
#include "model/signatures_json.h"

namespace structured::gen::test {
namespace {

constexpr llvm::StringLiteral owner = R"src(
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.Tensor", "SparseCPU")]]
Tensor add_sparse(const Tensor& self, const Tensor& other, const Scalar& alpha);
[[structured::meta("mean.dim", "mean.out")]]
Plan mean_meta(MetaBase& op, const Tensor& self, int64_t dim);
[[structured::kernel("view", "CPU", "Meta")]]
Tensor view([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size);
)src";

/// An imported library, and the document to which its source locations refer.
struct Import {
  ImportedLibrary library;
  CheckedSource document;
};

Import import(llvm::StringRef text, llvm::StringRef schema_namespace, std::string file) {
  std::vector<Fragment> fragments{
      read_fragment("owner.cpp", text, {.classes = {{"Plan", [] {
                                                       ClassFact plan = base_class("kernels::Plan", {});
                                                       plan.members = {{"dim", {"long", "int64_t"}}};
                                                       return plan;
                                                     }()}}})};
  Signatures signatures =
      signatures_of(derive(fragments, native_types(), schema_namespace, schema_namespace), fragments, native_types());
  std::string document = to_json(signatures);
  return {imported_library(signatures, native_types(), file, document), {file, document}};
}

void expect(llvm::StringRef text, llvm::StringRef expected, std::vector<Import> imports = {},
            std::vector<std::string> backends = {}) {
  if (imports.empty()) imports.push_back(import(owner, "aten", "s.json"));
  std::vector<ImportedLibrary> libraries;
  std::vector<CheckedSource> documents;
  for (Import& each : imports) {
    libraries.push_back(std::move(each.library));
    documents.push_back(std::move(each.document));
  }
  CheckOptions options;
  options.schema_namespace = "npu";
  options.imports = libraries;
  options.backends = std::move(backends);
  text.consume_front("\n");
  expected.consume_front("\n");
  std::string found = findings({{"a.cpp", text.str()}}, options, documents);
  // Removes the position of the schema in the document.
  for (std::size_t at = 0; (at = found.find("s.json:", at)) != std::string::npos;) {
    at += 7;
    found.erase(at, found.find(' ', at) - at);
  }
  EXPECT_EQ(found, expected.str());
}

TEST(Imports, AcceptKernelsThatFit) {
  expect(R"src(
[[structured::impl("add.out", "PrivateUse1")]]
void add_npu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::impl("aten::mean.out", "PrivateUse1")]]
void mean_npu(const Tensor& self, const Plan& plan, const Tensor& out);
[[structured::kernel("view", "PrivateUse1")]]
Tensor view([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size);
[[structured::kernel("add.Tensor", "CUDA")]]
Tensor add_cuda(const Tensor& self, const Tensor& other, const Scalar& alpha);
)src",
         "");
}

TEST(Imports, AreCheckedAsWhatIsInTheTree) {
  expect(R"src(
[[structured::impl("add.out", "PrivateUse1")]]
void add_npu(const Tensor& self, const Tensor& other, double alpha, const Tensor& result);
)src",
         R"txt(
impl-mismatch at 2 `double`: `impl` for `aten::add.out` takes `double` where `meta` takes `const Scalar&`
  note at s.json: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`: `meta` parameter declared here
  edit at 2 `double` to `const Scalar&`
impl-outputs-differ at 2 `result`: `impl` for `aten::add.out` on `PrivateUse1` names an output `result`; expected `out`, as on `CPU`
  note at s.json: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`: the other output is declared here
  edit at 2 `result` to `out`
)txt");
}

TEST(Imports, TellTheOutputsWhereNoBackendHasAnImpl) {
  expect(R"src(
[[structured::impl("mean.out", "PrivateUse1")]]
void mean_npu(const Tensor& self, const Plan& plan, const Tensor& result);
)src",
         R"txt(
impl-outputs-differ at 2 `result`: `impl` for `aten::mean.out` on `PrivateUse1` names an output `result`; expected `out`, as in the schema
  note at s.json: `mean.dim(Tensor self, int dim) -> Tensor`: the other output is declared here
  edit at 2 `result` to `out`
)txt");
}

TEST(Imports, KeepPrecomputedValuesInPlaceOfInputs) {
  expect(R"src(
[[structured::impl("mean.out", "PrivateUse1")]]
void mean_npu(const Tensor& self, int64_t dim, const Plan& plan, const Tensor& out);
)src",
         R"txt(
impl-mismatch at 2 `int64_t dim`: `impl` for `aten::mean.out` takes `int64_t dim`, which a precomputed value replaces
  note at s.json: `mean.dim(Tensor self, int dim) -> Tensor`: `meta` returns the precomputed values here
  edit at 2 `int64_t dim, ` to ``
)txt");
}

// A kernel may leave out attributes of the owner's kernels, but not contradict them.
TEST(Imports, AreCheckedKernelByKernel) {
  expect(R"src(
[[structured::kernel("view", "PrivateUse1")]]
Tensor view(const Tensor& self, IntArrayRef size);
)src",
         "");
  expect(R"src(
[[structured::kernel("view", "PrivateUse1")]]
Tensor view([[structured::alias("b")]] const Tensor& self, [[structured::symint]] IntArrayRef size);
)src",
         R"txt(
kernel-mismatch at 2 `[[structured::alias("b")]] const Tensor& self`: kernel for `aten::view` has `alias("b")` on `self`; expected `alias("a")`, as on `CPU` and `Meta`
  note at s.json: `view(Tensor(a) self, SymInt[] size) -> Tensor(a)`: the other kernel is declared here
)txt");
}

TEST(Imports, HaveBackendsThatAreTaken) {
  expect(R"src(
[[structured::impl("add.out", "CPU", "SparseCPU")]]
void add_npu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("view", "Meta")]]
Tensor view([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size);
)src",
         R"txt(
duplicate-impl at 1 `"CPU"`: `impl` for `aten::add.out` on `CPU` is a duplicate; expected one function for each backend
  note at s.json: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`: the first one is in the library that is imported
duplicate-impl at 1 `"SparseCPU"`: `impl` for `aten::add.out` on `SparseCPU` is a duplicate; expected one function for each backend
  note at s.json: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`: the first one is in the library that is imported
duplicate-impl at 3 `"Meta"`: `kernel` for `aten::view` on `Meta` is a duplicate; expected one function for each backend
  note at s.json: `view(Tensor(a) self, SymInt[] size) -> Tensor(a)`: the first one is in the library that is imported
)txt");
}

TEST(Imports, DoNotStandInTheWayOfOperatorsOfTheSameName) {
  expect(R"src(
[[structured::meta("add.Tensor", "add.out")]]
void add_meta(MetaBase& op, const Tensor& self, const Tensor& other, [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "PrivateUse1")]]
void add_npu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& sum);
[[structured::kernel("npu::view", "CPU", "Meta")]]
Tensor view(const Tensor& self);
)src",
         "");
}

TEST(Imports, AreNotDefinedAgain) {
  expect(R"src(
[[structured::meta("aten::add.Tensor", "aten::add.out")]]
void add_meta(MetaBase& op, const Tensor& self);
)src",
         R"txt(
duplicate-meta at 1 `"aten::add.Tensor"`: `aten::add.Tensor` is defined again by `add_meta`; expected one `meta` for each operator
  note at s.json: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`: the first one is in the library that is imported
)txt");
}

TEST(Imports, AreSuggestedAsTheAuthorWouldWriteThem) {
  expect(R"src(
[[structured::impl("ad.out", "PrivateUse1")]]
void add_npu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::impl("aten::add.ou", "CUDA")]]
void add_cuda(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("aten::vew", "CUDA", "Meta")]]
Tensor view([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size);
)src",
         R"txt(
unknown-operator at 1 `"ad.out"`: `impl` for unknown operator `ad.out`; did you mean `add.out`?
  note at s.json: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`: `add.out` is declared here
  edit at 1 `"ad.out"` to `"add.out"`
unknown-operator at 3 `"aten::add.ou"`: `impl` for unknown operator `aten::add.ou`; did you mean `aten::add.out`?
  note at s.json: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`: `aten::add.out` is declared here
  edit at 3 `"aten::add.ou"` to `"aten::add.out"`
unknown-operator at 5 `"aten::vew"`: `kernel` for `aten::vew`, which the imported library does not define; did you mean `aten::view`?
  edit at 5 `"aten::vew"` to `"aten::view"`
)txt");
}

TEST(Imports, WithOneNameAreToldApartByTheirNamespaces) {
  std::vector<Import> both{import(owner, "aten", "s.json"), import(owner, "other", "s.json:")};
  expect(R"src(
[[structured::impl("other::add.out", "PrivateUse1")]]
void add_npu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::impl("mean.out", "PrivateUse1")]]
void mean_npu(const Tensor& self, const Plan& plan, const Tensor& out);
)src",
         R"txt(
unknown-operator at 3 `"mean.out"`: `impl` for `mean.out`, which several imported libraries define; expected `aten::mean.out` or `other::mean.out`
)txt",
         std::move(both));
}

TEST(Imports, GetKernelsForSingleBackendsAlone) {
  expect(R"src(
[[structured::composite("aten::add.Tensor")]]
Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha);
[[structured::kernel("aten::view", "CompositeExplicitAutograd")]]
Tensor view([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size);
[[structured::backward("aten::view")]]
Tensor view_backward(const Tensor& grad);
)src",
         R"txt(
imported-role at 1 `composite("aten::add.Tensor")`: `composite` for `aten::add.Tensor`, which is imported; expected `impl` or `kernel` for single backends
  note at s.json: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`: the operator is declared here
imported-role at 3 `"CompositeExplicitAutograd"`: `kernel` on `CompositeExplicitAutograd` for `aten::view`, which is imported; expected `impl` or `kernel` for single backends
  note at s.json: `view(Tensor(a) self, SymInt[] size) -> Tensor(a)`: the operator is declared here
imported-role at 5 `backward("aten::view")`: `backward` for `aten::view`, which is imported; expected the derivative in the operator's own library
  note at s.json: `view(Tensor(a) self, SymInt[] size) -> Tensor(a)`: the operator is declared here
)txt");
}

TEST(Imports, AndOwnOperatorsAreForTheBackendsOfTheLibrary) {
  expect(R"src(
[[structured::impl("add.out", "PrivateUse1", "CUDA")]]
void add_npu(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("own", "PrivateUse1", "Meta")]]
Tensor own(const Tensor& self);
[[structured::composite("twice")]]
Tensor twice(const Tensor& self);
)src",
         R"txt(
foreign-backend at 1 `"CUDA"`: `impl` for `aten::add.out` on `CUDA`, which is not a backend of this library; expected `PrivateUse1` or `Meta`
)txt",
         {}, {"PrivateUse1", "Meta"});
}

}  // namespace
}  // namespace structured::gen::test
