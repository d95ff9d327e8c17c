// Triangular parts of matrices on CPU.
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace structured::kernels {
namespace {

template <class Bits>
struct [[gnu::may_alias]] Word {
  Bits bits;
};
struct [[gnu::may_alias]] Word16 {
  uint64_t halves[2];
};

// Copies columns [begin, end) of a row and sets the others to 0. Steps are in elements.
template <class W>
void keep(W* to, int64_t to_step, const W* from, int64_t from_step, int64_t begin, int64_t end) {
  if (begin >= end || to == from) return;
  if (to_step == 1 && from_step == 1) {
    std::memcpy(static_cast<void*>(to + begin), from + begin, static_cast<size_t>(end - begin) * sizeof(W));
    return;
  }
  for (int64_t i = begin; i < end; ++i) to[i * to_step] = from[i * from_step];
}

template <class W>
void clear(W* to, int64_t to_step, int64_t begin, int64_t end) {
  if (begin >= end) return;
  if (to_step == 1) {
    std::memset(static_cast<void*>(to + begin), 0, static_cast<size_t>(end - begin) * sizeof(W));
    return;
  }
  for (int64_t i = begin; i < end; ++i) to[i * to_step] = W{};
}

template <class W>
void triangle(const Tensor& self, int64_t diagonal, bool is_upper, const Tensor& out) {
  const int64_t rows = self.size(-2);
  const int64_t columns = self.size(-1);
  diagonal = std::clamp(diagonal, -rows - 1, columns + 1);  // so that sums with it do not overflow
  W* const to = static_cast<W*>(out.data());
  const W* const from = static_cast<const W*>(self.data());
  const int64_t to_step = out.stride(-1);
  const int64_t from_step = self.stride(-1);
  parallel_for(0, self.numel() / columns, kGrainSize / columns + 1, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const int64_t row = k % rows;
      int64_t rest = k / rows;
      int64_t to_offset = row * out.stride(-2);
      int64_t from_offset = row * self.stride(-2);
      for (int64_t d = self.dim() - 3; d >= 0; --d) {
        to_offset += rest % self.size(d) * out.stride(d);
        from_offset += rest % self.size(d) * self.stride(d);
        rest /= self.size(d);
      }
      const int64_t middle = std::clamp<int64_t>(row + diagonal + !is_upper, 0, columns);
      if (is_upper) {
        clear(to + to_offset, to_step, 0, middle);
        keep(to + to_offset, to_step, from + from_offset, from_step, middle, columns);
      } else {
        keep(to + to_offset, to_step, from + from_offset, from_step, 0, middle);
        clear(to + to_offset, to_step, middle, columns);
      }
    }
  });
}

void triangle_of_any(const Tensor& self, int64_t diagonal, bool is_upper, const Tensor& out) {
  if (self.numel() == 0) return;
  switch (item_size_log2(self.scalar_type())) {
    case 0:
      return triangle<Word<uint8_t>>(self, diagonal, is_upper, out);
    case 1:
      return triangle<Word<uint16_t>>(self, diagonal, is_upper, out);
    case 2:
      return triangle<Word<uint32_t>>(self, diagonal, is_upper, out);
    case 3:
      return triangle<Word<uint64_t>>(self, diagonal, is_upper, out);
    default:
      return triangle<Word16>(self, diagonal, is_upper, out);
  }
}

}  // namespace

[[structured::impl("tril.out", "CPU")]]
void tril_cpu(const Tensor& self, int64_t diagonal, const Tensor& out) {
  triangle_of_any(self, diagonal, false, out);
}

[[structured::impl("triu.out", "CPU")]]
void triu_cpu(const Tensor& self, int64_t diagonal, const Tensor& out) {
  triangle_of_any(self, diagonal, true, out);
}

}  // namespace structured::kernels
