// A program built with AddressSanitizer reports overruns of tensors and uses after free, although the runtime is built
// without it. STRUCTURED_HOST_CACHE=0 disables the cache, and so does Valgrind's memcheck.
//
// REQUIRES: projects
// UNSUPPORTED: sanitize
// RUN: rm -rf %t && mkdir %t
// RUN: %gxx -O1 -g1 -fsanitize=address %s %runtime_lib -o %t/checked
// RUN: export LD_LIBRARY_PATH=$(dirname %runtime_lib) ASAN_OPTIONS=detect_leaks=0
// RUN: for n in 6 8 100 960 1000 100000 1000000; do \
// RUN:   %t/checked valid $n > /dev/null || exit 1; \
// RUN:   for access in last+1 last+2 view; do \
// RUN:     not %t/checked $access $n 2>&1 | grep "AddressSanitizer: heap-buffer-overflow" > %t/found || exit 1; \
// RUN:   done; \
// RUN:   not %t/checked freed $n 2>&1 | grep "AddressSanitizer: heap-use-after-free" > %t/found || exit 1; \
// RUN:   not %t/checked before $n 2>&1 | grep "AddressSanitizer: use-after-poison" > %t/found || exit 1; \
// RUN: done
// RUN: %t/checked valid 6 | FileCheck --check-prefix=DISABLED %s
//
// RUN: %gxx -O1 -g1 %s %runtime_lib -o %t/plain
// RUN: %t/plain valid 6 | FileCheck --check-prefix=ENABLED %s
// RUN: env STRUCTURED_HOST_CACHE=1 %t/plain valid 6 | FileCheck --check-prefix=ENABLED %s
// RUN: env STRUCTURED_HOST_CACHE=0 %t/plain valid 6 | FileCheck --check-prefix=DISABLED %s
// RUN: %if valgrind %{ valgrind -q %t/plain freed 6 2>&1 | FileCheck --check-prefix=FREED %s %}
// RUN: %if valgrind %{ valgrind -q %t/plain last+1 6 2>&1 | FileCheck --check-prefix=BEYOND %s %}
// DISABLED: 0 bytes cached
// ENABLED: {{[1-9][0-9]*}} bytes cached
// FREED: Invalid write of size 4
// FREED: bytes inside a block of size {{[0-9]+}} free'd
// BEYOND: Invalid write of size 4
// BEYOND: Address {{.*}} is 0 bytes after a block of size
#include <structured/memory/allocator.h>
#include <structured/core/factory.h>

#include <cstdlib>
#include <iostream>
#include <string>

using namespace structured;

int main(int, char** arguments) {
  const std::string access = arguments[1];
  const std::int64_t n = std::atol(arguments[2]);
  Tensor tensor = zeros({n});
  volatile float* const p = tensor.data_ptr<float>();
  if (access == "last+1") p[n] = 1;
  if (access == "last+2") p[n + 1] = 1;
  if (access == "before") p[-1] = 1;
  if (access == "view") {
    const Tensor tail = as_strided(tensor, {2}, {1}, n - 2);
    const_cast<volatile float&>(tail.data_ptr<float>()[2]) = 1;
  }
  p[n - 1] = 1;
  tensor.reset();
  if (access == "freed") p[n - 1] = 1;
  std::cout << host_cache_statistics().cached_bytes << " bytes cached\n";
}
