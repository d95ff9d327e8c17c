// Functions with unusual schemas, which must be equal to ATen's text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "../declaration_builder.h"
#include "check/check.h"
#include "derive/derive.h"
#include "derive/signatures.h"
#include "dialect/type_tables.h"
#include "llvm/ADT/SmallVector.h"
#include "model/signatures_json.h"

namespace structured::gen {
namespace {

struct OddCase {
  std::string declarations;
  std::vector<std::string> schemas;
};

std::vector<OddCase> read_cases() {
  std::ifstream file(STRUCTURED_TEST_INPUTS "/odd_cases.txt");
  std::vector<OddCase> cases;
  OddCase current;
  bool in_schemas = false;
  for (std::string line; std::getline(file, line);) {
    bool is_comment = line.starts_with("// ");
    if (is_comment) continue;
    if (line == "schemas:") {
      in_schemas = true;
    } else if (in_schemas && line.empty()) {
      cases.push_back(std::move(current));
      current = {};
      in_schemas = false;
    } else if (in_schemas) {
      current.schemas.push_back(line);
    } else {
      current.declarations += line + "\n";
    }
  }
  if (!current.schemas.empty()) cases.push_back(std::move(current));
  return cases;
}

/// ATen quotes some strings with `'`.
std::string with_double_quotes(std::string text) {
  for (char& c : text) {
    if (c == '\'') c = '"';
  }
  return text;
}

class OddCases : public testing::TestWithParam<OddCase> {};

TEST_P(OddCases, DeriveTheTextOfAten) {
  test::ReadOptions options;
  options.dialect = "aten";
  std::vector<Fragment> fragments{test::read_fragment("odd.cpp", GetParam().declarations, options)};
  for (const Diagnostic& diagnostic : check(fragments, aten_types(), CheckOptions{})) {
    EXPECT_EQ(severity_of(diagnostic.kind), Severity::warning) << diagnostic.message;
  }
  std::vector<std::string> derived;
  for (const Operator& op : derive(fragments, aten_types(), "aten", "at").operators) {
    for (const Variant& variant : op.variants) derived.push_back(with_double_quotes(to_string(variant.schema)));
  }
  EXPECT_THAT(derived, testing::UnorderedElementsAreArray(GetParam().schemas));
}

TEST_P(OddCases, ComeOutTheSameFromTheirSignatures) {
  test::ReadOptions options;
  options.dialect = "aten";
  std::vector<Fragment> fragments{test::read_fragment("odd.cpp", GetParam().declarations, options)};
  Signatures signatures = signatures_of(derive(fragments, aten_types(), "aten", "at"), fragments, aten_types());
  std::string text = to_json(signatures);
  EXPECT_EQ(llvm::cantFail(signatures_from_json(text)), signatures);
  ImportedLibrary library = imported_library(signatures, aten_types(), "signatures.json", text);
  for (const Diagnostic& diagnostic : check({library.definitions, library.kernels}, aten_types(), CheckOptions{})) {
    EXPECT_EQ(severity_of(diagnostic.kind), Severity::warning) << diagnostic.message;
  }
  std::vector<std::string> derived;
  for (const Operator& op : derive({library.definitions, library.kernels}, aten_types(), "aten", "at").operators) {
    for (const Variant& variant : op.variants) derived.push_back(with_double_quotes(to_string(variant.schema)));
  }
  EXPECT_THAT(derived, testing::UnorderedElementsAreArray(GetParam().schemas));
}

INSTANTIATE_TEST_SUITE_P(All, OddCases, testing::ValuesIn(read_cases()), [](const auto& test) {
  std::string name = "case" + std::to_string(test.index);
  for (char c : test.param.schemas.front().substr(0, test.param.schemas.front().find('('))) name += c == '.' ? '_' : c;
  return name;
});

TEST(OddCases, AreAllRead) { EXPECT_EQ(read_cases().size(), 38u); }

}  // namespace
}  // namespace structured::gen
