#pragma once
// Symbol visibility of libstructured_cuda.
#define STRUCTURED_CUDA_API __attribute__((visibility("default")))
