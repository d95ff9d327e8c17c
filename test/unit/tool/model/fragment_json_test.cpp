#include "model/fragment_json.h"

#include <gtest/gtest.h>

#include <string>

#include "samples.h"

namespace structured::gen::fragment_json_test {
namespace {

Fragment read(llvm::StringRef text) {
  llvm::Expected<Fragment> fragment = fragment_from_json(text);
  if (!fragment) {
    ADD_FAILURE() << llvm::toString(fragment.takeError());
    return {};
  }
  return *fragment;
}

TEST(FragmentJson, EveryMemberComesBack) {
  const Fragment fragment = full_fragment();
  const std::string text = to_json(fragment);
  EXPECT_EQ(read(text), fragment);
  EXPECT_EQ(to_json(read(text)), text);
}

TEST(FragmentJson, EmptyFragmentComesBack) { EXPECT_EQ(read(to_json(Fragment{})), Fragment{}); }

TEST(FragmentJson, TextIsSortedIndentedAndLeavesDefaultsOut) {
  Fragment fragment{"a.cpp", "native", {}};
  Declaration& declaration = fragment.declarations.emplace_back();
  declaration.name = "f";
  declaration.result = {"void", "void"};
  declaration.is_definition = true;
  declaration.attributes = {{"kernel", {{"view", {"a.cpp", {1, 11}, {1, 17}}}}, {"a.h", {1, 3}, {1, 18}}}};
  declaration.linkage_errors = {LinkageError::is_static};
  const char* expected = R"json({
 "declarations": [
  {
   "attributes": [
    {
     "arguments": [
      {
       "range": "1:11-1:17",
       "value": "view"
      }
     ],
     "name": "kernel",
     "range": "a.h:1:3-1:18"
    }
   ],
   "is_definition": true,
   "linkage_errors": [
    "is_static"
   ],
   "name": "f",
   "result": {
    "canonical": "void",
    "written": "void"
   }
  }
 ],
 "dialect": "native",
 "format": "structured fragment",
 "source": "a.cpp",
 "version": 2
}
)json";
  EXPECT_EQ(to_json(fragment), expected);
}

TEST(FragmentJson, BytesThatAreNoTextAreReplaced) {
  Fragment fragment = full_fragment();
  fragment.declarations[0].comment = "caf\xE9";
  EXPECT_EQ(read(to_json(fragment)).declarations[0].comment, "caf\xEF\xBF\xBD");
}

TEST(FragmentJson, ControlCharactersAreEscaped) {
  Fragment fragment = full_fragment();
  fragment.declarations[0].comment = "\x01 \x1F\b\f\n\r\t\"\\/\x7F";
  const std::string text = to_json(fragment);
  EXPECT_NE(text.find(R"("comment": "\u0001 \u001f\b\f\n\r\t\"\\/)"
                      "\x7F\""),
            std::string::npos)
      << text;
  EXPECT_EQ(read(text), fragment);
}

TEST(FragmentJson, CommentsOfAnyLengthComeBack) {
  Fragment fragment = full_fragment();
  fragment.declarations[0].comment = std::string(1 << 20, '"');
  EXPECT_EQ(read(to_json(fragment)), fragment);
}

}  // namespace
}  // namespace structured::gen::fragment_json_test
