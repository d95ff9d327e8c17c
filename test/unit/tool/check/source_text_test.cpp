// Text of sources: lines, positions, and missing files.
#include "check/source_text.h"

#include <gtest/gtest.h>

#include "../emit/temporary_folder.h"

namespace structured::gen {
namespace {

TEST(SourceText, ResolvesPathsAgainstTheSourceRoot) {
  EXPECT_EQ(SourceText("/root").path("a/b.cpp"), "/root/a/b.cpp");
  EXPECT_EQ(SourceText("/root").path("/elsewhere/b.cpp"), "/elsewhere/b.cpp");
  EXPECT_EQ(SourceText("").path("a/b.cpp"), "a/b.cpp");
  EXPECT_EQ(SourceText(".").path("a/b.cpp"), "a/b.cpp");
}

TEST(SourceText, ReadsAFileOnce) {
  const TemporaryFolder folder;
  folder.write("a.cpp", "before");
  SourceText sources(folder.path());
  EXPECT_EQ(sources.text("a.cpp"), "before");
  folder.write("a.cpp", "after");
  EXPECT_EQ(sources.text("a.cpp"), "before");
}

TEST(SourceText, HasNothingOfWhatCannotBeRead) {
  const TemporaryFolder folder;
  folder.write("sub/a.cpp", "x");
  SourceText sources(folder.path());
  EXPECT_EQ(sources.text("missing.cpp"), std::nullopt);
  EXPECT_EQ(sources.text("sub"), std::nullopt);
  EXPECT_EQ(sources.line("missing.cpp", 1), std::nullopt);
  EXPECT_EQ(sources.offset("missing.cpp", {1, 1}), std::nullopt);
}

TEST(SourceText, HasLinesWithoutTheirEnds) {
  const TemporaryFolder folder;
  folder.write("a.cpp", "one\r\ntwo\n\nfour");
  SourceText sources(folder.path());
  EXPECT_EQ(sources.line("a.cpp", 1), "one");
  EXPECT_EQ(sources.line("a.cpp", 2), "two");
  EXPECT_EQ(sources.line("a.cpp", 3), "");
  EXPECT_EQ(sources.line("a.cpp", 4), "four");
  EXPECT_EQ(sources.line("a.cpp", 5), std::nullopt);
  EXPECT_EQ(sources.line("a.cpp", 0), std::nullopt);
}

TEST(SourceText, HasAnEmptyLastLineAfterALineBreak) {
  const TemporaryFolder folder;
  folder.write("a.cpp", "one\n");
  folder.write("empty.cpp", "");
  SourceText sources(folder.path());
  EXPECT_EQ(sources.line("a.cpp", 2), "");
  EXPECT_EQ(sources.line("empty.cpp", 1), "");
  EXPECT_EQ(sources.line("empty.cpp", 2), std::nullopt);
}

TEST(SourceText, CountsOffsetsInBytes) {
  const TemporaryFolder folder;
  folder.write("a.cpp", "\xC3\xA4x\ntwo");
  SourceText sources(folder.path());
  EXPECT_EQ(sources.offset("a.cpp", {1, 1}), 0u);
  EXPECT_EQ(sources.offset("a.cpp", {1, 3}), 2u);
  EXPECT_EQ(sources.offset("a.cpp", {2, 1}), 4u);
}

TEST(SourceText, HasOffsetsUpToTheEndOfALine) {
  const TemporaryFolder folder;
  folder.write("a.cpp", "one\ntwo");
  SourceText sources(folder.path());
  EXPECT_EQ(sources.offset("a.cpp", {1, 4}), 3u);
  EXPECT_EQ(sources.offset("a.cpp", {1, 5}), std::nullopt);
  EXPECT_EQ(sources.offset("a.cpp", {2, 4}), 7u);
  EXPECT_EQ(sources.offset("a.cpp", {2, 5}), std::nullopt);
  EXPECT_EQ(sources.offset("a.cpp", {1, 0}), std::nullopt);
  EXPECT_EQ(sources.offset("a.cpp", {0, 1}), std::nullopt);
  EXPECT_EQ(sources.offset("a.cpp", {3, 1}), std::nullopt);
}

}  // namespace
}  // namespace structured::gen
