#include "language/attributes.h"

#include <gmock/gmock.h>

#include <set>

namespace structured::gen {
namespace {

TEST(AttributeTable, FindsEveryAttributeByItsName) {
  std::set<std::string> names;
  for (const AttributeSpec& spec : attribute_table()) {
    EXPECT_EQ(spec.scoped_name, "structured::" + spec.name().str());
    EXPECT_EQ(find_attribute(spec.name()), &spec);
    EXPECT_TRUE(names.insert(spec.name().str()).second) << "twice: " << spec.scoped_name.str();
  }
}

TEST(AttributeTable, HasAnExampleAndOneSentenceOfHelpForEachAttribute) {
  for (const AttributeSpec& spec : attribute_table()) {
    EXPECT_TRUE(spec.example.starts_with(spec.name())) << spec.example.str();
    EXPECT_TRUE(spec.help.ends_with(".")) << spec.help.str();
    EXPECT_LE(spec.minimum_arguments, spec.maximum_arguments) << spec.name().str();
    EXPECT_EQ(spec.maximum_arguments == 0, spec.arguments == ArgumentKind::none) << spec.name().str();
    // Without arguments, these two are for all parameters and all results.
    const bool may_be_bare = spec.name() == "no_cpp_default" || spec.name() == "not_differentiable";
    EXPECT_GE(spec.minimum_arguments, spec.shows_arguments() && !may_be_bare ? 1u : 0u);
  }
}

TEST(AttributeTable, KnowsTheTargetOfAnAttribute) {
  EXPECT_EQ(find_attribute("meta")->target, AttributeTarget::function);
  EXPECT_EQ(find_attribute("kwonly")->target, AttributeTarget::parameter);
}

TEST(AttributeTable, KnowsTheRolesThatAnAttributeAddsTo) {
  EXPECT_TRUE(find_attribute("out")->allows(Role::kernel));
  EXPECT_TRUE(find_attribute("out")->allows(Role::composite));
  EXPECT_FALSE(find_attribute("out")->allows(Role::meta));
}

TEST(AttributeTable, HasNoOtherName) {
  EXPECT_EQ(find_attribute("structured::meta"), nullptr);
  EXPECT_EQ(find_attribute("Meta"), nullptr);
  EXPECT_EQ(find_attribute(""), nullptr);
}

TEST(AttributeTable, GivesEachArgumentALiteralForm) {
  EXPECT_EQ(literal_form(ArgumentKind::length, 0), LiteralForm::integer);
  EXPECT_EQ(literal_form(ArgumentKind::boolean, 0), LiteralForm::boolean);
  EXPECT_EQ(literal_form(ArgumentKind::alias_set, 0), LiteralForm::string);
  EXPECT_EQ(literal_form(ArgumentKind::alias_set, 1), LiteralForm::integer);
  EXPECT_EQ(literal_form(ArgumentKind::variants, 3), LiteralForm::string);
}

TEST(Roles, AreTheAttributesOfThatName) {
  EXPECT_EQ(role_named("meta"), Role::meta);
  EXPECT_EQ(role_named("backward"), Role::backward);
  EXPECT_EQ(role_named("returns"), std::nullopt);
  EXPECT_STREQ(name_of(Role::composite), "composite");
}

}  // namespace
}  // namespace structured::gen
