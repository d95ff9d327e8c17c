// Libraries of NVIDIA's that kernels open.
#include "cuda/open_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/core/error.h>

#include <cstdlib>
#include <string>

namespace {

using namespace structured;

std::string warning;

TEST(CudaOpenLibrary, SaysWhyNoneCanBeOpened) {
  ASSERT_EQ(setenv("STRUCTURED_CUDA_LIBRARIES", "/nowhere::/not/there", 1), 0);
  warning.clear();
  const WarningHandler previous = set_warning_handler([](const char* text) { warning = text; });
  EXPECT_EQ(kernels::open_library("libnone.so.1", "and tests go on"), nullptr);
  set_warning_handler(previous);
  unsetenv("STRUCTURED_CUDA_LIBRARIES");
  EXPECT_THAT(warning, testing::HasSubstr("`libnone.so.1` cannot be opened, and tests go on"));
  EXPECT_THAT(warning, testing::HasSubstr("/nowhere/libnone.so.1: cannot open shared object file"));
  EXPECT_THAT(warning, testing::HasSubstr("/not/there/libnone.so.1"));
}

TEST(CudaOpenLibrary, FindsFunctions) {
  void* const library = dlopen(nullptr, RTLD_NOW);
  decltype(&std::getenv) function = nullptr;
  EXPECT_TRUE(kernels::find_function(library, "getenv", function));
  EXPECT_NE(function, nullptr);
  EXPECT_FALSE(kernels::find_function(library, "no_such_function", function));
  dlclose(library);
}

}  // namespace
