// Bodies of function templates are instantiated after parsing, which may implicitly declare entities such as the copy
// of an array member or a builtin function. Bodies of generic lambdas are analyzed without instantiation; there,
// initializers of variables of dependent type have no type.
//
// RUN: %structured_gen check %s -- -std=c++20 -I%runtime | count 0
// RUN: not %structured_gen check %s -- -std=c++20 -I%runtime -DFORGETS 2>&1 | FileCheck %s

#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

namespace structured::kernels {

struct Steps {
  int64_t values[4];
};

template <class T>
void assign(MetaBase& op, const Tensor& self, T& to, const T& from) {
  to = from;
#ifdef FORGETS
  if (to.values[0] == 0) return;
#endif
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}

[[structured::meta("copied", "copied.out")]]
void copied_meta(MetaBase& op, const Tensor& self) {
  Steps to{};
  assign(op, self, to, Steps{});
}
// CHECK: error: {{.*}} [structured-output-unset]

template <class T>
struct Parts {
  Parts(int64_t count, T value);
  bool empty() const;
};

template <class T>
void store(const Parts<T>& parts, int64_t count, const Tensor& out);
void run(int64_t count, const float* from);

template <class F>
void visit(F&& f) {
  f.template operator()<float>();
}

[[structured::impl("copied.out", "CPU")]]
void copied_cpu(const Tensor& self, const Tensor& out) {
  visit([&]<class T>() {
    Parts<T> parts(self.defined() ? 1 : 0, T(0));
    const auto part = [&](int64_t i) { run(i, parts.empty() ? nullptr : self.data_ptr<float>()); };
    part(0);
    store(parts, 1, out);
  });
}

}  // namespace structured::kernels
