#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/format/npy.h>
#include <structured/format/print.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "../../expect_error.h"
#include "throws_error.h"

namespace structured {
namespace {

using test::expect_error;

/// Creates a folder and removes it with its contents.
class NpyTest : public testing::Test {
 protected:
  NpyTest() : folder_(testing::TempDir() + "npy_" + testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
  }
  ~NpyTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

 private:
  std::string folder_;
};

Tensor parse(const std::string& bytes) {
  std::istringstream in(bytes);
  return detail::read_npy(in, "f.npy");
}
NamedTensors parse_npz(const std::string& bytes) {
  std::istringstream in(bytes);
  return detail::read_npz(in, "f.npz");
}

/// An npy file of version 1.0 with this dictionary.
std::string npy(const std::string& dictionary, const std::string& elements) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dictionary.size());
  file += '\0';
  return file + dictionary + elements;
}

TEST_F(NpyTest, WritesTheBytesOfNumPy) {
  save(path("a.npy"), tensor<float>({1, 2}, {2, 1}));
  const std::string expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }" + std::string(58, ' ') +
                               "\n" + std::string("\0\0\x80\x3f\0\0\0\x40", 8);
  EXPECT_EQ(bytes(path("a.npy")), expected);
}

TEST_F(NpyTest, KeepsDtypesAndShapes) {
  const Tensor tensors[] = {tensor<bool>({true, false}),          tensor<uint8_t>({255, 1}, {1, 2}),
                            tensor<int64_t>({-5}, IntArrayRef{}), tensor<Half>({Half(1.5F)}),
                            tensor<double>({0.1, -2}, {2, 1, 1}), tensor<Complex<float>>({Complex<float>(1, 2)}),
                            structured::empty({0, 3}, kShort)};
  for (const Tensor& before : tensors) {
    save(path("t.npy"), before);
    const Tensor after = load(path("t.npy"));
    EXPECT_EQ(after.sizes(), before.sizes());
    EXPECT_EQ(to_string(after), to_string(before));
  }
}

TEST_F(NpyTest, WritesViewsInRowMajorOrder) {
  const Tensor matrix = tensor<int>({1, 2, 3, 4, 5, 6}, {2, 3});
  save(path("t.npy"), as_strided(matrix, {3, 2}, {1, 3}));
  EXPECT_EQ(to_vector<int>(load(path("t.npy"))), (std::vector<int>{1, 4, 2, 5, 3, 6}));
}

TEST_F(NpyTest, RefusesWhatNumPyDoesNotHave) {
  EXPECT_ERROR(save(path("t.npy"), structured::empty({1}, kBFloat16)),
               "save: expected a dtype that NumPy has, got BFloat16");
  EXPECT_ERROR(save(path("t.npy"), structured::empty({1}, kMeta)), "save: expected a tensor on cpu, got meta");
  EXPECT_FALSE(std::filesystem::exists(path("t.npy")));
}

TEST_F(NpyTest, LeavesNothingBehindWhenWritingFails) {
  std::filesystem::create_directories(path("taken/inside"));
  expect_error([&] { save(path("taken"), tensor<float>({1})); }, "taken: expected a file that can be replaced");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path(".")), {}), 1);
}

TEST(Npy, ReadsFortranOrderAndOtherByteOrders) {
  const Tensor matrix = parse(
      npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3)}", std::string("\0\1\0\2\0\3\0\4\0\5\1\0", 12)));
  EXPECT_EQ(matrix.sizes(), (IntArrayRef{2, 3}));
  EXPECT_EQ(matrix.strides(), (IntArrayRef{1, 2}));
  EXPECT_EQ(to_vector<int16_t>(matrix), (std::vector<int16_t>{1, 3, 5, 2, 4, 256}));
}

