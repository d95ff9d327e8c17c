#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/program/save_value.h>
#include <structured/program/saved_value.h>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "../../expect_error.h"

namespace structured::test::saved_value_test {
namespace {

using program::DynamicDict;
using program::DynamicList;
using program::DynamicValue;
using program::load_saved_value;
using program::make_list;
using program::make_tuple;
using program::save_value;

class SavedValue : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  DynamicValue round_trip(const DynamicValue& value) const {
    save_value(path(), value);
    return load_saved_value(path());
  }
  std::string path() const { return folder_ / "value.pt"; }
  std::string bytes() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("saved_value_test." + std::to_string(getpid()));
};

TEST_F(SavedValue, KeepsNumbersAndTexts) {
  for (const int64_t value :
       {int64_t{0}, int64_t{255}, int64_t{256}, int64_t{-1}, int64_t{1} << 40, std::numeric_limits<int64_t>::min()}) {
    EXPECT_EQ(round_trip(value).to_int(), value);
  }
  for (const double value : {0.1, -2.5, 1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(round_trip(value).to_double(), value);
  }
  EXPECT_TRUE(round_trip({}).is_none());
  EXPECT_TRUE(round_trip(true).to_bool());
  EXPECT_EQ(round_trip(std::string_view("größe")).to_string(), "größe");
  EXPECT_TRUE(round_trip(Device("cpu")).to_device().is_cpu());
}

TEST_F(SavedValue, KeepsTensorsOnOneStorage) {
  const Tensor base = full({2, 3}, 1.5);
  Tensor row = Tensor::adopt(TensorImpl::create(base.storage(), kCPU, kFloat));
  row.impl()->set_sizes_and_strides({2}, {3});
  row.impl()->set_storage_offset(1);
  const DynamicValue loaded = round_trip(make_list({base, row, base}));
  const std::vector<DynamicValue>& tensors = loaded.to_list().elements;
  EXPECT_EQ(tensors[1].to_tensor().strides(), IntArrayRef({3}));
  EXPECT_EQ(tensors[1].to_tensor().storage_offset(), 1);
  static_cast<float*>(tensors[0].to_tensor().data())[1] = 7;
  EXPECT_EQ(tensors[1].to_tensor().storage().data(), tensors[0].to_tensor().storage().data());
  EXPECT_TRUE(tensors[2].to_tensor().is_same(tensors[0].to_tensor()));
}

TEST_F(SavedValue, KeepsEveryDtypeThatStoragesHave) {
  for (const ScalarType dtype :
       {kByte, kChar, kShort, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble, kComplexFloat, kComplexDouble, kBool}) {
    const Tensor loaded = round_trip(full({3}, 1, dtype)).to_tensor();
    EXPECT_EQ(loaded.dtype(), dtype);
    EXPECT_EQ(loaded.numel(), 3);
  }
  expect_error([&] { save_value(path(), full({3}, 1, kComplexHalf)); }, "save: tensors of dtype ComplexHalf");
}

TEST_F(SavedValue, KeepsEmptyTensors) {
  const DynamicValue loaded = round_trip(make_tuple({empty({0}), empty({2, 0}, kLong), full({}, 2.0)}));
  EXPECT_EQ(loaded.to_tuple().elements[1].to_tensor().sizes(), IntArrayRef({2, 0}));
  EXPECT_EQ(loaded.to_tuple().elements[1].to_tensor().dtype(), kLong);
  EXPECT_EQ(loaded.to_tuple().elements[2].to_tensor().dim(), 0);
}

TEST_F(SavedValue, KeepsSharedContainers) {
  const DynamicValue inner = make_list({int64_t{1}});
  const auto dict = std::make_shared<DynamicDict>();
  dict->set(std::string_view("a"), inner);
  dict->set(int64_t{2}, make_tuple({inner, {}}));
  const DynamicValue loaded = round_trip(dict);
  const auto& items = loaded.to_dict().items;
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[1].first.to_int(), 2);
  EXPECT_TRUE(items[0].second.is_same(items[1].second.to_tuple().elements[0]));
}

TEST_F(SavedValue, AlignsStoragesTo64Bytes) {
  save_value(path(), make_list({full({3}, 42, kLong), full({5}, 43, kByte), full({2}, 44, kLong)}));
  const std::string file = bytes();
  EXPECT_EQ(file.find(std::string("\x2a\0\0\0\0\0\0\0\x2a", 9)) % 64, 0U);
  EXPECT_EQ(file.find("\x2b\x2b\x2b\x2b\x2b") % 64, 0U);
  EXPECT_EQ(file.find(std::string("\x2c\0\0\0\0\0\0\0\x2c", 9)) % 64, 0U);
}

TEST_F(SavedValue, ReportsTensorsThatRequireGradients) {
  static int count = 0;
  count = 0;
  save_value(path(), make_list({full({2}, 1.0).requires_grad_(), full({2}, 1.0)}));
  program::read_saved_value(detail::FileBytes::map(path()), "file", [](const Tensor&) { ++count; });
  EXPECT_EQ(count, 1);
}

TEST_F(SavedValue, RejectsValuesThatTheFormatLacks) {
  const Tensor base = full({4}, 1, kInt);
  const Tensor other = Tensor::adopt(TensorImpl::create(base.storage(), kCPU, kFloat));
  other.impl()->set_sizes_contiguous({4});
  expect_error([&] { save_value(path(), make_list({base, other})); }, "one dtype, got Int and Float");
  expect_error([&] { save_value(path(), full({2}, 1.0, TensorOptions().device(kMeta))); }, "expected tensors on cpu");
  expect_error([&] { save_value(path(), std::make_shared<program::DynamicObject>()); }, "save: expected tensors");
  const auto endless = std::make_shared<DynamicList>();
  endless->elements.emplace_back(endless);
  expect_error([&] { save_value(path(), endless); }, "nested values that do not contain themselves");
  endless->elements.clear();
}

TEST_F(SavedValue, LeavesFilesCompleteAfterErrors) {
  save_value(path(), int64_t{1});
  expect_error([&] { save_value(path(), std::make_shared<program::DynamicObject>()); }, "save: expected tensors");
  EXPECT_EQ(load_saved_value(path()).to_int(), 1);
  expect_error([&] { save_value(path() + "/x.pt", int64_t{1}); }, "expected a file that can be written");
  EXPECT_EQ(file_count(), 1U);
}

}  // namespace
}  // namespace structured::test::saved_value_test
