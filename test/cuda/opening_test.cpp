// The runtime opens the CUDA backend when a program first uses a CUDA device.
#include <gtest/gtest.h>
#include <structured/structured.h>

#include <fstream>
#include <sstream>
#include <string>

namespace {

using namespace structured;

bool is_loaded(const std::string& library) {
  std::stringstream text;
  text << std::ifstream("/proc/self/maps").rdbuf();
  return text.str().find(library) != std::string::npos;
}

TEST(CudaLibrary, IsOpenedByTheFirstCudaTensor) {
  EXPECT_EQ(empty({3}).device(), Device(kCPU));
  EXPECT_FALSE(is_loaded("libstructured_cuda.so"));
  EXPECT_EQ(empty({3}, kCUDA).device(), Device(kCUDA, 0));
  EXPECT_TRUE(is_loaded("libstructured_cuda.so"));
}

}  // namespace
