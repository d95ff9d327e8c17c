// Selection of elements by masks on CPU.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/iterator/shape.h>
#include <structured/kernel/overlap.h>
#include <structured/kernel/resize.h>
#include <structured/ops/expand.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace structured::kernels {
namespace {

// Number of elements per piece of the mask, which does not depend on the number of threads.
constexpr int64_t kPiece = kGrainSize;

// Eight Bool elements that are true.
constexpr uint64_t kEightTrue = 0x0101010101010101;

Tensor contiguous(const Tensor& tensor, ScalarType dtype) {
  if (tensor.is_contiguous() && tensor.scalar_type() == dtype) return tensor;
  const Tensor result = empty(tensor.sizes(), tensor.options().dtype(dtype));
  copy_into(result, tensor);
  return result;
}

// Contiguous mask with the number of true elements before each piece.
class Mask {
 public:
  // Converts the mask to Bool, whose elements are the bytes 0 and 1.
  explicit Mask(const Tensor& mask) : tensor_(contiguous(mask, kBool)) {
    const int64_t size = tensor_.numel();
    counts_.resize(static_cast<size_t>((size + kPiece - 1) / kPiece) + 1, 0);
    const auto count_pieces = [&](int64_t begin, int64_t end) {
      for (int64_t piece = begin; piece < end; ++piece) {
        counts_[static_cast<size_t>(piece) + 1] =
            count(elements() + piece * kPiece, std::min(kPiece, size - piece * kPiece));
      }
    };
    parallel_for(0, pieces(), 1, count_pieces);
    for (size_t piece = 1; piece < counts_.size(); ++piece) counts_[piece] += counts_[piece - 1];
  }

  const uint8_t* elements() const { return static_cast<const uint8_t*>(tensor_.data()); }
  int64_t pieces() const { return static_cast<int64_t>(counts_.size()) - 1; }
  int64_t total() const { return counts_.back(); }

  /// Calls `visit(first, last, before, after)` for each piece [first, last) of the mask, with the numbers of true
  /// elements before its start and its end.
  template <class Visit>
  void for_each_piece(Visit visit) const {
    const auto visit_pieces = [&](int64_t begin, int64_t end) {
      for (int64_t piece = begin; piece < end; ++piece) {
        const int64_t before = counts_[static_cast<size_t>(piece)];
        const int64_t after = counts_[static_cast<size_t>(piece) + 1];
        if (before != after) visit(piece * kPiece, std::min((piece + 1) * kPiece, tensor_.numel()), before, after);
      }
    };
    parallel_for(0, pieces(), 1, visit_pieces);
  }

 private:
  static int64_t count(const uint8_t* elements, int64_t size) {
    int64_t result = 0;
    int64_t i = 0;
    for (; i + 8 <= size; i += 8) {
      uint64_t word;
      std::memcpy(&word, elements + i, 8);
      result += static_cast<int64_t>((word & kEightTrue) * kEightTrue >> 56);
    }
    for (; i < size; ++i) result += elements[i] & 1;
    return result;
  }

