#include "structured/device/simd_level.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cstdlib>
#include <string_view>

#include "structured/base/error.h"

namespace structured {

namespace detail {

constinit std::atomic<int64_t> chosen_simd_level{-1};

int64_t choose_simd_level() noexcept {
  auto level = static_cast<int64_t>(best_simd_level());
  if (const char* const wanted = std::getenv("STRUCTURED_SIMD")) {
    for (int64_t i = 0; i < level; ++i) {
      if (std::string_view(wanted) == to_string(static_cast<SimdLevel>(i))) level = i;
    }
  }
  int64_t unknown = -1;  // unless another thread has set it meanwhile
  return chosen_simd_level.compare_exchange_strong(unknown, level, std::memory_order_relaxed) ? level : unknown;
}

}  // namespace detail

const char* to_string(SimdLevel level) noexcept {
  constexpr const char* names[kSimdLevels] = {"baseline", "avx2", "avx512"};
  return names[static_cast<std::size_t>(level)];
}

#if defined(__x86_64__)
namespace {

// Avoids __builtin_cpu_supports, which would link a function that runs whenever the library is loaded.
SimdLevel find_simd_level() noexcept {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned first_wanted = 1u << 12 | 1u << 27 | 1u << 28 | 1u << 29;  // FMA, OSXSAVE, AVX, F16C
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & first_wanted) != first_wanted) return SimdLevel::baseline;
  unsigned saved = 0, saved_high = 0;  // which registers the operating system keeps when it switches threads
  __asm__("xgetbv" : "=a"(saved), "=d"(saved_high) : "c"(0));
  constexpr unsigned ymm = 0x6, zmm = 0xe6;
  constexpr unsigned avx2 = 1u << 3 | 1u << 5 | 1u << 8;                  // BMI, AVX2, BMI2
  constexpr unsigned avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;  // F, DQ, BW, VL
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 || (ebx & avx2) != avx2 || (saved & ymm) != ymm) {
    return SimdLevel::baseline;
  }
  return (ebx & avx512) == avx512 && (saved & zmm) == zmm ? SimdLevel::avx512 : SimdLevel::avx2;
}

}  // namespace
#endif

SimdLevel best_simd_level() noexcept {
#if defined(__x86_64__)
  return find_simd_level();
#else
  return SimdLevel::baseline;
#endif
}

void set_simd_level(SimdLevel level) {
  STRUCTURED_CHECK(level <= best_simd_level(), "this machine has no ", to_string(level), ", expected at most ",
                   to_string(best_simd_level()));
  detail::chosen_simd_level.store(static_cast<int64_t>(level), std::memory_order_relaxed);
}

}  // namespace structured
