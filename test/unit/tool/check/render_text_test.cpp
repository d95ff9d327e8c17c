#include "check/render_text.h"

#include <gmock/gmock.h>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "program/output_file.h"

namespace structured::gen {
namespace {

class RenderTextTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("render-text", folder_)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }

  void source(const std::string& name, const std::string& text) {
    llvm::cantFail(write_output(folder_.str().str() + "/" + name, text));
  }
  std::string render(const Diagnostic& diagnostic, bool colors = false) const {
    std::string result;
    llvm::raw_string_ostream out(result);
    out.enable_colors(colors);
    SourceText sources(folder_);
    render_text(diagnostic, sources, out, colors);
    // Paths are printed relative to the working directory.
    std::string prefix = folder_.str().str() + "/";
    for (std::size_t at; (at = result.find(prefix)) != std::string::npos;) result.erase(at, prefix.size());
    return result;
  }
  static SourceRange range(const std::string& file, unsigned line, unsigned begin, unsigned end) {
    return {file, {line, begin}, {line, end}};
  }

  llvm::SmallString<128> folder_;
};

TEST_F(RenderTextTest, ShowsLineRangeNoteAndFixit) {
  source("a.cpp", "first\nvoid f(int x);\n");
  source("b.cpp", "void g(double x);");
  Diagnostic diagnostic{DiagnosticKind::impl_mismatch,
                        "takes `int`",
                        range("a.cpp", 2, 8, 11),
                        {{"declared here", range("b.cpp", 1, 8, 16)}},
                        {{range("a.cpp", 2, 8, 11), "double"}}};
  EXPECT_EQ(render(diagnostic),
            "a.cpp:2:8: error: takes `int` [structured-impl-mismatch]\n"
            "    2 | void f(int x);\n"
            "      |        ^~~\n"
            "      |        double\n"
            "b.cpp:1:8: note: declared here\n"
            "    1 | void g(double x);\n"
            "      |        ^~~~~~~~\n");
}

TEST_F(RenderTextTest, TellsAWarningFromAnError) {
  source("a.cpp", "f();");
  EXPECT_EQ(render({DiagnosticKind::impl_default, "ignored", range("a.cpp", 1, 1, 1), {}, {}}),
            "a.cpp:1:1: warning: ignored [structured-impl-default]\n"
            "    1 | f();\n"
            "      | ^\n");
}

TEST_F(RenderTextTest, CountsColumnsAsATerminalDoes) {
  source("a.cpp", "\tü\tint x;\n");
  EXPECT_EQ(render({DiagnosticKind::impl_mismatch, "m", range("a.cpp", 1, 5, 8), {}, {}}),
            "a.cpp:1:5: error: m [structured-impl-mismatch]\n"
            "    1 |         ü       int x;\n"
            "      |                 ^~~\n");
}

TEST_F(RenderTextTest, UnderlinesARangeOfSeveralLinesToTheEndOfTheFirst) {
  source("a.cpp", "void f(int a,\n       int b);\n");
  EXPECT_EQ(render({DiagnosticKind::impl_mismatch, "m", {"a.cpp", {1, 8}, {2, 13}}, {}, {}}),
            "a.cpp:1:8: error: m [structured-impl-mismatch]\n"
            "    1 | void f(int a,\n"
            "      |        ^~~~~~\n");
}

TEST_F(RenderTextTest, DoesWithoutASourceThatIsGone) {
  EXPECT_EQ(render({DiagnosticKind::impl_mismatch, "m", range("gone.cpp", 7, 1, 3), {{"n", {}}}, {}}),
            "gone.cpp:7:1: error: m [structured-impl-mismatch]\n"
            "note: n\n");
}

TEST_F(RenderTextTest, ColoursOnlyWhenAsked) {
  source("a.cpp", "f();");
  Diagnostic diagnostic{DiagnosticKind::impl_mismatch, "m", range("a.cpp", 1, 1, 3), {}, {}};
  EXPECT_THAT(render(diagnostic), testing::Not(testing::HasSubstr("\x1b")));
  EXPECT_THAT(render(diagnostic, true), testing::HasSubstr("\x1b["));
}

TEST(SummaryLine, Counts) {
  EXPECT_EQ(summary_line(0, 0), "");
  EXPECT_EQ(summary_line(1, 0), "1 error generated.\n");
  EXPECT_EQ(summary_line(2, 1), "1 warning and 2 errors generated.\n");
  EXPECT_EQ(summary_line(0, 3), "3 warnings generated.\n");
}

}  // namespace
}  // namespace structured::gen
