#include "output_file.h"

#include <gmock/gmock.h>

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

TEST_F(OutputFileTest, writes_and_reads_back) {
  std::string text("a\0b\n", 4);
  EXPECT_EQ(message(write_output(path("deep/er/a.txt"), text)), "");
  auto read = read_input(path("deep/er/a.txt"));
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_EQ(*read, text);
}

TEST_F(OutputFileTest, leaves_the_same_bytes_alone) {
  EXPECT_EQ(message(write_output(path("a"), "one")), "");
  llvm::sys::fs::UniqueID first = id(path("a"));
  EXPECT_EQ(message(write_output(path("a"), "one")), "");
  EXPECT_EQ(id(path("a")), first);
  EXPECT_EQ(message(write_output(path("a"), "two")), "");
  EXPECT_EQ(*read_input(path("a")), "two");
}

TEST_F(OutputFileTest, leaves_nothing_behind_after_an_error) {
  EXPECT_EQ(message(write_output(path("file"), "")), "");
  EXPECT_THAT(message(write_output(path("file/a"), "x")), testing::HasSubstr("file/a`: Not a directory"));
  ASSERT_FALSE(llvm::sys::fs::create_directory(path("folder")));
  EXPECT_THAT(message(write_output(path("folder"), "x")), testing::HasSubstr("folder`: Is a directory"));
  EXPECT_THAT(files(), testing::UnorderedElementsAre("file", "folder"));
}

TEST_F(OutputFileTest, replaces_a_file_by_a_finished_one) {
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

TEST_F(OutputFileTest, names_a_file_that_cannot_be_read) {
  auto missing = read_input(path("missing"));
  ASSERT_FALSE(static_cast<bool>(missing));
  EXPECT_EQ(llvm::toString(missing.takeError()), "cannot read `" + path("missing") + "`: No such file or directory");
}

TEST(DepfileText, escapes_what_make_would_read_otherwise) {
  EXPECT_EQ(depfile_text("a b", {}), "a\\ b:\n");
  EXPECT_EQ(depfile_text("a", {"/x#1", "/$y"}), "a: \\\n  /x\\#1 \\\n  /$$y\n/x\\#1:\n/$$y:\n");
}

}  // namespace
}  // namespace structured::gen
