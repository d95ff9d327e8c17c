// Counts what the registration of imported kernels asks the dynamic loader, which takes microseconds to answer. A
// program of its own: it takes the place of two functions of the C library.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "structured/dispatch/imports.h"

namespace {

std::size_t loader_calls = 0;

template <class Function>
Function* in_c_library(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int dladdr(const void* address, Dl_info* info) noexcept {
  static auto* const original = in_c_library<int(const void*, Dl_info*)>("dladdr");
  ++loader_calls;
  return original(address, info);
}

extern "C" int dl_iterate_phdr(int (*visit)(dl_phdr_info*, std::size_t, void*), void* context) {
  static auto* const original = in_c_library<int(int (*)(dl_phdr_info*, std::size_t, void*), void*)>("dl_iterate_phdr");
  ++loader_calls;
  return original(visit, context);
}

namespace structured {
namespace {

using Signature = int64_t(int64_t);

constinit Operator<Signature> operators[] = {{"t::a", "a(int value) -> int", {}},
                                             {"t::b", "b(int value) -> int", {}},
                                             {"t::c", "c(int value) -> int", {}},
                                             {"t::d", "d(int value) -> int", {}}};
constexpr OperatorHandle handles[] = {{"t::a", &operators[0], nullptr},
                                      {"t::b", &operators[1], nullptr},
                                      {"t::c", &operators[2], nullptr},
                                      {"t::d", &operators[3], nullptr}};
constexpr OperatorOwner owner{"owner", [](std::string_view name) { return detail::find_operator(handles, name); }};

int64_t doubled(int64_t value) { return 2 * value; }
constexpr KernelImport import(std::string_view op, std::string_view schema) {
  return {
      &owner, op, schema, Backend::CUDA, "kernels.cpp", attach_kernel<Signature, doubled>, detach_kernel<Signature>};
}
constexpr KernelImport kernels[] = {import("t::a", "a(int value) -> int"), import("t::b", "b(int value) -> int"),
                                    import("t::c", "c(int value) -> int"), import("t::d", "d(int value) -> int")};

// Calls of the loader while the first `count` kernels are registered and removed again.
std::size_t calls_for(std::size_t count) {
  const std::size_t before = loader_calls;
  {
    const KernelImports imports("npu", {}, ArrayRef(kernels, count));
    EXPECT_EQ(operators[count - 1].call(Backend::CUDA, 5), 10);
  }
  EXPECT_EQ(operators[count - 1].kernel(Backend::CUDA), nullptr);
  return loader_calls - before;
}

TEST(LoaderCalls, DoNotGrowWithTheNumberOfKernels) {
  const std::size_t for_one = calls_for(1);
  EXPECT_GT(for_one, 0u);
  EXPECT_EQ(calls_for(4), for_one);
}

}  // namespace
}  // namespace structured
