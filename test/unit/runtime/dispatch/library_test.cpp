#include "structured/dispatch/library.h"

#include <gtest/gtest.h>

#include <string>

#include "structured/base/error.h"
#include "structured/dispatch/boxed.h"

namespace structured {
namespace {

int64_t next(int64_t value) { return value + 1; }
int64_t previous(int64_t value) { return value - 1; }

constinit Operator<int64_t(int64_t)> op_next{"t::next", "next(int value) -> int", {}, next};
constinit Operator<int64_t(int64_t)> op_next_int{"t::next.int", "next.int(int value) -> int", {}, next};
constinit Operator<int64_t(int64_t)> op_previous{"t::previous", "previous(int value) -> int", {}, previous};

// Like the table that a library emits.
constexpr OperatorHandle handles[] = {
    {"t::next", &op_next, &call_boxed<op_next>},
    {"t::next.int", &op_next_int, nullptr},
    {"t::previous", &op_previous, &call_boxed<op_previous>},
};

TEST(FindOperator, FindsEachByItsFullName) {
  for (const OperatorHandle& handle : handles) {
    EXPECT_EQ(detail::find_operator(handles, handle.name), &handle);
  }
}

TEST(FindOperator, ReturnsNullForOthers) {
  for (const char* name : {"", "a", "t::nex", "t::next.", "t::next.into", "next", "z"}) {
    EXPECT_EQ(detail::find_operator(handles, name), nullptr) << name;
  }
  EXPECT_EQ(detail::find_operator({}, "t::next"), nullptr);
}

TEST(FindOperator, PrintsATableByName) {
  EXPECT_EQ(detail::dispatch_table(detail::find_operator(handles, "t::next.int"), "t::next.int"),
            dispatch_table(op_next_int));
  std::string message;
  try {
    detail::dispatch_table(detail::find_operator(handles, "t::nex"), "t::nex");
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "expected the full name of an operator, as `aten::add.Tensor`, got `t::nex`");
}

TEST(OperatorHandle, CallsAndDescribesItsOperator) {
  const OperatorHandle* handle = detail::find_operator(handles, "t::previous");
  ASSERT_NE(handle, nullptr);
  EXPECT_EQ(handle->schema(), "previous(int value) -> int");
  Stack stack{5};
  handle->call(stack);
  EXPECT_EQ(stack.at(0).to_int(), 4);
}

TEST(OperatorHandle, SaysSoWhereBoxedCallsWereLeftOut) {
  Stack stack{5};
  std::string message;
  try {
    detail::find_operator(handles, "t::next.int")->call(stack);
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "`t::next.int` cannot be called on a stack: its library was built without boxed calls");
}

}  // namespace
}  // namespace structured
