#pragma once
// Replaces operator new of a program by one that counts its calls. One source of the program includes this.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

// Sanitizers replace operator new, too: with them nothing is counted.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STRUCTURED_COUNTS_NEW 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STRUCTURED_COUNTS_NEW 0
#endif
#ifndef STRUCTURED_COUNTS_NEW
#define STRUCTURED_COUNTS_NEW 1
#endif

namespace structured::test {

inline constexpr bool counts_new = STRUCTURED_COUNTS_NEW == 1;

/// Calls of operator new on all threads. Memory for tensors that is not cached comes from it, too, up to 2 MiB a block.
inline std::atomic<std::size_t> new_calls{0};
/// Called by each of these calls; may allocate memory itself, but not without end.
inline void (*on_new)() = nullptr;

namespace counting_new {

inline void* counted(void* block) {
  ++new_calls;
  if (on_new != nullptr) on_new();
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
inline void* allocate(std::size_t bytes) { return counted(std::malloc(bytes == 0 ? 1 : bytes)); }
inline void* allocate(std::size_t bytes, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, (bytes + step - 1) / step * step));
}

}  // namespace counting_new
}  // namespace structured::test

#if STRUCTURED_COUNTS_NEW
// Where only one of a pair is inlined, g++ 12 warns that memory of `new` is passed to `free`.
[[gnu::noinline]] void* operator new(std::size_t bytes) { return structured::test::counting_new::allocate(bytes); }
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return structured::test::counting_new::allocate(bytes, alignment);
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
#endif
