#include "structured/iterator/move_elements.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "structured/core/dim_vector.h"
#include "structured/iterator/leveled.h"
#include "structured/iterator/loops.h"
#include "structured/iterator/non_temporal.h"
#include "structured/iterator/parallel.h"

namespace structured {
namespace {

constexpr int64_t kLineBytes = 64;
constexpr int64_t kShortRow = 8;  // below the cost of calling memcpy

// Unsigned type of an element of this size.
template <class Bits>
struct [[gnu::may_alias]] Word {
  Bits bits;
};
struct [[gnu::may_alias]] Word16 {
  uint64_t halves[2];
};

// Copies the parts one by one: compilers do not vectorize assignments of structures.
template <class Bits>
void assign(Word<Bits>& to, const Word<Bits>& from) {
  to.bits = from.bits;
}
void assign(Word16& to, const Word16& from) { to = from; }

struct Dimension {
  int64_t size;
  int64_t to;
  int64_t from;
};

// Dimensions in order of their stride in `to`, smallest first, coalesced.
class Walk {
 public:
  Walk(IntArrayRef sizes, IntArrayRef to_strides, IntArrayRef from_strides) {
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] != 1) insert({sizes[d], to_strides[d], from_strides[d]});
    }
    merge();
  }

  std::size_t rank() const { return rank_; }
  const Dimension& operator[](std::size_t d) const { return dims_[d]; }
  void move_to_front(std::size_t d, std::size_t place) { std::rotate(dims_ + place, dims_ + d, dims_ + d + 1); }

 private:
  static int64_t size_of(int64_t step) { return step < 0 ? -step : step; }

  void insert(Dimension dim) {
    std::size_t place = rank_++;
    for (; place > 0; --place) {
      const Dimension& other = dims_[place - 1];
      const bool is_smaller = size_of(dim.to) < size_of(other.to) ||
                              (size_of(dim.to) == size_of(other.to) && size_of(dim.from) < size_of(other.from));
      if (!is_smaller) break;
      dims_[place] = other;
    }
    dims_[place] = dim;
  }

  void merge() {
    std::size_t kept = 0;
    for (std::size_t d = 1; d < rank_; ++d) {
      Dimension& last = dims_[kept];
      if (dims_[d].to == last.to * last.size && dims_[d].from == last.from * last.size) {
        last.size *= dims_[d].size;
      } else {
        dims_[++kept] = dims_[d];
      }
    }
    rank_ = std::min(rank_, kept + 1);
  }

  std::size_t rank_ = 0;
  Dimension dims_[kMaxDims];
};

// Offsets of index number `position` of the dimensions from `first` on.
class Odometer {
 public:
  Odometer(const Walk& walk, std::size_t first, int64_t position) : walk_(walk), first_(first) {
    for (std::size_t d = first; d < walk.rank(); ++d) {
      const int64_t index = position % walk[d].size;
      position /= walk[d].size;
      index_[d] = index;
      to += index * walk[d].to;
      from += index * walk[d].from;
    }
  }

  void advance() {
    for (std::size_t d = first_; d < walk_.rank(); ++d) {
      to += walk_[d].to;
      from += walk_[d].from;
      if (++index_[d] < walk_[d].size) return;
      to -= walk_[d].to * walk_[d].size;
      from -= walk_[d].from * walk_[d].size;
      index_[d] = 0;
    }
  }

  int64_t to = 0;
  int64_t from = 0;

 private:
  const Walk& walk_;
  const std::size_t first_;
  int64_t index_[kMaxDims];
};

int64_t count_from(const Walk& walk, std::size_t first) {
  int64_t count = 1;
  for (std::size_t d = first; d < walk.rank(); ++d) count *= walk[d].size;
  return count;
}

// Repeats a block that fits into the L1 cache.
template <class W>
void repeat_element(W* to, W element, int64_t count, bool streams) {
  constexpr int64_t block = 4096 / static_cast<int64_t>(sizeof(W));
  int64_t done = std::min(count, block);
  std::fill(to, to + done, element);
  for (; done < count; done += block) {
    const auto bytes = static_cast<std::size_t>(std::min(block, count - done)) * sizeof(W);
    if (streams) {
      non_temporal_copy(to + done, to, bytes);
    } else {
      std::memcpy(static_cast<void*>(to + done), to, bytes);
    }
  }
}

