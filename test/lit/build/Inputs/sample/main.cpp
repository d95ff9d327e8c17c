// Calls each variant of the sample's operator.
#include <sample/ops/scale.h>
#include <structured/core/factory.h>

#include <cstdio>

int main() {
  structured::Tensor a = structured::tensor<float>({1, 2, 3}, {3});
  structured::Tensor b = sample::scale(a);
  structured::Tensor c = sample::scale(b, 10.0);
  sample::scale_(a, 0.5);
  structured::Tensor d = structured::empty({3}, a.options());
  sample::scale_out(d, c, 2.0);
  std::printf("a %g b %g c %g d %g\n", a.data_ptr<float>()[2], b.data_ptr<float>()[2], c.data_ptr<float>()[2],
              d.data_ptr<float>()[2]);
}
