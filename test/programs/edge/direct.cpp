// Calls an operator by its function.
#include <edge/ops/add.h>
#include <structured/core/factory.h>

#include <cstdio>

using namespace structured;

int main() {
  const Tensor sum = edge::add(tensor<float>({1, 2}), tensor<float>({3, 5}));
  std::printf("%g %g\n", sum.data_ptr<float>()[0], sum.data_ptr<float>()[1]);
}
