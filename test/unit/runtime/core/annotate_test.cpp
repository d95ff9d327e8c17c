// Compiled with warnings as errors: without the header, compilers would warn about unknown attributes.
#include <structured/annotate.h>
#ifdef STRUCTURED_API
#error "annotate.h must include nothing"
#endif

#include <gtest/gtest.h>

namespace {

[[structured::impl("twice.out", "CPU"), structured::tags("pointwise")]] int twice([[structured::kwonly]] int self) {
  return 2 * self;
}

TEST(Annotate, LeavesFunctionsAsTheyAre) { EXPECT_EQ(twice(2), 4); }

}  // namespace
