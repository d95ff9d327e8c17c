// Binary search and membership tests on CPU.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/iterator/type_promotion.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "cpu/sort_keys.h"

namespace structured::kernels {
namespace {

Tensor contiguous_as(const Tensor& tensor, ScalarType dtype) {
  if (tensor.is_contiguous() && tensor.scalar_type() == dtype) return tensor;
  const Tensor result = empty(tensor.sizes(), tensor.options().dtype(dtype));
  copy_into(result, tensor);
  return result;
}

// Runs several binary searches in lockstep, so that their cache misses overlap. `element(i)` returns element i of the
// row; `is_after(element, value)` returns whether the position of `value` is after `element`.
template <class Value, class Element, class IsAfter, class Position>
void search_row(int64_t length, Element element, IsAfter is_after, const Value* values, int64_t count, Position* out) {
  constexpr int64_t kTogether = 16;
  int64_t at[kTogether];
  for (int64_t start = 0; start < count; start += kTogether) {
    const int64_t together = std::min(kTogether, count - start);
    const Value* const value = values + start;
    std::fill(at, at + together, 0);
    int64_t left = length;
    for (; left > 1; left -= left / 2) {
      const int64_t half = left / 2;
      for (int64_t k = 0; k < together; ++k) at[k] += is_after(element(at[k] + half - 1), value[k]) ? half : 0;
    }
    for (int64_t k = 0; k < together; ++k) {
      out[start + k] = static_cast<Position>(at[k] + (left == 1 && is_after(element(at[k]), value[k])));
    }
  }
}

template <class Position>
void search(const Tensor& sequence, const Tensor& self, bool is_right, const int64_t* sorter, const Tensor& out) {
  const int64_t length = sequence.size(-1);
  const bool is_shared = sequence.dim() == 1;
  const int64_t row_size = is_shared ? self.numel() : self.size(-1);
  const int64_t rows = row_size == 0 ? 0 : self.numel() / row_size;
  visit<kRealTypes>("searchsorted", self.scalar_type(), [&]<class T>() {
    const T* const elements = sequence.data_ptr<T>();
    const T* const values = self.data_ptr<T>();
    Position* const to = out.data_ptr<Position>();
    constexpr int64_t kWorthAThread = 2048;
    parallel_for(0, self.numel(), kWorthAThread, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin / row_size; row < rows && row * row_size < end; ++row) {
        const int64_t first = std::max(begin, row * row_size);
        const int64_t count = std::min(end, (row + 1) * row_size) - first;
        const T* const from = elements + (is_shared ? 0 : row * length);
        const int64_t* const order = sorter == nullptr ? nullptr : sorter + (is_shared ? 0 : row * length);
        const auto run = [&](auto element) {
          if (is_right) {
            search_row(length, element, [](T e, T v) { return !(e > v); }, values + first, count, to + first);
          } else {
            search_row(length, element, [](T e, T v) { return !(e >= v); }, values + first, count, to + first);
          }
        };
        if (order == nullptr) {
          run([from](int64_t i) { return from[i]; });
        } else {
          run([from, order](int64_t i) { return from[order[i]]; });
        }
      }
    });
  });
}

void search_any(const Tensor& sequence, const Tensor& self, bool is_right, const std::optional<Tensor>& sorter,
                const Tensor& out) {
  if (self.numel() == 0) return;
  if (sequence.numel() == 0) {
    std::memset(out.data(), 0, out.nbytes());
    return;
  }
  const ScalarType dtype = result_type(sequence, self);
  const Tensor sorted = contiguous_as(sequence, dtype);
  const Tensor values = contiguous_as(self, dtype);
  Tensor order;
  if (sorter && sorter->defined()) {
    order = contiguous_as(*sorter, kLong);
    const int64_t length = sequence.size(-1);
    const int64_t* const positions = order.data_ptr<int64_t>();
    for (int64_t i = 0; i < order.numel(); ++i) {
      STRUCTURED_CHECK(0 <= positions[i] && positions[i] < length, "searchsorted: expected positions from 0 to ",
                       length - 1, " in `sorter`, got ", positions[i]);
    }
  }
  const int64_t* const positions = order.defined() ? order.data_ptr<int64_t>() : nullptr;
  if (out.scalar_type() == kInt) {
    search<int32_t>(sorted, values, is_right, positions, out);
  } else {
    search<int64_t>(sorted, values, is_right, positions, out);
  }
}

