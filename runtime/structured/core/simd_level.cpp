#include "structured/core/simd_level.h"

#include <cstdlib>
#include <string_view>

#include "structured/core/error.h"

namespace structured {

namespace detail {

constinit std::atomic<int> chosen_simd_level{-1};

int choose_simd_level() noexcept {
  int level = static_cast<int>(best_simd_level());
  if (const char* const wanted = std::getenv("STRUCTURED_SIMD")) {
    for (int i = 0; i < level; ++i) {
      if (std::string_view(wanted) == to_string(static_cast<SimdLevel>(i))) level = i;
    }
  }
  int unknown = -1;  // unless someone has set it meanwhile
  return chosen_simd_level.compare_exchange_strong(unknown, level, std::memory_order_relaxed) ? level : unknown;
}

}  // namespace detail

const char* to_string(SimdLevel level) noexcept {
  constexpr const char* names[kSimdLevels] = {"baseline", "avx2", "avx512"};
  return names[static_cast<int>(level)];
}

SimdLevel best_simd_level() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return SimdLevel::baseline;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has_avx512 ? SimdLevel::avx512 : SimdLevel::avx2;
#else
  return SimdLevel::baseline;
#endif
}

void set_simd_level(SimdLevel level) {
  STRUCTURED_CHECK(level <= best_simd_level(), "this machine has no ", to_string(level), ", expected at most ",
                   to_string(best_simd_level()));
  detail::chosen_simd_level.store(static_cast<int>(level), std::memory_order_relaxed);
}

}  // namespace structured
