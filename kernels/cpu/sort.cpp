// Sorting and order statistics on CPU.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "cpu/rows.h"
#include "cpu/sort_keys.h"

namespace structured::kernels {
namespace {

// Gathers the elements at the positions of keys; `Bits` is any type of their size.
template <class Bits, class SortKey>
void gather(const char* row, const SortKey* keys, int64_t count, char* values) {
  struct [[gnu::may_alias]] Word {
    Bits bits;
  };
  const Word* const from = reinterpret_cast<const Word*>(row);
  Word* const to = reinterpret_cast<Word*>(values);
  for (int64_t i = 0; i < count; ++i) to[i] = from[position_of(keys[i])];
}

template <class SortKey>
void write_selected(ScalarType dtype, const char* row, const SortKey* keys, int64_t count, char* values,
                    int64_t* indices) {
  for (int64_t i = 0; i < count; ++i) indices[i] = position_of(keys[i]);
  switch (item_size_log2(dtype)) {
    case 0:
      return gather<uint8_t>(row, keys, count, values);
    case 1:
      return gather<uint16_t>(row, keys, count, values);
    case 2:
      return gather<uint32_t>(row, keys, count, values);
    default:
      return gather<uint64_t>(row, keys, count, values);
  }
}

// Calls `function(first, last)` for ranges of rows of about `cost` steps each, on several threads.
template <class Function>
void for_rows(int64_t count, int64_t cost, Function&& function) {
  constexpr int64_t kWorthAThread = 8192;
  parallel_for(0, count, kWorthAThread / std::max<int64_t>(cost, 1) + 1, function);
}

// Writes the key of rank `rank(keys of the row)` of each row to `values` and `indices`.
template <class Rank>
void select_rows(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& indices, Rank rank) {
  if (self.numel() == 0) return;
  const ScalarType dtype = self.scalar_type();
  const InputRows in(self, dim);
  const int64_t length = in.length();
  char* const value = static_cast<char*>(values.data());
  int64_t* const index = indices.data_ptr<int64_t>();
  with_keys(dtype, length, [&]<class SortKey>() {
    for_rows(in.count(), length, [&](int64_t first, int64_t last) {
      const KeyBuffer<SortKey> buffer(2 * length);
      SortKey* const keys = buffer.data();
      for (int64_t row = first; row < last; ++row) {
        encode_keys(dtype, in.row(row), 0, length, false, keys);
        const SortKey chosen =
            nth_key(keys, keys + length, length, rank(keys, length), static_cast<int>(item_size(dtype)));
        write_selected(dtype, in.row(row), &chosen, 1, value + (row << item_size_log2(dtype)), index + row);
      }
    });
  });
}

// Returns the key of NaN.
uint64_t nan_key(ScalarType dtype) {
  return is_floating(dtype) ? ~uint64_t{0} >> (64 - 8 * item_size(dtype)) : ~uint64_t{0};
}

void select_medians(const Tensor& self, int64_t dim, bool skips_nan, const Tensor& values, const Tensor& indices) {
  const bool has_nan = is_floating(self.scalar_type());
  const uint64_t nan = nan_key(self.scalar_type());
  select_rows(self, dim, values, indices, [=](auto* keys, int64_t length) {
    if (!has_nan) return (length - 1) / 2;
    using SortKey = std::remove_pointer_t<decltype(keys)>;
    const int64_t numbers =
        length - std::count_if(keys, keys + length, [nan](const SortKey& item) { return key_of(item) == nan; });
    if (skips_nan && numbers != 0) return (numbers - 1) / 2;
    return skips_nan || numbers == length ? (length - 1) / 2 : numbers;  // the rank of the first NaN
  });
}

Tensor median_of_all(const Tensor& self, bool skips_nan) {
  const Tensor value = empty({}, self.options());
  if (self.numel() == 0) {
    visit<kRealTypes>("median", self.scalar_type(), [&]<class T>() {
      if constexpr (std::is_integral_v<T>) {
        *value.data_ptr<T>() = std::numeric_limits<T>::min();  // result of converting NaN to an integer
      } else {
        *value.data_ptr<T>() = T(std::numeric_limits<float>::quiet_NaN());
      }
    });
    return value;
  }
  Tensor row = self;
  if (!self.is_contiguous()) {
    row = empty(self.sizes(), self.options());
    copy_into(row, self);
  }
  row = as_strided(row, row.numel(), 1, row.storage_offset());
  select_medians(row, 0, skips_nan, value, empty({}, kLong));
  return value;
}

void check_median(const char* name, const Tensor& self) {
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()), name, ": expected `self` of dtype ", kRealTypes, ", got ",
                   self.scalar_type());
}

}  // namespace

