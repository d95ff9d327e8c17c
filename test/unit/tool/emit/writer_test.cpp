#include "emit/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace structured::gen {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Writer, IndentsBodiesAndClosesThemInOrder) {
  Writer writer;
  {
    const Writer::Scope outer = writer.block("if (a) {");
    const Writer::Scope inner = writer.block("while (b) {");
    writer.line("c();");
  }
  EXPECT_EQ(writer.text(), "if (a) {\n  while (b) {\n    c();\n  }\n}\n");
}

TEST(Writer, SetsNamespacesApart) {
  Writer writer;
  writer.line("#pragma once");
  {
    const Writer::Scope scope = writer.in_namespace("a::b");
    writer.line("int c;");
  }
  EXPECT_EQ(writer.text(), "#pragma once\n\nnamespace a::b {\n\nint c;\n\n}  // namespace a::b\n");
}

TEST(Writer, NeverWritesBlankLinesAtTheEdgesOrTwoOfThem) {
  Writer writer;
  writer.blank();
  writer.line("first");
  writer.blank();
  writer.blank();
  {
    const Writer::Scope scope = writer.block("{");
    writer.blank();
    writer.line("second");
    writer.blank();
  }
  writer.blank();
  EXPECT_EQ(writer.text(), "first\n\n{\n  second\n}\n");
}

TEST(Writer, LeavesNoTrailingBlanks) {
  Writer writer;
  writer.line("a  ");
  writer.comment("//", "b \n\nc");
  EXPECT_EQ(writer.text(), "a\n// b\n//\n// c\n");
}

TEST(Writer, NeverContinuesACommentOnTheNextLineByABackslash) {
  Writer writer;
  writer.comment("//", "a \\\nb\\\\\n\\");
  EXPECT_EQ(writer.text(), "// a\n// b\n//\n");
}

TEST(Writer, BreaksLongCommentsBetweenWords) {
  Writer writer;
  const std::string word(50, 'x');
  writer.comment("///", word + " " + word + " " + word);
  EXPECT_EQ(writer.text(), "/// " + word + " " + word + "\n/// " + word + "\n");
}

TEST(Writer, KeepsAWordThatFitsOnNoLine) {
  Writer writer;
  const std::string word(200, 'x');
  writer.comment("//", "a " + word + " b");
  EXPECT_THAT(writer.text(), HasSubstr(word));
  EXPECT_THAT(writer.text(), HasSubstr("b\n"));
}

TEST(Writer, PutsAListThatFitsOnOneLine) {
  Writer writer;
  writer.list("f(", {"a", "b"}, ");");
  writer.list("g(", {}, ");");
  EXPECT_EQ(writer.text(), "f(a, b);\ng();\n");
}

TEST(Writer, FillsExactlyTheWidth) {
  const std::string item(114, 'x');  // with `f(` and `);` 118 columns
  for (const std::size_t extra : {2, 3}) {
    Writer writer;
    writer.list("f(", {item + std::string(extra, 'y')}, ");");
    EXPECT_EQ(writer.text().find('\n') == 120, extra == 2) << extra;
  }
}

TEST(Writer, ContinuesAListBelowItsFirstItem) {
  Writer writer;
  const std::string item(50, 'x');
  writer.list("call(", {item, item, item}, ");");
  EXPECT_EQ(writer.text(), "call(" + item + ", " + item + ",\n     " + item + ");\n");
}

TEST(Writer, GivesAListTheWholeWidthWhereItHasTooLittleRoom) {
  Writer writer;
  const std::string head(90, 'h');
  const std::string item(40, 'x');
  writer.list(head + "(", {item, item, item}, ");");
  EXPECT_EQ(writer.text(), head + "(\n    " + item + ", " + item + ",\n    " + item + ");\n");
}

TEST(Writer, WritesAFunctionOfOneCallOnOneLineOnlyIfItFits) {
  Writer writer;
  writer.one_call_function("void f(", {"int a"}, "g(", {"a"});
  const std::string type(60, 'T');
  writer.one_call_function("void f(", {type + " a"}, "return g<" + type + ">(", {"a"});
  EXPECT_EQ(writer.text(), "void f(int a) { g(a); }\nvoid f(" + type + " a) {\n  return g<" + type + ">(a);\n}\n");
}

TEST(Writer, CountsIndentationWhenItBreaksLines) {
  Writer writer;
  const Writer::Scope scope = writer.block("{");
  const std::string item(57, 'x');
  writer.list("f(", {item, item}, ");");  // 120 columns without the indentation
  EXPECT_THAT(writer.text(), HasSubstr(",\n    " + item));
  EXPECT_THAT(writer.text(), Not(HasSubstr(item + ", " + item)));
}

}  // namespace
}  // namespace structured::gen
