#include "model/signatures_json.h"

#include <gtest/gtest.h>

#include <string>

#include "model/fragment_json.h"
#include "samples.h"

namespace structured::gen::signatures_json_test {
namespace {

struct Case {
  std::string text;
  std::string error;
};

// Makes GoogleTest print the text of a case.
void PrintTo(const Case& value, std::ostream* out) { *out << value.text.substr(0, 200); }

Signatures full_signatures() {
  Signatures signatures{"aten", "structured", "native", {}};
  OperatorSignature& op = signatures.operators.emplace_back();
  op.variants = {{llvm::cantFail(parse_schema("pool(Tensor self, str mode=\"near\") -> Tensor")), {"SparseCPU"}},
                 {llvm::cantFail(parse_schema("pool.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)")), {}}};
  op.definition = full_fragment().declarations.front();
  op.outputs = {"out"};
  op.impls = {"CPU", "CUDA"};
  return signatures;
}

TEST(SignaturesJson, EveryMemberComesBack) {
  const std::string text = to_json(full_signatures());
  llvm::Expected<Signatures> read = signatures_from_json(text);
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(*read, full_signatures());
  EXPECT_EQ(to_json(*read), text);
}

std::string document(const std::string& operators) {
  return R"({"format": "structured signatures", "version": 1, "schema_namespace": "a", "cpp_namespace": "b", )"
         R"("dialect": "native", "operators": )" +
         operators + "}";
}

std::string variants(const std::string& variants) {
  return document(R"([{"definition": {"name": "f", "result": {"canonical": "void"}}, "variants": )" + variants + "}]");
}

class SignaturesError : public testing::TestWithParam<Case> {};

TEST_P(SignaturesError, NamesPlaceExpectedAndFound) {
  llvm::Expected<Signatures> value = signatures_from_json(GetParam().text);
  ASSERT_FALSE(static_cast<bool>(value));
  EXPECT_EQ(llvm::toString(value.takeError()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All, SignaturesError,
    testing::Values(
        Case{"{}", "`$`: expected the key `format`, found none"},
        Case{to_json(full_fragment()), "`$.format`: expected `structured signatures`, found `structured fragment`"},
        Case{R"({"format": "structured signatures", "version": 2})",
             "`$.version`: expected 1, found 2, which a newer structured-gen wrote"},
        Case{R"({"format": "structured signatures", "version": 1})",
             "`$`: expected the key `schema_namespace`, found none"},
        Case{document("{}"), "`$.operators`: expected an array, found an object"},
        Case{document("[{}]"), "`$.operators[0]`: expected the key `variants`, found none"},
        Case{document(R"([{"variants": []}])"), "`$.operators[0]`: expected the key `definition`, found none"},
        Case{document(R"([{"variants": [], "definition": {"name": "f"}}])"),
             "`$.operators[0].definition`: expected the key `result`, found none"},
        Case{document(
                 R"([{"variants": [], "definition": {"name": "f", "result": {"canonical": "void"}}, "kernel": 1}])"),
             "`$.operators[0]`: expected no keys but `variants`, `definition`, `outputs`, `impls`, found `kernel`"},
        Case{variants("[]"), "`$.operators[0].variants`: expected the schema of every variant, found none"},
        Case{variants(R"([{"schema": "add(Tensor self"}])"),
             "`$.operators[0].variants[0].schema`: expected a schema, found the string `add(Tensor self` (column 16: "
             "expected `,` or `)`, found the end of the text)"},
        Case{variants(R"([{"schema": "add(Tensor self) -> Tensor", "kernels": "CPU"}])"),
             "`$.operators[0].variants[0].kernels`: expected an array, found the string `CPU`"}));

TEST(SignaturesJson, TruncatedDocumentsAreRefused) {
  const std::string text = to_json(full_signatures());
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    llvm::Expected<Signatures> value = signatures_from_json(llvm::StringRef(text).take_front(length));
    ASSERT_FALSE(static_cast<bool>(value)) << length;
    EXPECT_NE(llvm::toString(value.takeError()), "");
  }
}

}  // namespace
}  // namespace structured::gen::signatures_json_test
