// A program that is linked with our operators and the CUDA backend and runs where there is no driver: it starts without
// the backend's kernels, computes on the CPU, and an error says that there is no device. With a device it has nothing
// to check.
#include <structured/cuda/device.h>
#include <structured/operators.h>
#include <structured/structured.h>

#include <cstdio>
#include <string>

#include "is_loaded.h"

int main() {
  using namespace structured;
  const bool is_available = cuda::is_available();
  if (!is_available && is_loaded("libstructured_kernels_cuda.so")) {
    std::printf("the kernels for CUDA are loaded where there is no device\n");
    return 1;
  }
  if (!relu(empty({2})).is_cpu()) return 1;
  std::string text;
  try {
    empty({2}, Device(kCUDA));
  } catch (const Error& error) {
    text = error.what();
  }
  std::printf("%s\n", is_available ? "there is a device" : text.c_str());
  return is_available || text.find("found none: the program needs NVIDIA's driver and a GPU") != std::string::npos ? 0
                                                                                                                   : 1;
}
