#include "model/library_json.h"

#include <gtest/gtest.h>

#include <string>

#include "model/fragment_json.h"
#include "model/json_reader.h"
#include "samples.h"

namespace structured::gen::library_json_test {
namespace {

Library read(llvm::StringRef text) {
  llvm::Expected<Library> library = library_from_json(text);
  if (!library) {
    ADD_FAILURE() << llvm::toString(library.takeError());
    return {};
  }
  return *library;
}

TEST(LibraryJson, EveryMemberComesBack) {
  const Library library = full_library();
  ASSERT_EQ(library.operators[0].variants[2].schema.name.ns, "aten") << "a sample's schema did not parse";
  const std::string text = to_json(library);
  EXPECT_EQ(read(text), library);
  EXPECT_EQ(to_json(read(text)), text);
}

TEST(LibraryJson, EmptyLibraryComesBack) { EXPECT_EQ(read(to_json(Library{})), Library{}); }

TEST(LibraryJson, TextHoldsSchemasAndLeavesDefaultsOut) {
  Library library{"aten", "structured", "native", {}, {}};
  Operator& op = library.operators.emplace_back();
  Variant& variant = op.variants.emplace_back();
  variant.schema = *parse_schema("view(Tensor(a) self) -> Tensor(a)");
  variant.input_types = {"const structured::Tensor &"};
  variant.kernels = {{"CPU", {"f", false, "structured::Tensor", {}, "a.cpp", {"a.cpp", {1, 2}, {1, 3}}}, false, {}}};
  const char* expected = R"json({
 "cpp_namespace": "structured",
 "dialect": "native",
 "format": "structured library",
 "operators": [
  {
   "variants": [
    {
     "input_types": [
      "const structured::Tensor &"
     ],
     "kernels": [
      {
       "backend": "CPU",
       "function": {
        "name": "f",
        "range": "1:2-1:3",
        "result": "structured::Tensor",
        "source": "a.cpp"
       }
      }
     ],
     "kind": "functional",
     "schema": "view(Tensor(a) self) -> Tensor(a)"
    }
   ]
  }
 ],
 "schema_namespace": "aten",
 "version": 1
}
)json";
  EXPECT_EQ(to_json(library), expected);
}

TEST(JsonDocument, SaysItsFormat) {
  EXPECT_EQ(*json_document_format(to_json(full_library())), "structured library");
  EXPECT_EQ(*json_document_format(to_json(full_fragment())), "structured fragment");
  EXPECT_EQ(llvm::toString(json_document_format("{}").takeError()), "`$`: expected the key `format`, found none");
  EXPECT_EQ(llvm::toString(json_document_format("[]").takeError()), "`$`: expected an object, found an array");
}

}  // namespace
}  // namespace structured::gen::library_json_test
