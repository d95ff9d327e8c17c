// Results that PyTorch leaves open pass if its documentation allows them, and fail otherwise.
#include "open_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/find_operator.h>

#include <optional>
#include <string>
#include <vector>

#include "compare.h"

namespace structured::replay {
namespace {

using testing::HasSubstr;

using Indices = std::vector<int64_t>;

const Tensor kTied = tensor<float>({3, 1, 3, 2, 1, 1}, {2, 3});

Tensor tensor_of(const Indices& elements, OptionalIntArrayRef sizes = {}) {
  return tensor(ArrayRef<int64_t>(elements), sizes);
}

// Returns the tensor in the form of a recorded value.
nlohmann::json recorded_tensor(const Tensor& tensor) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* const bytes = static_cast<const unsigned char*>(tensor.data());
  const std::size_t count = static_cast<std::size_t>(tensor.numel()) * tensor.element_size();
  std::string text;
  for (std::size_t i = 0; i < count; i += 3) {
    const unsigned group =
        bytes[i] << 16 | (i + 1 < count ? bytes[i + 1] << 8 : 0) | (i + 2 < count ? bytes[i + 2] : 0);
    for (int shift = 18; shift >= 0; shift -= 6) text += digits[group >> shift & 63];
  }
  for (std::size_t i = count; i % 3 != 0; ++i) text[text.size() - 1 - (i - count)] = '=';
  const nlohmann::json shape(std::vector<int64_t>(tensor.sizes().begin(), tensor.sizes().end()));
  const nlohmann::json strides(std::vector<int64_t>(tensor.strides().begin(), tensor.strides().end()));
  const char* const dtype = tensor.scalar_type() == kFloat ? "float32" : "int64";
  return {{"tensor", {{"dtype", dtype}, {"shape", shape}, {"strides", strides}, {"offset", 0}, {"storage", text}}}};
}

std::optional<std::string> meaning(const std::string& op, const Stack& arguments, const std::vector<Tensor>& expected,
                                   const std::vector<Tensor>& found) {
  Case recorded;
  recorded.op = "aten::" + op;
  recorded.expect = nlohmann::json::array();
  for (const Tensor& tensor : expected) recorded.expect.push_back(recorded_tensor(tensor));
  Stack results;
  for (const Tensor& tensor : found) results.emplace_back(tensor);
  const OperatorHandle* const handle = find_operator(recorded.full_name());
  return difference_in_meaning(recorded, read_schema(handle->schema()).arguments, arguments, results);
}

TEST(OpenResults, EqualElementsOfTopkAndSortAreToldByAnyIndexOfThem) {
  const auto topk = [](const Indices& found) {
    const Tensor values = tensor<float>({3, 3, 2, 1}, {2, 2});
    return *meaning("topk", {kTied, int64_t{2}, int64_t{-1}, true, true},
                    {values, tensor_of({0, 2, 0, 1}, IntArrayRef({2, 2}))},
                    {values, tensor_of(found, IntArrayRef({2, 2}))});
  };
  EXPECT_EQ(topk({0, 2, 0, 1}), "");
  EXPECT_EQ(topk({2, 0, 0, 2}), "");
  EXPECT_EQ(topk({0, 1, 0, 1}), "result 1: element 1 is 1, where another element is");
  EXPECT_EQ(topk({0, 2, 1, 2}), "result 1: element 2 is 1, where another element is");
  EXPECT_EQ(topk({0, 0, 0, 1}), "result 1: element 1 is 0, which is taken twice");
  EXPECT_EQ(topk({0, 3, 0, 1}), "result 1: element 1 is 3, which is out of range");
  EXPECT_EQ(topk({0, -1, 0, 1}), "result 1: element 1 is -1, which is out of range");
  const auto sort = [](const Indices& found) {  // sorts columns
    const Tensor values = tensor<float>({2, 1, 1, 3, 1, 3}, {2, 3});
    return *meaning("sort", {kTied, int64_t{0}, false}, {values, tensor_of({1, 0, 1, 0, 1, 0}, IntArrayRef({2, 3}))},
                    {values, tensor_of(found, IntArrayRef({2, 3}))});
  };
  EXPECT_EQ(sort({1, 1, 1, 0, 0, 0}), "");
  EXPECT_EQ(sort({1, 1, 1, 0, 1, 0}), "result 1: element 4 is 1, which is taken twice");
  EXPECT_EQ(sort({0, 1, 1, 1, 0, 0}), "result 1: element 0 is 0, where another element is");
}

TEST(OpenResults, ValuesAndKindsAreNotOpen) {
  const Stack arguments{kTied, int64_t{1}, int64_t{1}, false};
  const Tensor ones = tensor<float>({1, 1});
  const Tensor first = tensor_of({1, 1});
  EXPECT_EQ(*meaning("kthvalue", arguments, {ones, first}, {ones, tensor_of({1, 2})}), "");
  EXPECT_THAT(*meaning("kthvalue", arguments, {ones, first}, {tensor<float>({3, 1}), tensor_of({0, 1})}),
              HasSubstr("result 0: element 0 is 3, expected 1"));
  EXPECT_THAT(*meaning("kthvalue", arguments, {ones, first}, {ones, tensor<int64_t>({1, 1}, {2, 1})}),
              HasSubstr("result 1: shape [2, 1], expected [2]"));
  EXPECT_THAT(*meaning("kthvalue", arguments, {ones, first}, {ones, ones}), HasSubstr("result 1: dtype Float"));
  EXPECT_EQ(*meaning("mode", {kTied, int64_t{1}, true},
                     {tensor<float>({3, 1}, {2, 1}), tensor_of({0, 1}, IntArrayRef({2, 1}))},
                     {tensor<float>({3, 1}, {2, 1}), tensor_of({2, 2}, IntArrayRef({2, 1}))}),
            "");
}

TEST(OpenResults, UniqueElementsThatAreNotSortedHaveAnyOrder) {
  const Tensor self = tensor<float>({2, 1, 2});
  const auto unique = [&](bool sorted, std::initializer_list<float> found, const Indices& inverse,
                          const Indices& counts) {
    return meaning("_unique2", {self, sorted, true, true},
                   {tensor<float>({1, 2}), tensor_of({1, 0, 1}), tensor_of({1, 2})},
                   {tensor<float>(found), tensor_of(inverse), tensor_of(counts)});
  };
  EXPECT_EQ(unique(true, {2, 1}, {0, 1, 0}, {2, 1}), std::nullopt) << "an order is asked for";
  EXPECT_EQ(*unique(false, {1, 2}, {1, 0, 1}, {1, 2}), "");
  EXPECT_EQ(*unique(false, {2, 1}, {0, 1, 0}, {2, 1}), "");
  EXPECT_EQ(*unique(false, {2, 3}, {0, 1, 0}, {2, 1}), "result 0: other elements than expected");
  EXPECT_EQ(*unique(false, {2, 1}, {1, 0, 1}, {2, 1}), "result 1: element 0 is 1, where another element is");
  EXPECT_EQ(*unique(false, {2, 1}, {0, 1, 2}, {2, 1}), "result 1: element 2 is 2, where another element is");
  EXPECT_EQ(*unique(false, {2, 1}, {0, 1, 0}, {1, 2}), "result 2: element 0 is 1, expected 2");
}

TEST(OpenResults, AreFew) { EXPECT_EQ(meaning("relu", {kTied}, {kTied}, {kTied}), std::nullopt); }

TEST(Exact, ResultsThatAreAsNearToItPass) {
  const auto difference_of = [](float found, double exact) {
    const Tensor expected = tensor<float>({1});
    return difference_of_tensors(tensor<float>({found}), expected, false, tensor<double>({exact}));
  };
  EXPECT_EQ(difference_of(1.125f, 1.25), "") << "nearer than the recorded one";
  EXPECT_EQ(difference_of(1.5f, 1.25), "") << "on the other side";
  EXPECT_EQ(difference_of(1.625f, 1.25), "element 0 is 1.625, expected 1") << "farther";
  EXPECT_EQ(difference_of(0.875f, 1.25), "element 0 is 0.875, expected 1");
  EXPECT_EQ(difference_of(NAN, 1.25), "element 0 is nan, expected 1");
  EXPECT_EQ(difference_of(1, 2), "") << "what was recorded is right whatever is exact";
  EXPECT_THROW(difference_of_tensors(tensor<float>({1}), tensor<float>({2}), false, tensor<double>({1, 2})),
               MalformedCase);
}

TEST(Exact, ToleranceIsMultiplied) {
  const Tensor expected = tensor<float>({8}), found = tensor<float>({8 + 3e-5f});  // the tolerance is 2.04e-5
  EXPECT_NE(difference_of_tensors(found, expected, false), "");
  EXPECT_EQ(difference_of_tensors(found, expected, false, {}, 2), "");
  EXPECT_NE(difference_of_tensors(tensor<float>({8 + 5e-5f}), expected, false, {}, 2), "");
}

}  // namespace
}  // namespace structured::replay
