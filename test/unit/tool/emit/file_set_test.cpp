#include "emit/file_set.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "llvm/Support/FileSystem.h"
#include "temporary_folder.h"

namespace structured::gen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Pair;
using testing::UnorderedElementsAre;

const std::string manifest = FileSet::manifest_name.str();

llvm::Error write(const TemporaryFolder& folder, const std::map<std::string, std::string>& contents) {
  FileSet files(folder.path());
  for (const auto& [path, text] : contents) {
    if (llvm::Error error = files.add(path, text)) {
      return error;
    }
  }
  return files.write();
}

// Returns the inode and the time of the last change, which show whether a file was replaced or modified.
std::pair<uint64_t, int64_t> identity(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return {status.st_ino, status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

TEST(FileSet, LeavesItToTheUmaskWhoMayUseFolders) {
  const TemporaryFolder folder;
  const mode_t before = umask(022);
  EXPECT_EQ(message_of(write(folder, {{"deep/er/a", "A"}})), "");
  umask(before);
  for (const char* made : {"deep", "deep/er"}) {
    struct stat status{};
    EXPECT_EQ(stat(folder.path(made).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0755u) << made;
  }
}

TEST(FileSet, WritesFilesInFoldersAndAManifest) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(write(folder, {{"b.txt", "B"}, {"x/y/a.txt", "A"}})), "");
  EXPECT_EQ(folder.read("b.txt"), "B");
  EXPECT_EQ(folder.read("x/y/a.txt"), "A");
  EXPECT_THAT(folder.read(manifest), HasSubstr("\nb.txt\nx/y/a.txt\n"));
  EXPECT_EQ(folder.files().size(), 3u) << "temporary files are left";
}

TEST(FileSet, RemovesWhatAKilledRunLeft) {
  const TemporaryFolder folder;
  const pid_t killed = fork();
  if (killed == 0) _exit(0);
  ASSERT_EQ(waitpid(killed, nullptr, 0), killed);
  const std::string running = "a.txt." + std::to_string(getpid()) + "-0badcafe.partial";
  const std::string gone = "x/b.txt." + std::to_string(killed) + "-0badcafe.partial";
  for (const std::string& name : {running, gone, std::string("x/notes.partial")}) folder.write(name, "half");
  EXPECT_EQ(message_of(write(folder, {{"a.txt", "A"}, {"x/b.txt", "B"}})), "");
  EXPECT_THAT(folder.files(),
              UnorderedElementsAre(Key(manifest), Key("a.txt"), Key(running), Key("x/b.txt"), Key("x/notes.partial")));
}

// A killed process whose parent has not yet asked for its status, as that of an interrupted build.
TEST(FileSet, RemovesWhatAZombieLeft) {
  const TemporaryFolder folder;
  const pid_t killed = fork();
  if (killed == 0) _exit(0);
  siginfo_t ended;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(killed), &ended, WEXITED | WNOWAIT), 0);
  folder.write("a.txt." + std::to_string(killed) + "-0badcafe.partial", "half");
  EXPECT_EQ(message_of(write(folder, {{"a.txt", "A"}})), "");
  EXPECT_THAT(folder.files(), UnorderedElementsAre(Key(manifest), Key("a.txt")));
  ASSERT_EQ(waitpid(killed, nullptr, 0), killed);
}

TEST(FileSet, MakesTheOutputFolder) {
  const TemporaryFolder folder;
  FileSet files(folder.path("new/out"));
  EXPECT_EQ(message_of(files.add("a", "A")), "");
  EXPECT_EQ(message_of(files.write()), "");
  EXPECT_EQ(folder.read("new/out/a"), "A");
}

TEST(FileSet, LeavesFilesWithTheSameBytesAlone) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(write(folder, {{"same", "S"}, {"other", "1"}})), "");
  const auto same = identity(folder.path("same"));
  const auto listed = identity(folder.path(manifest));
  const auto other = identity(folder.path("other"));
  usleep(20'000);
  EXPECT_EQ(message_of(write(folder, {{"same", "S"}, {"other", "2"}})), "");
  EXPECT_EQ(identity(folder.path("same")), same);
  EXPECT_EQ(identity(folder.path(manifest)), listed);
  EXPECT_NE(identity(folder.path("other")), other);
  EXPECT_EQ(folder.read("other"), "2");
}

TEST(FileSet, WritesIntoPipesAndWhatLinksName) {
  const TemporaryFolder folder;
  folder.write("target", "old");
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(symlink("target", folder.path("link").c_str()), 0);
  const int reader = open(folder.path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  FileSet files(folder.path("out"));
  EXPECT_EQ(message_of(files.add_elsewhere(folder.path("link"), "new")), "");
  EXPECT_EQ(message_of(files.add_elsewhere(folder.path("pipe"), "list")), "");
  EXPECT_EQ(message_of(files.write()), "");
  char bytes[16];
  EXPECT_EQ(read(reader, bytes, sizeof(bytes)), 4);
  close(reader);
  struct stat status{};
  EXPECT_EQ(lstat(folder.path("pipe").c_str(), &status), 0);
  EXPECT_TRUE(S_ISFIFO(status.st_mode));
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(folder.path("link")));
  EXPECT_EQ(folder.read("target"), "new");
}

