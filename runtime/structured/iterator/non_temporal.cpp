#include "structured/iterator/non_temporal.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>

#include "structured/device/simd_level.h"
#endif

namespace structured {

#if defined(__x86_64__)
namespace {

constexpr std::size_t kLine = 64;

void stream_lines(char* to, const char* from, std::size_t count) {
  for (; count > 0; --count, to += kLine, from += kLine) {
    for (std::size_t part = 0; part < kLine; part += sizeof(__m128i)) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + part),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + part)));
    }
  }
}

// One store per cache line does not wait in a write-combining buffer.
__attribute__((target("avx512f"))) void stream_whole_lines(char* to, const char* from, std::size_t count) {
  for (; count > 0; --count, to += kLine, from += kLine) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
  }
}

}  // namespace

void non_temporal_copy(void* to, const void* from, std::size_t bytes) noexcept {
  const auto* in = static_cast<const char*>(from);
  auto* out = static_cast<char*>(to);
  const std::size_t head = std::min(bytes, -reinterpret_cast<std::uintptr_t>(to) % kLine);
  const std::size_t lines = (bytes - head) / kLine;
  const std::size_t tail = head + lines * kLine;
  std::memcpy(out, in, head);
  const bool has_whole_lines = simd_level() == SimdLevel::avx512;
  (has_whole_lines ? stream_whole_lines : stream_lines)(out + head, in + head, lines);
  std::memcpy(out + tail, in + tail, bytes - tail);
}

void non_temporal_fence() noexcept { _mm_sfence(); }
#else
void non_temporal_copy(void* to, const void* from, std::size_t bytes) noexcept { std::memcpy(to, from, bytes); }

void non_temporal_fence() noexcept {}
#endif

}  // namespace structured
