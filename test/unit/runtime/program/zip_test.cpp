// The reader of zip archives, for archives that archive.h writes and for damaged ones.
#include <structured/format/zip.h>

#include <string>

#include "../../expect_error.h"
#include "archive.h"

namespace structured::test::zip_test {
namespace {

using detail::ZipArchive;

std::string two_members(bool uses_zip64 = false) {
  ZipWriter writer;
  writer.uses_zip64 = uses_zip64;
  writer.add("b/second", "0123456789");
  writer.add("a/first", "");
  return writer.finish();
}

TEST(Zip, ReadsStoredMembersSortedByName) {
  const std::string bytes = two_members();
  const ZipArchive archive(bytes, "file");
  ASSERT_EQ(archive.members().size(), 2U);
  EXPECT_EQ(archive.members()[0].name, "a/first");
  EXPECT_EQ(archive.read("a/first"), "");
  EXPECT_EQ(archive.read("b/second"), "0123456789");
  EXPECT_EQ(archive.find("b/second")->offset % 64, 0U);
  EXPECT_EQ(archive.find("b/other"), nullptr);
  expect_error([&] { archive.read("b/other"); }, "file: expected a member `b/other`, found none");
}

TEST(Zip, ReadsZip64Records) {
  const std::string bytes = two_members(true);
  EXPECT_EQ(ZipArchive(bytes, "file").read("b/second"), "0123456789");
}

TEST(Zip, ReadsAnArchiveWithAComment) {
  std::string bytes = two_members();
  bytes[bytes.size() - 2] = 3;
  bytes += "abc";
  EXPECT_EQ(ZipArchive(bytes, "file").read("b/second"), "0123456789");
}

// An archive that lost bytes at its end has no end record.
TEST(Zip, RejectsTruncationAtEveryByte) {
  for (const bool uses_zip64 : {false, true}) {
    const std::string bytes = two_members(uses_zip64);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      expect_error([&] { ZipArchive(std::string_view(bytes).substr(0, length), "file"); }, "file: expected ");
    }
  }
}

TEST(Zip, RejectsAWrongChecksum) {
  std::string bytes = two_members();
  bytes[bytes.find("0123456789")] = 'x';
  const ZipArchive archive(bytes, "file");
  expect_error([&] { archive.read("b/second"); }, "file: member `b/second`: expected checksum ");
}

TEST(Zip, RejectsCompressedMembersWhenTheyAreRead) {
  ZipWriter writer;
  writer.method = 8;
  writer.add("packed", "0123");
  const std::string bytes = writer.finish();
  const ZipArchive archive(bytes, "file");
  expect_error([&] { archive.read("packed"); }, "member `packed`: expected a stored member, found a compressed one");
}

TEST(Zip, RejectsEncryptedMembers) {
  ZipWriter writer;
  writer.flags = 1;
  writer.add("secret", "0123");
  const std::string bytes = writer.finish();
  expect_error([&] { ZipArchive(bytes, "file"); }, "member `secret`: expected one that is not encrypted");
}

TEST(Zip, RejectsANameThatOccursTwice) {
  ZipWriter writer;
  writer.add("name", "0");
  writer.add("name", "1");
  const std::string bytes = writer.finish();
  expect_error([&] { ZipArchive(bytes, "file"); }, "file: expected one member `name`, found two");
}

// Two entries of the directory for the same data: many of them would make a zip bomb.
TEST(Zip, RejectsMembersThatOverlap) {
  ZipWriter writer;
  writer.add("name", "0123456789");
  writer.add("nam2", "0123456789");
  std::string bytes = writer.finish();
  const std::size_t second = bytes.rfind("nam2");
  bytes.replace(second, 4, "name");
  bytes.replace(second - 4, 4, 4, '\0');  // the offset of the first member
  expect_error([&] { ZipArchive(bytes, "file"); }, "expected members that do not overlap");
}

TEST(Zip, RejectsANameThatDiffersInTheLocalHeader) {
  std::string bytes = two_members();
  bytes[bytes.find("b/second")] = 'c';
  expect_error([&] { ZipArchive(bytes, "file"); },
               "member `b/second`: expected this name in the local header, found `c/second`");
}

TEST(Zip, RejectsMoreMembersThanTheDirectoryHolds) {
  std::string bytes = two_members();
  bytes[bytes.size() - 22 + 10] = 3;
  expect_error([&] { ZipArchive(bytes, "file"); }, "file: expected at most 2 members in a directory of ");
}

}  // namespace
}  // namespace structured::test::zip_test
