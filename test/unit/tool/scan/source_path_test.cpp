#include "scan/source_path.h"

#include <gmock/gmock.h>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace structured::gen {
namespace {

TEST(SourceRoot, MakesPathsBelowItRelative) {
  SourceRoot root("/home/project");
  EXPECT_EQ(root.relative("/home/project/cpu/add.cpp", "/"), "cpu/add.cpp");
  EXPECT_EQ(root.relative("add.cpp", "/home/project/cpu"), "cpu/add.cpp");
  EXPECT_EQ(root.relative("../meta/./add.cpp", "/home/project/cpu"), "meta/add.cpp");
  EXPECT_EQ(root.absolute(), "/home/project");
}

TEST(SourceRoot, LeavesOtherPathsAsTheyAre) {
  SourceRoot root("/home/project");
  EXPECT_EQ(root.relative("/home/project2/add.cpp", "/"), "/home/project2/add.cpp");
  EXPECT_EQ(root.relative("/usr/include/vector", "/"), "/usr/include/vector");
  EXPECT_EQ(root.relative("../add.cpp", "/home/project"), "../add.cpp");
}

TEST(SourceRoot, NamesEveryFileInOneWay) {
  SourceRoot root("/home/project");
  EXPECT_EQ(root.relative_or_absolute("/home/project/cpu/add.cpp", "/"), "cpu/add.cpp");
  EXPECT_EQ(root.relative_or_absolute("../add.cpp", "/home/project"), "/home/add.cpp");
  EXPECT_EQ(root.relative_or_absolute("include/add.h", "/home"), "/home/include/add.h");
  EXPECT_EQ(root.relative_or_absolute("/home/project/../include/add.h", "/"), "/home/include/add.h");
}

TEST(SourceRoot, MayBeWrittenInOtherWays) {
  EXPECT_EQ(SourceRoot("/home/x/../project/").relative("/home/project/a.cpp", "/"), "a.cpp");
  EXPECT_EQ(SourceRoot("/").relative("/a.cpp", "/"), "a.cpp");
}

TEST(SourceRoot, SeesThroughSymbolicLinks) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("source-root", folder));
  llvm::SmallString<128> real(folder);
  real += "/real";
  llvm::SmallString<128> link(folder);
  link += "/link";
  ASSERT_FALSE(llvm::sys::fs::create_directory(real));
  ASSERT_FALSE(llvm::sys::fs::create_link(real, link));
  int descriptor = -1;
  ASSERT_FALSE(llvm::sys::fs::openFileForWrite(real + "/a.cpp", descriptor));
  llvm::sys::fs::file_t handle = llvm::sys::fs::convertFDToNativeFile(descriptor);
  llvm::sys::fs::closeFile(handle);
  EXPECT_EQ(SourceRoot(link).relative((real + "/a.cpp").str(), "/"), "a.cpp");
  EXPECT_EQ(SourceRoot(real).relative((link + "/a.cpp").str(), "/"), "a.cpp");
  llvm::sys::fs::remove_directories(folder);
}

}  // namespace
}  // namespace structured::gen