TEST(Npy, SaysWhatIsWrong) {
  EXPECT_ERROR(parse(""), "f.npy: expected an npy header of at least 10 bytes, found 0 bytes");
  EXPECT_ERROR(parse("PK\3\4 and more"),
               "f.npy: expected an npy file, found other bytes at its start (an npz file is read by load_npz)");
  EXPECT_ERROR(parse(std::string("\x93NUMPY\x04\x00\x00\x00", 10)), "f.npy: expected npy version 1, 2 or 3, found 4");
  EXPECT_ERROR(parse(std::string("\x93NUMPY\x01\x00\x05\x00", 10)),
               "f.npy: expected an npy header of at most 0 bytes, found one of 5");
  EXPECT_ERROR(parse(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "1234")),
               "f.npy: expected 8 bytes of elements for shape [2] of `<f4`, found 4");
  EXPECT_ERROR(parse(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 4)}", "")),
               "f.npy: expected more bytes of elements for shape [9223372036854775807, 4] of `<f4`, found 0");
  EXPECT_ERROR(parse(npy("{'descr': '<U4', 'fortran_order': False, 'shape': ()}", "")),
               "f.npy: expected a dtype that tensors have, found `<U4`");
  EXPECT_ERROR(
      parse(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", "")),
      "f.npy: expected a string (structured dtypes are not supported) in the npy header, found `[('a', '<f4')], `");
  EXPECT_ERROR(parse(npy("{'descr': '<f4', 'shape': ()}", "1234")),
               "f.npy: expected descr, fortran_order and shape in the npy header, found a dictionary without one");
  EXPECT_ERROR(parse(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", "2")),
               "f.npy: expected bytes of 0 or 1 for dtype bool, found others");
  EXPECT_ERROR(load("/nowhere/f.npy"),
               "/nowhere/f.npy: expected a file that can be read, got error \"No such file or directory\"");
}

TEST_F(NpyTest, KeepsNamedTensors) {
  save_npz(path("t.npz"), {{"weight", tensor<float>({1, 2}, {1, 2})}, {"bias", tensor<double>({3})}});
  const NamedTensors read = load_npz(path("t.npz"));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].first, "weight");
  EXPECT_EQ(to_string(read[0].second), "tensor([[1., 2.]])");
  EXPECT_EQ(read[1].first, "bias");
  EXPECT_EQ(read[1].second.dtype(), kDouble);
}

TEST_F(NpyTest, RefusesNamesThatCannotBeFound) {
  EXPECT_ERROR(save_npz(path("t.npz"), {{"", tensor<float>({1})}}),
               (path("t.npz") + ": expected a name of 1 to 32767 bytes for each tensor, got one of 0").c_str());
  EXPECT_ERROR(save_npz(path("t.npz"), {{"a", tensor<float>({1})}, {"a", tensor<float>({1})}}),
               (path("t.npz") + ": expected different names, got `a` twice").c_str());
}

TEST_F(NpyTest, FindsDamageInNpzFiles) {
  save_npz(path("t.npz"), {{"a", tensor<float>({1})}});
  const std::string good = bytes(path("t.npz"));
  EXPECT_EQ(parse_npz(good).size(), 1u);

  std::string damaged = good;
  damaged[30 + 5 + 128] ^= 1;  // the first element
  EXPECT_THAT([&] { parse_npz(damaged); },
              testing::ThrowsMessage<Error>(testing::StartsWith("f.npz: member `a.npy`: expected checksum ")));
  std::string compressed = good;
  compressed[good.rfind("PK\1\2") + 10] = 8;
  EXPECT_ERROR(parse_npz(compressed),
               "f.npz: member `a.npy`: expected an uncompressed member, found a compressed one; write the file by "
               "numpy.savez");
  EXPECT_ERROR(parse_npz(good.substr(0, good.size() - 1)), "f.npz: expected a zip archive, found no end record");
  EXPECT_ERROR(parse_npz("short"), "f.npz: expected a zip archive of at least 22 bytes, found 5");
}

}  // namespace
}  // namespace structured