  Tensor tensor_;
  std::vector<int64_t> counts_;
};

Tensor as_mask(const char* name, const Tensor& mask) {
  STRUCTURED_CHECK(mask.scalar_type() == kBool, name, ": expected a mask of dtype Bool, got ", mask.scalar_type());
  return mask;
}

struct Bytes16 {
  uint64_t parts[2];
};

template <class Function>
void visit_size(size_t item_size, Function function) {
  switch (item_size) {
    case 1:
      return function.template operator()<uint8_t>();
    case 2:
      return function.template operator()<uint16_t>();
    case 4:
      return function.template operator()<uint32_t>();
    case 8:
      return function.template operator()<uint64_t>();
    default:
      return function.template operator()<Bytes16>();
  }
}

// Resizes `out` to `sizes` and returns it, or a temporary if it is not contiguous.
Tensor dense_output(const Tensor& out, IntArrayRef sizes) {
  resize_output(out, sizes);
  return out.is_contiguous() ? out : empty(sizes, out.options());
}

void finish(const Tensor& out, const Tensor& dense) {
  if (!out.is_same(dense)) copy_into(out, dense);
}

// Calls `visit(i)` for each true element of [first, last).
template <class Visit>
void for_each_true(const uint8_t* mask, int64_t first, int64_t last, Visit visit) {
  int64_t i = first;
  while (i < last) {
    uint64_t word = 0;
    const int64_t size = std::min<int64_t>(8, last - i);
    std::memcpy(&word, mask + i, static_cast<size_t>(size));
    word &= kEightTrue;
    for (; word != 0; word &= word - 1) visit(i + (__builtin_ctzll(word) >> 3));
    i += size;
  }
}

void check_has_data(const char* name, const Tensor& tensor) {
  STRUCTURED_CHECK(!tensor.is_meta(), name,
                   ": the shape of the result depends on elements, which tensors on meta do not have");
}

void select_masked(const Tensor& self, const Tensor& mask, const Tensor& out) {
  const DimVector sizes = broadcast_shape(self.sizes(), mask.sizes());
  const Mask chosen(structured::expand(mask, sizes));
  const Tensor in = contiguous(structured::expand(self, sizes), self.scalar_type());
  const Tensor dense = dense_output(out, chosen.total());
  visit_size(self.element_size(), [&]<class T>() {
    const T* const from = static_cast<const T*>(in.data());
    T* const to = static_cast<T*>(dense.data());
    const uint8_t* const elements = chosen.elements();
    chosen.for_each_piece([=](int64_t first, [[maybe_unused]] int64_t last, int64_t before, int64_t after) {
      // Writes every element to the next output position, which advances only past selected ones: no branch can be
      // mispredicted.
      const auto step = [=](int64_t i, int64_t place) {
        to[place] = from[i];
        return place + elements[i];
      };
      constexpr int64_t kTogether = 8;
      int64_t i = first;
      int64_t place = before;
      for (; place + kTogether <= after; i += kTogether) {
#pragma GCC unroll 8
        for (int64_t k = 0; k < kTogether; ++k) place = step(i + k, place);
      }
      for (; place < after; ++i) place = step(i, place);
    });
  });
  finish(out, dense);
}

}  // namespace

/// Elements of `self` where `mask` (Bool) is true, in row-major order: [K] for K true elements. `self` and
/// `mask` are broadcast.
[[structured::kernel("masked_select", "CPU", "Meta"), structured::tags("dynamic_output_shape")]]
Tensor masked_select_cpu(const Tensor& self, const Tensor& mask) {
  check_has_data("masked_select", self);
  const Tensor result = empty({0}, self.options());
  select_masked(self, as_mask("masked_select", mask), result);
  return result;
}

/// Writes the elements of `self` where `mask` (Bool) is true, in row-major order, to `out`, which is resized to
/// [K] for K true elements. `self` and `mask` are broadcast.
[[structured::kernel("masked_select.out", "CPU", "Meta"), structured::tags("dynamic_output_shape")]]
Tensor& masked_select_out_cpu(const Tensor& self, const Tensor& mask, Tensor& out) {
  check_has_data("masked_select", self);
  STRUCTURED_CHECK(out.scalar_type() == self.scalar_type(), "masked_select: expected `out` of dtype ",
                   self.scalar_type(), ", got ", out.scalar_type());
  select_masked(self, as_mask("masked_select", mask), out);
  return out;
}

