#include "structured/schema/view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "structured/schema/parse.h"

namespace structured::schema {
namespace {

using testing::ElementsAre;

std::vector<std::string> parts_of(const std::vector<ArgumentView>& arguments) {
  std::vector<std::string> parts;
  for (const ArgumentView& argument : arguments) {
    std::string& text = parts.emplace_back(to_string(argument.base));
    for (const std::string_view part :
         {argument.alias, argument.wrappers, argument.type, argument.name, argument.default_value}) {
      text.append("|").append(part);
    }
    text += argument.is_keyword_only ? "|*" : "";
  }
  return parts;
}

TEST(SchemaView, RefersToThePartsOfTheText) {
  const std::string_view text =
      "aten::f.x(Tensor( a! -> b )[] s, int[2]? d = [0, 1], *, str m=\"a, (\\\"b\") -> (Tensor(a) v, int)";
  const std::optional<SchemaView> view = view_schema(text);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->ns, "aten");
  EXPECT_EQ(view->base, "f");
  EXPECT_EQ(view->overload, "x");
  EXPECT_THAT(parts_of(view->arguments), ElementsAre("Tensor|a! -> b|[]|Tensor( a! -> b )[]|s|",
                                                     "int||[2]?|int[2]?|d|[0, 1]", "str|||str|m|\"a, (\\\"b\"|*"));
  EXPECT_THAT(parts_of(view->returns), ElementsAre("Tensor|a||Tensor(a)|v|", "int|||int||"));
  EXPECT_GE(view->arguments[2].default_value.data(), text.data());
  EXPECT_LT(view->arguments[2].default_value.data(), text.data() + text.size());
}

TEST(SchemaView, AnswersWhatItsPartsImply) {
  const std::optional<SchemaView> view = view_schema("f(Tensor(a!) x, Tensor?[] y, int[]? z) -> ()");
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->arguments[0].is_mutable());
  EXPECT_TRUE(view->arguments[0].is(Type::Base::Tensor));
  EXPECT_FALSE(view->arguments[0].is_optional());
  EXPECT_FALSE(view->arguments[1].is_mutable());
  EXPECT_FALSE(view->arguments[1].is(Type::Base::Tensor));
  EXPECT_FALSE(view->arguments[1].is_optional());
  EXPECT_TRUE(view->arguments[2].is_optional());
}

TEST(ArgumentView, BecomesATypeAndAnAliasSet) {
  const std::optional<ArgumentView> view = view_argument("Tensor(a|b! -> *)?[3] x");
  ASSERT_TRUE(view);
  EXPECT_EQ(view->name, "x");
  EXPECT_EQ(to_string(type_of(*view)), "Tensor?[3]");
  EXPECT_EQ(alias_of(*view), (AliasSet{{"a", "b"}, true, {"*"}}));
  EXPECT_EQ(alias_of(*view_argument("Tensor")), std::nullopt);
  EXPECT_FALSE(view_argument("Tensr x"));
  EXPECT_FALSE(view_argument("Tensor x y"));
}

}  // namespace
}  // namespace structured::schema
