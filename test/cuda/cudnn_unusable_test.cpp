// Convolutions where cuDNN is installed and cannot be used: the emulated devices are none to cuDNN itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/base/error.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "compare_with_cpu.h"

namespace {

using namespace structured;
using namespace structured::test;

constexpr const char* kFolder = "/usr/local/cuda/lib64";

std::string warnings;

TEST(CudaConvolution, RunsOurKernelsWhereCudnnCannotBeUsed) {
  if (!std::filesystem::exists(std::string(kFolder) + "/libcudnn.so.9")) {
    GTEST_SKIP() << "cuDNN is not installed in " << kFolder;
  }
  if (std::filesystem::exists("/dev/nvidia0")) GTEST_SKIP() << "cuDNN finds a GPU";
  ASSERT_EQ(setenv("STRUCTURED_CUDA_LIBRARIES", kFolder, 1), 0);
  const WarningHandler previous = set_warning_handler([](const char* text) { warnings += text; });
  for (int i = 0; i < 2; ++i) {
    compare({sample({2, 3, 5, 5}), sample({4, 3, 3, 3}, kFloat, 2)},
            [](const Tensors& in) -> Tensors { return {conv2d(in[0], in[1])}; });
  }
  set_warning_handler(previous);
  const std::string expected = "`libcudnn.so.9` cannot be used, and slower kernels compute convolutions; CUDNN_STATUS_";
  EXPECT_THAT(warnings, testing::HasSubstr(expected));
  EXPECT_EQ(warnings.find(expected), warnings.rfind(expected)) << "once for a device";
}

}  // namespace
