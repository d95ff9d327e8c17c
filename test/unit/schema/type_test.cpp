#include "structured/schema/type.h"

#include <gtest/gtest.h>

#include <optional>

#include "structured/schema/parse.h"

namespace structured::schema {
namespace {

TEST(Type, EveryBaseHasANameOfItsOwn) {
  for (int i = 0; i <= static_cast<int>(Type::Base::SymFloat); ++i) {
    const auto base = static_cast<Type::Base>(i);
    EXPECT_EQ(find_base(to_string(base)), base) << to_string(base);
  }
  EXPECT_EQ(find_base("tensor"), std::nullopt);
  EXPECT_EQ(find_base(""), std::nullopt);
}

TEST(Type, PrintsAndParses) {
  for (const char* text : {"Tensor", "Tensor?", "Tensor[]", "Tensor?[]", "int[2]", "int[1]?", "SymInt[]?", "bool[3]",
                           "Dimname[]?", "str", "float[]?", "ScalarType?", "complex"}) {
    ParseError error;
    const std::optional<Type> type = parse_type(text, &error);
    ASSERT_TRUE(type) << error.message();
    EXPECT_EQ(to_string(*type), text);
  }
}

TEST(Type, AsksAboutItsOutermostWrapper) {
  const Type optional_list = *parse_type("int[2]?");
  EXPECT_TRUE(optional_list.is_optional());
  EXPECT_FALSE(optional_list.is_list());
  EXPECT_FALSE(optional_list.is_tensor_like());
  const Type list_of_optional = *parse_type("Tensor?[]");
  EXPECT_TRUE(list_of_optional.is_list());
  EXPECT_TRUE(list_of_optional.is_tensor_like());
  EXPECT_FALSE(list_of_optional.is(Type::Base::Tensor));
  EXPECT_TRUE(parse_type("Tensor")->is(Type::Base::Tensor));
}

}  // namespace
}  // namespace structured::schema