[[structured::impl("sort.values_stable", "CPU")]]
void sort_cpu(const Tensor& self, [[maybe_unused]] std::optional<bool> stable, int64_t dim, bool descending,
              const Tensor& values, const Tensor& indices) {
  if (self.numel() == 0) return;
  const ScalarType dtype = self.scalar_type();
  const InputRows in(self, dim);
  const OutputRows value_rows(values, dim);
  const OutputRows index_rows(indices, dim);
  const int64_t length = in.length();
  with_keys(dtype, length, [&]<class SortKey>() {
    for_rows(in.count(), 8 * length, [&](int64_t first, int64_t last) {
      const KeyBuffer<SortKey> buffer(2 * length);
      SortKey* const keys = buffer.data();
      for (int64_t row = first; row < last; ++row) {
        encode_keys(dtype, in.row(row), 0, length, descending, keys);
        sort_keys(keys, keys + length, length, static_cast<int>(item_size(dtype)));
        write_selected(dtype, in.row(row), keys, length, value_rows.row(row), index_rows.row<int64_t>(row));
      }
    });
  });
  value_rows.finish();
  index_rows.finish();
}

[[structured::impl("topk.values", "CPU")]]
void topk_cpu(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted, const Tensor& values,
              const Tensor& indices) {
  if (values.numel() == 0) return;
  const ScalarType dtype = self.scalar_type();
  const InputRows in(self, dim);
  const OutputRows value_rows(values, dim);
  const OutputRows index_rows(indices, dim);
  const int64_t length = in.length();
  if (self.dim() == 0) k = 1;
  with_keys(dtype, length, [&]<class SortKey>() {
    for_rows(in.count(), 2 * length, [&](int64_t first, int64_t last) {
      const int64_t room = selection_room(length, k);
      const KeyBuffer<SortKey> buffer(room + k);
      SortKey* const keys = buffer.data();
      for (int64_t row = first; row < last; ++row) {
        select_keys(dtype, in.row(row), length, largest, k, keys);
        if (sorted) sort_keys(keys, keys + room, k, static_cast<int>(item_size(dtype)));
        write_selected(dtype, in.row(row), keys, k, value_rows.row(row), index_rows.row<int64_t>(row));
      }
    });
  });
  value_rows.finish();
  index_rows.finish();
}

[[structured::impl("kthvalue.values", "CPU")]]
void kthvalue_cpu(const Tensor& self, int64_t k, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& values,
                  const Tensor& indices) {
  select_rows(self, dim, values, indices, [k](auto*, int64_t) { return k - 1; });
}

[[structured::impl("median.dim_values", "CPU")]]
void median_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& values,
                const Tensor& indices) {
  select_medians(self, dim, false, values, indices);
}

[[structured::impl("nanmedian.dim_values", "CPU")]]
void nanmedian_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& values,
                   const Tensor& indices) {
  select_medians(self, dim, true, values, indices);
}

/// Median of all elements, the lower of the two middle elements for an even count: a scalar tensor. NaN if any element
/// is NaN or `self` is empty. Bool and complex inputs are not supported.
[[structured::kernel("median", "CPU", "Meta"), structured::variants("median.out")]]
Tensor median_all(const Tensor& self) {
  check_median("median", self);
  return self.is_meta() ? empty({}, self.options()) : median_of_all(self, false);
}

/// Median of all elements that are not NaN, the lower of the two middle elements for an even count: a scalar tensor.
/// NaN if there is none. Bool and complex inputs are not supported.
[[structured::kernel("nanmedian", "CPU", "Meta"), structured::variants("nanmedian.out")]]
Tensor nanmedian_all(const Tensor& self) {
  check_median("nanmedian", self);
  return self.is_meta() ? empty({}, self.options()) : median_of_all(self, true);
}

[[structured::impl("mode.values", "CPU")]]
void mode_cpu(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& values,
              const Tensor& indices) {
  if (self.numel() == 0) return;
  const ScalarType dtype = self.scalar_type();
  const uint64_t nan = nan_key(dtype);
  const bool has_nan = is_floating(dtype);
  const InputRows in(self, dim);
  const int64_t length = in.length();
  char* const value = static_cast<char*>(values.data());
  int64_t* const index = indices.data_ptr<int64_t>();
  with_keys(dtype, length, [&]<class SortKey>() {
    for_rows(in.count(), 8 * length, [&](int64_t first, int64_t last) {
      const KeyBuffer<SortKey> buffer(2 * length);
      SortKey* const keys = buffer.data();
      for (int64_t row = first; row < last; ++row) {
        encode_keys(dtype, in.row(row), 0, length, false, keys);
        sort_keys(keys, keys + length, length, static_cast<int>(item_size(dtype)));
        int64_t best = 0;
        int64_t most = 0;
        int64_t run = 0;
        for (int64_t i = 0; i < length; ++i) {
          const uint64_t key = key_of(keys[i]);
          ++run;
          const bool next_is_equal = i + 1 < length && key_of(keys[i + 1]) == key && !(has_nan && key == nan);
          if (next_is_equal) continue;
          if (run > most) {
            most = run;
            best = i;
          }
          run = 0;
        }
        write_selected(dtype, in.row(row), keys + best, 1, value + (row << item_size_log2(dtype)), index + row);
      }
    });
  });
}

}  // namespace structured::kernels
