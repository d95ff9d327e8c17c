#include "scan/attribute_table.h"

#include <gmock/gmock.h>

#include <set>

namespace structured::gen {
namespace {

TEST(AttributeTable, FindsEveryAttributeByItsName) {
  std::set<std::string> names;
  for (const AttributeSpec& spec : attribute_table()) {
    EXPECT_TRUE(llvm::StringRef(spec.scoped_name).starts_with("structured::")) << spec.scoped_name;
    EXPECT_EQ(find_attribute(spec.name()), &spec);
    EXPECT_TRUE(names.insert(spec.name().str()).second) << "twice: " << spec.scoped_name;
  }
  EXPECT_EQ(names.size(), 21u);
}

TEST(AttributeTable, KnowsWhatAnAttributeBelongsOn) {
  EXPECT_EQ(find_attribute("meta")->target, AttributeTarget::function);
  EXPECT_EQ(find_attribute("kwonly")->target, AttributeTarget::parameter);
}

TEST(AttributeTable, HasNoOtherName) {
  EXPECT_EQ(find_attribute("structured::meta"), nullptr);
  EXPECT_EQ(find_attribute("Meta"), nullptr);
  EXPECT_EQ(find_attribute(""), nullptr);
}

TEST(AttributeTable, OffersWhatIsNear) {
  EXPECT_EQ(nearest_attribute("mata"), llvm::StringRef("meta"));
  EXPECT_EQ(nearest_attribute("Kernel"), llvm::StringRef("kernel"));
  EXPECT_EQ(nearest_attribute("implementation"), std::nullopt);
  EXPECT_EQ(nearest_attribute("keyword_only"), std::nullopt);
  EXPECT_EQ(nearest_attribute("kw_only"), llvm::StringRef("kwonly"));
  EXPECT_EQ(nearest_attribute(std::string(10000, 'x')), std::nullopt);
}

}  // namespace
}  // namespace structured::gen