// Writes elements in reverse order.
template <class W>
struct Reverse {
  static void run(W* to, const W* last, int64_t count) {
    STRUCTURED_INDEPENDENT_LOOP
    for (int64_t i = 0; i < count; ++i) assign(to[i], last[-i]);
  }
};

// Smallest row that amortizes the call for non-temporal stores.
constexpr int64_t kStreamedRow = 256;

template <class W>
void move_row(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count, bool streams) {
  constexpr auto size = static_cast<int64_t>(sizeof(W));
  if (to_step == size && from_step == size && count >= kShortRow) {
    const auto bytes = static_cast<std::size_t>(count * size);
    if (streams && count >= kStreamedRow) {
      non_temporal_copy(to, from, bytes);
    } else {
      std::memcpy(to, from, bytes);
    }
    return;
  }
  if (to_step == size) {
    W* const out = reinterpret_cast<W*>(to);
    if (from_step == -size) {
      run_leveled<Reverse<W>>(out, reinterpret_cast<const W*>(from), count);
      return;
    }
    if (from_step == 0) {
      repeat_element(out, *reinterpret_cast<const W*>(from), count, streams);
      return;
    }
  }
  for (int64_t i = 0; i < count; ++i) {
    *reinterpret_cast<W*>(to + i * to_step) = *reinterpret_cast<const W*>(from + i * from_step);
  }
}

// Writes each of `count` elements `times` times in a row.
template <class W, int times>
void repeat_each(char* to, const char* from, int64_t from_step, int64_t count) {
  W* const out = reinterpret_cast<W*>(to);
  for (int64_t k = 0; k < count; ++k) {
    const W element = *reinterpret_cast<const W*>(from + k * from_step);
    for (int i = 0; i < times; ++i) assign(out[times * k + i], element);
  }
}

// Writes `count` rows of one column. Short rows are written column-wise, a part of the column at a time.
template <class W>
void move_block(char* to, const char* from, const Dimension& row, const Dimension& column, int64_t count,
                bool streams) {
  if (row.size >= kShortRow || count <= row.size) {
    for (int64_t k = 0; k < count; ++k) {
      move_row<W>(to + k * column.to, row.to, from + k * column.from, row.from, row.size, streams);
    }
    return;
  }
  constexpr auto size_of_word = static_cast<int64_t>(sizeof(W));
  if (row.from == 0 && row.to == size_of_word && column.to == row.size * size_of_word) {
    if (row.size == 2) return repeat_each<W, 2>(to, from, column.from, count);
    if (row.size == 3) return repeat_each<W, 3>(to, from, column.from, count);
    if (row.size == 4) return repeat_each<W, 4>(to, from, column.from, count);
  }
  constexpr int64_t kPiece = 512;
  for (int64_t start = 0; start < count; start += kPiece) {
    const int64_t size = std::min(kPiece, count - start);
    for (int64_t i = 0; i < row.size; ++i) {
      char* const out = to + start * column.to + i * row.to;
      const char* const in = from + start * column.from + i * row.from;
      for (int64_t k = 0; k < size; ++k) {
        *reinterpret_cast<W*>(out + k * column.to) = *reinterpret_cast<const W*>(in + k * column.from);
      }
    }
  }
}

template <class W>
void move_rows(char* to, const char* from, const Walk& walk, bool streams) {
  if (walk.rank() == 0) {
    *reinterpret_cast<W*>(to) = *reinterpret_cast<const W*>(from);
    return;
  }
  const Dimension row = walk[0];
  if (walk.rank() == 1) {
    parallel_for(0, row.size, kGrainSize, [&](int64_t begin, int64_t end) {
      move_row<W>(to + begin * row.to, row.to, from + begin * row.from, row.from, end - begin, streams);
      if (streams) non_temporal_fence();
    });
    return;
  }
  const Dimension column = walk[1];
  parallel_for(0, count_from(walk, 1), kGrainSize / row.size + 1, [&](int64_t begin, int64_t end) {
    const int64_t first = begin / column.size;
    Odometer at(walk, 2, first);
    for (int64_t start = first * column.size; start < end; start += column.size, at.advance()) {
      const int64_t last = std::min(end - start, column.size);
      const int64_t skipped = std::max<int64_t>(begin - start, 0);
      move_block<W>(to + at.to + skipped * column.to, from + at.from + skipped * column.from, row, column,
                    last - skipped, streams);
    }
    if (streams) non_temporal_fence();
  });
}

