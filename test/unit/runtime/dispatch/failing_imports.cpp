// Library with a kernel for an operator that the owner library lacks.
#include "structured/dispatch/imports.h"

namespace structured {
namespace {

std::int64_t same(std::int64_t value) { return value; }

constexpr OperatorOwner owner{"owner", [](std::string_view) -> const OperatorHandle* { return nullptr; }};
constexpr KernelImport kernels[] = {{&owner, "t::gone", "gone(int value) -> int", Backend::CUDA, "failing.cpp",
                                     attach_kernel<std::int64_t(std::int64_t), same>,
                                     detach_kernel<std::int64_t(std::int64_t)>}};
const KernelImports imports("failing", {}, kernels);

}  // namespace
}  // namespace structured
