#include "scan/prefilter.h"

#include <gmock/gmock.h>

#include "llvm/Support/MemoryBuffer.h"

namespace structured::gen {
namespace {

using testing::UnorderedElementsAre;

class PrefilterTest : public testing::Test {
 protected:
  void add(llvm::StringRef path, llvm::StringRef text) {
    files_.addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  }
  Prefilter::Result look(const std::string& source, const std::vector<std::string>& forced = {}) {
    return Prefilter().look_at(files_, source, {"/include"}, forced);
  }

  llvm::vfs::InMemoryFileSystem files_;
};

TEST_F(PrefilterTest, FindsTheScopeHoweverItIsWritten) {
  int count = 0;
  for (const char* text :
       {"[[structured::meta]]", "[[structured :: meta]]", "[[using structured: meta]]", "[[structured\n  ::meta]]",
        "[[structured/* */::meta]]", "[[structured\\\n::meta]]", "unstructured x; structured::y"}) {
    std::string source = "/" + std::to_string(++count) + ".cpp";
    add(source, text);
    EXPECT_TRUE(look(source).may_have_annotations) << text;
  }
}

TEST_F(PrefilterTest, FindsAMisspeltScope) {
  add("/a.cpp", "[[structred::meta(\"f\")]] void f();");
  EXPECT_TRUE(look("/a.cpp").may_have_annotations);
  add("/b.cpp", "[[using\n strutured : meta(\"f\")]] void f();");
  EXPECT_TRUE(look("/b.cpp").may_have_annotations);
  add("/c.cpp", "[[gnu::structure]] [[structred]] int a[[strut]]; int b = c[[]{ return structred::d; }()];");
  EXPECT_FALSE(look("/c.cpp").may_have_annotations);
}

TEST_F(PrefilterTest, RulesOutWhatDoesNotMentionIt) {
  add("/a.cpp", "namespace structured {} int structured; // structured");
  Prefilter::Result result = look("/a.cpp");
  EXPECT_FALSE(result.may_have_annotations);
  EXPECT_THAT(result.visited, UnorderedElementsAre("/a.cpp"));
}

TEST_F(PrefilterTest, FollowsIncludes) {
  add("/src/a.cpp", "#include \"b.h\"\n # include <c.h>\n#include <vector>\n");
  add("/src/b.h", "#include \"deep/d.h\"");
  add("/src/deep/d.h", "#include \"../b.h\"");
  add("/include/c.h", "int c;");
  Prefilter::Result result = look("/src/a.cpp");
  EXPECT_FALSE(result.may_have_annotations);
  EXPECT_THAT(result.visited, UnorderedElementsAre("/src/a.cpp", "/src/b.h", "/src/deep/d.h", "/include/c.h"));
}

TEST_F(PrefilterTest, FollowsIncludesHoweverTheyAreWritten) {
  add("/macros.h", "#define KERNEL [[structured::x]]");
  add("/none.h", "#define KERNEL");
  int count = 0;
  for (const char* line :
       {"\xEF\xBB\xBF#include \"%\"", "/* licence */ #include \"%\"", "/* licence\n */ /* */ #include \"%\" /* */",
        "%:include \"%\"", " %: include \"%\"", "#import \"%\"", "\\\n#include \"%\"", "#include\t\"%\"\r"}) {
    for (bool has_scope : {true, false}) {
      std::string source = "/" + std::to_string(++count) + ".cpp";
      auto [before, after] = llvm::StringRef(line).rsplit('%');
      add(source, (before + (has_scope ? "macros.h" : "none.h") + after).str());
      EXPECT_EQ(look(source).may_have_annotations, has_scope) << line;
    }
  }
}

TEST_F(PrefilterTest, LetsTheParserLookAtOddDirectives) {
  int count = 0;
  for (const char* line : {"#inc\\\nlude \"m.h\"", "#\\\ninclude \"m.h\"", "#/* */include \"m.h\"",
                           "#include_next <m.h>", "#embed \"m.h\"", "#include \\\n\"m.h\"", "#if\\\nnothing"}) {
    std::string source = "/" + std::to_string(++count) + ".cpp";
    add(source, line);
    EXPECT_TRUE(look(source).may_have_annotations) << line;
  }
}

TEST_F(PrefilterTest, KnowsDirectivesThatIncludeNothing) {
  add("/a.cpp",
      "#\n# 1 \"a.cpp\"\n#define A \\\n  1\n#undef A\n#if 0\n#elif 1\n#else\n#endif\n#ifdef A // B\n#endif/* */\n"
      "#ifndef A\n#endif\n#pragma once\n#line 1\n#error x\n#warning x\n#ident \"x\"\n");
  EXPECT_FALSE(look("/a.cpp").may_have_annotations);
}

TEST_F(PrefilterTest, FindsTheScopeInAHeader) {
  add("/src/a.cpp", "#include \"b.h\"\n");
  add("/src/b.h", "#include <c.h>");
  add("/include/c.h", "structured::x");
  EXPECT_TRUE(look("/src/a.cpp").may_have_annotations);
}

TEST_F(PrefilterTest, FindsTheScopeInAHeaderFromTheCommandLine) {
  add("/a.cpp", "KERNEL");
  add("/force.h", "structured::x");
  EXPECT_FALSE(look("/a.cpp").may_have_annotations);
  add("/include/found.h", "structured::x");
  EXPECT_TRUE(look("/a.cpp", {"/force.h"}).may_have_annotations);
  EXPECT_TRUE(look("/a.cpp", {"found.h"}).may_have_annotations);
}

TEST_F(PrefilterTest, DoesNotGuessAComputedInclude) {
  add("/a.cpp", "#include HEADER");
  EXPECT_TRUE(look("/a.cpp").may_have_annotations);
}

TEST_F(PrefilterTest, TellsWhetherMacrosComeBeforeHeaders) {
  add("/before.cpp", "// text\n  #  define X\n#include <c.h>");
  add("/undef.cpp", "#undef X\n#include <c.h>");
  add("/after.cpp", "#pragma once\n#include <c.h>\n#define X");
  EXPECT_TRUE(look("/before.cpp").defines_before_includes);
  EXPECT_TRUE(look("/undef.cpp").defines_before_includes);
  EXPECT_FALSE(look("/after.cpp").defines_before_includes);
  EXPECT_TRUE(look("/after.cpp", {"/undef.cpp"}).defines_before_includes);
  EXPECT_TRUE(look("/after.cpp", {"header_of_a_system_folder.h"}).defines_before_includes);
  EXPECT_FALSE(look("/after.cpp", {"/after.cpp"}).defines_before_includes);
}

TEST_F(PrefilterTest, ReadsADirectoryOfOddText) {
  add("/a.cpp", "#include\n#include <\n#include \"\n#");
  EXPECT_TRUE(look("/a.cpp").may_have_annotations);
  add("/empty.cpp", "");
  EXPECT_FALSE(look("/empty.cpp").may_have_annotations);
}

}  // namespace
}  // namespace structured::gen
