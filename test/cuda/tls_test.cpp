// A program opens the CUDA backend late, when other libraries may have used up glibc's room for thread-local variables
// of the initial-exec TLS model.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <structured/structured.h>

#include <cstdio>
#include <string>

namespace {

TEST(CudaLibrary, NeedsNoRoomForThreadLocalMemory) {
  structured::empty({3});  // the program uses the runtime
  unsigned used = 0;
  int refused = 0;
  for (const unsigned bytes : {1024, 512, 256, 128, 64, 32, 16, 8}) {
    for (const char copy : {'a', 'b'}) {
      const std::string name = "libtls_filler_" + std::to_string(bytes) + copy + ".so";
      if (dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) {
        used += bytes;
      } else {
        const std::string error = dlerror();
        ASSERT_NE(error.find("static TLS"), std::string::npos) << error;
        ++refused;
      }
    }
  }
  std::fprintf(stderr, "%u bytes are used up\n", used);
  EXPECT_GT(refused, 0) << "the test cannot fail: there is room for all libraries";
  EXPECT_NE(dlopen("libstructured_cuda.so", RTLD_NOW), nullptr) << dlerror();
}

}  // namespace
