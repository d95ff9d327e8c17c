// Three libraries have an operator `add`; each call reaches its own.
#include <first/operators.h>
#include <second/operators.h>
#include <structured/core/factory.h>
#include <structured/ops/add.h>

#include <cstdio>

using structured::Tensor;

float value(const Tensor& tensor) { return tensor.data_ptr<float>()[0]; }

int main() {
  const Tensor a = structured::tensor<float>({5}, {1});
  const Tensor b = structured::tensor<float>({3}, {1});
  std::printf("first %g second %g ours %g\n", value(first::add(a, b)), value(second::add(a, b)),
              value(structured::add(a, b, 2)));
  Tensor c = structured::tensor<float>({1}, {1});
  first::add_(c, a);
  second::add_(c, b);
  std::printf("in place %g\n", value(c));
  std::printf("%s %s\n", std::string(first::find_operator("first::add")->schema()).c_str(),
              second::find_operator("first::add") == nullptr ? "not in second" : "in second");
}
