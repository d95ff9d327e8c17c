#include "program/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace structured::gen {
namespace {

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("output-file", folder_)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }

  std::string path(const std::string& name) const { return folder_.str().str() + "/" + name; }
  static std::string message(llvm::Error error) { return llvm::toString(std::move(error)); }
  static llvm::sys::fs::UniqueID id(const std::string& path) {
    llvm::sys::fs::UniqueID result;
    EXPECT_FALSE(llvm::sys::fs::getUniqueID(path, result));
    return result;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> result;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator i(folder_, code), end; i != end && !code; i.increment(code)) {
      result.push_back(llvm::StringRef(i->path()).drop_front(folder_.size() + 1).str());
    }
    return result;
  }

  llvm::SmallString<128> folder_;
};

TEST_F(OutputFileTest, WritesAndReadsBack) {
  std::string text("a\0b\n", 4);
  EXPECT_EQ(message(write_output(path("deep/er/a.txt"), text)), "");
  auto read = read_input(path("deep/er/a.txt"));
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_EQ(*read, text);
}

TEST_F(OutputFileTest, LeavesTheSameBytesAlone) {
  EXPECT_EQ(message(write_output(path("a"), "one")), "");
  llvm::sys::fs::UniqueID first = id(path("a"));
  EXPECT_EQ(message(write_output(path("a"), "one")), "");
  EXPECT_EQ(id(path("a")), first);
  EXPECT_EQ(message(write_output(path("a"), "two")), "");
  EXPECT_EQ(*read_input(path("a")), "two");
}

TEST_F(OutputFileTest, LeavesNothingBehindAfterAnError) {
  EXPECT_EQ(message(write_output(path("file"), "")), "");
  EXPECT_THAT(message(write_output(path("file/a"), "x")), testing::HasSubstr("file/a`: Not a directory"));
  ASSERT_FALSE(llvm::sys::fs::create_directory(path("folder")));
  EXPECT_THAT(message(write_output(path("folder"), "x")), testing::HasSubstr("folder`: Is a directory"));
  EXPECT_THAT(files(), testing::UnorderedElementsAre("file", "folder"));
}

TEST_F(OutputFileTest, ReplacesAFileByAFinishedOne) {
  ASSERT_EQ(message(write_output(path("new"), "one")), "");
  EXPECT_EQ(message(replace_output(path("a"), path("new"))), "");
  llvm::sys::fs::UniqueID first = id(path("a"));
  ASSERT_EQ(message(write_output(path("new"), "one")), "");
  EXPECT_EQ(message(replace_output(path("a"), path("new"))), "");
  EXPECT_EQ(id(path("a")), first);
  ASSERT_EQ(message(write_output(path("new"), "two")), "");
  EXPECT_EQ(message(replace_output(path("a"), path("new"))), "");
  EXPECT_EQ(*read_input(path("a")), "two");
  EXPECT_THAT(files(), testing::UnorderedElementsAre("a"));
}

TEST_F(OutputFileTest, LeavesItToTheUmaskWhoMayUseFolders) {
  mode_t before = umask(022);
  EXPECT_EQ(message(write_output(path("deep/er/a"), "")), "");
  umask(before);
  for (const char* made : {"deep", "deep/er"}) {
    struct stat status{};
    EXPECT_EQ(stat(path(made).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0755u) << made;
  }
}

TEST_F(OutputFileTest, WritesWhatALinkNames) {
  ASSERT_FALSE(llvm::sys::fs::create_directory(path("folder")));
  ASSERT_EQ(symlink("folder/second", path("first").c_str()), 0);
  ASSERT_EQ(symlink((path("folder/target")).c_str(), path("folder/second").c_str()), 0);
  for (const char* text : {"one", "two", "two"}) {
    EXPECT_EQ(message(write_output(path("first"), text)), "");
    EXPECT_EQ(*read_input(path("folder/target")), text);
  }
  ASSERT_EQ(message(write_output(path("new"), "three")), "");
  EXPECT_EQ(message(replace_output(path("first"), path("new"))), "");
  EXPECT_EQ(*read_input(path("folder/target")), "three");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(path("first")));
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(path("folder/second")));
  EXPECT_THAT(files(), testing::UnorderedElementsAre("first", "folder"));

  ASSERT_EQ(symlink("circle", path("circle").c_str()), 0);
  EXPECT_THAT(message(write_output(path("circle"), "x")), testing::HasSubstr("circle`: Too many levels"));
}

TEST_F(OutputFileTest, WritesIntoPipes) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  auto received = [&] {
    char bytes[16];
    ssize_t count = read(reader, bytes, sizeof(bytes));
    return std::string(bytes, count < 0 ? 0 : static_cast<std::size_t>(count));
  };
  EXPECT_EQ(message(write_output(path("pipe"), "one")), "");
  EXPECT_EQ(received(), "one");
  ASSERT_EQ(message(write_output(path("new"), "two")), "");
  EXPECT_EQ(message(replace_output(path("pipe"), path("new"))), "");
  EXPECT_EQ(received(), "two");
  close(reader);
  EXPECT_THAT(files(), testing::UnorderedElementsAre("pipe"));
}

TEST_F(OutputFileTest, NamesAFileThatCannotBeRead) {
  auto missing = read_input(path("missing"));
  ASSERT_FALSE(static_cast<bool>(missing));
  EXPECT_EQ(llvm::toString(missing.takeError()), "cannot read `" + path("missing") + "`: No such file or directory");
}

TEST(DepfileText, EscapesWhatMakeWouldReadOtherwise) {
  EXPECT_EQ(depfile_text("a b", {}), "a\\ b:\n");
  EXPECT_EQ(depfile_text("a", {"/x#1", "/$y"}), "a: \\\n  /x\\#1 \\\n  /$$y\n/x\\#1:\n/$$y:\n");
}

}  // namespace
}  // namespace structured::gen
