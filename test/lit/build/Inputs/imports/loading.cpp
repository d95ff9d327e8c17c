// Loads the libraries named by its arguments, one after the other, and prints the effect of `scale` after each.
#include <dlfcn.h>
#include <my/shapes/find_operator.h>
#include <my/shapes/operators.h>
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/dispatch/imports.h>

#include <cstdio>
#include <cstring>

namespace {

void call() {
  try {
    const structured::Tensor a = structured::tensor<float>({1, 2}, {2});
    std::printf("scale gives %g\n", my::shapes::scale(a, 3).data_ptr<float>()[1]);
  } catch (const structured::Error& error) {
    std::printf("error: %s\n", error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (my::shapes::find_operator("my::scale") == nullptr) return 1;
  call();
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "load:", 5) == 0) {
      try {
        structured::load_library(argv[i] + 5);
      } catch (const structured::Error& error) {
        std::printf("error: %s\n", error.what());
      }
      call();
      continue;
    }
    void* library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    std::printf("%s\n", library != nullptr ? "opened" : dlerror());
    call();
    if (library != nullptr && dlclose(library) == 0) {
      std::printf("closed\n");
      call();
    }
  }
}
