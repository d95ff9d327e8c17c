// Calls operators of `shapes`, whose kernels are in `cpu`; the program is linked with `cpu` and uses none of its symbols.
#include <my/shapes/operators.h>
#include <structured/base/error.h>
#include <structured/core/factory.h>

#include <cstdio>

using structured::Tensor;

int main() {
  Tensor a = structured::tensor<float>({1, 2, 3, 4}, {4});
  const Tensor b = my::shapes::scale(a);
  my::shapes::scale_(a, 10);
  Tensor c = structured::tensor<float>({0}, {1});
  my::shapes::scale_out(c, a, 0.5);
  const Tensor d = my::shapes::head(a);
  std::printf("b %g a %g c %g, %d of %g, first %g\n", b.data_ptr<float>()[3], a.data_ptr<float>()[3],
              c.data_ptr<float>()[3], static_cast<int>(d.numel()), d.data_ptr<float>()[1], my::shapes::first(a));
  try {
    my::shapes::scale(structured::tensor<float>({1}, {1, 1}));
  } catch (const structured::Error& error) {
    std::printf("%s\n", error.what());
  }
  std::printf("%s", my::shapes::dispatch_table("my::scale.out").c_str());
}
