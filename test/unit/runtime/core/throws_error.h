#pragma once
#include <gtest/gtest.h>
#include <structured/base/error.h>

// EXPECT_ERROR(statement, "message"): the statement throws Error, not InternalError, with exactly this message.
#define EXPECT_ERROR(statement, expected)                                           \
  do {                                                                              \
    try {                                                                           \
      statement;                                                                    \
      ADD_FAILURE() << "expected `" #statement "` to throw";                        \
    } catch (const ::structured::InternalError& error) {                            \
      ADD_FAILURE() << "expected an Error, got an InternalError: " << error.what(); \
    } catch (const ::structured::Error& error) {                                    \
      EXPECT_STREQ(error.what(), expected);                                         \
    }                                                                               \
  } while (false)
