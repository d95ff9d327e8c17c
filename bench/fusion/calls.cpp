// calls LIBRARY [-- ARGUMENTS...]: eager calls of operators that compilers see, and of the operators with their
// kernels, which they call in turn. Cases are named "FORM | OPERATOR"; overhead/cases.h describes ARGUMENTS.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "overhead/cases.h"

namespace {

using SoftClip = at::Tensor(const at::Tensor&, const at::Scalar&);
using Swish = at::Tensor(const at::Tensor&);

template <class F>
c10::TypedOperatorHandle<F> find(const std::string& name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(("fusion::" + name).c_str(), "").typed<F>();
}

template <class Function>
void add_cases(const std::string& form, bool requires_grad, Function call_of) {
  for (const std::string prefix : {"", "_opaque_"}) {
    overhead::add_case(form + (prefix.empty() ? " | seen" : " | opaque"), [=] {
      return
          [call = call_of(prefix), self = at::ones(1).set_requires_grad(requires_grad)] { overhead::keep(call(self)); };
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::fprintf(stderr, "%s\n", argc < 2 ? "calls: expected a library" : dlerror());
    return 1;
  }
  at::set_num_threads(1);
  const auto soft_clip = [](const std::string& prefix) {
    return [op = find<SoftClip>(prefix + "soft_clip"), limit = at::Scalar(1)](const at::Tensor& self) {
      return op.call(self, limit);
    };
  };
  const auto swish = [](const std::string& prefix) {
    return [op = find<Swish>(prefix + "swish")](const at::Tensor& self) { return op.call(self); };
  };
  add_cases("soft_clip", false, soft_clip);
  add_cases("swish", false, swish);
  add_cases("soft_clip with gradients", true, soft_clip);
  const int first = argc > 2 && std::string(argv[2]) == "--" ? 2 : 1;
  argv[first] = argv[0];
  return overhead::run_cases(argc - first, argv + first);
}
