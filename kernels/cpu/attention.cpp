// Scaled dot-product attention on CPU, in memory that is linear in the numbers of queries and keys: a block of queries
// visits the keys in blocks and corrects its sums when a block has larger scores (Milakov and Gimelshein, "Online
// normalizer calculation for softmax", 2018; Dao et al., "FlashAttention", 2022).
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/iterator/pointwise.h>
#include <structured/memory/scratch.h>
#include <structured/number/visit.h>
#include <structured/ops/expand.h>
#include <structured/ops/to.h>
#include <structured/ops/transpose.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>

#include "cpu/blas.h"
#include "cpu/exponentials.h"
#include "math/accumulate_type.h"
#include "shared/attention_mask.h"
#include "shared/vectorized_loops.h"
#include "tiled_product.h"

namespace structured::kernels {
namespace {

// Queries and keys whose scores are computed at once. They fit the second-level cache of a core.
struct Block {
  int64_t queries, keys;
};

// BLAS needs large blocks; our own products need only as many queries as make up for packing the keys, and leave blocks
// for all threads.
Block block_of(int64_t heads, int64_t queries, bool is_causal, bool is_tiled) {
  if (!is_tiled) return {queries >= 768 ? 256 : queries >= 192 ? 64 : 32, 512};
  int64_t most = 192;
  if (is_causal) most = std::clamp<int64_t>(queries / 4, 48, most);  // a block visits the keys of its last query
  while (most > 24 && heads * ((queries + most - 1) / most) < 2 * max_threads()) most /= 2;
  return {most, 256};
}

// A matrix of one head: rows and their elements are `row_step` and `step` elements apart.
template <class S>
struct Head {
  const S* data;
  int64_t row_step;
  int64_t step;
};

template <class S>
Head<S> head_of(const Tensor& tensor, int64_t batch, int64_t head) {
  const IntArrayRef strides = tensor.strides();
  return {tensor.data_ptr<S>() + batch * strides[0] + head * strides[1], strides[2], strides[3]};
}

// Rows in the dtype of the computation, those in memory or a copy.
template <class C>
struct Rows {
  const C* data;
  int64_t row_step;
};

template <class S, class C>
struct CopyRows {
  static void run(const S* from, int64_t row_step, int64_t step, int64_t rows, int64_t width, C factor, C* to) {
    for (int64_t row = 0; row < rows; ++row, from += row_step, to += width) {
      if (step == 1) {
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t i = 0; i < width; ++i) to[i] = static_cast<C>(from[i]) * factor;
      } else {
        for (int64_t i = 0; i < width; ++i) to[i] = static_cast<C>(from[i * step]) * factor;
      }
    }
  }
};

// Whether BLAS can read the rows of heads in memory.
template <class S, class C>
bool is_readable(const Tensor& tensor) {
  const int64_t row_step = tensor.stride(2);
  return std::is_same_v<S, C> && tensor.stride(3) == 1 && row_step >= tensor.size(3) &&
         row_step <= std::numeric_limits<blasint>::max();
}

// Rows [first, first + count) of a head of `tensor`. Without `copy`, is_readable holds.
template <class C, class S>
Rows<C> rows_of(const Head<S>& head, int64_t first, int64_t count, int64_t width, C* copy) {
  const S* const from = head.data + first * head.row_step;
  if constexpr (std::is_same_v<S, C>) {
    if (copy == nullptr) return {from, head.row_step};
  }
  run_leveled<CopyRows<S, C>>(from, head.row_step, head.step, count, width, C(1), copy);
  return {copy, width};
}

// Replaces scores by exponentials. `largest` and `sums` are those of the earlier keys, whose results `out` are scaled.
template <class C>
struct AddExponentials {
  static void run(C* scores, int64_t rows, int64_t keys, C* largest, C* sums, C* out, int64_t width) {
    for (int64_t row = 0; row < rows; ++row, scores += keys, out += width) {
      C* const x = scores;
      const C before = largest[row];
      const C of_block = largest_of(x, keys);
      const C now = before > of_block ? before : of_block;
      if (now == -std::numeric_limits<C>::infinity()) {  // all keys are masked until now; `sums` is 0
        bool is_nan = false;
        for (int64_t i = 0; i < keys; ++i) is_nan |= x[i] != x[i];
        for (int64_t i = 0; i < keys; ++i) x[i] = C(0);
        if (is_nan) sums[row] = std::numeric_limits<C>::quiet_NaN();
        continue;
      }
      const C factor = math::exp_of_nonpositive(before - now);
      largest[row] = now;
      sums[row] =
          sums[row] * factor + sum_of_exponentials(x, keys, now, [x](int64_t begin, int64_t count, const C* values) {
            for (int64_t i = 0; i < count; ++i) x[begin + i] = values[i];
          });
      if (factor == C(1)) continue;
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < width; ++i) out[i] *= factor;
    }
  }
};