TEST(FileSet, RemovesWhatAnEarlierRunWroteAndNothingElse) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(write(folder, {{"keep", "K"}, {"deep/er/gone", "G"}, {"shared/gone", "G"}})), "");
  folder.write("shared/of_the_user", "U");
  EXPECT_EQ(message_of(write(folder, {{"keep", "K"}})), "");
  EXPECT_THAT(folder.files(), UnorderedElementsAre(Key("keep"), Key("shared/of_the_user"), Key(manifest)));
  EXPECT_FALSE(folder.has("deep")) << "empty folders are left";
}

TEST(FileSet, TakesItThatAVanishedFileIsGoneAlready) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(write(folder, {{"a", "A"}, {"b", "B"}})), "");
  llvm::sys::fs::remove(folder.path("b"));
  EXPECT_EQ(message_of(write(folder, {{"a", "A"}})), "");
  EXPECT_THAT(folder.files(), UnorderedElementsAre(Key("a"), Key(manifest)));
}

TEST(FileSet, RefusesOnePathTwice) {
  FileSet files("out");
  EXPECT_EQ(message_of(files.add("a/b", "1")), "");
  EXPECT_EQ(message_of(files.add("a/b", "1")), "two emitted files have the path `a/b`");
  EXPECT_NE(message_of(files.add(manifest, "")), "");
  EXPECT_EQ(message_of(files.add_elsewhere("/x", "1")), "");
  EXPECT_EQ(message_of(files.add_elsewhere("/x", "1")), "two emitted files have the path `/x`");
}

TEST(FileSet, RefusesPathsThatLeaveItsFolder) {
  FileSet files("out");
  for (const char* path : {"", "/etc/passwd", "../a", "a/../../b", "a//b", "./a", "a/"}) {
    EXPECT_THAT(message_of(files.add(path, "")), HasSubstr("expected a path below the output directory")) << path;
  }
  EXPECT_EQ(message_of(files.add("..a/b..", "")), "");
}

TEST(FileSet, WritesNothingIfOneFileCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(write(folder, {{"a", "old"}, {"gone", "G"}})), "");
  folder.write("taken/by_a_folder", "");
  const auto before = folder.files();
  // Adds files before and after the one that fails, in new and in existing folders.
  const std::string message = message_of(write(folder, {{"a", "new"}, {"new/b", "B"}, {"taken", "T"}, {"z", "Z"}}));
  EXPECT_THAT(message, HasSubstr("cannot write `" + folder.path("taken") + "`"));
  EXPECT_EQ(folder.files(), before);
  EXPECT_FALSE(folder.has("new"));
}

TEST(FileSet, WritesNothingIfAFileElsewhereCannotBeWritten) {
  const TemporaryFolder folder;
  folder.write("file", "");
  FileSet files(folder.path("out"));
  EXPECT_EQ(message_of(files.add("a", "A")), "");
  EXPECT_EQ(message_of(files.add_elsewhere(folder.path("file/below/a/file"), "B")), "");
  EXPECT_THAT(message_of(files.write()), HasSubstr("cannot create the folder"));
  EXPECT_FALSE(folder.has("out"));
}

TEST(FileSet, ReportsAFolderThatMayNotBeWritten) {
  if (geteuid() == 0) {
    // Uses /proc, since root can write to all other file systems.
    FileSet files("/proc/structured");
    EXPECT_EQ(message_of(files.add("a", "A")), "");
    EXPECT_THAT(message_of(files.write()), HasSubstr("`/proc/structured`"));
    return;
  }
  const TemporaryFolder folder;
  chmod(folder.path().c_str(), S_IRUSR | S_IXUSR);
  EXPECT_THAT(message_of(write(folder, {{"a", "A"}})), HasSubstr("Permission denied"));
  chmod(folder.path().c_str(), S_IRWXU);
}

TEST(FileSet, RefusesAManifestThatNamesFilesElsewhere) {
  const TemporaryFolder folder;
  folder.write("victim", "V");
  folder.write("out/" + manifest, "# comment\n../victim\n");
  FileSet files(folder.path("out"));
  EXPECT_EQ(message_of(files.add("a", "A")), "");
  EXPECT_THAT(message_of(files.write()), HasSubstr("expected a path below its own folder, found `../victim`"));
  EXPECT_THAT(folder.files(), UnorderedElementsAre(Key("victim"), Key("out/" + manifest)));
}

TEST(FileSet, KeepsFilesElsewhereOutOfTheManifest) {
  const TemporaryFolder folder;
  FileSet files(folder.path("out"));
  EXPECT_EQ(message_of(files.add("a", "A")), "");
  EXPECT_EQ(message_of(files.add_elsewhere(folder.path("deps/emit.d"), "D")), "");
  EXPECT_THAT(files.paths(), ElementsAre("a"));
  EXPECT_EQ(message_of(files.write()), "");
  EXPECT_THAT(folder.files(), testing::Contains(Pair("deps/emit.d", "D")));
  EXPECT_EQ(folder.read("out/" + manifest).find("emit.d"), std::string::npos);
}

}  // namespace
}  // namespace structured::gen