// Dimension 0 is dense in `to`, dimension 1 in `from`: copies squares, so that each cache line of `from` is read once
// and each one of `to` written once.
template <class W>
void move_tiles(char* to, const char* from, const Walk& walk) {
  constexpr int64_t side = kLineBytes / static_cast<int64_t>(sizeof(W));
  const Dimension across = walk[0];
  const Dimension along = walk[1];
  const int64_t bands = (along.size + side - 1) / side;
  const int64_t planes = count_from(walk, 2);
  parallel_for(0, bands * planes, kGrainSize / (side * across.size) + 1, [&](int64_t begin, int64_t end) {
    W tile[side][side];
    Odometer at(walk, 2, begin / bands);
    int64_t band = begin % bands;
    for (int64_t k = begin; k < end; ++k) {
      const int64_t width = std::min(side, along.size - band * side);
      char* const out = to + at.to + band * side * along.to;
      const char* const in = from + at.from + band * side * along.from;
      for (int64_t start = 0; start < across.size; start += side) {
        const int64_t height = std::min(side, across.size - start);
        for (int64_t i = 0; i < height; ++i) {
          const char* const line = in + (start + i) * across.from;
          __builtin_prefetch(line + kLineBytes);  // next band: more streams than the hardware prefetcher tracks
          if (width == side) {
            std::memcpy(tile[i], line, sizeof tile[i]);
          } else {
            std::memcpy(tile[i], line, static_cast<std::size_t>(width) * sizeof(W));
          }
        }
        for (int64_t j = 0; j < width; ++j) {
          W* const line = reinterpret_cast<W*>(out + j * along.to) + start;
          if (height == side) {
            for (int64_t i = 0; i < side; ++i) assign(line[i], tile[i][j]);
          } else {
            for (int64_t i = 0; i < height; ++i) assign(line[i], tile[i][j]);
          }
        }
      }
      if (++band == bands) {
        band = 0;
        at.advance();
      }
    }
  });
}

template <class W>
void move_words(char* to, const char* from, Walk& walk) {
  constexpr auto size = static_cast<int64_t>(sizeof(W));
  if (walk.rank() >= 2 && walk[0].to == size && walk[0].from != size && walk[0].size >= 4) {
    for (std::size_t d = 1; d < walk.rank(); ++d) {
      if (walk[d].from == size && walk[d].size >= 4) {
        walk.move_to_front(d, 1);
        move_tiles<W>(to, from, walk);
        return;
      }
    }
  }
  int64_t count = 1;
  for (std::size_t d = 0; d < walk.rank(); ++d) count *= walk[d].size;
  move_rows<W>(to, from, walk, uses_non_temporal_stores(static_cast<std::size_t>(count) * sizeof(W)));
}

}  // namespace

void move_elements(char* to, IntArrayRef to_strides, const char* from, IntArrayRef from_strides, IntArrayRef sizes,
                   int item_size_log2) {
  for (const int64_t size : sizes) {
    if (size == 0) return;
  }
  Walk walk(sizes, to_strides, from_strides);
  switch (item_size_log2) {
    case 0:
      return move_words<Word<uint8_t>>(to, from, walk);
    case 1:
      return move_words<Word<uint16_t>>(to, from, walk);
    case 2:
      return move_words<Word<uint32_t>>(to, from, walk);
    case 3:
      return move_words<Word<uint64_t>>(to, from, walk);
    default:
      return move_words<Word16>(to, from, walk);
  }
}

}  // namespace structured
