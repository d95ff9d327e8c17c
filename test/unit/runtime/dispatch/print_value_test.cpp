#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "structured/core/factory.h"
#include "structured/dispatch/value.h"
#include "structured/format/print.h"

namespace structured {
namespace {

TEST(PrintValue, AsASchemaWritesIt) {
  EXPECT_EQ(to_string(Value()), "None");
  EXPECT_EQ(to_string(Value(3)), "3");
  EXPECT_EQ(to_string(Value(2.0)), "2.0");
  EXPECT_EQ(to_string(Value(0.1)), "0.1");
  EXPECT_EQ(to_string(Value(1e100)), "1e+100");
  EXPECT_EQ(to_string(Value(true)), "True");
  EXPECT_EQ(to_string(Value(Scalar(1.0))), "1.0");
  EXPECT_EQ(to_string(Value(Scalar(1))), "1");
  EXPECT_EQ(to_string(Value(Scalar(false))), "False");
  EXPECT_EQ(to_string(Value("a \"b\"")), "\"a \\\"b\\\"\"");
  EXPECT_EQ(to_string(Value(kLong)), "Long");
  EXPECT_EQ(to_string(Value(Device(kMeta))), "meta");
  EXPECT_EQ(to_string(Value(kPerTensorAffine)), "per_tensor_affine");
  EXPECT_EQ(to_string(Value(Dimname("N"))), "N");
  EXPECT_EQ(to_string(Value(Stream(Device(kCPU), 3))), "stream 3 on cpu");
  EXPECT_EQ(to_string(Value(Generator(Device(kCPU)))), "Generator on cpu");
}

TEST(PrintValue, Lists) {
  EXPECT_EQ(to_string(Value(IntArrayRef({1, 2}))), "[1, 2]");
  EXPECT_EQ(to_string(Value(std::vector<double>{1, 0.5})), "[1.0, 0.5]");
  EXPECT_EQ(to_string(Value(std::vector<std::string_view>{"a", "b"})), "[\"a\", \"b\"]");
  EXPECT_EQ(to_string(Value(std::vector<std::optional<Tensor>>{std::nullopt})), "[None]");
  EXPECT_EQ(to_string(Value(std::vector<Dimname>{Dimname("N"), Dimname()})), "[N, *]");
}

TEST(PrintValue, TensorsByWhatTheyAre) {
  EXPECT_EQ(to_string(Value(empty({2, 3}))), "Float[2, 3]");
  EXPECT_EQ(to_string(Value(empty({4}, TensorOptions(kMeta).dtype(kLong)))), "Long[4] meta");
  EXPECT_EQ(to_string(Value(Tensor())), "None");
}

}  // namespace
}  // namespace structured
