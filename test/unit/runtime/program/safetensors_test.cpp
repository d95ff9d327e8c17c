#include <structured/program/safetensors.h>

#include <string>

#include "../../expect_error.h"
#include "archive.h"

namespace structured::test {
namespace {

std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes;
  append(bytes, header.size(), 8);
  return bytes + header + data;
}

NamedTensors read(const std::string& bytes) {
  return program::read_safetensors(detail::FileBytes::copy(bytes), "file");
}

const std::string kData("\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00", 12);

TEST(Safetensors, ReadsTensorsInTheOrderOfTheirNames) {
  const NamedTensors tensors = read(file_of(
      R"({"__metadata__": {"format": "pt"}, "b": {"dtype": "I32", "shape": [2], "data_offsets": [4, 12]},
          "a": {"dtype": "I32", "shape": [], "data_offsets": [0, 4]}})",
      kData));
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[0].first, "a");
  EXPECT_EQ(to_vector<int32_t>(tensors[0].second), std::vector<int32_t>{1});
  EXPECT_EQ(to_vector<int32_t>(tensors[1].second), (std::vector<int32_t>{2, 3}));
}

TEST(Safetensors, RejectsDamagedFiles) {
  const auto rejects = [](const std::string& header, const char* part) {
    expect_error([&] { read(file_of(header, kData)); }, part);
  };
  expect_error([] { read("1234"); }, "file: expected a safetensors file of at least 8 bytes, found 4");
  expect_error([] { read(std::string(8, '\x7f')); }, "file: expected a header of at most 0 bytes, found ");
  rejects(R"({"a": {"dtype": "I32", "shape": [4], "data_offsets": [0, 12]}})",
          "file: tensor `a`: expected at least 16 bytes");
  rejects(R"({"a": {"dtype": "I32", "shape": [1], "data_offsets": [8, 16]}})",
          "file: a.data_offsets: expected offsets within 12 bytes, found 8 and 16");
  rejects(R"({"a": {"dtype": "I32", "shape": [1], "data_offsets": [8, 4]}})", "expected offsets within 12 bytes");
  rejects(R"({"a": {"dtype": "F8", "shape": [1], "data_offsets": [0, 1]}})",
          "file: a.dtype: expected a dtype that tensors have, found `F8`");
  rejects(R"({"a": {"dtype": "I32", "shape": [-1], "data_offsets": [0, 4]}})", "file: tensor `a`: ");
  rejects(R"({"a": {"dtype": "I32", "shape": [4611686018427387904, 4], "data_offsets": [0, 4]}})",
          "file: a.shape: expected a number of elements that int64 holds");
  rejects(R"({"a": {"dtype": "BOOL", "shape": [12], "data_offsets": [0, 12]}})",
          "file: tensor `a`: expected bytes of 0 or 1 for dtype Bool");
}

}  // namespace
}  // namespace structured::test
