// Compares the operator with expected values.
#include <my_ops/ops/smooth_abs.h>
#include <structured/structured.h>

#include <iostream>

int main() {
  const structured::Tensor a = structured::tensor<double>({-2, 0, 3});
  const structured::Tensor result = my_ops::smooth_abs(a, 0);
  std::cout << result << "\n";
  const double expected[] = {2, 0, 3};
  for (int i = 0; i < 3; ++i) {
    if (result.data_ptr<double>()[i] != expected[i]) return 1;
  }
}
