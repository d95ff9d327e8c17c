// Tests that expect_error fails when it should.
#include "expect_error.h"

#include <gtest/gtest-spi.h>

namespace structured::test {
namespace {

void fail_check() { throw Error("add: expected `other` on cpu, got cuda:0"); }
void fail_assertion() { throw InternalError("internal error: add"); }

TEST(ExpectError, AcceptsAPartOfTheMessage) { expect_error(fail_check, "expected `other` on cpu"); }

TEST(ExpectError, RejectsOtherMessagesAndNoError) {
  EXPECT_NONFATAL_FAILURE(expect_error(fail_check, "on meta"), "got `add: expected");
  EXPECT_NONFATAL_FAILURE(expect_error([] {}, "add"), "got none");
}

TEST(ExpectError, RejectsInternalErrors) {
  EXPECT_NONFATAL_FAILURE(expect_error(fail_assertion, "add"), "got the internal error");
}

TEST(ExpectError, RejectsAnEmptyText) { EXPECT_FATAL_FAILURE(expect_error(fail_check, ""), "needs a part"); }

}  // namespace
}  // namespace structured::test
