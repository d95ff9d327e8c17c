#include <gtest/gtest.h>
#include <structured/schema/promotion.h>

namespace structured::schema {
namespace {

// test/unit/runtime/core/scalar_type_test.cpp compares promoted types with a lattice. These properties hold for any
// rows.

TEST(Promotion, LeadsToADtypeThatBothPromoteTo) {
  for (const Dtype& a : kDtypes) {
    for (const Dtype& b : kDtypes) {
      const Dtype* result = promoted(a, b);
      if (result == nullptr) {
        EXPECT_FALSE(a.promotes() && b.promotes()) << a.name << " and " << b.name;
        continue;
      }
      EXPECT_EQ(promoted(a, *result), result) << a.name << " and " << b.name;
      EXPECT_EQ(promoted(*result, b), result) << a.name << " and " << b.name;
      EXPECT_GE(result->category, a.category);
    }
  }
}

TEST(Promotion, IsAssociative) {
  for (const Dtype& a : kDtypes) {
    for (const Dtype& b : kDtypes) {
      for (const Dtype& c : kDtypes) {
        if (!a.promotes() || !b.promotes() || !c.promotes()) continue;
        EXPECT_EQ(promoted(*promoted(a, b), c), promoted(a, *promoted(b, c))) << a.name << b.name << c.name;
      }
    }
  }
}

TEST(Promotion, KeepsOtherDtypesApart) {
  const Dtype& quantized = *dtype_named("QInt8");
  EXPECT_EQ(promoted(quantized, quantized), &quantized);
  EXPECT_EQ(promoted(quantized, *dtype_named("Float")), nullptr);
  EXPECT_EQ(promoted(quantized, *dtype_named("QUInt8")), nullptr);
  EXPECT_EQ(complex_of(quantized), nullptr);
}

TEST(Promotion, HasAComplexDtypeForEveryOther) {
  for (const Dtype& dtype : kDtypes) {
    if (!dtype.promotes()) continue;
    const Dtype* complex = complex_of(dtype);
    ASSERT_NE(complex, nullptr) << dtype.name;
    EXPECT_TRUE(complex->is_complex()) << dtype.name;
    if (dtype.is_floating()) {
      EXPECT_EQ(promoted(*real_of(*complex), dtype), real_of(*complex)) << dtype.name;
    }
  }
}

}  // namespace
}  // namespace structured::schema
