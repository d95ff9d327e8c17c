#include "model/cpp_type_tree.h"

#include <gtest/gtest.h>

#include <string>

namespace structured::gen {
namespace {

std::string evened_out(llvm::StringRef canonical) {
  const std::optional<CppTypeTree> type = parse_cpp_type(canonical);
  return type ? to_string(*type) : "none";
}

TEST(CppTypeTree, PrintsTheFormThatItReads) {
  for (const char* text :
       {"long", "const structured::Tensor &", "structured::Tensor &", "std::optional<double>", "structured::Tensor &&",
        "std::array<bool, 3>", "const std::optional<structured::ArrayRef<long>> &", "unsigned long", "const char *",
        "std::tuple<structured::Tensor &, structured::Tensor &>", "void", "long double"}) {
    EXPECT_EQ(evened_out(text), text);
  }
}

TEST(CppTypeTree, EvensOutWhatSaysTheSame) {
  EXPECT_EQ(evened_out("long long"), "long");
  EXPECT_EQ(evened_out("unsigned long long"), "unsigned long");
  EXPECT_EQ(evened_out("std::tuple<std::optional<long long>, bool>"), "std::tuple<std::optional<long>, bool>");
  EXPECT_EQ(evened_out("structured::ArrayRef<long long>"), "structured::ArrayRef<long long>");
  EXPECT_EQ(evened_out("const long"), "long");
  EXPECT_EQ(evened_out("::structured::Scalar"), "structured::Scalar");
  EXPECT_EQ(evened_out("const structured::Scalar&"), "const structured::Scalar &");
  EXPECT_EQ(evened_out("std::optional<std::optional<int> >"), "std::optional<std::optional<int>>");
  EXPECT_EQ(evened_out("std::vector<long, std::allocator<long>>"), "std::vector<long>");
  EXPECT_EQ(evened_out("std::basic_string<char, std::char_traits<char>, std::allocator<char>>"),
            "std::basic_string<char>");
}

TEST(CppTypeTree, RefusesWhatIsNoTypeOfAnOperator) {
  for (const char* text : {"", "const", "int[3]", "void (int)", "std::vector<", "std::vector<int", "a<b>c", "a<>",
                           "<a>", "int &x", "a<,>", "a b"}) {
    EXPECT_EQ(evened_out(text), "none") << text;
  }
}

TEST(CppTypeTree, NestingIsLimited) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "a<";
  EXPECT_EQ(evened_out(text), "none");
}

}  // namespace
}  // namespace structured::gen
