#pragma once

#include <gtest/gtest.h>
#include <structured/base/error.h>

#include <string>
#include <string_view>

namespace structured::test {

/// Expects `call` to throw structured::Error with `part` in its message. Fails if `part` is empty, and for an
/// InternalError, which is a bug and never the expected result of a wrong call.
template <class Call>
void expect_error(Call call, std::string_view part) {
  ASSERT_FALSE(part.empty()) << "expect_error needs a part of the expected message";
  try {
    call();
    ADD_FAILURE() << "expected an error with `" << part << "`, got none";
  } catch (const InternalError& error) {
    ADD_FAILURE() << "expected an error with `" << part << "`, got the internal error `" << error.what() << "`";
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos)
        << "expected an error with `" << part << "`, got `" << error.what() << "`";
  }
}

}  // namespace structured::test