// Adds a mask to scores [rows, keys]. Its strides are in elements.
template <class C>
struct AddMask {
  static void run(C* scores, int64_t rows, int64_t keys, const C* mask, int64_t row_step, int64_t step) {
    for (int64_t row = 0; row < rows; ++row, scores += keys, mask += row_step) {
      if (step == 1) {
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t i = 0; i < keys; ++i) scores[i] += mask[i];
      } else {
        for (int64_t i = 0; i < keys; ++i) scores[i] += mask[i * step];
      }
    }
  }
};

blasint as_blas(int64_t size) { return static_cast<blasint>(size); }

struct Attention {
  const Tensor& query;
  const Tensor& key;
  const Tensor& value;
  const Tensor& mask;  // [N, H, L, S] of the dtype of the computation, or undefined
  double factor;
  bool is_causal;
  const Tensor& output;
  const Tensor& logsumexp;  // [N, H, L], with adjacent heads

  template <class S, class C>
  void run() const {
    const int64_t heads = query.size(1);
    const int64_t queries = query.size(2);
    const bool is_tiled = std::is_same_v<C, float> && queries > 1 && query.size(3) > 0 && has_tiled_products();
    const Block block = block_of(query.size(0) * heads, queries, is_causal, is_tiled);
    const int64_t blocks = (queries + block.queries - 1) / block.queries;
    parallel_for(0, query.size(0) * heads * blocks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i % blocks * block.queries;
        run_block<S, C>(i / blocks / heads, i / blocks % heads, first, std::min(block.queries, queries - first),
                        block.keys, is_tiled);
      }
    });
  }

  // The queries [first, first + count) of a head.
  template <class S, class C>
  void run_block(int64_t batch, int64_t head, int64_t first, int64_t count, int64_t keys_at_once, bool is_tiled) const {
    const int64_t size = query.size(3);
    const int64_t width = value.size(3);
    const int64_t keys = is_causal ? std::min(key.size(2), first + count) : key.size(2);
    const int64_t most = std::min(keys, keys_at_once);
    const int64_t key_copies = is_readable<S, C>(key) ? 0 : most * size;
    const int64_t value_copies = is_readable<S, C>(value) ? 0 : most * width;
    // Packed keys are no longer needed when values are packed.
    const int64_t packed_factor = is_tiled ? std::max(packed_size(size, most), packed_size(most, width)) : 0;
    const ScratchBuffer<C> scratch(
        static_cast<size_t>(packed_factor + count * (size + most + width + 2) + key_copies + value_copies));
    C* const packed = is_tiled ? scratch.data() : nullptr;
    C* const scaled = scratch.data() + packed_factor;
    C* const scores = scaled + count * size;
    C* const sum_of_values = scores + count * most;
    C* const largest = sum_of_values + count * width;
    C* const sums = largest + count;
    C* const key_copy = key_copies == 0 ? nullptr : sums + count;
    C* const value_copy = value_copies == 0 ? nullptr : sums + count + key_copies;
    std::fill_n(sum_of_values, count * width, C(0));
    std::fill_n(largest, count, -std::numeric_limits<C>::infinity());
    std::fill_n(sums, count, C(0));

    const Head<S> queries = head_of<S>(query, batch, head);
    run_leveled<CopyRows<S, C>>(queries.data + first * queries.row_step, queries.row_step, queries.step, count, size,
                                static_cast<C>(factor), scaled);
    for (int64_t start = 0; start < keys; start += most) {
      const int64_t together = std::min(most, keys - start);
      const Rows<C> k = rows_of<C>(head_of<S>(key, batch, head), start, together, size, key_copy);
      multiply_by_keys(scaled, count, size, k, together, packed, scores);
      if (mask.defined()) add_mask<C>(batch, head, first, count, start, together, scores);
      if (is_causal) hide_later_keys(first, count, start, together, scores);
      run_leveled<AddExponentials<C>>(scores, count, together, largest, sums, sum_of_values, width);
      const Rows<C> v = rows_of<C>(head_of<S>(value, batch, head), start, together, width, value_copy);
      add_values(scores, count, together, v, width, packed, sum_of_values);
    }

    const IntArrayRef strides = output.strides();
    S* out = output.data_ptr<S>() + batch * strides[0] + head * strides[1] + first * strides[2];
    C* const logarithms = logsumexp.data_ptr<C>() + batch * logsumexp.stride(0) + head * logsumexp.stride(1) +
                          first * logsumexp.stride(2);
    for (int64_t row = 0; row < count; ++row, out += strides[2]) {
      const C inverse = sums[row] == 0 ? C(0) : 1 / sums[row];  // a query without keys has the result 0
      const C* const from = sum_of_values + row * width;
      for (int64_t i = 0; i < width; ++i) out[i] = static_cast<S>(from[i] * inverse);
      logarithms[row * logsumexp.stride(2)] = std::log(sums[row]) + largest[row];
    }
  }

  template <class C>
  static void multiply_by_keys(const C* scaled, int64_t count, int64_t size, const Rows<C>& k, int64_t keys, C* packed,
                               C* scores) {
    if constexpr (std::is_same_v<C, float>) {
      if (packed != nullptr) {
        pack_transposed({k.data, k.row_step}, size, keys, packed);
        multiply_packed(count, keys, size, {scaled, size}, packed, scores, keys);
        return;
      }
    }
    if (size == 0) {
      std::fill_n(scores, count * keys, C(0));
    } else if (count == 1) {
      gemv<C>(as_blas(keys), as_blas(size), C(1), {k.data, false, as_blas(k.row_step)}, scaled, 1, C(0), scores, 1);
    } else {
      gemm<C>(as_blas(count), as_blas(keys), as_blas(size), C(1), {scaled, false, as_blas(size)},
              {k.data, true, as_blas(k.row_step)}, C(0), scores, as_blas(keys));
    }
  }

  template <class C>
  static void add_values(const C* weights, int64_t count, int64_t keys, const Rows<C>& v, int64_t width, C* packed,
                         C* out) {
    if (width == 0) return;
    if constexpr (std::is_same_v<C, float>) {
      if (packed != nullptr) {
        pack_rows({v.data, v.row_step}, keys, width, packed);
        add_packed_product(count, width, keys, {weights, keys}, packed, out, width);
        return;
      }
    }
    if (count == 1) {
      gemv<C>(as_blas(width), as_blas(keys), C(1), {v.data, true, as_blas(v.row_step)}, weights, 1, C(1), out, 1);
    } else {
      gemm<C>(as_blas(count), as_blas(width), as_blas(keys), C(1), {weights, false, as_blas(keys)},
              {v.data, false, as_blas(v.row_step)}, C(1), out, as_blas(width));
    }
  }

  template <class C>
  void add_mask(int64_t batch, int64_t head, int64_t first, int64_t count, int64_t start, int64_t keys,
                C* scores) const {
    const Head<C> masks = head_of<C>(mask, batch, head);
    run_leveled<AddMask<C>>(scores, count, keys, masks.data + first * masks.row_step + start * masks.step,
                            masks.row_step, masks.step);
  }

  template <class C>
  static void hide_later_keys(int64_t first, int64_t count, int64_t start, int64_t keys, C* scores) {
    for (int64_t row = 0; row < count; ++row) {
      const int64_t visible = std::clamp<int64_t>(first + row + 1 - start, 0, keys);
      std::fill(scores + row * keys + visible, scores + (row + 1) * keys, -std::numeric_limits<C>::infinity());
    }
  }
};

