#include "structured/dispatch/call_stack.h"

#if defined(__ELF__)

#include <cxxabi.h>
#include <dlfcn.h>
#include <unwind.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string_view>

namespace structured::detail {
namespace {

struct Addresses {
  std::array<std::uintptr_t, 64> addresses;
  std::size_t count = 0;
};

_Unwind_Reason_Code add_address(_Unwind_Context* context, void* into) {
  auto& found = *static_cast<Addresses*>(into);
  if (found.count == found.addresses.size()) return _URC_END_OF_STACK;
  found.addresses[found.count++] = static_cast<std::uintptr_t>(_Unwind_GetIP(context)) - 1;  // within the call
  return _URC_NO_REASON;
}

std::string demangled(const char* symbol) {
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr), &std::free);
  return name ? name.get() : symbol;
}

bool is_own(std::string_view image) {
  const std::string_view file = image.substr(image.rfind('/') + 1);
  return file.starts_with("libstructured_");
}

}  // namespace

std::string describe_call_stack() {
  Addresses found;
  _Unwind_Backtrace(&add_address, &found);
  std::ostringstream text;
  for (std::size_t i = 0; i < found.count; ++i) {
    Dl_info info;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the unwinder returns addresses as integers
    if (dladdr(reinterpret_cast<const void*>(found.addresses[i]), &info) == 0 || info.dli_fname == nullptr) continue;
    if (is_own(info.dli_fname)) continue;
    text << "  " << (info.dli_sname != nullptr ? demangled(info.dli_sname) : "?") << " in " << info.dli_fname << "+0x"
         << std::hex << found.addresses[i] - reinterpret_cast<std::uintptr_t>(info.dli_fbase) << std::dec << "\n";
  }
  return text.str();
}

}  // namespace structured::detail

#else

namespace structured::detail {

std::string describe_call_stack() { return {}; }

}  // namespace structured::detail

#endif
