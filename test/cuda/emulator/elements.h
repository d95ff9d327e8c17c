#pragma once
// Elements of the types that NVIDIA's libraries compute with, for the libraries that take their place.
#include <library_types.h>
#include <structured/number/bfloat16.h>
#include <structured/number/half.h>

#include <complex>
#include <cstddef>
#include <cstring>

namespace emulator {

using Number = std::complex<double>;

inline std::size_t size_of(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
      return 4;
    case CUDA_C_64F:
      return 16;
    default:
      return 8;
  }
}

template <class T>
T read(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
void write(char* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

inline Number load(cudaDataType_t type, const char* from) {
  switch (type) {
    case CUDA_R_16F:
      return static_cast<float>(read<structured::Half>(from));
    case CUDA_R_16BF:
      return static_cast<float>(read<structured::BFloat16>(from));
    case CUDA_R_32F:
      return read<float>(from);
    case CUDA_R_64F:
      return read<double>(from);
    case CUDA_C_32F:
      return Number(read<std::complex<float>>(from));
    default:
      return read<Number>(from);
  }
}

inline void store(cudaDataType_t type, char* to, Number value) {
  switch (type) {
    case CUDA_R_16F:
      return write(to, structured::Half(static_cast<float>(value.real())));
    case CUDA_R_16BF:
      return write(to, structured::BFloat16(static_cast<float>(value.real())));
    case CUDA_R_32F:
      return write(to, static_cast<float>(value.real()));
    case CUDA_R_64F:
      return write(to, value.real());
    case CUDA_C_32F:
      return write(to, std::complex<float>(value));
    default:
      return write(to, value);
  }
}

}  // namespace emulator