void check_sizes(const char* name, const Tensor& query, const Tensor& key, const Tensor& value) {
  STRUCTURED_CHECK(structured::is_floating(query.scalar_type()), name, ": expected a floating-point dtype, got ",
                   query.scalar_type());
  STRUCTURED_CHECK(key.scalar_type() == query.scalar_type() && value.scalar_type() == query.scalar_type(), name,
                   ": expected `key` and `value` of dtype ", query.scalar_type(), ", got ", key.scalar_type(), " and ",
                   value.scalar_type());
  STRUCTURED_CHECK(query.dim() == 4 && key.dim() == 4 && value.dim() == 4, name,
                   ": expected tensors of 4 dimensions, got ", query.dim(), ", ", key.dim(), " and ", value.dim());
  const auto agree = [&](int64_t dim, const Tensor& other) { return other.size(dim) == query.size(dim); };
  STRUCTURED_CHECK(agree(0, key) && agree(1, key) && agree(3, key) && agree(0, value) && agree(1, value) &&
                       value.size(2) == key.size(2),
                   name, ": expected `key` [N, H, S, E] and `value` [N, H, S, V] for `query` [N, H, L, E], got ",
                   key.sizes(), " and ", value.sizes(), " for ", query.sizes());
}

}  // namespace

/// Scaled dot-product attention: `softmax(query @ key^T * scale + attn_mask) @ value` for `query` [N, H, L, E], `key`
/// [N, H, S, E] and `value` [N, H, S, V]. Returns the result [N, H, L, V] and the logarithms of the sums of
/// exponentials [N, H, L], which are Double for Double, and Float otherwise.
///
/// `scale` defaults to 1 / sqrt(E). `attn_mask` is broadcast to [N, H, L, S]; a Bool mask is true where attention is
/// allowed. A query that may attend to nothing has the result 0. `is_causal` masks positions after the query.
/// `dropout_p` must be 0. Tensors have one floating-point dtype; Half and BFloat16 are computed in Float. Takes memory
/// for a block of scores, not for all of them.
[[structured::kernel("_scaled_dot_product_flash_attention_for_cpu", "CPU", "Meta"),
  structured::returns("output", "logsumexp"), structured::tags("nondeterministic_seeded")]]
