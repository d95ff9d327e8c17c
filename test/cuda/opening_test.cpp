// The runtime opens the CUDA backend when a program first uses a CUDA device.
#include <gtest/gtest.h>
#include <structured/structured.h>

#include "is_loaded.h"

namespace {

using namespace structured;

TEST(CudaLibrary, IsOpenedByTheFirstCudaTensor) {
  EXPECT_EQ(empty({3}).device(), Device(kCPU));
  EXPECT_FALSE(is_loaded("libstructured_cuda.so"));
  EXPECT_EQ(empty({3}, kCUDA).device(), Device(kCUDA, 0));
  EXPECT_TRUE(is_loaded("libstructured_cuda.so"));
}

}  // namespace
