#include "structured/format/zip_writer.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "../../expect_error.h"
#include "structured/format/zip.h"

namespace structured::zip_writer_test {
namespace {

using detail::ZipArchive;
using detail::ZipWriter;

std::string two_members(std::size_t alignment) {
  std::ostringstream out;
  ZipWriter zip(out, "file", alignment);
  zip.add("b", {"head", "", "data"});
  zip.add("a/second", "0123456789");
  zip.finish();
  return out.str();
}

TEST(ZipWriter, WritesWhatTheReaderReads) {
  for (const std::size_t alignment : {1, 64}) {
    const std::string bytes = two_members(alignment);
    const ZipArchive archive(bytes, "file");
    ASSERT_EQ(archive.members().size(), 2U);
    EXPECT_EQ(archive.read("b"), "headdata");
    EXPECT_EQ(archive.read("a/second"), "0123456789");
    for (const ZipArchive::Member& member : archive.members()) EXPECT_EQ(member.offset % alignment, 0U);
  }
}

TEST(ZipWriter, AddsNoPaddingWithoutAlignment) {
  const std::size_t names = 2 * (1 + 8), data = 8 + 10, headers = 2 * (30 + 46) + 22;
  EXPECT_EQ(two_members(1).size(), names + data + headers);
}

TEST(ZipWriter, WritesEqualBytesForEqualMembers) { EXPECT_EQ(two_members(64), two_members(64)); }

TEST(ZipWriter, RefusesNamesThatDoNotFit) {
  std::ostringstream out;
  ZipWriter zip(out, "file", 1);
  test::expect_error([&] { zip.add(std::string(65536, 'x'), "data"); },
                     "file: expected names of members of at most 65535 bytes, got one of 65536");
}

TEST(ZipWriter, NamesTheFileThatCannotBeReplaced) {
  test::expect_error([] { detail::write_archive("/nowhere/file.zip", 1, [](ZipWriter&) {}); },
                     "/nowhere/file.zip: expected a file that can be written, got error");
}

}  // namespace
}  // namespace structured::zip_writer_test