std::tuple<Tensor, Tensor> flash_attention_cpu(
    const Tensor& query, const Tensor& key, const Tensor& value, double dropout_p = 0.0, bool is_causal = false,
    [[structured::kwonly]] const std::optional<Tensor>& attn_mask = std::nullopt,
    std::optional<double> scale = std::nullopt) {
  constexpr const char* name = "_scaled_dot_product_flash_attention_for_cpu";
  check_sizes(name, query, key, value);
  STRUCTURED_CHECK(dropout_p == 0, name, ": expected a `dropout_p` of 0, got ", dropout_p);
  const ScalarType wide = query.scalar_type() == kDouble ? kDouble : kFloat;
  const Tensor output = empty({query.size(0), query.size(1), query.size(2), value.size(3)}, query.options());
  // The sums of the heads of a query are adjacent.
  const Tensor sums = empty({query.size(0), query.size(2), query.size(1)}, query.options().dtype(wide));
  const Tensor logsumexp = structured::transpose(sums, 1, 2);
  if (query.device().is_meta() || logsumexp.numel() == 0) return {output, logsumexp};
  Tensor mask;
  if (attn_mask && attn_mask->defined()) {
    mask = structured::expand(structured::to(additive_mask(*attn_mask, wide), wide),
                              {query.size(0), query.size(1), query.size(2), key.size(2)});
  }
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(3))));
  const Attention attention{query, key, value, mask, factor, is_causal, output, logsumexp};
  visit<kAllFloatingTypes>(name, query.scalar_type(),
                           [&]<class S>() { attention.template run<S, AccumulateType<S>>(); });
  return {output, logsumexp};
}

}  // namespace structured::kernels
