// Library with a kernel for an operator that the owner library lacks.
#include "structured/dispatch/imports.h"

namespace structured {
namespace {

int64_t same(int64_t value) { return value; }

constexpr OperatorOwner owner{"owner", [](std::string_view) -> const OperatorHandle* { return nullptr; }};
constexpr KernelImport kernels[] = {{&owner, "t::gone", "gone(int value) -> int", Backend::CUDA, "failing.cpp",
                                     attach_kernel<int64_t(int64_t), same>, detach_kernel<int64_t(int64_t)>}};
const KernelImports imports("failing", {}, kernels);

}  // namespace
}  // namespace structured
