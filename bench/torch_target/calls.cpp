// calls LIBRARIES... [-- ARGUMENTS...]: calls of add in one process: PyTorch's own, the emitted one and the one by
// hand. Cases are named "FORM | IMPLEMENTATION"; overhead/cases.h describes ARGUMENTS.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/InferenceMode.h>
#include <dlfcn.h>

#include <cstdio>
#include <string>
#include <vector>

#include "overhead/cases.h"

namespace {

using Functional = at::Tensor(const at::Tensor&, const at::Tensor&, const at::Scalar&);
using Out = at::Tensor&(const at::Tensor&, const at::Tensor&, const at::Scalar&, at::Tensor&);
using Inplace = at::Tensor&(at::Tensor&, const at::Tensor&, const at::Scalar&);

template <class F>
c10::TypedOperatorHandle<F> find(const char* name, const char* overload = "") {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload).typed<F>();
}

struct Implementation {
  std::string name;
  c10::TypedOperatorHandle<Functional> add;
};

// Cases of one form follow each other: what earlier calls left in malloc's lists changes the instructions of later
// ones.
void add_functional_cases(const std::vector<Implementation>& all) {
  const auto call_on = [](const Implementation& one, bool requires_grad) {
    const at::Tensor a = at::ones(1).set_requires_grad(requires_grad), b = at::ones(1);
    return [=, alpha = at::Scalar(1)] { overhead::keep(one.add.call(a, b, alpha)); };
  };
  for (const Implementation& one : all) {
    overhead::add_case("functional | " + one.name, [=] { return call_on(one, false); });
  }
  for (const Implementation& one : all) {
    overhead::add_case("inference mode | " + one.name, [=] {
      const c10::InferenceMode mode;
      return [call = call_on(one, false)] {
        const c10::InferenceMode inner;
        call();
      };
    });
  }
  for (const Implementation& one : all) {
    overhead::add_case("with gradients | " + one.name, [=] { return call_on(one, true); });
  }
}

void add_mutating_cases(const std::string& name, c10::TypedOperatorHandle<Out> out,
                        c10::TypedOperatorHandle<Inplace> inplace) {
  overhead::add_case("out= | " + name, [=] {
    const at::Tensor a = at::ones(1), b = at::ones(1);
    return [=, result = at::empty(1), alpha = at::Scalar(1)]() mutable { out.call(a, b, alpha, result); };
  });
  overhead::add_case("in-place | " + name, [=] {
    const at::Tensor b = at::ones(1);
    return [=, a = at::ones(1), alpha = at::Scalar(1)]() mutable { inplace.call(a, b, alpha); };
  });
}

void add_loop_cases(const std::string& name, c10::TypedOperatorHandle<Out> out) {
  for (const at::ScalarType dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
    overhead::add_timed_case(std::string("65,536 of ") + c10::toString(dtype) + " | " + name, [=] {
      const at::Tensor a = at::ones(65536, dtype), b = at::ones(65536, dtype);
      return [=, result = at::empty(65536, dtype), alpha = at::Scalar(2)]() mutable { out.call(a, b, alpha, result); };
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  int i = 1;
  for (; i < argc && std::string(argv[i]) != "--"; ++i) {
    if (dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
  }
  at::set_num_threads(1);
  const auto aten_out = find<Out>("aten::add", "out");
  add_functional_cases({{"at::add", find<Functional>("aten::add", "Tensor")},
                        {"emitted", find<Functional>("emitted::add")},
                        {"by hand", find<Functional>("handwritten::add")}});
  add_mutating_cases("at::add", aten_out, find<Inplace>("aten::add_", "Tensor"));
  add_mutating_cases("emitted", find<Out>("emitted::add", "out"), find<Inplace>("emitted::add_"));
  add_loop_cases("at::add", aten_out);
  add_loop_cases("emitted", find<Out>("emitted::scalar_add", "out"));
  argv[i < argc ? i : argc - 1] = argv[0];
  return overhead::run_cases(argc - i, argv + i);
}
