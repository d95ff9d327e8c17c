// Libraries of NVIDIA's that kernels open.
#include "cuda/open_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/base/error.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace structured;

// Warnings of a call.
template <class Call>
std::string warnings_of(const Call& call) {
  static std::string text;
  text.clear();
  const WarningHandler previous = set_warning_handler([](const char* each) { text += each; });
  call();
  set_warning_handler(previous);
  return text;
}

TEST(CudaOpenLibrary, SaysWhyNoneCanBeOpened) {
  ASSERT_EQ(setenv("STRUCTURED_CUDA_LIBRARIES", "/nowhere::/not/there", 1), 0);
  const std::string warning =
      warnings_of([] { EXPECT_EQ(kernels::open_library("libnone.so.1", "and tests go on"), nullptr); });
  unsetenv("STRUCTURED_CUDA_LIBRARIES");
  EXPECT_THAT(warning, testing::HasSubstr("`libnone.so.1` cannot be opened, and tests go on"));
  EXPECT_THAT(warning, testing::HasSubstr("/nowhere/libnone.so.1: cannot open shared object file"));
  EXPECT_THAT(warning, testing::HasSubstr("/not/there/libnone.so.1"));
}

TEST(CudaOpenLibrary, FindsFoldersOfWheels) {
  namespace fs = std::filesystem;
  const fs::path site = fs::path(testing::TempDir()) / "structured_wheels";
  fs::remove_all(site);
  for (const char* const folder : {"structured/lib", "nvidia/cudnn/lib", "nvidia/cu13/lib", "nvidia/headers/include"}) {
    fs::create_directories(site / folder);
  }
  EXPECT_THAT(kernels::folders_of_wheels(site / "structured/lib/libkernels.so"),
              testing::ElementsAre(site / "nvidia/cu13/lib", site / "nvidia/cudnn/lib"));
  EXPECT_THAT(kernels::folders_of_wheels(site / "structured/a/b/c/libkernels.so"), testing::IsEmpty());
  EXPECT_THAT(kernels::folders_of_wheels("structured/lib/libkernels.so"), testing::IsEmpty());
  fs::remove_all(site);
}

struct Functions {
  double (*cosine)(double) = nullptr;
  double (*other)(double) = nullptr;
};

Functions open_functions(const char* other) {
  return kernels::open_functions<Functions>("libm.so.6", "and tests go on", [&](void* library, Functions& found) {
    return kernels::find_function(library, "cos", found.cosine) && kernels::find_function(library, other, found.other);
  });
}

TEST(CudaOpenLibrary, OpensFunctions) {
  EXPECT_EQ(warnings_of([] {
              const Functions found = open_functions("sin");
              ASSERT_TRUE(found.cosine != nullptr && found.other != nullptr);
              EXPECT_EQ(found.cosine(0), 1);
            }),
            "");
}

TEST(CudaOpenLibrary, NamesTheFunctionThatIsMissing) {
  const std::string warning = warnings_of([] {
    const Functions found = open_functions("no_such_function");
    EXPECT_TRUE(found.cosine == nullptr && found.other == nullptr);
  });
  EXPECT_THAT(warning, testing::HasSubstr("`libm.so.6` cannot be used, and tests go on"));
  EXPECT_THAT(warning, testing::HasSubstr("no_such_function"));
}

}  // namespace