// Sorts the keys of the elements. NaN is left out, since it equals nothing.
template <class SortKey>
int64_t sort_row(const Tensor& elements, SortKey* keys, SortKey* spare) {
  const ScalarType dtype = elements.scalar_type();
  encode_keys(dtype, static_cast<const char*>(elements.data()), 0, elements.numel(), false, keys);
  sort_keys(keys, spare, elements.numel(), static_cast<int>(item_size(dtype)));
  int64_t count = elements.numel();
  if (is_floating(dtype)) {
    const uint64_t nan = ~uint64_t{0} >> (64 - 8 * item_size(dtype));
    while (count > 0 && key_of(keys[count - 1]) == nan) --count;
  }
  return count;
}

void find_each(const Tensor& elements, const Tensor& test_elements, bool invert, const Tensor& out) {
  if (elements.numel() == 0) return;
  const ScalarType dtype = result_type(elements, test_elements);
  const Tensor wanted = contiguous_as(elements, dtype);
  const Tensor known = contiguous_as(test_elements, dtype);
  bool* const found = out.data_ptr<bool>();
  with_keys(dtype, std::max(wanted.numel(), known.numel()), [&]<class SortKey>() {
    const KeyBuffer<SortKey> buffer(2 * known.numel());
    const int64_t count = sort_row(known, buffer.data(), buffer.data() + known.numel());
    const SortKey* const keys = buffer.data();
    const char* const from = static_cast<const char*>(wanted.data());
    constexpr int64_t kPiece = 256;
    parallel_for(0, wanted.numel(), 2048, [&](int64_t begin, int64_t end) {
      SortKey piece[kPiece];
      int64_t at[kPiece];
      for (int64_t start = begin; start < end; start += kPiece) {
        const int64_t size = std::min(kPiece, end - start);
        encode_keys(dtype, from, start, start + size, false, piece);
        search_row(
            count, [keys](int64_t i) { return key_of(keys[i]); },
            [](uint64_t key, const SortKey& item) { return key < key_of(item); }, piece, size, at);
        for (int64_t i = 0; i < size; ++i) {
          found[start + i] = (at[i] < count && key_of(keys[at[i]]) == key_of(piece[i])) != invert;
        }
      }
    });
  });
}

}  // namespace

[[structured::impl("searchsorted.Tensor_out", "CPU")]]
void searchsorted_cpu(const Tensor& sorted_sequence, const Tensor& self, [[maybe_unused]] bool out_int32, bool right,
                      std::optional<std::string_view> side, const std::optional<Tensor>& sorter, const Tensor& out) {
  search_any(sorted_sequence, self, right || side == "right", sorter, out);
}

[[structured::impl("bucketize.Tensor_out", "CPU")]]
void bucketize_cpu(const Tensor& self, const Tensor& boundaries, [[maybe_unused]] bool out_int32, bool right,
                   const Tensor& out) {
  search_any(boundaries, self, right, std::nullopt, out);
}

[[structured::impl("isin.Tensor_Tensor_out", "CPU")]]
void isin_cpu(const Tensor& elements, const Tensor& test_elements, [[maybe_unused]] bool assume_unique, bool invert,
              const Tensor& out) {
  find_each(elements, test_elements, invert, out);
}

[[structured::impl("isin.Tensor_Scalar_out", "CPU")]]
void isin_scalar_cpu(const Tensor& elements, const Scalar& test_element, [[maybe_unused]] bool assume_unique,
                     bool invert, const Tensor& out) {
  find_each(elements, wrapped_scalar_tensor(test_element), invert, out);
}

[[structured::impl("isin.Scalar_Tensor_out", "CPU")]]
void isin_element_cpu(const Scalar& element, const Tensor& test_elements, [[maybe_unused]] bool assume_unique,
                      bool invert, const Tensor& out) {
  find_each(wrapped_scalar_tensor(element), test_elements, invert, out);
}

}  // namespace structured::kernels
