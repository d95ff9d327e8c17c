// Calls the sample's operator on the first GPU, if there is one, with memory that the host can read.
#include <cuda_runtime.h>
#include <sample/ops/scale.h>
#include <structured/core/factory.h>

#include <cstdio>

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no GPU: nothing is run\n");
    return 0;
  }
  float* data = nullptr;
  if (cudaMallocManaged(&data, 3 * sizeof(float)) != cudaSuccess) return 1;
  for (int i = 0; i < 3; ++i) data[i] = static_cast<float>(i + 1);
  structured::Tensor a = structured::from_blob(data, {3}, structured::Device(structured::DeviceType::CUDA, 0));
  sample::scale_(a, 10.0);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%g %g %g\n", data[0], data[1], data[2]);
}