/// Replaces the elements of `self` where `mask` is true by the elements of `source` in row-major order, in place.
/// `mask` (Bool) is broadcast to `self`. `source` has the dtype of `self` and at least as many elements as
/// `mask` has true ones.
[[structured::kernel("masked_scatter_", "CPU", "Meta")]]
Tensor& masked_scatter_cpu_(Tensor& self, const Tensor& mask, const Tensor& source) {
  STRUCTURED_CHECK(self.scalar_type() == source.scalar_type(), "masked_scatter_: expected `source` of dtype ",
                   self.scalar_type(), ", got ", source.scalar_type());
  assert_no_internal_overlap(self);
  assert_no_overlap(self, source);
  assert_no_overlap(self, mask);
  const Tensor expanded = structured::expand(as_mask("masked_scatter_", mask), self.sizes());
  if (self.is_meta()) return self;
  const Mask chosen(expanded);
  STRUCTURED_CHECK(chosen.total() <= source.numel(), "masked_scatter_: expected at least ", chosen.total(),
                   " elements in `source`, one for each true element of `mask`, got ", source.numel());
  const Tensor in = contiguous(source, source.scalar_type());
  const Tensor dense = contiguous(self, self.scalar_type());
  visit_size(self.element_size(), [&]<class T>() {
    const T* const from = static_cast<const T*>(in.data());
    T* const to = static_cast<T*>(dense.data());
    const uint8_t* const elements = chosen.elements();
    chosen.for_each_piece([=](int64_t first, int64_t last, int64_t before, [[maybe_unused]] int64_t after) {
      const T* next = from + before;
      for_each_true(elements, first, last, [&](int64_t i) { to[i] = *next++; });
    });
  });
  finish(self, dense);
  return self;
}

/// Writes the indices (Long) of the nonzero elements of `self` in row-major order to `out`, which is resized to [K,
/// dimensions of `self`]. A resized result is stored column by column.
[[structured::kernel("nonzero.out", "CPU", "Meta"), structured::tags("core", "dynamic_output_shape")]]
Tensor& nonzero_out_cpu(const Tensor& self, Tensor& out) {
  check_has_data("nonzero", self);
  STRUCTURED_CHECK(out.scalar_type() == kLong, "nonzero: expected `out` of dtype Long, got ", out.scalar_type());
  const Mask mask(self);
  const DimVector sizes(self.sizes());
  const size_t rank = sizes.size();
  const DimVector found{mask.total(), self.dim()};
  if (should_resize_output(out, found)) resize_strided(out, found, {1, std::max<int64_t>(1, mask.total())});
  if (rank == 0) return out;
  int64_t* const to = out.data_ptr<int64_t>();
  const int64_t step = out.stride(0);
  const int64_t dim_step = out.stride(1);
  mask.for_each_piece([&, to, step, dim_step](int64_t first, int64_t last, int64_t before, int64_t after) {
    // Rows along the last dimension are searched one by one; their counts give the indices of the other dimensions.
    int64_t* last_index = to + before * step + static_cast<int64_t>(rank - 1) * dim_step;
    const int64_t width = sizes.back();
    for (int64_t start = first; start < last && before < after;) {
      const int64_t row = start / width;
      const int64_t end = std::min(last, (row + 1) * width);
      const int64_t row_start = row * width;
      int64_t count = 0;
      for_each_true(mask.elements(), start, end, [&](int64_t i) {
        *last_index = i - row_start;
        last_index += step;
        ++count;
      });
      int64_t rest = row;
      for (size_t d = rank - 1; d-- > 0 && count != 0;) {
        const int64_t index = rest % sizes[d];
        rest /= sizes[d];
        int64_t* const place = to + before * step + static_cast<int64_t>(d) * dim_step;
        for (int64_t i = 0; i < count; ++i) place[i * step] = index;
      }
      before += count;
      start = end;
    }
  });
  return out;
}

/// Indices (Long) of the nonzero elements of `self` in row-major order: [K, dimensions of `self`], stored column by
/// column.
[[structured::kernel("nonzero", "CPU", "Meta"), structured::not_differentiable,
  structured::tags("core", "dynamic_output_shape")]]
Tensor nonzero_cpu(const Tensor& self) {
  Tensor result = empty({0}, self.options().dtype(kLong));
  nonzero_out_cpu(self, result);
  return result;
}

}  // namespace structured::kernels
