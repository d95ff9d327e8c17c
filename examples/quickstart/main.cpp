// Calls the three variants of the operator in smooth_abs.cpp, by function and by name, and on a tensor without data.
#include <quickstart/operators.h>
#include <structured/structured.h>

#include <iostream>

using structured::Tensor;

int main() {
  const Tensor a = structured::tensor<float>({-3, 2, 4, -0.5F}, {2, 2});
  std::cout << "smooth_abs(a):\n" << quickstart::smooth_abs(a) << "\n\n";

  Tensor b = structured::tensor<double>({-1, 2});
  quickstart::smooth_abs_(b, 0.25);
  std::cout << "smooth_abs_(b, 0.25):\n" << b << "\n\n";

  Tensor out = structured::empty({2, 2}, structured::kFloat);
  quickstart::smooth_abs_out(out, a);
  std::cout << "smooth_abs_out(out, a):\n" << out << "\n\n";

  const Tensor shape_only = structured::empty({1000000, 1000000}, structured::kMeta);
  std::cout << "on the Meta backend: " << quickstart::smooth_abs(shape_only).sizes() << "\n";

  std::cout << "by name: " << quickstart::find_operator("quickstart::smooth_abs.out")->schema() << "\n";
}
