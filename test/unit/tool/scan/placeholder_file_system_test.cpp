#include "scan/placeholder_file_system.h"

#include <gmock/gmock.h>

#include "llvm/Support/MemoryBuffer.h"

namespace structured::gen {
namespace {

class PlaceholderFileSystemTest : public testing::Test {
 protected:
  PlaceholderFileSystemTest() {
    auto add = [&](llvm::StringRef path, llvm::StringRef text) {
      real_->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
    };
    add("/home/structured/ops/kernel.h", "int real;");
    add("/gen/structured/ops/add.h", "// Emitted by structured-gen.\nint real;");
    add("/gen/acme/operators.h", "// Emitted by structured-gen.\nint real;");
  }

  PlaceholderFileSystem make(bool hides_real) {
    return PlaceholderFileSystem(real_, {"structured/ops", "acme/operators.h"}, hides_real);
  }
  static std::string text(PlaceholderFileSystem& files, const std::string& path) {
    auto buffer = files.getBufferForFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "error: " + buffer.getError().message();
  }

  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> real_ = new llvm::vfs::InMemoryFileSystem;
  const std::string root_ = PlaceholderFileSystem::emitted_root.str();
};

TEST_F(PlaceholderFileSystemTest, HasEveryEmittedHeader) {
  PlaceholderFileSystem files = make(true);
  for (const char* name : {"/structured/ops/add.h", "/structured/ops/no_such_operator.h", "/acme/operators.h"}) {
    EXPECT_EQ(text(files, root_ + name), "") << name;
    EXPECT_TRUE(files.exists(root_ + name)) << name;
    EXPECT_TRUE(files.is_placeholder(root_ + name)) << name;
  }
  for (const char* name : {"", "/structured", "/structured/ops", "/acme"}) {
    auto status = files.status(root_ + name);
    ASSERT_TRUE(status) << name;
    EXPECT_TRUE(status->isDirectory()) << name;
  }
}

TEST_F(PlaceholderFileSystemTest, HasNoOtherHeader) {
  PlaceholderFileSystem files = make(true);
  for (const char* name : {"/structured/core/tensor.h", "/structured/opsx/add.h", "/acme/operators.h/x.h", "/other"}) {
    EXPECT_FALSE(files.exists(root_ + name)) << name;
  }
}

TEST_F(PlaceholderFileSystemTest, TellsFilesApart) {
  PlaceholderFileSystem files = make(true);
  EXPECT_NE(files.status(root_ + "/structured/ops/a.h")->getUniqueID(),
            files.status(root_ + "/structured/ops/b.h")->getUniqueID());
  EXPECT_EQ(files.status(root_ + "/structured/ops/a.h")->getUniqueID(),
            files.status(root_ + "/structured/./ops/../ops/a.h")->getUniqueID());
}

TEST_F(PlaceholderFileSystemTest, EmptiesEmittedHeadersWhereverTheyLie) {
  PlaceholderFileSystem files = make(true);
  EXPECT_EQ(text(files, "/gen/structured/ops/add.h"), "");
  EXPECT_EQ(text(files, "/gen/acme/operators.h"), "");
  EXPECT_TRUE(files.is_placeholder("/gen/structured/ops/add.h"));
  EXPECT_EQ(files.status("/gen/structured/ops/add.h")->getSize(), 0u);
}

TEST_F(PlaceholderFileSystemTest, LeavesAnAuthorsFilesAlone) {
  PlaceholderFileSystem files = make(true);
  EXPECT_EQ(text(files, "/home/structured/ops/kernel.h"), "int real;");
  EXPECT_FALSE(files.is_placeholder("/home/structured/ops/kernel.h"));
}

TEST_F(PlaceholderFileSystemTest, MayLeaveEmittedHeadersAlone) {
  PlaceholderFileSystem files = make(false);
  EXPECT_EQ(text(files, "/gen/structured/ops/add.h"), "// Emitted by structured-gen.\nint real;");
  EXPECT_EQ(text(files, root_ + "/structured/ops/add.h"), "");
}

TEST_F(PlaceholderFileSystemTest, HasFilesOfItsOwn) {
  PlaceholderFileSystem files = make(true);
  files.add_file("/structured-gen/own/a.h", "int own;");
  EXPECT_EQ(text(files, "/structured-gen/own/a.h"), "int own;");
  EXPECT_TRUE(files.is_virtual("/structured-gen/own/a.h"));
  EXPECT_FALSE(files.is_placeholder("/structured-gen/own/a.h"));
  EXPECT_FALSE(files.is_virtual("/gen/structured/ops/add.h"));
  llvm::SmallString<64> path;
  EXPECT_FALSE(files.getRealPath("/structured-gen/own/../own/a.h", path));
  EXPECT_EQ(path, "/structured-gen/own/a.h");
}

}  // namespace
}  // namespace structured::gen
