#include "model/documentation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace structured::gen {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Documentation, TextWithoutCommandsIsUnchanged) {
  const char* text =
      "Adds two numbers:\n  - first, see `\\param` and a\\b;\n  - second, to me@example.org.\n\nMore: 1 \\ 2.";
  EXPECT_EQ(read_documentation(text).text, text);
  EXPECT_EQ(documentation_markdown(read_documentation(text)), text);
  EXPECT_EQ(documentation_docstring(read_documentation(text)), text);
  EXPECT_EQ(read_documentation("").text, "");
}

TEST(Documentation, PartsOfAFunction) {
  const Documentation read = read_documentation(
      "\\brief Scales \\p self\nby a factor.\n\n"
      "Details.\n"
      "\\param[in] self the input,\n       of any shape\n"
      "@param factor the factor\n"
      "\\return the product\n"
      "\\throws structured::Error if \\p self is undefined\n"
      "@exception std::bad_alloc\n\n"
      "Last.");
  EXPECT_EQ(read.text, "Scales `self` by a factor.\n\nDetails.\n\nLast.");
  EXPECT_THAT(read.parameters, ElementsAre(Pair("self", "the input, of any shape"), Pair("factor", "the factor")));
  EXPECT_EQ(read.returns, "the product");
  EXPECT_THAT(read.throws,
              ElementsAre(Pair("structured::Error", "if `self` is undefined"), Pair("std::bad_alloc", "")));
}

TEST(Documentation, Formulas) {
  EXPECT_EQ(read_documentation("Computes \\f$x^2\\f$ and \\f(y\\f), but not `\\f$z\\f$`.").text,
            "Computes $x^2$ and $y$, but not `\\f$z\\f$`.");
  EXPECT_EQ(read_documentation("\\f[\n\\sum_i x_i\n\\f]").text, "$$\n\\sum_i x_i\n$$");
  EXPECT_THAT(read_documentation("\\param n \\f$n > 0\\f$").parameters, ElementsAre(Pair("n", "$n > 0$")));
}

TEST(Documentation, RemarksAreParagraphs) {
  EXPECT_EQ(read_documentation("Text.\n\\note It is\n  slow.\n\\warning Or wrong.\n\\see other").text,
            "Text.\n\nNote: It is slow.\n\nWarning: Or wrong.\n\nSee: other");
}

TEST(Documentation, CodeBlocksAreKept) {
  EXPECT_EQ(read_documentation("Use:\n\\code{.cpp}\nf(a);  // \\param b\n\n  g();\n\\endcode\nEnd.").text,
            "Use:\n```\nf(a);  // \\param b\n\n  g();\n```\nEnd.");
  EXPECT_EQ(read_documentation("@verbatim\nno end").text, "```\nno end\n```");
}

TEST(Documentation, MarkedWords) {
  EXPECT_EQ(read_documentation("\\c true, \\a x and \\b bold. \\unknown \\c").text,
            "`true`, *x* and **bold**. \\unknown \\c");
}

TEST(Documentation, RendersAsMarkdownAndDocstring) {
  Documentation documentation;
  documentation.parameters = {{"self", "the input"}, {"n", ""}};
  documentation.returns = "a view";
  documentation.throws = {{"Error", "if `n` is negative"}};
  EXPECT_EQ(documentation_markdown(documentation),
            "Parameters:\n\n- `self`: the input\n- `n`\n\nReturns: a view\n\nThrows:\n\n- `Error`: if `n` is negative");
  documentation.text = "Text.";
  EXPECT_EQ(
      documentation_docstring(documentation),
      "Text.\n\nArgs:\n    self: the input\n    n\n\nReturns:\n    a view\n\nRaises:\n    Error: if `n` is negative");
}

}  // namespace
}  // namespace structured::gen
